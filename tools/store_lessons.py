#!/usr/bin/env python3
"""Run lessons from top to bottom and store what they show.

    python tools/store_lessons.py               every lesson
    python tools/store_lessons.py 00_welcome    the ones named

As if Restart and Run All, then Save were chosen in JupyterLab, without the marks of one machine:
no version of Python, no times, and tracebacks hold the reader's own lines only. A cell that
JupyterLab named at random is named after its first words. Look at what changed with `git diff`
before you commit: the stored outputs are the lessons' tests.
"""

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

LESSONS = Path(__file__).resolve().parents[1] / "notebooks"
# Of a cell. Eight hexadecimal digits are what Jupyter draws at random, letters only now and then.
NAME = re.compile(r"(?![0-9a-f]{8}$)[a-z]+(-[a-z]+|-[0-9]{1,2})*")
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def store(path: Path) -> bool:
    """Execute one lesson and write it back; say whether anything changed."""
    before = path.read_bytes()
    notebook = nbformat.reads(before.decode(), as_version=4)
    place = {"metadata": {"path": path.parent}}
    NotebookClient(notebook, timeout=300, record_timing=False, resources=place).execute()
    tidy(notebook)
    after = (nbformat.writes(notebook).rstrip("\n") + "\n").encode()
    path.write_bytes(after)  # bytes: on Windows too a line ends in \n alone
    return after != before


def tidy(notebook: Any) -> None:
    """Leave out what differs from one machine to the next."""
    notebook.metadata = nbformat.from_dict(METADATA)
    name_cells(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
            # A live curve leaves an empty place where it grew, if the machine was slow enough.
            cell.outputs = [out for out in cell.outputs if out.get("data") != {}]
            for output in cell.outputs:  # widgets are known by a number that is drawn at random
                output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                output.traceback = [part for part in output.traceback if not is_foreign(part)]


def joined(outputs: list[Any]) -> list[Any]:
    """Printed text in one piece: a busy machine delivers what one cell prints in several.

    Of a line that was overwritten (`\\r`, a progress bar) the last text stays, as on the screen.
    """
    whole: list[Any] = []
    for output in outputs:
        if whole and output.output_type == "stream" == whole[-1].output_type:
            if output.name == whole[-1].name:
                whole[-1].text += output.text
                continue
        whole.append(output)
    for output in whole:
        if output.output_type == "stream":
            output.text = re.sub(r"(?m)^.*\r(?=[^\n])", "", output.text)
    return whole


def name_cells(notebook: Any) -> None:
    """Give every cell without a readable name one, so that a diff can be read."""
    taken = {cell.id for cell in notebook.cells if NAME.fullmatch(cell.id)}
    for cell in notebook.cells:
        if not NAME.fullmatch(cell.id):
            words = re.findall(r"[a-z]+", cell.source.lower())[:3] or [cell.cell_type]
            tries = ["-".join(words), *(f"{'-'.join(words)}-{n}" for n in range(2, 100))]
            cell.id = next(name for name in tries if name not in taken)
            taken.add(cell.id)


def is_foreign(part: str) -> bool:
    """Whether a part of a traceback shows a line of a file, not of the notebook.

    >>> is_foreign("\\x1b[36mFile ~/lib/x.py:12\\x1b[39m, in f()")
    True
    >>> is_foreign("\\x1b[36mCell In[1]\\x1b[39m, line 1")
    False
    """
    return part.lstrip("\x1b[0123456789;m").startswith("File ")


def main(names: list[str]) -> int:
    """Store the lessons of these names, all if there are none; return the exit status."""
    paths = [LESSONS / f"{name.removesuffix('.ipynb')}.ipynb" for name in names]
    missing = [path.stem for path in paths if not path.is_file()]
    if missing:
        print(f"there is no lesson {', '.join(missing)} in {LESSONS.name}/", file=sys.stderr)
        return 2
    for path in paths or sorted(LESSONS.glob("*.ipynb")):
        print(f"{path.name}: {'written' if store(path) else 'up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
