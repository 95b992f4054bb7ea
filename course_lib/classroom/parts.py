"""Parts of a lesson that the reader builds: trials that say what is missing, and the solutions.

A part is a cell that begins with `# Your part: own_autograd-run` and holds its solution between
`# BEGIN SOLUTION` and `# END SOLUTION`. A reader's copy has a stub there, see `copies.py`.
"""

import json
from collections.abc import Callable
from html import escape
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.copies import part_in, text_of
from course_lib.classroom.guess import FOLDER, lesson_of
from course_lib.classroom.guessed import as_guess, misses
from course_lib.classroom.page import Page, beside, fold_html, frame_html, inline, show
from course_lib.classroom.probe import Data, check_error
from course_lib.classroom.runs import list_cells_above
from course_lib.classroom.source import answer_of
from course_lib.classroom.stop import TookTooLong, time_limit
from course_lib.classroom.verdict import CORRECT, NOT_YET

SECONDS = 20.0  # for one trial: the lessons' own take less than one, on a machine at rest


def expect(what: str, wanted: object, compute: Callable[[], object]) -> None:
    """Try something that was just built: show "✓ …", or "not yet: …" with what differs.

    `wanted` is what `compute()` should give back, or the kind of error that it should raise.
    Raises nothing itself, and stops a trial that does not end.

    >>> expect("one and one", 2, lambda: 1 + 1)
    ✓ one and one
    >>> expect("one and one", 2, lambda: 1 - 1)
    not yet: one and one: expected 2, yours is 0
    """
    said, drawn = _describe_trial(what, wanted, compute)
    if not said:
        show(Page(f"✓ {what}", html=frame_html(CORRECT, f"✓ {what}", "")))
        return
    inside = f"<p>{inline(said)}</p>{drawn}"
    parts = [part_in({"cell_type": "code", "source": text}) for text in list_cells_above()]
    if code := solve_part(next(filter(None, parts), "")):
        inside += fold_html("A solution", f"<pre>{escape(code)}</pre>")
    show(Page(f"not yet: {what}: {said}", html=frame_html(NOT_YET, f"◐ {what}", inside)))


def _describe_trial(what: str, wanted: object, compute: Callable[[], object]) -> tuple[str, str]:
    """How the trial differs from what is wanted, in words and drawn; "" where it does not."""
    refuses = type(wanted) is type and issubclass(wanted, BaseException)
    try:
        with time_limit(compute.__code__, SECONDS):
            got: Any = compute()
    except TookTooLong as stopped:
        return str(stopped), ""
    except Exception as error:
        if refuses and isinstance(error, wanted):  # type: ignore[arg-type]
            return "", ""
        place = check_error(error, compute)
        where = f", in line {place['line']} of its cell: {place['code']}" if "line" in place else ""
        return f"your code raised {type(error).__name__}: {error}{where}", ""
    if refuses:
        name = wanted.__name__  # type: ignore[attr-defined]
        return f"expected {name}, and no error was raised", ""
    if got is None and wanted is not None:
        return f"expected {wanted!r}, yours is None. Does your function `return` something?", ""
    pair = as_guess(wanted), as_guess(got)
    said = [*misses(*pair), *_find_mistake(what, pair[1])]
    return ". ".join(said), beside(("expected", pair[0]), ("yours", pair[1]))


def _find_mistake(what: str, got: Data) -> list[str]:
    """What the course says to a common mistake that this trial shows."""
    records = content.read(f"{FOLDER}/*.json")
    known = [pair for one in records for pair in one.get("trials", {}).get(what, {}).items()]
    return [said for shown, said in known if not misses(as_guess(json.loads(shown)), got)]


def solve_part(name: str) -> str:
    """The code of a part, with the lesson's own solution; "" where no lesson has such a part."""
    cells = content.cells(f"notebooks/[0-9][0-9]_{lesson_of(name)}.ipynb")
    return next((answer_of(text_of(cell)) for cell in cells if part_in(cell) == name), "")
