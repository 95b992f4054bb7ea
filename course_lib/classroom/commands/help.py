"""What `course hint` and `course solution` share: the question that was asked for."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from course_lib.classroom.sets import Desk, add_folder, desk


def add_question(parser: argparse.ArgumentParser) -> None:
    """Declare the question and the folder."""
    parser.add_argument("question", metavar="QUESTION", help="its name, such as welcome-3")
    add_folder(parser)


def asked(arguments: argparse.Namespace) -> tuple[Desk, dict[str, Any]]:
    """The desk, and the record of the question."""
    place = desk(arguments.folder)
    if told := place.journal.mend():
        print(told, file=sys.stderr)
    one = place.question(arguments.question)
    return place, one.record["questions"][arguments.question]
