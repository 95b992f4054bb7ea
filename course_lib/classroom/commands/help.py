"""What `course hint` and `course solution` share: the question that was asked for."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from course_lib.classroom.sets import Desk, add_folder, desk


def add_question(parser: argparse.ArgumentParser) -> None:
    """Declare the question and the folder."""
    parser.add_argument(
        "question",
        nargs="?",
        metavar="QUESTION",
        help="its name, such as welcome-3 (default: the one you worked on last)",
    )
    add_folder(parser)


def asked(arguments: argparse.Namespace) -> tuple[Desk, str, dict[str, Any]]:
    """The desk, the question, and its record."""
    place = desk(arguments.folder)
    if told := place.journal.mend():
        print(told, file=sys.stderr)
    question = arguments.question or place.last_question()
    question = place.spelled(question, questions=True)
    return place, question, place.question(question).record["questions"][question]
