"""Grading: many hostile notebooks, safely, with results that an instructor can use.

    from course_grading import grade_folder
    outcome = grade_folder(Path("submissions"), Path("results"))

Note [Who knows what]
Three kinds of process. The *grader* knows solutions, expected data and every submission, and never
runs a student's code nor takes a notebook apart. A *warm* process has imported the library and
knows the exercises without their solutions; it forks. A *child* of it knows one submission, runs
one question of it behind all the walls that the system offers, writes down what the check shows,
and is gone. What a child may say is JSON of a bounded size, and nothing it says is believed: it is
compared. Expected data comes from a warm process of its own, which meets the course's answers only.
"""

from course_grading.folder import Outcome, grade_folder
from course_grading.walls import Limits

__all__ = ["Limits", "Outcome", "grade_folder"]
