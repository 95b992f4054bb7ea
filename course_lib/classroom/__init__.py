"""The classroom: what a notebook of exercises needs is here, the rest in the modules.

from course_lib.classroom import check, hint, solution
"""

from course_lib.classroom.check import check
from course_lib.classroom.hints import hint, solution

__all__ = ["check", "hint", "solution"]
