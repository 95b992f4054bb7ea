"""What the lessons say to right and wrong guesses: guess_answers.py [--torch] LESSON…, as JSON.

Each lesson runs once, in an IPython of this process. At every cell that a guess is about, each
guess in the lesson's file is compared with what the cell has just shown, and a wrong one told the
words of its picture, or None. With `--torch` the lessons run on real PyTorch.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path

from oracle_kernel import Alias

if "--torch" in sys.argv:
    sys.meta_path.insert(0, Alias())

from IPython.core.interactiveshell import InteractiveShell

from course_lib.classroom.copies import guess_in, text_of
from course_lib.classroom.guess import Guess
from course_lib.classroom.guessed import as_guess


def answers(lesson: Path, shell: InteractiveShell) -> dict[str, dict[str, list[str]]]:
    """For each guess of the lesson and each thing typed, what the reader is told."""
    file = lesson.parent / ".guesses" / f"{lesson.stem.partition('_')[2]}.json"
    guesses = json.loads(file.read_text(encoding="utf-8"))["guesses"]
    told, name = {}, ""
    for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        result = shell.run_cell(text_of(cell))
        if guess_in(cell):
            name = guess_in(cell)
        elif name:
            about, space = guesses[name], {"torch": shell.user_ns.get("torch")}
            told[name] = {}
            for typed in (about["right"], *about["wrong"]):
                value = eval(typed, space)
                one = Guess(name, as_guess(value), about, cell, value)
                said = one.judge_guess(one.shown(result, shell.user_ns), shell.user_ns)
                told[name][typed] = [*said, repr(one.picture(shell.user_ns))] if said else []
            name = ""
    torch = shell.user_ns["torch"]
    torch.set_default_dtype(torch.float32)  # lesson 25 sets another one, and the process goes on
    return told


if __name__ == "__main__":
    found = {}
    for path in sys.argv[1:]:
        if path == "--torch":
            continue
        os.chdir(Path(path).parent)
        shell = InteractiveShell.instance()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            found |= answers(Path(path), shell)
        InteractiveShell.clear_instance()
    json.dump(found, sys.stdout)
