"""`course new-exercise`: a source notebook to fill in, with two questions that work."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.commands.release import METADATA
from course_lib.classroom.prompt import typed
from course_lib.classroom.record import as_json
from course_lib.classroom.source import set_name
from course_lib.classroom.trouble import Trouble, cannot_write

TITLE = """\
# Exercises: {words}

Say here what the set is about, how long it takes, and which lesson comes before it.

For each question: read it, write your answer in place of `...`, run that cell, then run the check \
below it. `hint("{name}-1")` shows a hint, `solution("{name}-1")` a solution.

Run this cell first."""

SETUP = """\
# Code before the first question sets every question up.
import course_lib as torch
from course_lib.classroom import check, hint, solution"""

PROMPT = """\
## A heading

`{name}-1` · write a function · difficulty 1 of 5 · 3 minutes

The line above makes this cell a question. Its name begins with the name of the set; the type is \
one of: predict, fix the bug, write a function, puzzle, read the graph, or explain as below. It is \
worth its difficulty; for another number write, say, 10 points · before the minutes.

Ask one thing, exactly. For example: write `doubled(x)`, which doubles every number in the tensor \
`x`. For the numbers 1, 2 that is 2, 4.

**You practise** what the student can do afterwards.

**Why it matters.** Where it is needed."""

ANSWER = """\
# Answer to {name}-1
def doubled(x):
    # BEGIN SOLUTION
    return x * 2
    # END SOLUTION"""

CHECK = """\
@check("{name}-1")
def {function}_1(show):
    # Show what the answer gives, and compare nothing. Draw the inputs from show.random, so that a
    # remembered result is worth nothing. show.graph(label, tensor) shows a graph.
    numbers = show.random.sample(range(1, 10), 3)
    show(f"doubled(tensor({{numbers}}))", doubled(torch.tensor(numbers)))"""

NOTES = """\
<!-- BEGIN MARK SCHEME -->
### Notes on {name}-1

Students do not get this cell. Two or three hints, each a step further and none with the answer in \
it; at least one other right answer; typical mistakes, each with what to say to who makes it.

#### Hint
How does one double a single number?

#### Hint
The same operation works on all the numbers of a tensor at once.

#### Right answer: added to itself
```python
def doubled(x):
    return x + x
```

#### Wrong answer: the square
```python
def doubled(x):
    return x * x
```
This multiplies each number with itself, which is its square.

#### Wrong answer: the sum
```python
def doubled(x):
    return x.sum() * 2
```
The numbers were added up. Each of them is to be doubled in its own place.

#### Explanation
An operation with a number works on every place of the tensor.
<!-- END MARK SCHEME -->"""

ESSAY_PROMPT = """\
## A question to answer in words

`{name}-2` · explain · 3 points · 5 minutes

For example: after `y = x * 2`, why does `x` still hold what it held before? Answer in two or \
three sentences. Double-click the cell below to write in it, and leave its first line as it is."""

ESSAY = """\
# Answer to {name}-2

<!-- BEGIN SOLUTION -->
Multiplying makes a new tensor with memory of its own, and `y` is a name for that one. Nothing is \
written into the memory of `x`. That would take an operation in place, such as `x.mul_(2)`.
<!-- END SOLUTION -->"""

RUBRIC = """\
<!-- BEGIN MARK SCHEME -->
### Notes on {name}-2

You mark a question of this type yourself, so it has no check. Delete its three cells if you need \
none. Students do not get this cell, and they get the one above with YOUR ANSWER HERE in place of \
your model answer. The points below add up to those in the prompt.

#### Rubric
- 2 points: says that the result is a new tensor, with memory of its own
- 1 point: names an operation that would change `x`
<!-- END MARK SCHEME -->"""

CELLS = (
    ("markdown", "title", TITLE),
    ("code", "setup", SETUP),
    ("markdown", "prompt", PROMPT),
    ("code", "answer", ANSWER),
    ("code", "check", CHECK),
    ("markdown", "notes", NOTES),
    ("markdown", "essay-prompt", ESSAY_PROMPT),
    ("markdown", "essay", ESSAY),
    ("markdown", "rubric", RUBRIC),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course new-exercise`."""
    parser.add_argument(
        "name", metavar="NAME", help="the set, with or without its number: ex05_views, or homework"
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="the folder of your sources (default: solutions)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the template; an existing file is left as it is."""
    name = str(arguments.name).removesuffix(".ipynb")
    if not re.fullmatch(r"(\d+_)?[A-Za-z]\w*", name):
        raise Trouble(f"{name} is no name for a set: use letters, digits and _", 2)
    checkout = content.checkout()
    home = Path("solutions") if checkout is None else checkout / "solutions"
    folder = arguments.folder or (Path("solutions") if Path("solutions").is_dir() else home)
    path = folder / f"{name}.ipynb"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(template(path))
    except FileExistsError:
        raise Trouble(f"{path} is there already; choose another name", 2) from None
    except OSError as error:
        raise cannot_write(path, error) from None
    print(f"Made {path}. Open it in JupyterLab, fill it in, then: {typed(f'release {folder}')}")
    return 0


def template(path: Path) -> str:
    """The text of a notebook with a question of each kind, which can be released as it is."""
    name = set_name(path)
    words = {"name": name, "words": name.replace("_", " "), "function": name.lower()}
    cells = []
    for kind, identity, text in CELLS:
        cell: dict[str, Any] = {"cell_type": kind, "id": identity, "metadata": {}}
        cell["source"] = text.format(**words)
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    notebook = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return as_json(notebook)
