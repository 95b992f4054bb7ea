"""The zip file around what is saved.

    NAME/data.pkl       a pickle: what was saved, with its storages left out
    NAME/byteorder      little or big
    NAME/data/0, …      the bytes of each storage, once each, at a multiple of 64 bytes
    NAME/version        of this arrangement: 3

Nothing is compressed, so that no file is larger in memory than on disk.  Nothing is unpacked to a
folder either: the names inside are only looked up.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import struct
import sys
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from course_lib.words import errors

VERSION = 3
NEWEST = 10  # the last version that PyTorch 2.13 reads
ALIGNMENT = 64
PADDING = b"FB"  # PyTorch's name for the extra field that only fills space
BROKEN: tuple[type[Exception], ...] = (zipfile.BadZipFile, EOFError, LookupError, OverflowError)
BROKEN += (RuntimeError, ValueError, struct.error)  # what zipfile raises for files that are none


# ---- writing -------------------------------------------------------------------------------------


class Outlet:
    """A file that is only written to, from first to last: all that a file object has to offer."""

    def __init__(self, file: Any):
        self.file = file
        self.written = 0

    def write(self, data: Any) -> int:
        self.file.write(data)
        self.written += memoryview(data).nbytes
        return memoryview(data).nbytes

    def flush(self) -> None:
        """Nothing is held back here."""


def write(file: Any, name: str, pickled: bytes, storages: list[Any]) -> None:
    """Write an archive to an open file; `storages` are flat arrays of bytes."""
    outlet: Any = Outlet(file)
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_STORED) as archive:

        def add(record: str, data: Any) -> None:
            info = zipfile.ZipInfo(f"{name}/{record}")
            start = outlet.written + 30 + len(info.filename.encode()) + 4
            fill = -start % ALIGNMENT
            info.extra = struct.pack("<2sH", PADDING, fill) + b"Z" * fill
            archive.writestr(info, data)

        add("data.pkl", pickled)
        add("byteorder", sys.byteorder)
        for number, storage in enumerate(storages):
            add(f"data/{number}", memoryview(storage))
        add("version", f"{VERSION}\n")


def folder_in(path: str) -> str:
    """The folder inside the archive: the file's name without its ending."""
    stem = os.path.basename(path).rpartition(".")[0] or os.path.basename(path)
    return stem if stem.isascii() and stem.strip(".") else "archive"


@contextlib.contextmanager
def replacing(path: str) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` at the end: nobody ever sees half of it."""
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise RuntimeError(errors.no_parent(folder))
    path = os.path.realpath(path)
    temporary = f"{path}.{os.getpid()}.saving"
    try:
        old = os.stat(path).st_mode if os.path.exists(path) else None
        if old is not None and not stat.S_ISREG(old):  # a folder: an error; a pipe: no half files
            temporary = path
        with new_file(temporary) as file:
            yield file
        if temporary != path:
            if old is not None:
                os.chmod(temporary, stat.S_IMODE(old))
            os.replace(temporary, path)
    except BaseException:
        if temporary != path:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise


def new_file(path: str) -> IO[bytes]:
    """An empty file, open for writing."""
    try:
        return open(path, "wb")
    except OSError as error:
        raise RuntimeError(errors.not_opened(error.strerror)) from error


# ---- reading -------------------------------------------------------------------------------------


class Archive:
    """An open archive.  It may be cut short, damaged or made to deceive."""

    def __init__(self, file: IO[bytes]):
        try:
            self.zip = zipfile.ZipFile(file)
        except BROKEN as error:
            raise RuntimeError(errors.broken_archive("failed finding central directory")) from error
        self.names = self.zip.namelist()
        self.folder = self.names[0].partition("/")[0] if self.names else ""
        file.seek(0, os.SEEK_END)
        if sum(info.compress_size for info in self.zip.infolist()) > file.tell():
            raise RuntimeError(errors.broken_archive("archive is larger inside than outside"))

    def check(self) -> None:
        """Raise an error unless this is arranged as PyTorch's files are."""
        if not self.names or "/" not in self.names[0]:
            raise RuntimeError(errors.not_in_folder(self.names[0] if self.names else ""))
        if not self.has("version"):
            raise RuntimeError(errors.NO_VERSION)
        text = self.record("version").decode(errors="replace").strip()
        if not re.fullmatch(r"[0-9]{1,18}", text):
            raise RuntimeError(errors.unreadable_version(text))
        if int(text) > NEWEST:
            raise RuntimeError(errors.newer_version(int(text), NEWEST))

    def has(self, name: str) -> bool:
        return f"{self.folder}/{name}" in self.zip.NameToInfo

    def record(self, name: str) -> bytes:
        """The bytes of one file inside."""
        if not self.has(name):
            raise RuntimeError(errors.missing_record(name))
        info = self.zip.getinfo(f"{self.folder}/{name}")
        if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
            raise RuntimeError(errors.broken_record(name, "it is compressed"))
        if info.CRC == 0:
            info.CRC = None  # type: ignore[assignment]  # PyTorch was told to leave it out
        try:
            return self.zip.read(info)
        except BROKEN as error:
            raise RuntimeError(errors.broken_record(name, str(error))) from error

    def byteorder(self) -> str:
        """The order of the bytes in storages, which old files do not say."""
        if not self.has("byteorder"):
            return "little"
        order = self.record("byteorder").decode(errors="replace")
        if order not in ("little", "big"):
            raise ValueError(errors.unknown_byte_order(order))
        return order
