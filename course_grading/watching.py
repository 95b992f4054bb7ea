"""Grade a folder that fills while an exam goes on: whatever is new is graded as it comes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from course_grading.folder import Outcome
from course_lib.classroom.trouble import Trouble

PAUSE = 2.0  # seconds between two looks; a file that grew between them is still being copied
Seen = dict[str, tuple[int, int]]


def watch(
    folders: list[Path],
    grade: Callable[[], Outcome],
    say: Callable[[str], None],
    sleep: Callable[[float], object] | None = None,
) -> Iterator[Outcome]:
    """Grade whenever something in the folders has changed and then stayed for one look.

    Each pass takes over what was graded before. It goes on until it is interrupted. Nothing to
    grade is no failure here: it will come.
    """
    graded: Seen | None = None
    before = seen(folders)
    while True:
        now = seen(folders)
        if now == before and now != graded:
            graded = now
            try:
                yield grade()
            except Trouble as trouble:
                if folders and not folders[0].exists():
                    raise
                say(f"{trouble}. Waiting for it to change.")
        before = now
        (sleep or time.sleep)(PAUSE)


def seen(folders: list[Path]) -> Seen:
    """Size and time of every file; a folder that is not there has none."""
    found: Seen = {}
    for folder in folders:
        for place, below, files in os.walk(folder):
            below.sort()
            for name in files:
                path = os.path.join(place, name)
                try:
                    about = os.lstat(path)
                except OSError:
                    continue  # it is gone again
                found[path] = about.st_size, about.st_mtime_ns
    return found
