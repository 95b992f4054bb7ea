"""Unpack archives that students have packed: in a process of its own, which can only read them.

The grader hands over two open files for each archive, which are the archive and a pipe for what is
in it. A child takes the archive apart behind walls: no other file, no network, no other process,
bounded memory and time. Names in an archive are words for the grader; nothing is written here.
"""

import contextlib
import json
import os
import socket
import stat
import sys
import zipfile
from typing import Any, BinaryIO

from course_grading import kernel, seccomp

MEMORY = 1 << 30
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LONGEST = 1000  # letters of a name
"".encode("cp437")  # the encoding of old names: behind the walls Python could not load it


def main() -> None:
    """Answer until nothing more is asked, over the socket whose number is the first argument."""
    if sys.argv[1] == "once":  # where processes cannot be forked
        with open(sys.argv[2], "rb") as file:
            _unpack(file, sys.stdout.buffer, json.loads(sys.argv[3]))
        return
    control = socket.socket(fileno=int(sys.argv[1]))
    while True:
        asked, files, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not asked:
            return
        child = os.fork()
        if not child:
            control.close()
            archive, pipe = files
            _in_the_child(archive, pipe, json.loads(asked))
        for number in files:
            os.close(number)
        _, ended = os.waitpid(child, 0)
        control.send(b"0" if not ended else b"1")


def _in_the_child(archive: int, pipe: int, job: Any) -> None:
    try:
        with os.fdopen(archive, "rb") as file, os.fdopen(pipe, "wb") as out:
            _behind_walls(job["seconds"], keep=(archive, pipe))
            _unpack(file, out, job)
    except BaseException:
        os._exit(1)  # the grader says so in a sentence
    os._exit(0)


def _behind_walls(seconds: int, keep: tuple[int, ...]) -> None:
    import resource

    for number in range(64):
        if number not in keep:
            with contextlib.suppress(OSError):
                os.close(number)
    limits = {"RLIMIT_CPU": seconds, "RLIMIT_AS": MEMORY, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0}
    for what, most in limits.items():
        resource.setrlimit(getattr(resource, what), (most, most))
    if kernel.has_known_calls():
        kernel.process_control(kernel.NO_NEW_PRIVILEGES, 1)
        if kernel.landlock_version():
            kernel.restrict(kernel.ruleset([], []))
        seccomp.install(seccomp.prepare_filter())


def _unpack(file: BinaryIO, out: BinaryIO, job: Any) -> None:
    """Write a line of JSON for each file in the archive, and behind it its bytes if wanted."""
    room, count, named = job["room"], job["count"], 0
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError):
        _say(out, {"problem": "it is damaged, or no zip archive"})
        return
    for info in archive.infolist():
        name = info.filename.lower()
        if info.is_dir():
            continue
        about: dict[str, Any] = {"name": info.filename[:LONGEST], "when": list(info.date_time)}
        if not any(ending in name for ending in job["wanted"]):
            named += 1
            if named <= job["names"]:
                _say(out, about)
            continue
        if count <= 0 or room <= 0:
            _say(out, {"problem": "it holds more than is unpacked"})
            return
        refused, data = _refusal(info), b""
        if not refused:
            try:
                with archive.open(info) as member:
                    data = member.read(min(job["most"], room) + 1)
            except MemoryError:
                raise
            except Exception:  # zlib has errors of its own: whatever it is, this file is damaged
                refused = "it is damaged in the archive; pack it again"
        room, count = room - len(data), count - 1
        _say(out, about | {"size": len(data), "refused": refused}, data)
    _say(out, {"end": True})


def _refusal(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 1:
        return "it is locked with a password; hand it in without one"
    if info.compress_type not in METHODS:
        return "it is packed in a way that is not read here; pack it as an ordinary zip file"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link, not a file; hand in the notebook itself"
    return ""


def _say(out: BinaryIO, message: Any, data: bytes = b"") -> None:
    out.write(json.dumps(message).encode() + b"\n" + data)
    out.flush()


if __name__ == "__main__":
    main()
