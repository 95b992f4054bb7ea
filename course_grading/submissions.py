"""Find what was handed in: a folder for each student, or a file for each, under any names.

A submission may hold links and pipes; only ordinary files are ever opened.
"""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from course_grading import roster
from course_grading.data import ODD_LETTERS
from course_grading.roster import BLACKBOARD, GITHUB, Named
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
    said: Named = field(default=Named("", ""), compare=False)  # what the platform says
    when: datetime | None = field(default=None, compare=False)  # it was handed in, if known
    doubt: str = field(default="", compare=False)  # a sentence: why somebody has to say whose it is


class Refused(Exception):
    """A sentence: why this file is not read."""


@dataclass
class Unpacked:
    """What came out of an archive."""

    folder: Path
    problem: str = ""  # a sentence, where not all of it could be taken
    others: list[str] = field(default_factory=list)  # files that are no notebooks, by name
    refused: dict[str, str] = field(default_factory=dict)  # notebooks that could not be unpacked


Unpack = Callable[[Path], Unpacked]


@dataclass
class _HandIn:
    """All that one student has handed in, as the names in the folder have it."""

    said: Named
    student: str
    folders: list[tuple[Path, Named]] = field(default_factory=list)
    files: list[tuple[str, Path, Named]] = field(default_factory=list)  # as shown


def find(
    folder: Path, known: Iterable[str], most: int = 60, unpack: Unpack | None = None
) -> list[Submission]:
    """All submissions in `folder`, at most so many of each student.

    `known` are names of exercises, which are no part of a student's name. Zip files are named and
    left alone unless `unpack` turns them into folders.
    """
    if not folder.is_dir():
        raise Trouble(f"there is no folder {folder}; name the one with the submissions", 2)
    known, folder = list(known), _unwrap_folder(folder)
    handed_in = _by_student(folder, known)
    found: list[Submission] = []
    for one in handed_in:
        found += _of_student(one, folder, most, unpack)
    there = any(not one.problem or one.status != "missing" for one in found)
    if not there and not any(one.folders for one in handed_in):
        names = [shown for one in handed_in for shown, _, _ in one.files]
        only = f", only {_list_names(names)}" if names else ""
        raise Trouble(
            f"there is no notebook in {folder}{only}; it should hold a folder or an .ipynb file "
            "for each student",
            2,
        )
    return sorted(found)


def _unwrap_folder(folder: Path) -> Path:
    """Where the hand-ins lie: packing or unpacking a download may have put a folder around them."""
    entries = [one for one in os.scandir(folder) if not _is_of_a_tool(one.name)]
    if len(entries) == 1 and entries[0].is_dir(follow_symlinks=False):
        inner = Path(entries[0].path)
        if roster.parse_name(inner.name) is None and roster.wrote(inner):
            return inner
    return folder


def _is_of_a_tool(name: str) -> bool:
    return bool(_TOOL.fullmatch(name)) or name.lower() in _IGNORED


def _by_student(folder: Path, known: list[str]) -> list[_HandIn]:
    """The entries of the folder, put together by student."""
    before = roster.assignments(folder)
    found: dict[tuple[str, str], _HandIn] = {}
    for entry in sorted(os.scandir(folder), key=lambda one: os.fsencode(one.name)):
        name = entry.name
        if _is_of_a_tool(name):
            continue
        is_folder = entry.is_dir(follow_symlinks=False)
        said = roster.parse_name(name)
        if said is None:
            if not is_folder and not _NOTEBOOK.search(name) and _is_instructors(name):
                continue
            if is_folder and before[GITHUB] and name.startswith(before[GITHUB]):
                said = Named(GITHUB, name)
            else:
                said = Named("", name if is_folder else _student(name, known))
        student = visible(said.student.removeprefix(before.get(said.platform, "")))
        one = found.setdefault((student, said.number), _HandIn(said, student))
        if is_folder:
            one.folders.append((Path(entry.path), said))
        else:
            link = " (a link)" if entry.is_symlink() and not _NOTEBOOK.search(name) else ""
            one.files.append((name + link, Path(entry.path), said))
    for key, one in found.items():
        if key[1] and sum(student == key[0] for student, _ in found) > 1:
            one.student = f"{one.student} ({key[1]})"
    return list(found.values())


def _is_instructors(name: str) -> bool:
    listed = name.lower() == "index.html"  # Brightspace's own list of what was handed in
    return listed or name.startswith(".") or bool(_INSTRUCTORS.fullmatch(Path(name).suffix))


def _student(file: str, known: Iterable[str]) -> str:
    """The student in the name of a file, which may name the exercise too."""
    stem = (_NOTEBOOK if _NOTEBOOK.search(file) else _ENDING).sub("", file)
    names = sorted(known, key=len, reverse=True)
    for name in names if stem.lower() not in names else ():
        cut = re.sub(rf"[\s_.\-]*{re.escape(name)}$", "", stem, flags=re.IGNORECASE)
        if cut and cut != stem:
            return cut
    return stem or file


def visible(name: str) -> str:
    r"""A name that every file and terminal can hold; different names stay different.

    >>> print(visible("Zo\u00eb \x1b[31m"), visible("Zo\udceb"), visible(r"a\x1b"))
    Zoë \x1b[31m Zo\xeb a\\x1b
    """
    return _WRITTEN_OUT.sub(_spell_out, name)


def _spell_out(found: re.Match[str]) -> str:
    letter, number = found[0], ord(found[0])
    if letter == "\\":
        return r"\\"
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is no letter, as Python holds it
        return f"\\x{number - 0xDC00:02x}"
    return f"\\x{number:02x}" if number < 0x80 else f"\\u{number:04x}"


def _is_passed_over(name: str) -> bool:
    return name.startswith(".") or name.lower() in _IGNORED


def _of_student(one: _HandIn, folder: Path, most: int, unpack: Unpack | None) -> list[Submission]:
    """Everything that one student has handed in, or the reason why there is nothing."""
    found: list[Submission] = []
    others: list[str] = []
    more = 0
    for shown, path, said in _files_of(one, folder):
        ordinary = not path.is_symlink()
        if _NOTEBOOK.search(path.name):
            inside = [Submission(one.student, visible(shown)[:400], path, said=said)]
        elif unpack and ordinary and path.suffix.lower() == ".zip":
            inside = _unpack_archive(one.student, shown, path, said, unpack, others)
        else:
            by_platform = said.platform == BLACKBOARD and not said.file  # it says who and when
            if len(others) < _LISTED and not by_platform:
                others.append(said.file or Path(shown).name)
            continue
        room = max(0, most - len(found))
        found += inside[:room]
        more += len(inside[room:])
    if more:
        there = f"{more} more notebook{'s were' if more > 1 else ' was'} handed in"
        why = f"not run: {there}, and {most} are what one student gets"
        found.append(Submission(one.student, f"{more} more", folder, why, "not run", one.said))
    if not found:
        file = visible(one.files[-1][0]) if others and not one.folders else ""
        there = f"; there is {_list_names(others)}" if others else ""
        why = f"no notebook was handed in{there}; hand in the .ipynb file itself"
        found.append(Submission(one.student, file, folder, why, said=one.said))
    return found


def _files_of(one: _HandIn, folder: Path) -> Iterator[tuple[str, Path, Named]]:
    """The files of a student, as shown, and what their platform says of each."""
    for home, said in one.folders:
        for path in _walk(home):
            yield str(path.relative_to(folder)), path, said
    yield from one.files


def _walk(home: Path) -> Iterator[Path]:
    for place, below, files in os.walk(home):
        depth = len(Path(place).relative_to(home).parts)
        below[:] = [] if depth >= _DEPTH else sorted(n for n in below if not _is_passed_over(n))
        yield from (Path(place, name) for name in sorted(files) if not _is_passed_over(name))


def _unpack_archive(
    student: str, shown: str, path: Path, said: Named, unpack: Unpack, others: list[str]
) -> list[Submission]:
    """The notebooks in an archive, each with the archive in the name that a reader sees."""
    made = unpack(path)
    found = [
        Submission(
            student, visible(f"{shown}/{inside.relative_to(made.folder)}")[:400], inside, said=said
        )
        for inside in _walk(made.folder)
        if _NOTEBOOK.search(inside.name)
    ]
    problems = {f"{shown}/{name}": why for name, why in made.refused.items()}
    if made.problem:
        problems[shown] = made.problem
    elif not found and not problems:
        inside = f" with {_list_names(made.others)}" if made.others else ", which is empty"
        others.append(f"{said.file or path.name}{inside}")
    return found + [
        Submission(student, visible(name)[:400], path, why, "unreadable", said)
        for name, why in problems.items()
    ]


def _list_names(names: list[str]) -> str:
    more = [f"{len(names) - 3} more"] if len(names) > 3 else []
    return ", ".join([*(visible(name)[:60] for name in names[:3]), *more])


@contextlib.contextmanager
def open_ordinary(path: Path) -> Iterator[BinaryIO]:
    """An ordinary file, open for reading; links and pipes are not opened. Raises `Refused`."""
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
        yield file


def content(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file, at most one more than `most`. Raises `Refused`."""
    with open_ordinary(path) as file:
        try:
            return file.read(most + 1)
        except OSError as error:
            raise Refused(f"it cannot be read ({error.strerror}); copy it again") from None
