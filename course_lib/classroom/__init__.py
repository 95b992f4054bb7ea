"""The classroom: what lessons and notebooks of exercises need is here, the rest in the modules.

from course_lib.classroom import check, expect, guess, hint, home, search, solution
"""

from course_lib.classroom.check import check
from course_lib.classroom.guess import guess
from course_lib.classroom.hints import hint, solution
from course_lib.classroom.home import home
from course_lib.classroom.parts import expect
from course_lib.classroom.runs import watch
from course_lib.classroom.search import search

__all__ = ["check", "expect", "guess", "hint", "home", "search", "solution"]

watch()  # the cell that imports the classroom runs before any answer
