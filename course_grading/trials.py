"""What hostile answers try, tried on this machine: each attempt belongs to one promise.

An attempt is the body of a function and runs where answers run. It has broken its promise when it
comes to its end; being refused is an exception, and a process that ends has reached nothing.
"""

import contextlib
import json
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_grading import walls
from course_lib.classroom.probe import Data

SECONDS = 2.0  # of computing, and some more by the clock


class Trial(NamedTuple):
    """An attempt: what it would break, what it does, in words and as code.

    The code finds the names of `plant_names`: `secret` and `victim`, files that everybody may read
    and write, `folder` with both, `grader`, a process, `port` and `ear`, where something listens.
    """

    promise: str
    words: str
    code: str
    slow: bool = False  # left to the self-test


_PATHS = "import os; here = os.getcwd(); up = os.path.dirname(here)"
_TRIED: dict[str, dict[str, str]] = {
    "files": {
        "reads a file that everybody may read": "open(secret).read()",
        "lists a folder that everybody may list": "import os; os.listdir(folder)",
        "writes into a file": "open(secret, 'a').write('x')",
        "cuts a file short": "import os; os.truncate(secret, 3)",
        "makes a file": "open(folder + '/new', 'w').close()",
        "renames a file": "import os; "
        "os.rename(secret, secret + '2'); os.rename(secret + '2', secret)",
        "deletes a file": "import os; os.unlink(victim)",
        "reads the users of this machine": "open('/etc/passwd').read()",
        "leaves a file in the folder above": f"{_PATHS}; open(up + '/left', 'w').close()",
        "renames its own folder": f"{_PATHS}; os.rename(here, here + '2')",
        "makes a link to a folder": "import os; "
        "os.symlink(folder, 'link'); open('link/secret').read()",
    },
    "metadata": {
        "changes who may read a file": "import os; os.chmod(secret, 0o666)",
        "changes who may enter a folder": "import os; os.chmod(folder, 0o777)",
        "changes the time of a file": "import os; os.utime(secret, (1, 1))",
        "changes the owner": "import os; os.chown(secret, os.getuid(), -1)",
        "changes attributes": "import os; os.setxattr(secret, 'user.x', b'1')",
    },
    "memory": {
        "opens the memory of another process": "open(f'/proc/{grader}/mem', 'rb').close()",
        "reads its environment": "open(f'/proc/{grader}/environ', 'rb').read()",
        "asks the system for a piece of it": "import ctypes; one = ctypes.create_string_buffer(8); "
        "vector = (ctypes.c_void_p * 2)(ctypes.addressof(one), 8); "
        "libc = ctypes.CDLL(None, use_errno=True); "
        "got = libc.process_vm_readv(grader, vector, 1, vector, 1, 0); "
        "assert got >= 0 or ctypes.get_errno() == 14  # allowed, and there is nothing",
    },
    "processes": {
        "signals another process": "import os; os.kill(grader, 0)",
        "has the system signal another process": "import fcntl, os; "
        "ends = os.pipe(); fcntl.fcntl(ends[0], fcntl.F_SETOWN, grader)",
        "limits another process": "import resource as r; "
        "r.prlimit(grader, r.RLIMIT_CORE, r.prlimit(grader, r.RLIMIT_CORE))",
        "slows another process down": "import os; "
        "os.setpriority(os.PRIO_PROCESS, grader, os.getpriority(0, grader))",
    },
    "network": {
        "opens a connection": "import socket; "
        "socket.create_connection(('127.0.0.1', port), 2).close()",
        "sends to this machine without a connection": "import socket; "
        "one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); "
        "one.sendto(b'x', ('127.0.0.1', port))",
        "sends from a pair of its own": "import socket; "
        "one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); "
        "one.sendto(b'x', ear)",
    },
    "bounds": {
        "takes 4 GB of memory": "one = bytearray(4 << 30)",
        "keeps 2 GB in files without a name": "import os; "
        "one = os.memfd_create('x'); [os.write(one, bytes(1 << 26)) for _ in range(32)]",
        "opens 500 files": "kept = [open('/dev/null') for _ in range(500)]",
    },
}
_SLOW: dict[str, dict[str, str]] = {
    "bounds": {
        "writes 200 MB to the disk": "import time; "
        "[open(str(n), 'wb').write(bytes(1 << 20)) for n in range(200)]; time.sleep(0.5)",
        "sleeps for a year": "import time; time.sleep(3e7)",
        "makes 10 000 files": "[open(str(n), 'w').close() for n in range(10**4)]",
    }
}
TRIALS = tuple(
    Trial(promise, words, code, slow)
    for slow, tried in ((False, _TRIED), (True, _SLOW))
    for promise, codes in tried.items()
    for words, code in codes.items()
)


@contextlib.contextmanager
def plant_names() -> Iterator[dict[str, Any]]:
    """What attempts reach for, and nobody misses: the names that their code finds."""
    unix = getattr(socket, "AF_UNIX", None)  # Windows has none
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(unix or socket.AF_INET, socket.SOCK_DGRAM) as ear,
    ):
        os.chmod(folder, 0o777)
        secret, victim = Path(folder, "secret"), Path(folder, "victim")
        for file in (secret, victim):
            file.write_text("for everybody's eyes", encoding="utf-8")
            os.chmod(file, 0o666)
        ear.bind(os.path.join(folder, "ear") if unix else ("127.0.0.1", 0))
        if unix:
            os.chmod(ear.getsockname(), 0o777)
        yield {
            "secret": str(secret),
            "victim": str(victim),
            "folder": folder,
            "grader": os.getpid(),
            "port": server.getsockname()[1],
            "ear": ear.getsockname(),
        }


def attempt(runner: Any, these: list[Trial], names: dict[str, Any]) -> dict[str, str]:
    """Of each attempt, by its words: why it was refused, or "" where it came to its end.

    An attempt that is not told of ended the process that they all ran in.
    """
    texts = [(one.words, one.code) for one in these]
    job = {"kind": "trials", "trials": texts, "names": names, "seconds": SECONDS}
    found = {}
    for line in runner.ask(job)["said"].splitlines():
        message = json.loads(line)
        if "trial" in message:
            found[message["trial"]] = message["refused"]
    return found


def broken_promises(runner: Any) -> list[str]:
    """The promises that an attempt broke here; the walls that should have held them say so."""
    quick = [one for one in TRIALS if not one.slow]
    with plant_names() as names:
        seen: dict[str, str] = {}
        left = quick
        while left:  # the first that is not told of has ended the process for all after it
            seen |= attempt(runner, left, names)
            left = [one for one in left if one.words not in seen][1:]
    missing = [one for one in quick if seen.get(one.words) == ""]
    for one in missing:
        for wall in walls.HELD_BY[one.promise]:
            if not runner.holds.get(wall):
                runner.holds[wall] = f"an answer that {one.words} was not held back"
    return list(dict.fromkeys(one.promise for one in missing))


def try_attempt(code: str, names: Data) -> str:
    """Run an attempt here, in the child; why it was refused, or "" when it came to its end."""
    scope = dict(names)
    try:
        exec("\n".join(code.split("; ")), scope)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:90]
    return ""
