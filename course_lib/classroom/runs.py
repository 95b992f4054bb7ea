"""How the cells of this notebook ended: a check judges no answer that an older run has left behind.

Note [The last run counts]
A function that was defined once stays, whatever happens to its cell afterwards. If the latest run
of that cell stopped with an error, the check would judge the older function, and the student would
read about code that is no longer there. So IPython tells how every run ended, and a check that
finds the latest run of the answer's cell among the failed ones says so and judges nothing.
The same holds for a name that the latest run of that cell does not make any more, because it was
deleted or is spelled in another way: an older run has left it behind. A cell that calls `guess` or
asks for help, and stops at a name, is explained at once: no check follows it.

Note [An answer's torch]
`import torch` in an answer means the course's library, here as in `course grade`, whether or not
PyTorch is installed: the text of the cell is changed before it is compiled. A finder on
`sys.meta_path` or an entry of `sys.modules` would hide an installed PyTorch from all cells. In
other cells an installed PyTorch is what is meant; where there is none, the course's library is.
"""

import ast
import importlib.util
import re
import sys
from collections import deque
from dataclasses import dataclass
from typing import Any

from course_lib.classroom.copies import text_of
from course_lib.classroom.edits import binds, of_the_course, same_code
from course_lib.classroom.mistakes import explain_error
from course_lib.classroom.page import markdown_page, shell, show
from course_lib.classroom.probe import Data, error_in

ASKS = r"\s*(?:guess|hint|solution)\("
MOST = 300  # runs that are remembered
TYPED = (
    'In a guess, a word stands in quotes, as `"second"`, and a tensor is a list, as `[2, 4, 6]`.'
)
BARRED = ("NameError", "SyntaxError")  # such a cell has shown nothing yet


@dataclass(frozen=True)
class Run:
    """One run of a cell: its text, the error that stopped it, and its id, if Jupyter tells that."""

    text: str
    error: Data | None
    cell: str = ""


_runs: deque[Run] = deque(maxlen=MOST)


def watch() -> None:
    """Begin to remember runs, if this is a notebook; once is enough."""
    here = shell()
    if here is not None and _after not in here.events.callbacks["post_run_cell"]:
        here.events.register("post_run_cell", _after)
        here.input_transformers_post.append(_with_the_course)


def _with_the_course(lines: list[str]) -> list[str]:
    """The lines of a cell that is about to run, see Note [An answer's torch]."""
    text = "".join(lines)
    if "torch" not in text or not (_is_headed(text, r"\S+") or _no_torch()):
        return lines
    return of_the_course(text).splitlines(keepends=True)


def _no_torch() -> bool:
    return "torch" not in sys.modules and importlib.util.find_spec("torch") is None


def _after(result: Any) -> None:
    error = result.error_before_exec or result.error_in_exec
    described = None
    if error is not None:
        described = error_in(error, sys.modules["__main__"].__dict__)
    text = str(result.info.raw_cell or "")
    _runs.append(Run(text, described, str(getattr(result.info, "cell_id", None) or "")))
    if described and re.match(ASKS, text):
        told = [explain_error(described)]
        if re.match(r"\s*guess", text) and described["type"] in BARRED:
            told.append(TYPED)
        if said := " ".join(filter(None, told)):
            show(markdown_page(said))


def list_cells_above() -> list[str]:
    """The cells that have run, the latest first."""
    return [run.text for run in reversed(_runs)]


def has_run(answer: Data) -> bool:
    """Whether this cell of a lesson has shown something already: known by its id or its code."""
    runs = [run for run in _runs if (run.error or {}).get("type") not in BARRED]
    return any(
        run.cell == answer.get("id") if run.cell else same_code(run.text, text_of(answer))
        for run in runs
    )


def failure(question: str, names: list[str]) -> Data | None:
    """The error of the latest run of the cell that answers, None if it ran to its end, or never."""
    for run in reversed(_runs):
        if answers(run.text, question, names):
            return run.error
    return None


def unmade(question: str, names: list[str], missing: str = "") -> str:
    """The first name that the answer's cell does not make as it ran last, "" if it makes them all.

    A name that another cell makes is an answer, too. `missing` is the name that the check looked
    for and did not find.
    """
    head = re.escape(question)
    own = [run.text for run in _runs if _is_headed(run.text, head)]
    others = [run.text for run in _runs if not _is_headed(run.text, head)]
    for name in names if own else ():
        left_behind = name == missing or any(_speaks_of(name, text) for text in own)
        if left_behind and not _speaks_of(name, own[-1]):
            if not any(binds(text, name) for text in others):
                return name
    return ""


def _speaks_of(name: str, text: str) -> bool:
    """Whether a cell has the name anywhere outside its comments.

    >>> _speaks_of("f", "for f in range(3):\\n    pass"), _speaks_of("f", "g = 1  # no f")
    (True, False)
    """
    try:
        text = ast.dump(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass  # then a comment counts, too
    return bool(re.search(rf"\b{re.escape(name)}\b", text))


def _is_headed(text: str, question: str) -> bool:
    return bool(re.search(rf"^# Answer to {question}\s*$", text, re.MULTILINE))


def answers(text: str, question: str, names: list[str]) -> bool:
    """Whether a cell is the answer to the question: by its first line, or by what it makes.

    A cell that is no Python cannot be read as such; then a line that begins to make it counts.

    >>> answers("# Answer to demo-1\\nx = (", "demo-1", ["f"])
    True
    >>> answers("def f(x)\\n    return x", "demo-1", ["f"]), answers("f(2)", "demo-1", ["f"])
    (True, False)
    """
    if _is_headed(text, re.escape(question)):
        return True
    if any(binds(text, name) for name in names):
        return True
    try:
        compile(text, "cell", "exec")
    except (SyntaxError, ValueError):
        made = "|".join(map(re.escape, names))
        return bool(re.search(rf"^(?:(?:def|class)\s+)?(?:{made})\s*[(:=]", text, re.MULTILINE))
    return False
