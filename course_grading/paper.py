"""What all pages of the results share: no script, nothing from a network, two themes."""

from __future__ import annotations

import html
from typing import Any

from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET, RAISED, SYMBOLS

_CLASS = {CORRECT: "good", NOT_ATTEMPTED: "open", NOT_YET: "near", RAISED: "bad"}

_STYLE = """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1d2226; --soft: #5b666e;
  --line: #d5dade; --card: #ffffff; --code: #f2f4f5; --good: #1a6b3a; --near: #8a5a00;
  --bad: #a3282c; --open: #5b666e; --mark: #fff3d6; --bar: #3f6fb0; }
@media (prefers-color-scheme: dark) { :root { --paper: #15191c; --ink: #e4e8ea; --soft: #a2adb5;
  --line: #3a434a; --card: #1d2327; --code: #262d32; --good: #7fd19b; --near: #f0c064;
  --bad: #ff9c98; --open: #a2adb5; --mark: #3b3114; --bar: #7ba6e0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1.2rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0.6rem 0 0.2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 0.6rem; }
h3 { font-size: 1.05rem; margin: 0; }
h1, h2, h3, p, li, summary, .said { overflow-wrap: anywhere; }
p { margin: 0.4rem 0; } a { color: inherit; }
.first { border-left: 5px solid var(--soft); padding: 0.2rem 0.8rem; color: var(--soft); }
.first.warn { border-color: var(--bad); color: var(--ink); background: var(--mark); }
.soft { color: var(--soft); }
section.question { border: 1px solid var(--line); border-left: 5px solid var(--open);
  background: var(--card); border-radius: 4px; padding: 0.8rem 1rem; margin: 0.9rem 0; }
section.good { border-left-color: var(--good); }
section.near { border-left: 5px dashed var(--near); }
section.bad { border-left: 5px double var(--bad); } section.open { border-left-style: dotted; }
.head { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; justify-content: space-between; }
.word { font-weight: 600; } .good .word { color: var(--good); } .near .word { color: var(--near); }
.bad .word { color: var(--bad); } .open .word { color: var(--open); }
pre { background: var(--code); padding: 0.6rem 0.8rem; margin: 0.4rem 0; overflow-x: auto;
  border-radius: 4px; font: 0.86rem/1.45 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; }
.prose { background: var(--code); padding: 0.6rem 0.8rem; border-radius: 4px;
  white-space: pre-wrap; }
code { font: 0.9em ui-monospace, "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.22rem 0.8rem 0.22rem 0;
  border-bottom: 1px solid var(--line); } td.n, th.n { text-align: right; }
tr.differs td, tr.differs th { background: var(--mark); }
td .said { display: block; font-weight: 600; }
.note { border-left: 3px solid var(--near); padding-left: 0.7rem; }
details summary { cursor: pointer; color: var(--soft); }
.bar { display: inline-block; height: 0.75rem; background: var(--bar); border-radius: 2px;
  vertical-align: baseline; }
td > code { white-space: nowrap; } th > code, td.value > code { white-space: pre-wrap; }
.track { display: inline-block; width: 12rem; max-width: 40vw;
  border-bottom: 1px solid var(--line); }
svg { display: block; width: 100%; max-width: 30rem; height: auto; }
svg rect { fill: var(--bar); } svg text { fill: var(--ink); font-size: 11px;
  stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
svg line { stroke: var(--ink); } svg line.base { stroke: var(--line); }
svg line.mean { stroke-dasharray: 5 3; } svg line.median { stroke-dasharray: 1.5 2.5; }
figure { margin: 0; flex: 1 1 18rem; max-width: 30rem; }
.beside { display: flex; flex-wrap: wrap; gap: 0.5rem 2.5rem; align-items: flex-start; }
.beside table { font-size: 0.85rem; } .beside th { font-weight: normal; }
h2 ~ h3 { margin: 1.4rem 0 0.3rem; } .head h3 { margin: 0; }
td a, td li { overflow-wrap: anywhere; } table.stacks td:first-child { min-width: 8rem; }
table.stacks td { overflow-wrap: break-word; }
table.stacks td > code { white-space: normal; }
td pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; } table.stacks ul { margin: 0; }
@media (max-width: 40rem) {
  body { padding: 1rem 0.8rem 3rem; } table.stacks thead { display: none; }
  table.stacks, table.stacks tbody, table.stacks tr, table.stacks td { display: block; }
  table.stacks tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
  table.stacks td { border: 0; padding: 0.1rem 0; } table.stacks td:empty { display: none; }
  table.stacks td[data-head]::before { content: attr(data-head) ": "; color: var(--soft); }
  table.stacks td:first-child::before { content: none; }
  table.stacks td:first-child { font-weight: 600; }
  table.values, table.values tbody, table.values tr { display: block; }
  table.values th, table.values td { display: block; padding: 0.1rem 0; }
  table.values th { border: 0; padding-top: 0.4rem; } }
ul { margin: 0.4rem 0; padding-left: 1.2rem; } li { margin: 0.15rem 0; overflow-wrap: anywhere; }
@media print { body { max-width: none; } section.question { break-inside: avoid; } }
"""


def escape(text: Any) -> str:
    """Text for anywhere in a page.

    >>> escape('<b onclick="x">')
    '&lt;b onclick=&quot;x&quot;&gt;'
    """
    return html.escape(str(text), quote=True)


def document(title: str, body: str) -> str:
    """A whole page. The policy in its head forbids scripts and everything from outside."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
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
