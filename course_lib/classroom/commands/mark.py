"""`course mark`: a desk for whoever marks what a grader leaves open.

All of it is in `course_grading.mark`, so that nothing else of the course imports the grader.
"""

from course_grading.mark import add_arguments, run

__all__ = ["add_arguments", "run"]
