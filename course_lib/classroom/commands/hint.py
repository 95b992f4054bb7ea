"""`course hint`: the next hint of a question."""

import argparse
from typing import Any

from course_lib.classroom.prompt import command_line
from course_lib.classroom.sets import FOLDER_OPTION, Desk, asked_desk

QUESTION = {
    "QUESTION?": "its name, such as welcome-3 (default: the one you worked on last)",
    **FOLDER_OPTION,
}
WORDS = {**QUESTION, "N?": "this hint again (default: the next one)"}


def run(arguments: argparse.Namespace) -> int:
    """Print a hint: 0 there was one, 1 the last has been seen, 2 there is no such hint."""
    place, question, record = find_question(arguments)
    hints = record["hints"]
    number = arguments.n
    if number is None:
        number = place.journal.standings()[question].hints + 1
        if number > len(hints):
            print(f"You have seen all {len(hints)} hints of {question}.")
            print(f"{command_line(f'hint {question} 1')} shows the first one again,")
            print(f"{command_line('solution ' + question)} shows a solution.")
            return 1
    if not 1 <= number <= len(hints):
        print(f"{question} has hints 1 to {len(hints)}.")
        return 2
    place.journal.note(question, "hint", number=number)
    print(f"Hint {number} of {len(hints)} for {question}\n\n{hints[number - 1]}")
    return 0


def find_question(arguments: argparse.Namespace) -> tuple[Desk, str, dict[str, Any]]:
    """The desk, the question, and its record."""
    place = asked_desk(arguments)
    question = place.find_name(arguments.question or place.last_question(), questions=True)
    return place, question, place.question(question).record["questions"][question]
