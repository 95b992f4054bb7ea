"""The grader's end of a warm process: start it, ask it, start it again when it is gone."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from course_grading import data, trials, visible, walls, workfolder
from course_grading.server import ORDER, RUN, STOP, environment, receive, send
from course_grading.walls import Limits
from course_lib.classroom.probe import Data
from course_lib.classroom.prompt import typed
from course_lib.classroom.stop import CLOCK
from course_lib.classroom.trouble import Trouble

_PACKAGES = str(Path(__file__).resolve().parents[1])
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from course_grading import server; getattr(server, sys.argv[2])()"
)
GRACE = 30.0  # seconds that a warm process may take longer than the run it ends itself


class Lost(Exception):
    """The warm process ended, or does not answer."""


class Asked(Protocol):
    """What can be asked to run a job: a warm process, or fresh ones where there is no fork."""

    holds: walls.Holds
    process: int  # the one that was started, which forks or started the one that does; else 0

    def ask(self, job: Data) -> Data:
        """Run the job and give back what the child said and how it ended."""

    def close(self) -> None:
        """End it and everything it started."""


def start(
    kits: dict[str, Data],
    limits: Limits,
    slot: int = 0,
    without: Sequence[str] = (),
    unsafe: bool = False,
    sandbox: str = "auto",
) -> Asked:
    """What runs answers: behind the walls of Linux, or in WebAssembly; see `walls.SANDBOXES`.

    Raises `Trouble` where nothing here holds all that `walls.py` promises, unless `unsafe`.
    """
    if sandbox == "wasm":
        return _in_wasm(kits, limits)
    runner = Warm(kits, limits, slot, without) if sys.platform == "linux" else Fresh(kits, limits)
    try:
        missing = walls.open_promises(runner.holds)
        if not missing and not unsafe:
            missing = trials.broken(runner)
        if not missing or (unsafe and sandbox == "linux"):
            return runner
        refused = walls.refuse(runner.holds, missing)
        if sandbox == "linux":
            raise refused
        try:
            other = _in_wasm(kits, limits)
        except Trouble as trouble:
            if unsafe:
                return runner
            raise Trouble(f"{trouble}\n{refused}", 2) from None
    except BaseException:
        runner.close()
        raise
    runner.close()
    return other


def _in_wasm(kits: dict[str, Data], limits: Limits) -> Asked:
    from course_grading import image

    image.needed()
    from course_grading import wasm  # which needs what was looked for

    return wasm.start(kits, limits)


class Warm:
    """One warm process."""

    def __init__(
        self, kits: dict[str, Data], limits: Limits, slot: int = 0, without: Sequence[str] = ()
    ) -> None:
        self._wrapper: list[str] = []
        self._limits = limits
        self._process: subprocess.Popen[bytes]
        self._control: socket.socket
        self._base = ""
        self._runs = 0
        self._first: dict[str, Any] = {
            "exercises": kits,
            "limits": limits.as_data(),
            "slot": slot,
            "without": list(without),
            "inside": False,
        }
        self.holds: walls.Holds = {}
        self.process = 0
        self._start()
        if self.holds["namespaces"] and not {"namespaces", "bubblewrap"} & set(without):
            self._try_bubblewrap()

    def _try_bubblewrap(self) -> None:
        """Where only bubblewrap may make namespaces, it makes them around the warm process."""
        if not (found := visible.bubblewrap(self._limits)):
            return
        before = self._process, self._control, self._base, self.holds
        self._wrapper, self._first["inside"] = found, True
        try:
            self._start()
        except Trouble:  # bubblewrap may not either
            self._wrapper, self._first["inside"] = [], False
            self._process, self._control, self._base, self.holds = before
        else:
            _stop(before[0], before[1])

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = _popen("main", wrapper=self._wrapper, stdin=theirs)
        self.process = self._process.pid
        answer = None
        with contextlib.suppress(OSError, ValueError):
            self._control.settimeout(60 + GRACE)
            send(self._control.sendall, self._first)
            answer = receive(self._control.recv)
        if answer is None or "broke" in answer:
            self.close()
            why = f" ({answer['broke']})" if answer else ""
            say = typed("doctor")
            raise Trouble(f"the process that runs answers did not start{why}; `{say}` may say why")
        self.holds, self._base = answer["holds"], answer["base"]

    def ask(self, job: Data) -> Data:
        """Run the job; a warm process that is lost on the way is started again for the next."""
        try:
            return self._asked(job)
        except (OSError, ValueError, EOFError):
            self.close()
            self._start()
            raise Lost from None

    def _asked(self, job: Data) -> Data:
        self._runs += 1
        clock = CLOCK * job["seconds"]
        until = time.monotonic() + clock + GRACE
        key = os.urandom(16).hex()
        with contextlib.ExitStack() as files:
            ends = os.pipe()
            os.fchmod(ends[0], 0)  # it cannot be opened once more, to read or to write
            reader = files.enter_context(os.fdopen(ends[0], "rb", 0))
            with (
                os.fdopen(ends[1], "wb", 0) as writer,
                _nameless(json.dumps(job | {"key": key})) as given,
            ):
                order = ORDER.pack(RUN, self._runs, clock)
                socket.send_fds(self._control, [order], [given.fileno(), writer.fileno()])
            said, why = self._heard(reader.fileno(), until)
        self._control.settimeout(max(0.1, until - time.monotonic()))
        answer = receive(self._control.recv)
        if answer is None:
            raise EOFError
        answer |= {
            "said": data.genuine(said, key),
            "finished": not answer["signal"] and not answer["status"],
        }
        return answer | {"why": why} if why else answer

    def _heard(self, reader: int, until: float) -> tuple[bytes, str]:
        """What the child writes until it has ended, and whether that was too much."""
        said = bytearray()
        poll = select.poll()
        poll.register(reader, select.POLLIN)
        poll.register(self._control, select.POLLIN)
        while (left := until - time.monotonic()) > 0:
            ready = {one for one, _ in poll.poll(left * 1000 + 1)}
            if reader in ready:
                part = os.read(reader, 65536)
                said += part
                if len(said) > self._limits.output:
                    self._control.sendall(ORDER.pack(STOP, self._runs, 0.0))
                    return bytes(said[: self._limits.output]), "output"
                if not part:
                    poll.unregister(reader)
            elif ready:  # the child is gone, and so is all that it wrote
                return bytes(said), ""
        raise EOFError

    def close(self) -> None:
        """End the process, and delete what its children have left."""
        _stop(self._process, self._control)
        with contextlib.suppress(OSError):  # what resists is tried again when one starts
            if self._base:
                workfolder.remove(self._base)


class Fresh:
    """A new process for every run, where none can be forked: slower, and without walls."""

    def __init__(self, kits: dict[str, Data], limits: Limits) -> None:
        self._kits, self._limits = kits, limits
        why = f"not known for {sys.platform}"
        self.holds: walls.Holds = dict.fromkeys(walls.WALLS, why)
        self.process = 0

    def ask(self, job: Data) -> Data:
        """Start a process, let it run the job, and end it when its time is over."""
        name = job.get("set")
        kits = {name: self._kits[name]} if name else self._kits
        clock = CLOCK * job["seconds"] + GRACE
        first = {"exercises": kits, "limits": self._limits.as_data()}
        key = os.urandom(16).hex()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            process = _popen("once", folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert process.stdin is not None and process.stdout is not None
            answer = None
            timer = threading.Timer(clock, process.kill)  # safe in any thread
            timer.start()
            try:
                send(process.stdin.write, first)
                send(process.stdin.write, job | {"key": key})
                process.stdin.flush()
                answer = receive(process.stdout.read)
            except (OSError, ValueError):
                pass  # it ended: there is no answer
            finally:
                timer.cancel()
                _stop(process, process.stdin, process.stdout)
        ended = {"said": "", "why": "time", "signal": 0, "status": 0, "wall": clock, "cpu": 0.0}
        if answer:
            return answer | {"said": data.genuine(answer["said"].encode(), key)}
        return ended | {"finished": False}

    def close(self) -> None:
        """Nothing stays."""


# ---- processes and files -------------------------------------------------------------------------


def _nameless(text: str) -> Any:
    """An open file that has no name, to be read from its beginning."""
    file = tempfile.TemporaryFile("w+", encoding="utf-8")
    file.write(text)
    file.seek(0)
    return file


def _popen(
    what: str,
    folder: str | None = None,
    wrapper: Sequence[str] = (),
    stdin: Any = subprocess.DEVNULL,
    stdout: Any = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """A process that runs `server.main` or `server.once`, in its own session."""
    paths = [_PACKAGES, *(os.path.abspath(path) for path in sys.path if path)]
    kept = ("SYSTEMROOT", "LD_LIBRARY_PATH", "COVERAGE_PROCESS_START")
    own = {key: value for key, value in os.environ.items() if key in kept}
    given = json.dumps(list(dict.fromkeys(paths)))
    return subprocess.Popen(
        [*wrapper, sys.executable, "-I", "-B", "-c", START, given, what],
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        cwd=folder or os.path.abspath(os.sep),
        env={**environment(folder or tempfile.gettempdir()), **own},
        start_new_session=True,
    )


def _stop(process: subprocess.Popen[bytes], *streams: Any) -> None:
    """Close what it hears on, and end it if it does not end by itself."""
    for stream in streams:
        with contextlib.suppress(OSError):
            stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
    if process.returncode is None:
        process.kill()
        process.wait()
    if hasattr(os, "killpg"):  # what it started, where no wall has ended that
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
