"""What the sliders of the lessons show: slider_redraws.py [--torch] LESSON…, as JSON.

Each lesson runs once, in an IPython of this process, and `explore` draws every value of each
slider, the others where they begin. With `--torch` the lessons run on real PyTorch.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
from pathlib import Path

from oracle_kernel import Alias

if "--torch" in sys.argv:
    sys.meta_path.insert(0, Alias())

from IPython.core.interactiveshell import InteractiveShell

import course_lib.viz
from course_lib.viz.pictures.exploring import beginning, slider_values

Drawn = dict[str, tuple[str, float]]  # for each place of the sliders its text, and the seconds


def every_place(draw, **choices) -> Drawn:
    """What each value of each slider shows; an error where `draw` refuses it."""
    values = {name: slider_values(name, given) for name, given in choices.items()}
    at = beginning(draw, values)
    draw(**at)  # whatever is loaded at the first time
    drawn: Drawn = {}
    for name, ones in values.items():
        for one in ones:
            start = time.process_time()
            try:
                shown = draw(**{**at, name: one})
                pictured = hasattr(shown, "_repr_mimebundle_")
                text = shown._repr_mimebundle_()["text/plain"] if pictured else repr(shown)
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
            drawn[f"{name}={one}"] = (text, time.process_time() - start)
    return drawn


def redraws(lesson: Path) -> list[Drawn]:
    """What each `explore` of the lesson shows."""
    found: list[Drawn] = []
    course_lib.viz.explore = lambda draw, **choices: found.append(every_place(draw, **choices))
    shell = InteractiveShell.instance()
    os.chdir(lesson.parent)
    for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            shell.run_cell("".join(cell["source"]))
    torch = shell.user_ns["torch"]
    torch.set_default_dtype(torch.float32)  # lesson 25 sets another one, and the process goes on
    InteractiveShell.clear_instance()
    return found


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        told = {Path(path).stem: redraws(Path(path)) for path in sys.argv[1:] if path != "--torch"}
    json.dump(told, sys.stdout)
