"""`course export`: exercises for nbgrader, otter-grader or Gradescope, or for each student."""

import argparse
import ast
import sys
from pathlib import Path
from typing import Any

from course_lib.classroom.by_hand import ByHand
from course_lib.classroom.commands.release import (
    METADATA,
    release,
    source_paths,
    student_notebook,
    write,
)
from course_lib.classroom.prompt import add_options
from course_lib.classroom.record import FOLDER, as_json
from course_lib.classroom.source import BEGIN, END, Cell, Mistakes, Question, Source, read
from course_lib.classroom.trouble import Trouble

Cells = list[dict[str, Any]]
REQUIRE = "from course_lib.classroom.check import require"

GRADERS = {
    "--otter": "source notebooks, for otter assign (otter-grader)",
    "--nbgrader": "source notebooks, for nbgrader generate_assignment; write them to "
    "source/ASSIGNMENT",
    "--gradescope": "a released set, as an autograder in a zip file",
    "--class FOLDER": "a copy of a handout for each student of a class, with the questions dealt "
    "to them",
}
WORDS = {
    "source": "a source notebook, or a folder of them; for Gradescope the name of a set, for a "
    "class the handout",
    "target": "the folder, or the zip file, to write to",
    "--exercises FOLDER": "for Gradescope or a class: released exercises of your own, solutions "
    "included",
    "--unsafe": "for Gradescope: grade there even if hostile answers cannot be held back",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course export`."""
    grader = parser.add_mutually_exclusive_group(required=True)
    add_options(grader, GRADERS)
    add_options(parser, WORDS)


def run(arguments: argparse.Namespace) -> int:
    """Write what was asked for: 0 done, 1 mistakes found, 2 the command makes no sense."""
    arguments.target = Path(arguments.target)
    arguments.class_ = vars(arguments)["class"]  # a word of Python's own
    if arguments.gradescope:
        return _gradescope(arguments)
    if arguments.unsafe or arguments.exercises and not arguments.class_:
        raise Trouble("--exercises and --unsafe go with --gradescope", 2)
    if arguments.class_:
        return _copies(arguments)
    return _masters(Path(arguments.source), arguments.target, arguments.otter)


def _gradescope(arguments: argparse.Namespace) -> int:
    from course_grading.gradescope import write_zip

    path = arguments.target
    if path.suffix != ".zip":
        raise Trouble(f"{path} should end in .zip: Gradescope takes an autograder as a zip file", 2)
    write_zip(path, arguments.source, arguments.exercises, arguments.unsafe)
    print(f"{path}: for Gradescope. It holds solutions: give it to nobody else.")
    return 0


def _copies(arguments: argparse.Namespace) -> int:
    from course_grading.class_folder import copies

    made = copies(arguments.class_, Path(arguments.source), arguments.exercises)
    write({arguments.target / path: text for path, text in made.items()})
    count = len({path.parts[0] for path in made})
    print(f"{arguments.target}: a folder for each of the {count} students")
    return 0


def _masters(source: Path, target: Path, otter: bool) -> int:
    """Write a master notebook and its record for each source, for otter or for nbgrader."""
    made_for = otter_notebook if otter else nbgrader_notebook
    does = "otter assign" if otter else "nbgrader generate_assignment"
    failed = False
    for path in source_paths(source, target):
        try:
            # The record travels with the notebook to the students, so it holds no solution.
            released = release(path, target, solutions=False)
            notebook = as_json(made_for(read(path)))
        except Mistakes as mistakes:
            failed = True
            print(mistakes, file=sys.stderr)
            continue
        write(released | {target / path.name: notebook})
        print(f"{target / path.name}: for {does}")
    return 1 if failed else 0


def nbgrader_notebook(source: Source) -> dict[str, Any]:
    """The students' notebook with the solutions still in it, which nbgrader takes out itself.

    It puts lines of its own in their place, so what a student begins with goes into the prompt.
    """
    made = student_notebook(source)
    cells = [cell for cell in source.cells if cell.role != "notes"]
    for cell, raw in zip(cells, made["cells"], strict=True):
        question = source.asked.get(cell.question)
        if cell.role == "answer":
            raw["source"] = cell.text
        if isinstance(question, Question):
            if cell.role == "prompt" and question.notes.get("stub"):
                code = question.notes["stub"][0].code
                raw["source"] = f"{cell.text}\n\nBegin with this:\n\n```python\n{code}\n```"
        elif question and cell.role == "answer" and not question.model:
            raw["source"] += "\n\n### BEGIN SOLUTION\n### END SOLUTION"  # else it clears the cell
    return made


def otter_notebook(source: Source) -> dict[str, Any]:
    """The source in otter's own format: raw cells stand around what belongs together."""
    config = ["# ASSIGNMENT CONFIG", f"name: {source.name}", "solutions_pdf: false"]
    config += ["export_cell: false", "files:", f"  - {FOLDER}/{source.name}.json"]
    cells = [_make_cell("raw", "config", "\n".join(config))]
    cells += [_plain(cell) for cell in source.cells if not cell.question]
    for question in source.asked.values():
        block = _essay(question) if isinstance(question, ByHand) else _question(question)
        cells += _around(source, question, block)
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def _around(source: Source, question: Question | ByHand, block: Cells) -> Cells:
    """The block of a question between the other cells that belong to it."""
    name, answer = question.name, question.cells["answer"]
    facts = f"\nname: {name}\npoints: {question.points}"
    facts += "\nmanual: true" * isinstance(question, ByHand)
    others = [cell for cell in source.cells if cell.question == name and not cell.role]
    return [
        *(_plain(cell) for cell in others if cell.number < answer.number),
        _mark(name, "BEGIN QUESTION", facts),
        _plain(question.cells["prompt"]),
        *block,
        _mark(name, "END QUESTION"),
        *(_plain(cell) for role, cell in question.cells.items() if role == "check"),
        *(_plain(cell) for cell in others if cell.number > answer.number),
    ]


def _question(question: Question) -> Cells:
    """Otter removes the solution and makes a test of the check; the check itself comes after."""
    name = question.name
    test = _make_cell("code", f"{name}-test", _test(name, question.cells["check"].text))
    answer = _make_cell("code", f"{name}-answer", _answer(question))
    return [*_between(name, "SOLUTION", answer), *_between(name, "TESTS", test)]


def _essay(question: ByHand) -> Cells:
    """Otter gives students the prompt of the answer, and takes out its solution."""
    prompt, model = (
        _make_cell("markdown", f"{question.name}-{word}", text)
        for word, text in (("prompt", question.stub), ("solution", question.model))
    )
    name = question.name
    return [*_between(name, "PROMPT", prompt), *_between(name, "SOLUTION", model)]


def _between(name: str, words: str, cell: dict[str, Any]) -> Cells:
    return [_mark(name, f"BEGIN {words}"), cell, _mark(name, f"END {words}")]


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
    return _make_cell(cell.kind, str(cell.raw.get("id", f"cell-{cell.number}")), cell.text)


def _mark(name: str, words: str, more: str = "") -> dict[str, Any]:
    """A raw cell of that question, by which otter knows where something begins or ends."""
    return _make_cell("raw", f"{name}-{words.lower().replace(' ', '-')}", f"# {words}{more}")


def _make_cell(kind: str, identity: str, text: str) -> dict[str, Any]:
    made = {"cell_type": kind, "id": identity, "metadata": {}, "source": text}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})
