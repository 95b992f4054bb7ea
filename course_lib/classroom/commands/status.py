"""`course status`: what is solved, by stage, in words and bars."""

import argparse
import json
import sys
from itertools import groupby
from typing import Any

from course_lib.classroom.guess import RIGHT, lesson_of
from course_lib.classroom.progress import Standing, guesses, standings
from course_lib.classroom.prompt import command_line
from course_lib.classroom.sets import FOLDER_OPTION, Desk, ExerciseSet, asked_desk

WIDTH = 20

WORDS = {
    **FOLDER_OPTION,
    "--json": "print JSON for a program to read",
    "--merge FILE": "first add the progress in FILE, the .course/progress.jsonl of another machine",
}


def run(arguments: argparse.Namespace) -> int:
    """Print the standing of every question, stage by stage."""
    place = asked_desk(arguments)
    if arguments.merge:
        count = place.journal.merge(arguments.merge)
        many = "1 event" if count == 1 else f"{count} events"
        print(f"Added {many} from {arguments.merge}.", file=sys.stderr)
    events = place.journal.read()[0]
    known, guessed = standings(events), guesses(events)
    if arguments.json:
        print(json.dumps(as_data(place, known) | {"guesses": guessed}, indent=1))
    else:
        print("\n".join(as_lines(place, known, guessed)))
    return 0


def as_lines(place: Desk, known: dict[str, Standing], guessed: dict[str, str]) -> list[str]:
    """The standing in words and bars; a bar says nothing that the words beside it do not."""
    width = max(len(one.label) for one in place.sets) + 4
    lines = [f"Your progress in {place.folder}: {_words(place.questions, known)}"]
    for stage, sets in groupby(place.sets, key=lambda one: one.stage):
        members = list(sets)
        questions = [question for one in members for question in one.questions]
        lines += ["", f"{stage}: {_words(questions, known)}"]
        for one in members:
            done = WIDTH * sum(one.solved(known)) // len(one.questions)
            words = _words(one.questions, known) + _of_guesses(one.name, guessed)
            lines.append(f"  {one.label:<{width}} [{'#' * done:.<{WIDTH}}]  {words}")
    upcoming = place.next_question(known)
    if upcoming is None:
        return [*lines, "", "Every question is solved."]
    one, question = upcoming
    said = f"Next: {question}, {one.title(question)} ({command_line('next')} says more)"
    return [*lines, "", said]


def as_data(place: Desk, known: dict[str, Standing]) -> dict[str, Any]:
    """The standing for a program."""
    upcoming = place.next_question(known)
    return {
        "folder": str(place.folder),
        "next": upcoming[1] if upcoming else None,
        "sets": [_set_data(one, known) for one in place.sets],
    }


def _set_data(one: ExerciseSet, known: dict[str, Standing]) -> dict[str, Any]:
    about = {"set": one.name, "stage": one.stage, "notebook": str(one.notebook)}
    questions = {
        question: vars(known[question]) | {"title": one.title(question)}
        for question in one.questions
    }
    return about | {"questions": questions}


def _words(questions: list[str], known: dict[str, Standing]) -> str:
    solved = sum(known[question].solved for question in questions)
    begun = sum(known[question].begun for question in questions)
    return f"{solved} of {len(questions)} solved" + (f", {begun} begun" if begun else "")


def _of_guesses(lesson: str, guessed: dict[str, str]) -> str:
    """What was guessed in the lesson of a set; a guess that is right at first is a right one."""
    words = [word for name, word in guessed.items() if lesson_of(name) == lesson]
    right = sum(word == RIGHT for word in words)
    return f"; guessed {len(words)}, {right} right" if words else ""
