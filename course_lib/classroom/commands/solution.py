"""`course solution`: a solution of a question, and why it is one."""

import argparse
import textwrap

from course_lib.classroom.commands.hint import QUESTION, find_question

WORDS = QUESTION


def run(arguments: argparse.Namespace) -> int:
    """Print the solution: 0 done, 1 it is not handed out."""
    place, question, record = find_question(arguments)
    solution = record["solution"]
    if "code" not in solution:
        print(f"The solution of {question} is not handed out.")
        return 1
    place.journal.note(question, "solution")
    print(f"A solution of {question}\n")
    print(textwrap.indent(solution["code"].strip(), "    "))
    print(f"\n{record['explanation']}")
    return 0
