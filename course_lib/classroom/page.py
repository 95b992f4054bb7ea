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

from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, Verdict, as_text

LINES = {
    NOT_ATTEMPTED: "dotted",
    NOT_YET: "dashed",
    RAISED: "double",
    CORRECT: "solid",
    "": "dotted",
}


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


def verdict_page(verdict: Verdict) -> Page:
    """A verdict, with the data it is about."""
    return Page(verdict_text(verdict), html=verdict_html(verdict))


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
    if verdict.word in ("", CORRECT):
        return ""
    name = verdict.question
    return (
        f'In a cell of its own, `hint("{name}")` gives a hint, `solution("{name}")` the solution.'
    )


def _error_lines(verdict: Verdict) -> list[str]:
    error = verdict.data["error"]
    if not error or (verdict.word == NOT_ATTEMPTED and "line" not in error):
        return []  # that the check could not use `...` is no news
    lines = [f"{error['type']}: {error['message']}" if error["message"] else error["type"]]
    if error["type"] == "KeyboardInterrupt":
        lines = ["KeyboardInterrupt: you stopped it. Does a loop never end?"]
    if error["type"] == "TookTooLong":
        lines = [f"The check takes too long: {error['message']}. Does a loop never end?"]
    if "line" in error:
        lines.append(f"in line {error['line']} of its cell: {error['code']}")
    return lines


# ---- plain text ----------------------------------------------------------------------------------


def verdict_text(verdict: Verdict, advice: bool = True) -> str:
    """The verdict as it reads without a browser."""
    lines = [verdict.title]
    for place, entry in enumerate(verdict.data["entries"]):
        lines.append(f"    {entry['label']} → {as_text(entry['value'])}")
        if place == verdict.place:
            lines += [f"        {sentence}" for sentence in verdict.differences]
    if not verdict.data["entries"]:
        lines += [f"    {sentence}" for sentence in verdict.differences]
    lines += [f"    {line}" for line in _error_lines(verdict)]
    for paragraph in (verdict.message, _what_to_do(verdict) if advice else ""):
        lines += textwrap.wrap(paragraph, 96, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


# ---- HTML ----------------------------------------------------------------------------------------


def verdict_html(verdict: Verdict) -> str:
    """The verdict as a notebook shows it; it inherits the theme's colours."""
    rows = []
    for place, entry in enumerate(verdict.data["entries"]):
        marks = verdict.differences if place == verdict.place else []
        said = "".join(f"<br>↳ {inline(sentence)}" for sentence in marks)
        rows.append(
            f'<tr><th scope="row" style="text-align: left; vertical-align: top">'
            f"<code>{html.escape(entry['label'])}</code></th>"
            f'<td style="text-align: left"><code>{html.escape(as_text(entry["value"]))}</code>'
            f"{said}</td></tr>"
        )
    table = f"<table>{''.join(rows)}</table>" if rows else ""
    if not rows:
        table = "".join(f"<p>{inline(sentence)}</p>" for sentence in verdict.differences)
    errors = "".join(f"<p><code>{html.escape(line)}</code></p>" for line in _error_lines(verdict))
    paragraphs = "".join(f"<p>{inline(verdict.message)}</p>" if verdict.message else "")
    advice = _what_to_do(verdict)
    if advice:
        paragraphs += f"<p>{inline(advice)}</p>"
    return (
        f'<div style="border-left: 5px {LINES[verdict.word]}; padding-left: 0.8em">'
        f"<p><strong>{html.escape(verdict.title)}</strong></p>"
        f"{table}{errors}{paragraphs}</div>"
    )


def inline(text: str) -> str:
    """Escaped text, with `code` and **strong** as Markdown has them."""
    escaped = html.escape(text, quote=False)
    escaped = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped)
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escaped)
