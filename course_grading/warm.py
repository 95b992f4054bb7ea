"""The grader's end of a warm process: start it, ask it, start it again when it is gone."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from course_grading import data, trials, walls, workfolder
from course_grading.server import ORDER, RUN, STOP, environment, receive, send
from course_grading.walls import Limits
from course_lib.classroom.probe import Data
from course_lib.classroom.prompt import command_line, pip_install
from course_lib.classroom.stop import CLOCK
from course_lib.classroom.trouble import Trouble

_PACKAGES = str(Path(__file__).resolve().parents[1])
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from course_grading import server; server.main()"
)
GRACE = 30.0  # seconds that a warm process may take longer than the run it ends itself


class Lost(Exception):
    """The warm process ended, or does not answer."""


class Asked(Protocol):
    """What runs answers: a warm process behind the walls of Linux, or WebAssembly."""

    holds: walls.Holds
    process: int  # of the one that forks; 0 where none does

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

    Raises `Trouble` where it does not hold all that `walls.py` promises, unless `unsafe`.
    """
    if sandbox == "wasm" or (sandbox == "auto" and sys.platform != "linux"):
        return _in_wasm(kits, limits)
    if sys.platform != "linux":
        raise Trouble(f"--sandbox linux is for Linux, and this is {sys.platform}", 2)
    runner = Warm(kits, limits, slot, without)
    try:
        missing = walls.open_promises(runner.holds)
        if not missing and not unsafe:
            missing = trials.broken_promises(runner)
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
            raise Trouble(f"{refused}\n{trouble}", 2) from None
    except BaseException:
        runner.close()
        raise
    runner.close()
    return other


def _in_wasm(kits: dict[str, Data], limits: Limits) -> Asked:
    try:
        from course_grading import wasm

        return wasm.start(kits, limits)
    except ModuleNotFoundError as missing:  # `PackageNotFoundError` is one
        install = pip_install(*walls.FOR_WASM)
        raise Trouble(f"WebAssembly needs the package {missing.name}: {install}", 2) from None


class Warm:
    """One warm process."""

    def __init__(
        self, kits: dict[str, Data], limits: Limits, slot: int = 0, without: Sequence[str] = ()
    ) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes]
        self._control: socket.socket
        self._base = ""
        self._runs = 0
        self._first: dict[str, Any] = {
            "exercises": kits,
            "limits": asdict(limits),
            "slot": slot,
            "without": list(without),
        }
        self.holds: walls.Holds = {}
        self.process = 0
        self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = _start_process(theirs)
        self.process = self._process.pid
        answer = None
        with contextlib.suppress(OSError, ValueError):
            self._control.settimeout(60 + GRACE)
            send(self._control.sendall, self._first)
            answer = receive(self._control.recv)
        if answer is None or "broke" in answer:
            self.close()
            why = f" ({answer['broke']})" if answer else ""
            say = command_line("doctor")
            raise Trouble(f"the process that runs answers did not start{why}; `{say}` may say why")
        self.holds, self._base = answer["holds"], answer["base"]

    def ask(self, job: Data) -> Data:
        """Run the job; a warm process that is lost on the way is started again for the next."""
        try:
            return self._ask(job)
        except (OSError, ValueError, EOFError):
            self.close()
            self._start()
            raise Lost from None

    def _ask(self, job: Data) -> Data:
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


# ---- processes and files -------------------------------------------------------------------------


def _nameless(text: str) -> Any:
    """An open file that has no name, to be read from its beginning."""
    file = tempfile.TemporaryFile("w+", encoding="utf-8")
    file.write(text)
    file.seek(0)
    return file


def _start_process(control: socket.socket) -> subprocess.Popen[bytes]:
    """A process that runs `server.main`, in its own session."""
    paths = [_PACKAGES, *(os.path.abspath(path) for path in sys.path if path)]
    kept = ("LD_LIBRARY_PATH", "COVERAGE_PROCESS_START")
    own = {key: value for key, value in os.environ.items() if key in kept}
    return subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", START, json.dumps(list(dict.fromkeys(paths)))],
        stdin=control.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={**environment(tempfile.gettempdir()), **own},
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
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # what it started, where no wall has ended that
