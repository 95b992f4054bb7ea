"""What the lessons answer to guesses and sliders: lesson_answers.py [--torch] LESSON…, as JSON.

Each lesson runs once, in an IPython of this process. At every cell that a guess is about, each
guess in the lesson's file is compared with what the cell has just shown, and a wrong one told the
words of its picture, or None. `explore` draws every value of each slider, the others where they
begin. With `--torch` the lessons run on real PyTorch.
"""

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
from course_lib.classroom.copies import guess_in, text_of
from course_lib.classroom.guess import Guess
from course_lib.classroom.guessed import as_guess
from course_lib.viz.pictures.exploring import beginning, slider_values

Drawn = dict[str, tuple[str, float]]  # for each place of the sliders its text, and the seconds


def answers(lesson: Path, shell: InteractiveShell) -> dict[str, dict[str, list[str]]]:
    """For each guess of the lesson and each thing typed, what the reader is told; and "at the end"
    the cells of sections with something to change that, run once more, end in another way."""
    file = lesson.parent / ".guesses" / f"{lesson.stem.partition('_')[2]}.json"
    guesses = json.loads(file.read_text(encoding="utf-8"))["guesses"]
    told, name, section, again = {}, "", [], []
    for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
        text = text_of(cell)
        if cell["cell_type"] != "code":
            again += section if "**Change it.**" in text else []
            section = [] if "## " in text else section
            continue
        result = shell.run_cell(text)
        section += [(text, result.success)] * ("explore(" not in text)
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
    assert again, f"{lesson.stem} has nothing to change, or says so in other words"
    told["at the end"] = [code for code, went in again if shell.run_cell(code).success != went]
    shell.run_cell("torch.set_default_dtype(torch.float32)")  # for the next: lesson 25 sets another
    return told


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


if __name__ == "__main__":
    found: dict[str, dict] = {"guesses": {}, "sliders": {}}
    for path in map(Path, filter("--torch".__ne__, sys.argv[1:])):
        moved: list[Drawn] = []
        course_lib.viz.explore = lambda draw, **of: moved.append(every_place(draw, **of))  # noqa: B023
        os.chdir(path.parent)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            told = answers(path, InteractiveShell.instance())
        found["at the end"] = [*found.get("at the end", ()), *told.pop("at the end")]
        found["guesses"] |= told
        found["sliders"][path.stem] = moved
        InteractiveShell.clear_instance()
    json.dump(found, sys.stdout)
