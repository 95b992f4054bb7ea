"""What all pages of the results share: no script, nothing from a network, two themes.

Their templates are in `pages/`. Whatever one is given is escaped, but for `Markup`.
"""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from course_grading.row import plural
from course_lib.classroom import content
from course_lib.classroom.credit import number
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


def kind(name: str) -> str:
    """The class of what is said in that word."""
    return _CLASS.get(name, "open")


PAGES.filters |= {
    "plural": plural,
    "number": number,
    "label": content.label,
    "inline": lambda text: Markup(inline(text)),
    "as_html": Markup,
}
PAGES.globals |= {"kind": kind, "symbols": SYMBOLS}
