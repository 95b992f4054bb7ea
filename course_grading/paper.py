"""What all pages of the results share: no script, nothing from a network, two themes."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, SYMBOLS

_CLASS = {CORRECT: "good", NOT_ATTEMPTED: "open", NOT_YET: "near", RAISED: "bad"}

_STYLE = Path(__file__).with_name("page.css")


def escape(text: Any) -> str:
    """Text for anywhere in a page.

    >>> escape('<b onclick="x">')
    '&lt;b onclick=&quot;x&quot;&gt;'
    """
    return html.escape(str(text), quote=True)


def document(title: str, body: str) -> str:
    """A whole page. The policy in its head forbids scripts and everything from outside."""
    style = _STYLE.read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


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


def plural(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> plural(1, "row"), plural(2, "row")
    ('1 row', '2 rows')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
