"""`course release`: from source notebooks make what students open, and the records of the checks.

Both are functions of the source alone: releasing twice writes the same bytes, on every system.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.by_hand import ByHand
from course_lib.classroom.mistakes import without_code
from course_lib.classroom.proof import missing, prove
from course_lib.classroom.record import FOLDER, SCHEMA, as_json
from course_lib.classroom.sealed import Unsealable, seal_record
from course_lib.classroom.source import Cell, Mistake, Mistakes, Question, Source, read, set_name
from course_lib.classroom.trouble import Trouble, writing
from course_lib.classroom.verdict import GUESSED

# What a hand-in shows was shown when its student last ran the cell: nbval compares none of it.
NOT_COMPARED = "nbval-ignore-output"

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


# ---- the command ---------------------------------------------------------------------------------


WORDS = {
    "source?": "a source notebook, or a folder of them (default: solutions)",
    "target?": "the folder to write to (default: exercises beside the source)",
    "--check": "write nothing; exit 1 if something would change",
    "--no-solutions": "leave solutions, explanations and other right answers out of the records: "
    "for exercises that are graded, which may do without hints and wrong answers",
    "--graded FOLDER": "with --no-solutions, and also write there what `grade` needs; keep it to "
    "yourself",
    "--store": "also run each source in a kernel, and store its outputs in it",
}


def run(arguments: argparse.Namespace) -> int:
    """Release what was asked for: 0 done, 1 mistakes found or, with --check, something is stale."""
    source = Path(arguments.source or default_source())
    folder = source if source.is_dir() else source.parent
    target = Path(arguments.target or folder.resolve().parent / "exercises")
    if arguments.graded and arguments.graded.resolve().is_relative_to(target.resolve()):
        raise Trouble(f"{arguments.graded} would be handed out with {target}; name another", 2)
    paths = source_paths(source, target)
    failed = stale = False
    for mistake in _same_names(paths):
        failed = True
        print(mistake, file=sys.stderr)
    for path in paths:
        try:
            changed = _release_one(path, target, arguments)
        except Mistakes as mistakes:
            failed = True
            print(mistakes, file=sys.stderr)
            continue
        stale = stale or changed
        says = ("stale" if arguments.check else "written") if changed else "up to date"
        print(f"{path.name}: {says}")
    return 1 if failed or (arguments.check and stale) else 0


def source_paths(source: Path, target: Path) -> list[Path]:
    """The notebooks that `source` means, once it is clear that `target` may be written to."""
    folder = source if source.is_dir() else source.parent
    if not source.exists():
        raise Trouble(f"there is no {source}; name a source notebook or a folder of them", 2)
    if target.resolve() == folder.resolve():
        raise Trouble(f"{target} holds the sources; name another folder to write to", 2)
    paths = sorted(source.glob("*.ipynb")) if source.is_dir() else [source]
    if not paths:
        raise Trouble(f"there is no notebook in {source}", 2)
    return paths


def _release_one(path: Path, target: Path, arguments: argparse.Namespace) -> bool:
    """True when what lay in `target` was not what `path` makes."""
    handout = arguments.no_solutions or arguments.graded is not None
    files = release(path, target, solutions=not handout)
    if arguments.graded is not None:
        files |= release(path, arguments.graded, solutions=True, graded=True)
    held = {file: file.read_bytes() if file.is_file() else None for file in files}
    changed = any(held[file] != text.encode() for file, text in files.items())
    if not arguments.check:
        write(files)
        if arguments.store:
            store(path)
    return changed


def _same_names(paths: list[Path]) -> list[Mistake]:
    """Two sets of one name would share one record, and their questions one name."""
    first: dict[str, Path] = {}
    mistakes = []
    for path in paths:
        other = first.setdefault(set_name(path), path)
        if other != path:
            problem = f"{other.name} is the set {set_name(path)} already"
            mistakes.append(Mistake(path.name, 0, "", problem, "rename one of the two"))
    return mistakes


def default_source() -> Path:
    """The folder of sources where none is named."""
    checkout = content.checkout()
    if Path("solutions").is_dir() or checkout is None:
        return Path("solutions")
    return checkout / "solutions"


def write(files: dict[Path, str]) -> None:
    """Write each file with its text, and make the folders that it lies in."""
    for path, text in files.items():
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())  # bytes: on Windows too a line ends in \n alone


# ---- what is made --------------------------------------------------------------------------------


def release(
    path: Path, target: Path, solutions: bool = True, graded: bool = False
) -> dict[Path, str]:
    """The files that the source at `path` becomes, with their text. Raises `Mistakes`.

    Without `solutions`, or if it is `graded`, a question may do without hints and the like.
    """
    source = read(path)
    mistakes = missing(source, graded or not solutions)
    if mistakes:
        raise Mistakes(mistakes)
    questions = {}
    for question in source.questions.values():
        questions[question.name], found = prove(source, question)
        mistakes += found
    if mistakes:
        raise Mistakes(mistakes)
    record = {
        "schema": SCHEMA,
        "set": source.name,
        "notebook": path.name,
        "digest": source.digest,
        "questions": questions if solutions else _handout(source, questions),
    }
    if source.by_hand:
        essays = source.by_hand.items()
        record["by_hand"] = {name: one.record(solutions, graded) for name, one in essays}
    return {
        target / path.name: as_json(student_notebook(source)),
        target / FOLDER / f"{source.name}.json": as_json(record),
    }


def _handout(source: Source, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Records without anything that is a right answer or says one.

    What the solution shows stays, since a check compares with it, and so do the hints; where it is
    what students are asked to predict, it is sealed. A wrong answer is known by what it shows and
    by digests of its code, which often is a right one but for a letter. Raises `Mistakes`.
    """
    made, mistakes = {}, []
    for name, record in questions.items():
        wrong = [without_code(one) for one in record["wrong"]]
        made[name] = record | {
            "cells": [cell for cell in record["cells"] if cell[0] != "answer"],
            "solution": {"data": record["solution"]["data"]},
            "right": [],
            "wrong": wrong,
            "explanation": "",
        }
        if record["type"] in GUESSED:
            try:
                made[name] = seal_record(made[name], f"{source.digest}/{name}")
            except Unsealable as why:
                number = source.questions[name].cells["check"].number
                problem = f"its answer would be handed out in clear: {why}"
                remedy = "let the check show names or numbers"
                mistakes.append(Mistake(source.path.name, number, name, problem, remedy))
    if mistakes:
        raise Mistakes(mistakes)
    return made


def student_notebook(source: Source) -> dict[str, Any]:
    """The notebook that students open: stubs for solutions, no notes, nothing run yet."""
    cells = [_student_cell(source, cell) for cell in source.cells if cell.role != "notes"]
    about = {"set": source.name, "digest": source.digest}
    return {
        "cells": cells,
        "metadata": {**METADATA, "course": about},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _student_cell(source: Source, cell: Cell) -> dict[str, Any]:
    metadata = dict(cell.raw.get("metadata", {}))
    text = cell.text
    if cell.role:
        metadata["course"] = {"question": cell.question, "role": cell.role}
        metadata["nbgrader"] = nbgrader(source.asked[cell.question], cell.role)
    if cell.role == "check":  # JupyterLab keeps it from being changed or deleted by accident
        metadata |= {"editable": False, "deletable": False}
    if cell.role == "answer":
        text = source.asked[cell.question].stub
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": cell.raw.get("id", f"cell-{cell.number}"),
        "metadata": metadata,
        "source": text.splitlines(keepends=True),
    }
    if cell.kind == "code":
        metadata["tags"] = [*metadata.get("tags", []), NOT_COMPARED]
        made |= {"execution_count": None, "outputs": []}
    return made


def nbgrader(question: Question | ByHand, role: str) -> dict[str, Any]:
    """The metadata by which nbgrader knows a cell; points come by the check, or by a person."""
    graded = "answer" if isinstance(question, ByHand) else "check"
    flags = {
        "schema_version": 3,
        "grade_id": question.name if role == "answer" else f"{question.name}-{role}",
        "grade": role == graded,
        "locked": role != "answer",
        "solution": role == "answer",
        "task": False,
    }
    return flags | ({"points": question.points} if role == graded else {})


def store(path: Path) -> None:
    """Run the source in a kernel and write it back with its outputs.

    As if Run All and Save were chosen in JupyterLab, without the marks of this machine and hour.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=60, record_timing=False, resources={"metadata": {"path": path.parent}}
    )
    try:
        client.execute()
    except CellExecutionError as error:
        problem = f"running it raised {error.ename}: {error.evalue}"
        raise Mistakes([Mistake(path.name, 0, "", problem, "run all cells")]) from None
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata = nbformat.from_dict(METADATA)
    write({path: nbformat.writes(notebook).rstrip("\n") + "\n"})
