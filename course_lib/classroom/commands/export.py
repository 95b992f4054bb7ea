"""`course export`: exercises for another grader, which are otter-grader and Gradescope."""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path
from typing import Any

from course_lib.classroom.commands.release import METADATA, release, source_paths, write
from course_lib.classroom.credit import worth
from course_lib.classroom.record import FOLDER, as_json
from course_lib.classroom.source import BEGIN, END, Cell, Mistakes, Question, Source, read
from course_lib.classroom.trouble import Trouble

REQUIRE = "from course_lib.classroom.check import require"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course export`."""
    grader = parser.add_mutually_exclusive_group(required=True)
    grader.add_argument(
        "--otter", action="store_true", help="source notebooks, for otter assign (otter-grader)"
    )
    grader.add_argument(
        "--gradescope", action="store_true", help="a released set, as an autograder in a zip file"
    )
    parser.add_argument(
        "source", help="a source notebook, or a folder of them; for Gradescope the name of a set"
    )
    parser.add_argument("target", type=Path, help="the folder, or the zip file, to write to")
    parser.add_argument(
        "--exercises",
        type=Path,
        metavar="FOLDER",
        help="for Gradescope: released exercises of your own, solutions included",
    )
    parser.add_argument(
        "--unsafe",
        action="store_true",
        help="for Gradescope: grade there even if hostile answers cannot be held back",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write what was asked for: 0 done, 1 mistakes found, 2 the words cannot be meant."""
    if arguments.gradescope:
        return _gradescope(arguments)
    if arguments.exercises or arguments.unsafe:
        raise Trouble("--exercises and --unsafe go with --gradescope", 2)
    return _otter(Path(arguments.source), arguments.target)


def _gradescope(arguments: argparse.Namespace) -> int:
    from course_lib.classroom.grading.gradescope import write_zip

    path = arguments.target
    if path.suffix != ".zip":
        raise Trouble(f"{path} should end in .zip: Gradescope takes an autograder as a zip file", 2)
    write_zip(path, arguments.source, arguments.exercises, arguments.unsafe)
    print(f"{path}: for Gradescope. It holds solutions: give it to nobody else.")
    return 0


def _otter(source: Path, target: Path) -> int:
    """Write a master notebook and its record for each source."""
    failed = False
    for path in source_paths(source, target):
        try:
            # The record travels with the notebook to the students, so it holds no solution.
            released = release(path, target, solutions=False)
            notebook = as_json(otter_notebook(read(path)))
        except Mistakes as mistakes:
            failed = True
            print(mistakes, file=sys.stderr)
            continue
        write(released | {target / path.name: notebook})
        print(f"{target / path.name}: for otter assign")
    return 1 if failed else 0


def otter_notebook(source: Source) -> dict[str, Any]:
    """The source in otter's own format: raw cells stand around what belongs together."""
    config = ["# ASSIGNMENT CONFIG", f"name: {source.name}", "solutions_pdf: false"]
    config += ["export_cell: false", "files:", f"  - {FOLDER}/{source.name}.json"]
    cells = [_raw("config", "\n".join(config))]
    cells += [_plain(cell) for cell in source.cells if not cell.question]
    for question in source.questions.values():
        cells += _question(source, question)
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def _question(source: Source, question: Question) -> list[dict[str, Any]]:
    """Otter removes the solution and makes a test of the check; the check itself comes after."""
    name = question.name
    prompt, answer, check = (question.cells[role] for role in ("prompt", "answer", "check"))
    mine = [cell for cell in source.cells if cell.question == name and cell.role != "notes"]
    others = [cell for cell in mine if not cell.role]
    test = _code(f"{name}-test", _test(name, check.text))

    def raw(words: str) -> dict[str, Any]:
        return _raw(f"{name}-{words.lower().replace(' ', '-')}", f"# {words}")

    head = f"# BEGIN QUESTION\nname: {name}\npoints: {worth(question.facts)}"
    return [
        *(_plain(cell) for cell in others if cell.number < answer.number),
        _raw(f"{name}-begin-question", head),
        _plain(prompt),
        raw("BEGIN SOLUTION"),
        _code(f"{name}-answer", _answer(question)),
        raw("END SOLUTION"),
        raw("BEGIN TESTS"),
        test,
        raw("END TESTS"),
        raw("END QUESTION"),
        _plain(check),
        *(_plain(cell) for cell in others if cell.number > answer.number),
    ]


def _test(name: str, check: str) -> str:
    """The check as a test that raises; called by hand, as otter cuts a decorator off its function.

    >>> print(_test("d-1", '@check("d-1")\\ndef d_1(show):\\n    show("x", x)'))
    from course_lib.classroom.check import require
    def d_1(show):
        show("x", x)
    require("d-1")(d_1)
    """
    body = ast.parse(check).body
    looks = [node.name for node in body if isinstance(node, ast.FunctionDef)]
    function = check.replace(f'@check("{name}")\n', "", 1)
    return f'{REQUIRE}\n{function}\nrequire("{name}")({looks[-1]})'


def _answer(question: Question) -> str:
    """The answer with otter's markers, which are ours; a stub of its own becomes its prompt."""
    if not question.notes.get("stub"):
        return question.cells["answer"].text
    first, rest = question.answer.split("\n", 1)
    stub = question.notes["stub"][0].code
    prompt = f'""" # BEGIN PROMPT\n{stub}\n""" # END PROMPT'
    return "\n".join([first, prompt, f"{BEGIN} NO PROMPT", rest, END])


def _plain(cell: Cell) -> dict[str, Any]:
    identity = str(cell.raw.get("id", f"cell-{cell.number}"))
    if cell.kind == "code":
        return _code(identity, cell.text)
    return {"cell_type": cell.kind, "id": identity, "metadata": {}, "source": cell.text}


def _code(identity: str, text: str) -> dict[str, Any]:
    made = {"cell_type": "code", "id": identity, "metadata": {}, "source": text}
    return made | {"execution_count": None, "outputs": []}


def _raw(identity: str, text: str) -> dict[str, Any]:
    return {"cell_type": "raw", "id": identity, "metadata": {}, "source": text}
