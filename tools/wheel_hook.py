"""What a wheel takes of the lessons: their cells, and of their outputs the one that readers meet.

Readers get copies without outputs (`classroom/copies.py`), and a finished set shows the first
picture of its lesson (`classroom/home.py`). All other outputs were two thirds of the notebooks.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def slim(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with its first picture as its only output."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    found = [(cell, output) for cell in code for output in cell["outputs"]]
    html = [(c, o, "".join(o.get("data", {}).get("text/html", ""))) for c, o in found]
    first = next(((c, o) for c, o, text in html if text.startswith("<figure")), (None, None))
    for cell in code:
        cell |= {"outputs": [first[1]] if cell is first[0] else [], "execution_count": None}
    return notebook


class Lessons(BuildHookInterface):
    """Puts slim copies of the lessons in the place of the lessons."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.folder = Path(tempfile.mkdtemp())
        if version == "editable":  # the folder as it is
            return
        for path in sorted(Path(self.root, "notebooks").glob("*.ipynb")):
            text = json.dumps(slim(json.loads(path.read_text("utf-8"))), ensure_ascii=False)
            (self.folder / path.name).write_text(text, encoding="utf-8", newline="\n")
            place = f"course_lib/_content/notebooks/{path.name}"
            build_data["force_include"][str(self.folder / path.name)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.folder)
