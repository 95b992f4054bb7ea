"""What all pages of the results share: no script, nothing from a network, two themes."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from course_lib.classroom import content
from course_lib.classroom.page import inline
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, SYMBOLS

_CLASS = {CORRECT: "good", NOT_ATTEMPTED: "open", NOT_YET: "near", RAISED: "bad"}

PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("pages")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def escape(text: Any) -> str:
    """Text for anywhere in a page.

    >>> escape('<b onclick="x">')
    '&lt;b onclick=&quot;x&quot;&gt;'
    """
    return html.escape(str(text), quote=True)


def document(title: str, body: str) -> str:
    """A whole page. The policy in its head forbids scripts and everything from outside."""
    return PAGES.get_template("page.html").render(title=title, body=Markup(body))


def code(text: str) -> str:
    """Code, which may be wider than a phone: the keyboard reaches it, so that it can be scrolled.

    >>> code("x < 1")
    '<pre tabindex="0"><code>x &lt; 1</code></pre>'
    """
    return f'<pre tabindex="0"><code>{escape(text)}</code></pre>'


def words(text: str) -> str:
    """Text that a student wrote as such: its lines stay, and are broken where the page ends.

    >>> words("a <b")
    '<p class="prose">a &lt;b</p>'
    """
    return f'<p class="prose">{escape(text)}</p>'


def word(name: str) -> str:
    """One of the four words, with its symbol: never told by colour alone."""
    return f'<span class="word">{SYMBOLS.get(name, "…")} {escape(name)}</span>'


def kind(name: str) -> str:
    """The class of what is said in that word."""
    return _CLASS.get(name, "open")


def bar(share: float, says: str) -> str:
    """A bar of a share between 0 and 1, with what it says in words."""
    width = round(100 * max(0.0, min(1.0, share)), 1)
    return (
        f'<span class="track" role="img" aria-label="{escape(says)}">'
        f'<span class="bar" style="width: {width}%"></span></span>'
    )


def plural(number: float, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(2, "row")
    ('1 row', '2 rows')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


PAGES.filters |= {
    "plural": plural,
    "label": content.label,
    "inline": lambda text: Markup(inline(text)),
}
PAGES.globals |= {
    "kind": kind,
    "code": lambda text: Markup(code(text)),
    "words": lambda text: Markup(words(text)),
    "word": lambda name: Markup(word(name)),
    "bar": lambda share, says: Markup(bar(share, says)),
}
