"""Rows as they are finished, one line each: what `--resume` finds, and all that memory is spared.

A line is written at once and whole; a torn last line costs itself alone. Rows are named by their
work (`Course.key`), not by students, so what is unchanged is found again under any name. While a
journal is open it is locked, and the system unlocks it however its process ends: two graders never
write into one folder.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble, cannot_write

FILE = ".journal.jsonl"
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Journal:
    """The rows of one folder of results, in a file; memory holds only where each begins."""

    def __init__(self, folder: Path, resume: bool) -> None:
        self._path = folder / FILE
        self._places: dict[str, int] = {}
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(self._path, _OPEN, 0o644), "r+b")
        except OSError as error:
            raise cannot_write(folder, error) from None
        if not lock(self._file):
            self._file.close()
            raise Trouble(
                f"another `grade` is writing into {folder}: wait until it has finished, or name "
                "another folder after --out",
                2,
            )
        if not resume:
            self._file.truncate(0)
        self._end = self._index()

    def _index(self) -> int:
        """Find the whole lines, and the place behind the last of them."""
        end = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            try:
                self._places[json.loads(line)["key"]] = end
            except (ValueError, KeyError, TypeError):
                pass  # a torn line in the middle: its row is made again
            end += len(line)
        self._file.truncate(end)
        return end

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def add(self, key: str, row: Data) -> None:
        """Write a row down; it survives whatever comes next."""
        line = json.dumps({"key": key, "row": row}).encode() + b"\n"
        with self._lock:
            if key in self._places:
                return
            self._file.seek(self._end)
            self._file.write(line)
            self._file.flush()
            self._places[key] = self._end
            self._end += len(line)

    def row(self, key: str) -> Data:
        """A row that was written down."""
        with self._lock:
            self._file.seek(self._places[key])
            line = self._file.readline()
        try:
            found = json.loads(line)
            if found["key"] == key:
                made: Data = found["row"]
                return made
        except (ValueError, KeyError, TypeError):
            pass  # told below: it is not the row that was written there
        raise Trouble(
            f"{self._path} was changed by something else while it was in use; run the same line "
            "again with --resume"
        )

    def close(self) -> None:
        """Bring everything to the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def keys(self) -> Iterator[str]:
        """The names of all rows."""
        return iter(self._places)


def lock(file: BinaryIO) -> bool:
    """Lock an open file until it is closed; False where another process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 40)  # beyond all rows: on Windows nobody else can read what is locked
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
