"""How verdicts, hints and solutions look: plain text everywhere, HTML in a notebook.

The four words differ in symbol, in the line at the left and in its colour. White reads well on each
of those colours, and they stand out on paper as on a dark ground, so one HTML serves every theme;
the other text has the theme's own colour. Only inline styles: JupyterLab strips the rest.
"""

import html
import re
import sys
import textwrap
from dataclasses import dataclass
from typing import Any

from course_lib.classroom.guessed import in_one_form, plain
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import (
    CORRECT,
    NOT_ATTEMPTED,
    NOT_YET,
    RAISED,
    Verdict,
    as_text,
    differences,
)

# The line at the left, and a colour: 5 to 1 and more against white, 3.3 to 1 against JupyterLab's
# black.
LOOKS = {
    NOT_ATTEMPTED: ("dotted", "#66707d"),
    NOT_YET: ("dashed", "#b45309"),
    RAISED: ("double", "#c62828"),
    CORRECT: ("solid", "#1d7a46"),
    "": ("dotted", "#66707d"),
}
GREEN, AMBER = LOOKS[CORRECT][1], LOOKS[NOT_YET][1]
FOLDED = 3  # rows that are right, from which on they take no room
SIDE = 10  # rows and columns of a picture of values, at most


@dataclass(frozen=True)
class Page:
    """Something to read: its plain text, and the Markdown or HTML that a notebook shows instead."""

    text: str
    markdown: str | None = None
    html: str | None = None

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str | None:
        return self.markdown

    def _repr_html_(self) -> str | None:
        return self.html


def markdown_page(markdown: str) -> Page:
    """A hint or a solution; in a terminal Markdown reads well as it is."""
    return Page(markdown, markdown=markdown)


def verdict_page(verdict: Verdict, record: dict[str, Any] | None = None) -> Page:
    """A verdict, with the data it is about; with a record, help to unfold below it."""
    return Page(verdict_text(verdict), html=verdict_html(verdict, record))


def shell() -> Any:
    """IPython's shell, which runs this notebook; None where there is none."""
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython

    return get_ipython()


def show(page: Page) -> None:
    """Display `page` in the notebook, or print it where there is none."""
    if shell() is not None:
        from IPython.display import display

        display(page)
        return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(page.text.encode(encoding, "replace").decode(encoding))


def _what_to_do(verdict: Verdict) -> str:
    says = "In a cell of its own, `hint()` gives a hint and `solution()` the solution."
    return says if _wants_help(verdict) else ""


def _wants_help(verdict: Verdict) -> bool:
    return verdict.word not in ("", CORRECT)


def _error_lines(verdict: Verdict) -> list[str]:
    error = verdict.data["error"]
    if not error or (verdict.word in (NOT_ATTEMPTED, NOT_YET) and "line" not in error):
        return []  # that the check could not use `...` is no news; a difference tells the others
    lines = [f"{error['type']}: {error['message']}" if error["message"] else error["type"]]
    if error["type"] == "KeyboardInterrupt":
        lines = ["KeyboardInterrupt: you stopped it. Does a loop never end?"]
    if error["type"] == "TookTooLong":
        lines = [f"The check takes too long: {error['message']}"]
    if "line" in error:
        lines.append(f"in line {error['line']} of its cell: {error['code']}")
    return lines


# ---- plain text ----------------------------------------------------------------------------------


def verdict_text(verdict: Verdict, advice: bool = True) -> str:
    """The verdict as it reads without a browser: what to know first, then row by row."""
    lines = [verdict.title, *_wrap(verdict.message)]
    for place, entry in enumerate(verdict.data["entries"]):
        mark = f"{_mark(verdict, place)} " if _is_marked(verdict) else ""
        lines.append(f"    {mark}{entry['label']} → {as_text(entry['value'])}")
        if place == verdict.place:
            lines += [f"        {sentence}" for sentence in verdict.differences]
    if verdict.place >= len(verdict.data["entries"]):
        lines += [f"    {sentence}" for sentence in verdict.differences]
    lines += [f"    {line}" for line in _error_lines(verdict)]
    lines += _wrap(re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", verdict.onward))
    return "\n".join([*lines, *_wrap(_what_to_do(verdict) if advice else "")])


def _wrap(paragraph: str) -> list[str]:
    return textwrap.wrap(paragraph, 96, initial_indent="    ", subsequent_indent="    ")


def _is_marked(verdict: Verdict) -> bool:
    """Whether each row says if it is right: of several, when one is not."""
    return len(verdict.data["entries"]) > 1 and False in verdict.marks


def _mark(verdict: Verdict, place: int) -> str:
    return "✓" if verdict.marks[place] else "✗"


# ---- HTML ----------------------------------------------------------------------------------------


def verdict_html(verdict: Verdict, record: dict[str, Any] | None = None) -> str:
    """The verdict as a notebook shows it; it inherits the theme's colours.

    With the `record` of the question its hints and its solution lie folded below, one in another:
    a click or the Enter key brings the next.
    """
    shown: list[str] = []
    right: list[str] = []
    for place, entry in enumerate(verdict.data["entries"]):
        said = "".join(f"<br>↳ {html.escape(sentence)}" for sentence in verdict.differences)
        mark = f"<td>{_sign_html(verdict.marks[place])}</td>" if _is_marked(verdict) else ""
        row = (
            f'<tr>{mark}<th scope="row" style="text-align: left; vertical-align: top">'
            f"<code>{html.escape(entry['label'])}</code></th>"
            f'<td style="text-align: left"><code>{html.escape(as_text(entry["value"]))}</code>'
            f"{said if place == verdict.place else ''}</td></tr>"
        )
        fold = _is_marked(verdict) and verdict.marks.count(True) >= FOLDED and verdict.marks[place]
        (right if fold else shown).append(row)
    table = f"<table>{''.join(shown)}</table>" if shown else ""
    if right:
        count = f"{len(right)} of {len(verdict.marks)} rows are as they should be"
        table += fold_html(f"{_sign_html(True)} {count}", f"<table>{''.join(right)}</table>")
    if verdict.place >= len(verdict.data["entries"]):
        table += "".join(f"<p>{html.escape(said)}</p>" for said in verdict.differences)
    if record and verdict.expected:
        yours = verdict.data["entries"][verdict.place]["value"]
        table += beside(("expected", verdict.expected), ("yours", yours))
    errors = "".join(f"<p><code>{html.escape(line)}</code></p>" for line in _error_lines(verdict))
    advice = _fold_help(record) if record and _wants_help(verdict) else ""
    first = _format_sentence(verdict.message)
    last = _format_sentence(verdict.onward, squares(verdict.solved))
    last += _format_sentence(_what_to_do(verdict)) if record is None else ""
    inside = f"{first}{table}{errors}{verdict.moment}{last}{advice}"
    return frame_html(verdict.word, verdict.title, inside)


def _format_sentence(text: str, drawn: str = "") -> str:
    return f"<p>{drawn}{inline(text)}</p>" if text else ""


def frame_html(word: str, title: str, inside: str) -> str:
    """HTML below a title, with the line and the colour of one of the four words."""
    line = f"border-left: 6px {' '.join(LOOKS[word])}; padding-left: 0.9em"
    return f'<div style="{line}"><p>{_badge(word, title)}</p>{inside}</div>'


def _badge(word: str, text: str) -> str:
    look = f"background-color: {LOOKS[word][1]}; color: #ffffff; border-radius: 0.35em"
    return f'<strong style="{look}; padding: 0.15em 0.5em">{html.escape(text)}</strong>'


def _sign_html(right: bool) -> str:
    return _badge(CORRECT, "✓") if right else _badge(NOT_YET, "✗")


def squares(filled: tuple[bool, ...]) -> str:
    """HTML: a square for each question or set, filled where it is done; words have to follow."""
    size = "display: inline-block; width: 0.9em; height: 0.9em; margin-right: 0.25em"
    look = f"{size}; border: 2px solid {GREEN}; border-radius: 0.2em"
    full = f"; background-color: {GREEN}"
    return "".join(f'<span style="{look}{full if one else ""}"></span> ' for one in filled)


def beside(*named: tuple[str, Data]) -> str:
    """Two values drawn side by side, what differs framed; "" unless both are a few rows of cells.

    >>> one, two = ({"kind": "list", "items": [{"kind": "int", "value": n}] * 2} for n in (1, 2))
    >>> beside(("a", one), ("b", two)).count("<td"), beside(("a", one), ("b", one))
    (4, '')
    """
    grids = [_grid(data) for data in in_one_form(*(plain(data) for _, data in named))]
    if not all(grids) or max(sum(map(len, grid)) for grid in grids) < 2:
        return ""
    ours, yours = (
        {(r, c): cell for r, row in enumerate(grid) for c, cell in enumerate(row)} for grid in grids
    )
    both = ours.keys() & yours.keys()
    same = {place for place in both if not differences(ours[place], yours[place])}
    if len(same) == len(ours) == len(yours):
        return ""
    tables = "".join(_draw_grid(name, grid, same) for (name, _), grid in zip(named, grids))
    return f"<div>{tables}</div>"


def _grid(data: Data) -> list[list[Data]]:
    """The rows of a list, or the one that it is; [] where it is no small table of single values."""
    items = data["items"] if data["kind"] == "list" and "length" not in data else []
    rows = [one["items"] for one in items if one["kind"] == "list" and "length" not in one]
    rows = rows if len(rows) == len(items) else [items]
    single = all("items" not in cell and "value" in cell for row in rows for cell in row)
    return rows if single and max([len(rows), *map(len, rows)]) <= SIDE else []


def _draw_grid(name: str, grid: list[list[Data]], same: set[tuple[int, int]]) -> str:
    rows = []
    for r, row in enumerate(grid):
        cells = []
        for c, cell in enumerate(row):
            line = "1px solid #8a8f98" if (r, c) in same else f"3px solid {AMBER}"
            weight = "normal" if (r, c) in same else "bold"
            look = f"border: {line}; font-weight: {weight}; padding: 0.2em 0.6em"
            cells.append(f'<td style="{look}">{html.escape(as_text(cell, 20))}</td>')
        rows.append(f'<tr style="background-color: transparent">{"".join(cells)}</tr>')
    look = "display: inline-block; vertical-align: top; margin: 0.2em 1.5em 0.5em 0"
    table = f'<table style="border-collapse: separate; border-spacing: 3px">{"".join(rows)}</table>'
    return f'<div style="{look}">{name}{table}</div>'


def _fold_help(record: dict[str, Any]) -> str:
    """The hints and then the solution, each inside the one before; "" where nothing is handed out.

    >>> _fold_help({"hints": ["Look at `x`."], "solution": {}})
    '<details><summary>Hint 1 of 1</summary><p>Look at <code>x</code>.</p></details>'
    """
    inner = ""
    if code := record["solution"].get("code", ""):
        block = f"<pre>{html.escape(code.strip())}</pre><p>{inline(record['explanation'])}</p>"
        inner = fold_html("A solution", block)
    hints = record["hints"]
    for number in range(len(hints), 0, -1):
        said = f"<p>{inline(hints[number - 1])}</p>{inner}"
        inner = fold_html(f"Hint {number} of {len(hints)}", said)
    return inner


def fold_html(summary: str, inside: str) -> str:
    """HTML that a click or the Enter key unfolds."""
    return f"<details><summary>{summary}</summary>{inside}</details>"


_LINK = re.compile(r"\[([^]]+)\]\(((?:\.\./|\w|#)[\w./#=-]*)\)")  # to a place within the course


def inline(text: str) -> str:
    """A text of the course's, with `code`, **strong** and [links](of.ipynb) as Markdown has them.

    It is not for a text into which words of a student were put: those are escaped and no more. A
    link leads to another file of the course, or nowhere.

    >>> inline("[on](ex01.ipynb) [away](https://x.org) `<`")
    '<a href="ex01.ipynb">on</a> [away](https://x.org) <code>&lt;</code>'
    """
    escaped = _LINK.sub(r'<a href="\2">\1</a>', html.escape(text, quote=False))
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escaped)
