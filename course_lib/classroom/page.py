"""How verdicts, hints and solutions look: plain text everywhere, HTML in a notebook.

The HTML brings no colours of its own, so it reads in every theme; the four words also differ in
symbol and in the line at the left. Only inline styles: JupyterLab strips the rest.
"""

from __future__ import annotations

import html
import re
import sys
import textwrap
from dataclasses import dataclass
from typing import Any

from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, Verdict, as_text

LINES = {
    NOT_ATTEMPTED: "dotted",
    NOT_YET: "dashed",
    RAISED: "double",
    CORRECT: "solid",
    "": "dotted",
}
FOLDED = 3  # rows that are right, from which on they take no room


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


def show(page: Page) -> None:
    """Display `page` in the notebook, or print it where there is none."""
    if "IPython" in sys.modules:
        from IPython import get_ipython
        from IPython.display import display

        if get_ipython() is not None:
            display(page)
            return
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(page.text.encode(encoding, "replace").decode(encoding))


def _what_to_do(verdict: Verdict) -> str:
    if not _wants_help(verdict):
        return ""
    return "In a cell of its own, `hint()` gives a hint and `solution()` the solution."


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
    lines = [verdict.title, *_wrapped(verdict.message)]
    for place, entry in enumerate(verdict.data["entries"]):
        mark = f"{_mark(verdict, place)} " if _is_marked(verdict) else ""
        lines.append(f"    {mark}{entry['label']} → {as_text(entry['value'])}")
        if place == verdict.place:
            lines += [f"        {sentence}" for sentence in verdict.differences]
    if verdict.place >= len(verdict.data["entries"]):
        lines += [f"    {sentence}" for sentence in verdict.differences]
    lines += [f"    {line}" for line in _error_lines(verdict)]
    lines += _wrapped(re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", verdict.onward))
    return "\n".join([*lines, *_wrapped(_what_to_do(verdict) if advice else "")])


def _wrapped(paragraph: str) -> list[str]:
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
    folded: list[str] = []
    for place, entry in enumerate(verdict.data["entries"]):
        said = "".join(f"<br>↳ {html.escape(sentence)}" for sentence in verdict.differences)
        mark = f"<td>{_mark(verdict, place)}</td>" if _is_marked(verdict) else ""
        row = (
            f'<tr>{mark}<th scope="row" style="text-align: left; vertical-align: top">'
            f"<code>{html.escape(entry['label'])}</code></th>"
            f'<td style="text-align: left"><code>{html.escape(as_text(entry["value"]))}</code>'
            f"{said if place == verdict.place else ''}</td></tr>"
        )
        fold = _is_marked(verdict) and verdict.marks.count(True) >= FOLDED and verdict.marks[place]
        (folded if fold else shown).append(row)
    table = f"<table>{''.join(shown)}</table>" if shown else ""
    if folded:
        count = f"{len(folded)} of {len(verdict.marks)} rows are as they should be"
        inside = f"<summary>✓ {count}</summary><table>{''.join(folded)}</table>"
        table += f"<details>{inside}</details>"
    if verdict.place >= len(verdict.data["entries"]):
        table += "".join(f"<p>{html.escape(said)}</p>" for said in verdict.differences)
    errors = "".join(f"<p><code>{html.escape(line)}</code></p>" for line in _error_lines(verdict))
    advice = _folded_help(record) if record and _wants_help(verdict) else ""
    first, last = (
        "".join(f"<p>{inline(part)}</p>" for part in parts if part)
        for parts in ((verdict.message,), (verdict.onward, "" if advice else _what_to_do(verdict)))
    )
    return (
        f'<div style="border-left: 5px {LINES[verdict.word]}; padding-left: 0.8em">'
        f"<p><strong>{html.escape(verdict.title)}</strong></p>"
        f"{first}{table}{errors}{last}{advice}</div>"
    )


def _folded_help(record: dict[str, Any]) -> str:
    """The hints and then the solution, each inside the one before; "" where nothing is handed out.

    >>> _folded_help({"hints": ["Look at `x`."], "solution": {}})
    '<details><summary>Hint 1 of 1</summary><p>Look at <code>x</code>.</p></details>'
    """
    inner = ""
    if code := record["solution"].get("code", ""):
        block = f"<pre>{html.escape(code.strip())}</pre><p>{inline(record['explanation'])}</p>"
        inner = f"<details><summary>A solution</summary>{block}</details>"
    hints = record["hints"]
    for number in range(len(hints), 0, -1):
        said = f"<summary>Hint {number} of {len(hints)}</summary><p>{inline(hints[number - 1])}</p>"
        inner = f"<details>{said}{inner}</details>"
    return inner


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
