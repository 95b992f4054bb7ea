"""Tracebacks in notebooks end at the student's line.

In a notebook, IPython does not show the frames inside the library, and the error gets its note if
it has none yet.  The traceback object itself is complete: `%debug` still steps into the library.
Without IPython nothing changes.
"""

import os
import sys
from importlib import import_module
from types import TracebackType
from typing import Any

from course_lib.words import notes

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # pathlib loads nine modules


def install() -> None:
    """Shorten the tracebacks of IPython if it is running; it is never imported here."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if hasattr(ipython, "get_ipython") else None
    shower = getattr(shell, "InteractiveTB", None)
    if shower is None or hasattr(shower, "shows_all"):
        return
    shower.shows_all = whole = shower.structured_traceback

    def structured_traceback(
        etype: Any = None, value: Any = None, tb: Any = None, *args: Any, **kwargs: Any
    ) -> Any:
        short = shorten_traceback(tb)
        if short is not tb:
            notes.add(value)
        return whole(etype, value, short, *args, **kwargs)

    shower.structured_traceback = structured_traceback
    shell.events.register("post_run_cell", after_cell)


def after_cell(result: Any) -> None:
    """Where an error has stopped a cell, offer its explanation: Note [Unasked]."""
    if result.error_in_exec is not None:
        import_module("course_lib.viz.pictures.explanation").offer(result)


def shorten_traceback(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback without the library's frames, and without NumPy's inside them.

    Frames of functions that the library calls stay, such as those of a student's hook.
    """
    kept: list[TracebackType] = []
    inside, whole = False, True
    one = traceback
    while one is not None:
        file = one.tb_frame.f_code.co_filename
        own = is_ours(file)
        foreign = inside and "numpy" in one.tb_frame.f_globals.get("__name__", "").split(".")
        if not own and not foreign:
            kept.append(one)
        inside = own or foreign
        whole = whole and not inside
        one = one.tb_next
    if not kept or whole:
        return traceback
    short: TracebackType | None = None
    for one in reversed(kept):
        short = TracebackType(short, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return short


def is_ours(file: str) -> bool:
    """Whether a file belongs to the library."""
    return file.startswith(HERE)
