"""The explanation of an error, unasked: folded up under the traceback, one line in a terminal.

Note [Unasked]
IPython tells when a cell has run, and `words.tracebacks` hands on the runs that an error stopped:
until then this file is not even read. Nothing is said of an error that `explain` does not know, nor
of a cell that is meant to fail, which readers think about first. Jupyter tells the kernel so, by
`stop_on_error`, where the cell has the tag raises-exception. VS Code says it of every cell, so
there the classroom tells, which knows the lessons. nbval runs cells without history: nothing shows.
`COURSE_EXPLAIN=off` switches it off: in the environment, or in a cell as `%env COURSE_EXPLAIN=off`.
"""

import os
import sys
from html import escape
from typing import Any

from course_lib.viz.drawing.alive import in_a_notebook
from course_lib.viz.pictures.explanation import Explanation, describe_error

SETTING, OFF = "COURSE_EXPLAIN", ("0", "no", "off", "false")
LESSONS = "course_lib.classroom.guess"  # asked where it is loaded


class Unasked:
    """A closed fold in a notebook, a line elsewhere."""

    def __init__(self, said: Explanation) -> None:
        self.said = said

    def __repr__(self) -> str:
        return f"{self.said.title}: course_lib.viz.explain() tells what happened and what to do."

    def _repr_html_(self) -> str:
        parts = [f"<summary>What happened? {escape(self.said.title)}</summary>"]
        for head, sentences in (("", self.said.what), ("What to do", self.said.todo)):
            rows = "".join(f"<li>{escape(one)}</li>" for one in sentences)
            parts.append(f"<p><strong>{head}</strong></p>" * bool(head) + f"<ul>{rows}</ul>")
        return f"<details>{''.join(parts)}</details>"


def offer(result: Any) -> None:
    """Show what `explain` knows about the error that stopped a cell, if it is wanted and known."""
    if os.environ.get(SETTING, "").lower() in OFF:
        return
    try:
        said = describe_error(result.error_in_exec) if is_wanted(result.info) else None
    except Exception as failure:  # the reader's own error is what counts, and it stays the last
        print(f"course_lib.viz.explain() failed itself: {type(failure).__name__}: {failure}")
        return
    if said is None or not said.todo:
        return
    if in_a_notebook():
        from IPython.display import display

        display(Unasked(said))
    else:
        print(Unasked(said))


def is_wanted(info: Any) -> bool:
    """Whether a cell belongs to a person and is not meant to fail."""
    if not info.store_history or not (_stops_on_error() or "VSCODE_PID" in os.environ):
        return False
    lessons = sys.modules.get(LESSONS)
    return lessons is None or not lessons.is_meant_to_fail(info)


def _stops_on_error() -> bool:
    """What the front end said about the cell that runs; a terminal says nothing."""
    if not in_a_notebook():
        return True
    from IPython import get_ipython

    content = (get_ipython().kernel.get_parent() or {}).get("content", {})
    return bool(content.get("stop_on_error", True))
