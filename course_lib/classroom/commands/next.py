"""`course next`: the first question that is not solved, and where it is."""

import argparse

from course_lib.classroom.prompt import command_line
from course_lib.classroom.sets import FOLDER_OPTION, asked_desk

WORDS = FOLDER_OPTION


def run(arguments: argparse.Namespace) -> int:
    """Name the next question: 0 there is one, or all are solved."""
    place = asked_desk(arguments)
    known = place.journal.standings()
    upcoming = place.next_question(known)
    if upcoming is None:
        print("Every question is solved.")
        return 0
    one, question = upcoming
    facts = one.record["questions"][question]
    standing = known[question]
    minutes = f"{facts['minutes']} minute{'s' if facts['minutes'] > 1 else ''}"
    print(f"{question}: {one.title(question)}")
    print(f"    {facts['type']}, difficulty {facts['difficulty']} of 5, {minutes}")
    print(f"    latest verdict: {standing.word}; hints seen: {standing.hints}")
    if one.notebook.is_file():
        print(f"    in {one.notebook}")
    else:
        print(f"    in {one.notebook}, which is not there yet: {command_line('update')} copies it")
    if (lesson := place.folder / one.lesson).is_file():
        print(f"    the lesson about it: {lesson}")
    return 0
