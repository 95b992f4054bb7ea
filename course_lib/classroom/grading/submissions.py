"""Find what was handed in: a folder for each student, or a file for each, under any names.

A submission may hold links and pipes; only ordinary files are ever opened.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from course_lib.classroom.grading.data import ODD_LETTERS
from course_lib.classroom.trouble import Trouble

_IGNORED = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini"}
_NOTEBOOK = re.compile(r"\.ipynb(\W.*)?$", re.IGNORECASE)
_ENDING = re.compile(r"(?<=.)(\.tar)?\.\w{1,8}$", re.IGNORECASE)
_TOOL = re.compile(  # what tools leave beside submissions; anything else may be a student's
    r"\.(ipynb_checkpoints|virtual_documents|jupyter|ipython|git|github|hg|svn|idea|vscode|vs"
    r"|venv|env|tox|cache|config|local|(mypy|pytest|ruff)_cache|ds_store|trash.*|appledouble"
    r"|spotlight-v100|fseventsd|temporaryitems|stfolder|stversions|nfs[\da-f]+|[_~].*)",
    re.IGNORECASE,
)
_INSTRUCTORS = re.compile(r"\.(md|csv|tsv|json|toml|ya?ml|log)", re.IGNORECASE)  # lists, notes
_DEPTH = 6
_LISTED = 1000  # other files of one student that are remembered by name
_WRITTEN_OUT = re.compile(  # the last: a backslash that would look as if it wrote something out
    rf"{ODD_LETTERS.pattern}|[\ud800-\udfff]"
    rf"|\\(?=\\|x[\da-f]{{2}}|u[\da-f]{{4}}|[\ud800-\udfff]|{ODD_LETTERS.pattern})"
)


@dataclass(frozen=True, order=True)
class Submission:
    """One notebook of one student, or the reason why there is none."""

    student: str
    file: str  # below the folder of submissions, as a reader may see it
    path: Path
    problem: str = ""
    status: str = "missing"  # of the row, where there is a problem


class Refused(Exception):
    """A sentence: why this file is not read."""


def find(folder: Path, known: Iterable[str], most: int = 60) -> list[Submission]:
    """All submissions in `folder`, at most so many of each student.

    `known` are names of exercises, which are no part of a student's name.
    """
    if not folder.is_dir():
        raise Trouble(f"there is no folder {folder}; name the one with the submissions", 2)
    found: list[Submission] = []
    others: dict[str, list[str]] = {}
    for entry in sorted(os.scandir(folder), key=lambda one: os.fsencode(one.name)):
        if _TOOL.fullmatch(entry.name) or entry.name.lower() in _IGNORED:
            continue
        if entry.is_dir(follow_symlinks=False):
            found += _of_student(Path(entry.path), folder, most)
        elif _NOTEBOOK.search(entry.name):
            student = student_name(entry.name, known)
            found.append(_submission(student, Path(entry.path), folder))
        elif not entry.name.startswith(".") and not _INSTRUCTORS.fullmatch(Path(entry.name).suffix):
            link = " (a link)" if entry.is_symlink() else ""
            others.setdefault(student_name(entry.name, known), []).append(entry.name + link)
    if not found:
        there = f", only {_listed(sum(others.values(), []))}" if others else ""
        raise Trouble(
            f"there is no notebook in {folder}{there}; it should hold a folder or an .ipynb file "
            "for each student",
            2,
        )
    students = {one.student for one in found}
    found += [
        Submission(student, visible(names[0]), folder, _no_notebook(names))
        for student, names in others.items()
        if student not in students
    ]
    return sorted(found)


def student_name(file: str, known: Iterable[str]) -> str:
    """The student in the name of a file, which may name the exercise too.

    >>> student_name("ada_05_storage_and_strides.ipynb", ["05_storage_and_strides"])
    'ada'
    """
    stem = (_NOTEBOOK if _NOTEBOOK.search(file) else _ENDING).sub("", file)
    names = sorted(known, key=len, reverse=True)
    for name in names if stem.lower() not in names else ():
        cut = re.sub(rf"[\s_.\-]*{re.escape(name)}$", "", stem, flags=re.IGNORECASE)
        if cut and cut != stem:
            return visible(cut)
    return visible(stem or file)


def visible(name: str) -> str:
    r"""A name that every file and terminal can hold; different names stay different.

    >>> print(visible("Zo\u00eb \x1b[31m"), visible("Zo\udceb"), visible(r"a\x1b"))
    Zoë \x1b[31m Zo\xeb a\\x1b
    """
    return _WRITTEN_OUT.sub(_written_out, name)


def _written_out(found: re.Match[str]) -> str:
    letter, number = found[0], ord(found[0])
    if letter == "\\":
        return r"\\"
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is no letter, as Python holds it
        return f"\\x{number - 0xDC00:02x}"
    return f"\\x{number:02x}" if number < 0x80 else f"\\u{number:04x}"


def _passed_over(name: str) -> bool:
    return name.startswith(".") or name.lower() in _IGNORED


def _of_student(home: Path, folder: Path, most: int) -> list[Submission]:
    student = visible(home.name)
    found: list[Submission] = []
    others: list[str] = []
    more = 0
    for place, below, files in os.walk(home):
        depth = len(Path(place).relative_to(home).parts)
        below[:] = [] if depth >= _DEPTH else sorted(n for n in below if not _passed_over(n))
        for name in sorted(files):
            if _passed_over(name):
                continue
            if not _NOTEBOOK.search(name):
                others += [name] if len(others) < _LISTED else []
            elif len(found) < most:
                found.append(_submission(student, Path(place, name), folder))
            else:
                more += 1
    if more:
        there = f"{more} more notebook{'s were' if more > 1 else ' was'} handed in"
        why = f"not run: {there}, and {most} are what one student gets"
        found.append(Submission(student, f"{more} more", home, why, "not run"))
    if not found:
        found.append(Submission(student, "", home, _no_notebook(others)))
    return found


def _no_notebook(others: list[str]) -> str:
    there = f"; there is {_listed(others)}" if others else ""
    return f"no notebook was handed in{there}; hand in the .ipynb file itself"


def _listed(names: list[str]) -> str:
    more = [f"{len(names) - 3} more"] if len(names) > 3 else []
    return ", ".join([*(visible(name)[:60] for name in names[:3]), *more])


def _submission(student: str, path: Path, folder: Path) -> Submission:
    return Submission(student, visible(str(path.relative_to(folder)))[:400], path)


def content(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file, at most one more than `most`. Raises `Refused`."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise Refused("it is a link, not a file; hand in the notebook itself") from None
        raise Refused(f"it cannot be opened ({error.strerror}); check its rights") from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("it is no ordinary file; hand in the notebook itself")
        try:
            return file.read(most + 1)
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror}); copy it again") from None
