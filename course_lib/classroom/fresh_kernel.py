"""Run a student's notebook from top to bottom in a kernel of its own, and listen to its checks."""

from __future__ import annotations

import json
import os
import re
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.classroom.check import GRADE, NBGRADER, REPORT
from course_lib.classroom.trouble import Trouble

SECONDS = 120  # for one cell; a check stops itself sooner


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
            sitting.broken = "its kernel died"
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
    package = str(Path(__file__).resolve().parents[2])
    paths = [package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    kept = {name: value for name, value in os.environ.items() if name not in (GRADE, NBGRADER)}
    return {
        **kept,
        REPORT: str(report),
        "PYTHONPATH": os.pathsep.join(paths),
        "NO_COLOR": "1",
        "PYTHONBREAKPOINT": "0",  # nobody is there to answer one that was left in
    }
