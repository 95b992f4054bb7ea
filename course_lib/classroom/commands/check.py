"""`course check`: the verdicts on a set, from a fresh kernel that runs the whole notebook."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from typing import Any

from course_lib.classroom.fresh_kernel import Sitting, run_through
from course_lib.classroom.progress import latest
from course_lib.classroom.prompt import typed
from course_lib.classroom.sets import Desk, ExerciseSet, add_folder, asked_desk
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED

NOT_CHECKED = "not checked"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course check`."""
    parser.add_argument(
        "set",
        nargs="?",
        metavar="SET",
        help="a set (welcome, or its number 0), a question of it (welcome-3), or all "
        "(default: the set you worked on last)",
    )
    add_folder(parser)
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")


def run(arguments: argparse.Namespace) -> int:
    """Check what was asked for.

    0 all of it is correct, 1 something is not, 2 there is no such set, 3 a notebook did not run.
    """
    place = asked_desk(arguments)
    asked = place.spelled(arguments.set) if arguments.set else None
    sets = sets_asked(place, asked)
    results: dict[str, Any] = {}
    for one in sets:
        wanted = [q for q in one.questions if q == asked] or one.questions
        if not arguments.json:
            print(f"{one.label}: running {one.notebook}", flush=True)
        if newer := newer_on_the_page(place, one):
            print(
                f"{newer} was checked on the page after this file was last saved: "
                "save the page (Ctrl+S), then check again.",
                file=sys.stderr,
            )
        sitting = run_through(one.notebook)
        results[one.name] = _result(wanted, sitting)
        if not arguments.json:
            print("\n".join(as_lines(wanted, sitting)))
    if arguments.json:
        print(json.dumps(results, indent=1))
    if any(result["broken"] for result in results.values()):
        return 3
    words = [word for result in results.values() for word in result["words"].values()]
    return 0 if all(word == CORRECT for word in words) else 1


def sets_asked(place: Desk, word: str | None) -> list[ExerciseSet]:
    """The sets that a word means, a question, "all" or nothing: those that are there to run."""
    if word == "all":
        sets = [one for one in place.sets if one.notebook.is_file()]
        if not sets:
            raise Trouble(f"no exercises in {place.folder} yet; {typed('update')} copies them")
        return sets
    if word is None:
        one = place.question(place.last_question())
    else:
        one = place.find(word)
    if not one.notebook.is_file():
        raise Trouble(f"there is no {one.notebook} yet; {typed('update')} copies it")
    return [one]


def newer_on_the_page(place: Desk, one: ExerciseSet) -> str:
    """The question that was last checked in the open notebook since its file was saved, or ""."""
    saved = datetime.datetime.fromtimestamp(one.notebook.stat().st_mtime, datetime.UTC)
    events = [event for event in place.journal.read()[0] if event["question"] in one.questions]
    last = latest(event for event in events if event["event"] == "check" and "of" not in event)
    newer = last.get("at", "") > saved.isoformat(timespec="microseconds")
    return str(last["question"]) if newer else ""


def _result(wanted: list[str], sitting: Sitting) -> dict[str, Any]:
    words = {question: NOT_CHECKED for question in wanted}
    words |= {q: sitting.verdicts[q]["word"] for q in wanted if q in sitting.verdicts}
    return {"words": words, "errors": sitting.errors, "broken": sitting.broken}


def as_lines(wanted: list[str], sitting: Sitting) -> list[str]:
    """What a run says about these questions."""
    lines = []
    for question in wanted:
        verdict = sitting.verdicts.get(question)
        if verdict is None:
            lines.append(f"- {question}: {NOT_CHECKED}, as its check did not run")
        elif verdict["word"] in (CORRECT, NOT_ATTEMPTED):
            lines.append(verdict["text"].split("\n")[0])
        else:
            lines += [verdict["text"], f"    {typed('hint ' + question)} gives a hint."]
    if sitting.errors:
        lines += ["", "Cells that raised:", *(f"    {error}" for error in sitting.errors)]
    if sitting.broken:
        lines += ["", f"The notebook did not run to its end: {sitting.broken}."]
    words = _result(wanted, sitting)["words"].values()
    correct = sum(word == CORRECT for word in words)
    return [*lines, "", f"{correct} of {len(wanted)} correct", ""]
