"""The HTML around a drawing, and the script that brings it to life where scripts run.

A notebook that is not trusted strips the script and keeps the image, its alt text and its words. A
trusted one, an exported page and the website run the script: it takes the drawing out of the image.
Each picture carries the whole script, because a cell may be shown without the others.
"""

import functools
import re
import string
import sys
from pathlib import Path


def figure(image: str, words: str, alive: bool, pace: int = 1600) -> str:
    """A figure of an image and of what is told in words; `pace`: milliseconds for a step of a film.

    >>> figure("<img>", "<p>one</p>", alive=False)
    '<figure style="margin:0.5em 0"><img><p>one</p></figure>'
    """
    script = f"<script>{alive_js().replace('1600', str(pace))}</script>" if alive else ""
    return f'<figure style="margin:0.5em 0">{image}{words}{script}</figure>'


# Strings and regular expressions are kept as they are; around these signs no space is needed.
SPACES = re.compile(
    r'(?P<kept>"[^"\n]*"|`[^`\n]*`|/[^/\s*]+/[a-z]*)|(?P<style>`[^`]*`)|;\s?(?=\})'
    r"|\s?(?P<sign>=>|&&|\|\||[=!]==|[=?:,;{}<>()])\s?|\s(?P<sum>[-+*/])\s|(?<!\w)(?<![^.]\.)(?P<name>[a-z]+)\b"
)
# The names that take most room; none of them is in a `...` or names a part of an object.
LONG = """all arrow box boxes button change choose dialog element event figure filled inner levels
    make moved name one opened part points seek sheet slider view""".split()
SHORT = dict(zip(LONG, string.ascii_uppercase, strict=False))
CONSTANTS = re.compile(r"(?<!\()(\bconst [^;{}]*);const ")  # two statements that can be one


@functools.cache
def alive_js() -> str:
    """The script as it is embedded: without comments, indentation, and spaces around signs.

    >>> "// ----" in alive_js()
    False
    """
    source = Path(__file__).with_name("alive.js").read_text(encoding="utf-8")
    lines = (line.strip() for line in source.splitlines())
    code = "\n".join(line for line in lines if line and not line.startswith("//"))
    code = re.sub(r"\((\w+)\)=>", r"\1=>", SPACES.sub(_short, code))
    while (joined := CONSTANTS.sub(r"\1,", code)) != code:
        code = joined
    return code


def _short(found: re.Match[str]) -> str:
    """A piece of the script; the style sheet is the one text of several lines."""
    style = re.sub(r"\s*([{};,])\s*|(?<=:) ", r"\1", found["style"] or "")
    name = SHORT.get(found["name"], found["name"])
    return found["kept"] or style or found["sign"] or found["sum"] or name or ""


def in_a_notebook() -> bool:
    """Whether there is a page that shows pictures; a terminal shows words."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")
