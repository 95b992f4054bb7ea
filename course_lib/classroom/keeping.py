"""Where a notebook writes to the student's journal; that it cannot is one sentence on the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from course_lib.classroom import content, progress
from course_lib.classroom.page import Page, show
from course_lib.classroom.trouble import Trouble


def keep(write: Callable[[progress.Journal], None]) -> None:
    """Let `write` add to the journal of whoever works here, if anybody keeps one."""
    try:
        folder = progress.home()
        if folder is not None:
            write(progress.Journal(folder))
    except (Trouble, OSError) as trouble:  # OSError: the working folder is gone
        show(Page(f"Your progress is not kept: {trouble}"))


def to_root() -> str:
    """What a link from this notebook begins with to lead into the folder of the workspace.

    >>> to_root() in ("", "../")
    True
    """
    here = Path.cwd()
    return "../" if here.name in (*content.FOLDERS, content.LOOK_UP) else ""


def in_lesson() -> bool:
    """True where a lesson runs: what is checked or asked for there is a demonstration."""
    return Path.cwd().name == content.FOLDERS[0]
