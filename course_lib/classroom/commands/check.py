"""`course check`: the verdicts on a set, from a fresh kernel that runs the whole notebook."""

import argparse
import datetime
import json
import os
import re
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.classroom.check import GRADE, NBGRADER, REPORT
from course_lib.classroom.content import PACKAGE
from course_lib.classroom.progress import latest
from course_lib.classroom.prompt import command_line
from course_lib.classroom.sets import FOLDER_OPTION, Desk, ExerciseSet, asked_desk
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED

NOT_CHECKED = "not checked"
SECONDS = 120  # for one cell; a check stops itself sooner
A_SET = "a set (welcome, or its number 0), a question of it (welcome-3), or all"

WORDS = {
    "SET?": f"{A_SET} (default: the set you worked on last)",
    **FOLDER_OPTION,
    "--json": "print JSON for a program to read",
}


def run(arguments: argparse.Namespace) -> int:
    """Check what was asked for.

    0 all of it is correct, 1 something is not, 2 there is no such set, 3 a notebook did not run.
    """
    place = asked_desk(arguments)
    asked = place.find_name(arguments.set) if arguments.set else None
    sets = select_sets(place, asked)
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


def select_sets(place: Desk, word: str | None) -> list[ExerciseSet]:
    """The sets that a word means, a question, "all" or nothing: those that are there to run."""
    if word == "all":
        sets = [one for one in place.sets if one.notebook.is_file()]
        if not sets:
            raise Trouble(
                f"no exercises in {place.folder} yet; {command_line('update')} copies them"
            )
        return sets
    if word is None:
        one = place.question(place.last_question())
    else:
        one = place.find(word)
    if not one.notebook.is_file():
        raise Trouble(f"there is no {one.notebook} yet; {command_line('update')} copies it")
    return [one]


def newer_on_the_page(place: Desk, one: ExerciseSet) -> str:
    """The question that was last checked in the open notebook since its file was saved, or ""."""
    saved = datetime.datetime.fromtimestamp(one.notebook.stat().st_mtime, datetime.UTC)
    events = [event for event in place.journal.read()[0] if event["question"] in one.questions]
    last = latest(event for event in events if event["event"] == "check" and "of" not in event)
    newer = last.get("at", "") > saved.isoformat(timespec="microseconds")
    return str(last["question"]) if newer else ""


def _result(wanted: list[str], sitting: "Sitting") -> dict[str, Any]:
    words = {question: NOT_CHECKED for question in wanted}
    words |= {q: sitting.verdicts[q]["word"] for q in wanted if q in sitting.verdicts}
    return {"words": words, "errors": sitting.errors, "broken": sitting.broken}


def as_lines(wanted: list[str], sitting: "Sitting") -> list[str]:
    """What a run says about these questions."""
    lines = []
    for question in wanted:
        verdict = sitting.verdicts.get(question)
        if verdict is None:
            lines.append(f"- {question}: {NOT_CHECKED}, as its check did not run")
        elif verdict["word"] in (CORRECT, NOT_ATTEMPTED):
            lines.append(verdict["text"].split("\n")[0])
        else:
            lines += [verdict["text"], f"    {command_line('hint ' + question)} gives a hint."]
    if sitting.errors:
        lines += ["", "Cells that raised:", *(f"    {error}" for error in sitting.errors)]
    if sitting.broken:
        lines += ["", f"The notebook did not run to its end: {sitting.broken}."]
    words = _result(wanted, sitting)["words"].values()
    correct = sum(word == CORRECT for word in words)
    return [*lines, "", f"{correct} of {len(wanted)} correct", ""]


# ---- a kernel of its own -------------------------------------------------------------------------


@dataclass
class Sitting:
    """What one run of a notebook gave."""

    verdicts: dict[str, dict[str, str]] = field(default_factory=dict)  # the last of each question
    errors: list[str] = field(default_factory=list)  # what the student's own cells raised
    broken: str = ""  # why the run did not come to its end


def run_through(path: Path) -> Sitting:
    """Run the notebook at `path` without changing it; a cell that raises stops no other."""
    from nbclient.exceptions import DeadKernelError

    notebook = _notebook(path)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "verdicts"
        client = _client(notebook, path.parent)
        sitting = Sitting()
        try:
            client.execute(env=_environment(report))
        except DeadKernelError:
            sitting.broken = "its kernel died (exit() or too little memory can do that)"
        except Exception as error:  # what nbclient raises of zmq, of Jupyter, of the system
            sitting.broken = f"it could not be run ({type(error).__name__}: {error})"
        text = report.read_text(encoding="utf-8") if report.exists() else ""
    for line in text.splitlines():
        verdict = json.loads(line)
        sitting.verdicts[verdict["question"]] = verdict
    code = [(n, cell) for n, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code"]
    sitting.errors = [
        f"cell {number} raised {_error_text(output)}"
        for number, cell in code
        for output in cell.outputs
        if output.output_type == "error"
    ]
    if sitting.broken:
        ran = [number for number, cell in code if cell.execution_count]
        sitting.broken += f" after cell {max(ran, default=0)}"
    return sitting


def _error_text(output: Any) -> str:
    """Type and first line; the name that a cell has as a file means nothing to anyone."""
    said = re.sub(r"\(\d+\.py, (line \d+)\)", r"(\1)", output.evalue.split("\n")[0])[:200]
    return f"{output.ename}: {said}" if said else str(output.ename)


def _notebook(path: Path) -> Any:
    import nbformat

    try:
        with warnings.catch_warnings(action="ignore"):  # a copied cell may have kept its id
            notebook = nbformat.read(path, as_version=4)
    except (
        OSError,
        ValueError,
        AttributeError,
        KeyError,
        TypeError,
        nbformat.ValidationError,
    ) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise Trouble(f"{path} is no notebook that can be read ({reason})", 3) from None
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def _client(notebook: Any, folder: Path) -> Any:
    """A client whose kernel is this very Python, whatever else the machine calls python3."""
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient

    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS,
        interrupt_on_timeout=True,
        allow_errors=True,
        extra_arguments=["--log-level=40"],  # warnings about its own connections are not news
        resources={"metadata": {"path": str(folder)}},
    )
    manager = client.create_kernel_manager()
    manager.kernel_spec_manager = KernelSpecManager(kernel_dirs=[])
    return client


def _environment(report: Path) -> dict[str, str]:
    """Ours, with this course first on the path: a checkout need not be installed.

    Without the switches of graders, which a terminal may still hold: a check that raises writes no
    line to the report.
    """
    paths = [str(PACKAGE.parent), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    kept = {name: value for name, value in os.environ.items() if name not in (GRADE, NBGRADER)}
    return {
        **kept,
        REPORT: str(report),
        "PYTHONPATH": os.pathsep.join(paths),
        "NO_COLOR": "1",
        "PYTHONBREAKPOINT": "0",  # nobody is there to answer one that was left in
    }
