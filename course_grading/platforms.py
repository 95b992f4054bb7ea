"""What the name of a hand-in says, as Moodle, Canvas, Blackboard, Brightspace and GitHub write it.

Each platform puts the student into the name of a folder or of a file, and some put the time there.
A name that follows none of these patterns is left as it is: it is the student's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

BLACKBOARD, GITHUB = "Blackboard", "GitHub"


@dataclass(frozen=True)
class Named:
    """Who handed something in, as a platform has it, and when, if the name says so."""

    platform: str
    student: str  # a name or a user name; before it may be a group (Moodle) or the assignment
    number: str = ""  # the platform's own number of this student
    when: datetime | None = None  # by the clock of the platform
    late: bool = False  # the platform says so, and does not say how late
    file: str = ""  # as the student named it, where the platform has put its own words before it

    def names(self) -> Iterator[str]:
        """What may be the student, the longest first, as names have hyphens and underscores too.

        >>> list(Named(BLACKBOARD, "Lab 1_ada_lee").names())
        ['Lab 1_ada_lee', 'ada_lee', 'lee']
        """
        mark = "_" if self.platform == BLACKBOARD else "-"
        parts = self.student.split(mark)
        return (mark.join(parts[first:]) for first in range(len(parts)))


_MOODLE = re.compile(
    r"(?P<student>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)"
)
_CANVAS = re.compile(
    r"(?P<student>[^_\s]+)_(?P<late>LATE_)?(?P<number>\d{2,})_"
    r"(?:\d{2,}_|(?=(?:text|link)\.html$))(?P<file>.+)",  # the last: what was typed, not a file
    re.IGNORECASE,
)
_BLACKBOARD = re.compile(
    r"(?P<student>.+_[^_]+)_attempt_(?P<when>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)"
)
_BRIGHTSPACE = re.compile(
    r"(?P<number>\d+)-\d+ - (?P<student>.+?) - "
    r"(?P<when>[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}[:_]?\d\d [AP]M)(?: - (?P<file>.+))?"
)
_PATTERNS = {
    "Moodle": _MOODLE,
    BLACKBOARD: _BLACKBOARD,
    "Brightspace": _BRIGHTSPACE,
    "Canvas": _CANVAS,  # the last: it asks for least
}


def named(name: str) -> Named | None:
    """What the name of a folder or file says; None where it follows no platform's pattern.

    >>> named("Ada Lovelace_48213_assignsubmission_file_").student
    'Ada Lovelace'
    >>> named("lovelaceada_LATE_1234_5678_00_welcome.ipynb").late
    True
    >>> str(named("Lab 1_ada_attempt_2026-11-20-17-05-09_work.ipynb").when)
    '2026-11-20 17:05:09'
    """
    for platform, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(name):
            said = found.groupdict()
            return Named(
                platform,
                said["student"],
                said.get("number") or "",
                _when(said.get("when")),
                bool(said.get("late")),
                said["file"] or "",
            )
    return None


def _when(said: str | None) -> datetime | None:
    if not said:
        return None
    try:
        if said[0].isdigit():
            return datetime.strptime(said, "%Y-%m-%d-%H-%M-%S")
        day, hour, half = said.rsplit(" ", 2)
        hour = re.sub(r"\D", "", hour).zfill(4)
        return datetime.strptime(f"{day} {hour} {half}", "%b %d, %Y %I%M %p")
    except ValueError:  # it looks like a time and is none, such as month 13
        return None


def wrote(folder: Path) -> bool:
    """True for a folder with names of a platform's in it, or with repositories."""
    entries = list(os.scandir(folder))  # all, so that the folder is closed again
    return any(named(one.name) or _is_repository(one) for one in entries)


def _is_repository(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and Path(entry.path, ".git").is_dir()


def assignments(folder: Path) -> dict[str, str]:
    """What the names of GitHub's repositories and of Blackboard's files begin with, as `lab1-`.

    Both put the assignment before the student. The names alone do not say where the one ends; what
    all of them share does.
    """
    entries = list(os.scandir(folder))
    repositories = [entry.name for entry in entries if _is_repository(entry)]
    files = {
        said.student
        for entry in entries
        if (said := named(entry.name)) is not None and said.platform == BLACKBOARD
    }
    alone = next(iter(files)) if len(files) == 1 else ""
    return {
        GITHUB: shared(repositories),
        BLACKBOARD: shared(files, "_") or alone[: alone.rfind("_") + 1],
    }


def shared(names: Iterable[str], mark: str = "-") -> str:
    """What all names begin with, up to a hyphen or another mark; "" for fewer than two.

    >>> shared(["lab-1-ada", "lab-1-alan"]), shared(["ada"])
    ('lab-1-', '')
    """
    names = list(names)
    if len(names) < 2:
        return ""
    common = os.path.commonprefix(names)
    return common[: common.rfind(mark) + 1]
