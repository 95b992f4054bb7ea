"""Turns a stored notebook into the notebook that a page shows: what answers a guess is folded away.

Note [Folding]
A page that shows its outputs gives every answer away. So the output of a cell that a guess waits
for becomes a `<details>` that says "Show", and the cell with the guess becomes the question, under
which static/site.js puts a line to type the guess into. Without scripts the question and "Show" are
still there. A part of a lesson that the reader builds shows its stub, and the solution is folded.
"""

import json
import re
from html import escape
from typing import Any

from course_lib.classroom.copies import guess_in, part_in, text_of
from course_lib.classroom.guess import answer_to
from course_lib.classroom.source import stub_of

Cell = dict[str, Any]


def as_page(notebook: Cell, guesses: dict[str, Any], links: str, after: str = "") -> Cell:
    """The notebook for the page: folded, with `links` under its title and `after` at its end.

    `guesses` is what the lesson's file says about each guess; without one, only "Show" is left.

    >>> title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": "# One"}
    >>> cells = [title, code("g", 'guess("one-two", ...)  # 1 + 1'), code("a", "1 + 1")]
    >>> page = as_page({"cells": cells}, {}, "<p>links</p>")
    >>> [cell["cell_type"] for cell in page["cells"]], page["cells"][2]["metadata"]["tags"]
    (['markdown', 'markdown', 'code'], ['hide-output'])
    """
    answers = {
        id(answer_to(guess_in(cell), notebook["cells"]))
        for cell in notebook["cells"]
        if guess_in(cell)
    }
    cells: list[Cell] = []
    for cell in notebook["cells"]:
        if name := guess_in(cell):
            cells.append(question(cell, guesses.get(name, {})))
        elif part_in(cell):
            cells += [code(f"{cell['id']}-stub", stub_of(text_of(cell))), solution(cell)]
        elif id(cell) in answers:
            cells.append(tagged(cell, "hide-output"))
        else:
            cells.append(cell)
    cells[0] = titled(cells[0], links)
    if after:
        cells.append(markdown("after", after))
    return {**notebook, "cells": cells}


def titled(cell: Cell, links: str) -> Cell:
    """The first cell with a line of links under its title."""
    title, _, rest = text_of(cell).partition("\n")
    return {**cell, "source": f"{title}\n\n{links}\n{rest}"}


def question(cell: Cell, about: dict[str, Any]) -> Cell:
    """What a guess asks, with what site.js has to know to answer a typed one.

    >>> cell = code("g", 'guess("one-two", ...)  # what is shown?')
    >>> print(question(cell, {"right": "[1]"})["source"])
    <div class="guess" data-about="{&quot;right&quot;: &quot;[1]&quot;}">
    <p><strong>Guess first:</strong> what is shown?</p>
    </div>
    """
    words = text_of(cell).partition("#")[2].strip()
    if words and words[-1] not in ".?!":
        words += "?" if re.match(r"(what|which|how|does|do|is|are|and|who)\b", words, re.I) else "."
    known = escape(json.dumps({key: about[key] for key in ("right", "wrong") if key in about}))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(words, quote=False))
    return markdown(
        cell["id"],
        f'<div class="guess" data-about="{known}">\n'
        f"<p><strong>Guess first:</strong> {text}</p>\n</div>",
    )


def solution(cell: Cell) -> Cell:
    """A part that the reader builds, folded with what it shows."""
    folded = tagged(cell, "hide-cell")
    folded["metadata"]["mystnb"] = {"code_prompt_show": "Show a solution"}
    return folded


def tagged(cell: Cell, tag: str) -> Cell:
    """The cell with one tag more."""
    metadata = {**cell["metadata"], "tags": [*cell["metadata"].get("tags", []), tag]}
    return {**cell, "metadata": metadata}


def markdown(name: str, text: str) -> Cell:
    return {"cell_type": "markdown", "id": name[:64], "metadata": {}, "source": text}


def code(name: str, text: str) -> Cell:
    return {
        **markdown(name, text),
        **{"cell_type": "code", "execution_count": None, "outputs": []},
    }
