"""Archives become folders: what a zip file holds is written below a folder of the grader's own.

Note [Zip files]
An archive is taken apart by another process behind walls (`unpack.py`); here only its answers are
read, and each is looked at for its form and its size. A name in an archive is split into parts, and
a part that leads out of the folder is dropped, so that every file lies below it. Only ordinary
files are written, never links, and never over another file. Of what one archive unpacks to, so many
bytes and so many notebooks are taken and no more.
"""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from course_grading.submissions import Refused, Unpacked, open_ordinary
from course_grading.walls import MEGABYTE
from course_lib.classroom.trouble import Trouble, writing

ZIP, NOTEBOOK = ".zip", ".ipynb"
_LINE = 1 << 16
_DEEP = 12  # folders within folders
_NAME = 150  # letters of one part of a path


@dataclass(frozen=True)
class Bounds:
    """What is taken from one archive."""

    most: int  # bytes of one file
    room: int  # bytes of all files
    count: int  # files
    seconds: int
    wanted: tuple[str, ...] = (NOTEBOOK,)
    names: int = 2000  # of other files that are named
    trace: bool = False  # an empty file in the place of each of them: it says who handed in what


STUDENTS = Bounds(8 * MEGABYTE, 200 * MEGABYTE, 200, 20)
DOWNLOAD = Bounds(
    64 * MEGABYTE, 8192 * MEGABYTE, 20_000, 600, (NOTEBOOK, ZIP), names=200_000, trace=True
)
_REPOSITORY = ".git"  # of all that lies in it, nothing is looked at but that it is there


class Archives:
    """Unpacks zip files into a temporary folder, which goes when this is closed."""

    def __init__(self) -> None:
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._number = 0

    def __enter__(self) -> "Archives":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        if self._home is not None:
            self._home.cleanup()

    def unpack(self, path: Path, bounds: Bounds = STUDENTS) -> Unpacked:
        """The archive as a folder. Whatever it holds, there is an answer."""
        made = Unpacked(self._folder())
        try:
            with open_ordinary(path) as file:
                self._take(file, path, bounds, made)
        except Refused as why:
            made.problem = str(why)
        return made

    def download(self, path: Path) -> Path:
        """The folder in a whole class's archive. Raises `Trouble` unless all of it is there."""
        if path.suffix.lower() != ZIP:
            raise Trouble(f"{path} is no folder and no zip file; name the one to grade", 2)
        made = self.unpack(path, DOWNLOAD)
        if made.problem:
            raise Trouble(f"{path}: {made.problem}. Download it again, or unpack it yourself", 2)
        entries = list(made.folder.iterdir())
        inner = made.folder / path.stem  # as when a folder was packed, and not what is in it
        return inner if entries == [inner] and inner.is_dir() else made.folder

    def _folder(self) -> Path:
        with writing(Path(tempfile.gettempdir())):
            if self._home is None:
                self._home = tempfile.TemporaryDirectory(prefix="course-grade-")
            self._number += 1
            made = Path(self._home.name, f"{self._number}")
            made.mkdir()
        return made

    def _take(self, file: BinaryIO, path: Path, bounds: Bounds, made: Unpacked) -> None:
        with self._ask(file, path, json.dumps(asdict(bounds))) as answers:
            try:
                whole = _write_unpacked(answers, bounds, made)
            except (ValueError, KeyError, TypeError):
                whole = False
        if not whole and not made.problem:
            made.problem = "it could not be unpacked within the limits; hand in the notebook itself"

    @contextlib.contextmanager
    def _ask(self, file: BinaryIO, path: Path, job: str) -> Any:
        if not hasattr(os, "fork"):
            command = [sys.executable, "-m", _UNPACKER, "once", str(path), job]
            with subprocess.Popen(command, stdout=subprocess.PIPE, env=_environment()) as process:
                assert process.stdout is not None
                yield process.stdout
                process.kill()
            return
        control = self._start_child()
        reader, writer = os.pipe()
        try:
            socket.send_fds(control, [job.encode()], [file.fileno(), writer])
        finally:
            os.close(writer)
        with os.fdopen(reader, "rb") as answers:
            yield answers
        if not control.recv(1):
            self._end()  # the next archive gets another process

    def _start_child(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair()
            self._process = subprocess.Popen(
                [sys.executable, "-m", _UNPACKER, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the grader; this ends with its socket
            )
            theirs.close()
        return self._control

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.wait()
        self._control = self._process = None


_UNPACKER = "course_grading.unpack"


def _environment() -> dict[str, str]:
    """So that the process finds this library, wherever the grader has found it."""
    import course_lib

    home = str(Path(course_lib.__file__).resolve().parents[1])
    paths = [home, os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def _write_unpacked(answers: BinaryIO, bounds: Bounds, made: Unpacked) -> bool:
    """Write what comes out of the archive; True when it came to its end."""
    room = bounds.room + bounds.most
    while line := answers.readline(_LINE):
        about = json.loads(line)
        if "end" in about:
            return True
        if "problem" in about:
            made.problem = str(about["problem"])[:200]
            return False
        parts = safe_parts(str(about["name"]))
        if "size" not in about:
            made.others.append(parts[-1])
            if bounds.trace and (_REPOSITORY not in parts or parts[-1] == "HEAD"):
                _write(made.folder, parts, b"", about["when"])
            continue
        size = int(about["size"])
        room -= size
        if not 0 <= size <= bounds.most + 1 or room < 0:
            raise ValueError("more than was asked for")
        data = answers.read(size)
        if len(data) < size:
            return False
        if about["refused"]:
            made.refused["/".join(parts)] = str(about["refused"])[:200]
        else:
            _write(made.folder, parts, data, about["when"])
    return False


def safe_parts(name: str) -> list[str]:
    r"""The parts of a path in an archive, none of which leads anywhere else.

    >>> safe_parts("../../etc/passwd"), safe_parts("C:\\work\\a.ipynb"), safe_parts("..")
    (['etc', 'passwd'], ['C_', 'work', 'a.ipynb'], ['unnamed'])
    """
    parts = [part for part in re.split(r"[/\\]+", name) if part.strip(". ")]
    kept = [_safe(part) for part in parts]
    return [*kept[:-1][: _DEEP - 1], kept[-1]] if kept else ["unnamed"]


def _safe(part: str) -> str:
    """One part: no letter that a file system refuses, and not too long; its ending stays."""
    part = re.sub(r'[\x00-\x1f\x7f:*?"<>|\ud800-\udfff]', "_", part)
    if len(part.encode()) <= _NAME:
        return part
    stem, dot, ending = part.rpartition(".")
    short = (stem or part).encode()[: _NAME - 20].decode(errors="ignore")
    return f"{short}…{dot}{ending[:10]}"


def _write(folder: Path, parts: list[str], data: bytes, when: Any) -> None:
    path = folder.joinpath(*parts)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):  # a file has the name of a folder
        path = folder / _safe("_".join(parts))
    for number in range(1, 1000):
        place = path if number == 1 else path.with_name(f"{path.stem} ({number}){path.suffix}")
        if os.path.lexists(place):
            continue  # two files of one name
        with writing(place), open(place, "xb") as file:
            file.write(data)
        with contextlib.suppress(ValueError, OverflowError, TypeError, OSError):
            year, month, day, hour, minute, second = map(int, when)
            at = datetime(year, month, day, hour, minute, min(second, 59)).timestamp()
            os.utime(place, (at, at))
        return
    raise ValueError("a thousand files of one name")
