"""`course export --otter`: sources as notebooks that `otter assign` takes."""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path
from typing import Any

from course_lib.classroom.commands.release import METADATA, release, source_paths, write
from course_lib.classroom.record import FOLDER, as_json
from course_lib.classroom.source import BEGIN, END, Cell, Mistakes, Question, Source, read

REQUIRE = "from course_lib.classroom.check import require"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course export`."""
    parser.add_argument(
        "--otter", action="store_true", required=True, help="for otter assign (otter-grader)"
    )
    parser.add_argument("source", type=Path, help="a source notebook, or a folder of them")
    parser.add_argument("target", type=Path, help="the folder to write to")


def run(arguments: argparse.Namespace) -> int:
    """Write a master notebook and its record for each source: 0 done, 1 mistakes found."""
    failed = False
    for path in source_paths(arguments.source, arguments.target):
        try:
            # The record travels with the notebook to the students, so it holds no solution.
            released = release(path, arguments.target, solutions=False)
            notebook = as_json(otter_notebook(read(path)))
        except Mistakes as mistakes:
            failed = True
            print(mistakes, file=sys.stderr)
            continue
        write(released | {arguments.target / path.name: notebook})
        print(f"{arguments.target / path.name}: for otter assign")
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

    head = f"# BEGIN QUESTION\nname: {name}\npoints: {question.facts['difficulty']}"
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
