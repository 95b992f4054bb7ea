"""The grader's end of a warm process: start it, ask it, start it again when it is gone."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from course_lib.classroom.grading import bubblewrap
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.sandbox import clear
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

_PACKAGES = str(Path(__file__).resolve().parents[3])
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from course_lib.classroom.grading.server import main; main()"
)
GRACE = 5.0  # seconds that a warm process may take longer than the run it waits for


class Lost(Exception):
    """The warm process ended, or does not answer."""


class Asked(Protocol):
    """What can be asked to run a job: a warm process, or fresh ones where there is no fork."""

    holds: dict[str, str]

    def ask(self, job: Data) -> Data:
        """Run the job and give back what the child said and how it ended."""

    def close(self) -> None:
        """End it and everything it started."""


def start(kits: dict[str, Data], limits: Limits, slot: int = 0, without: Any = ()) -> Asked:
    """A warm process for these exercises, or what stands for one on this system."""
    if sys.platform == "linux":
        return Warm(kits, limits, slot, tuple(without))
    return Fresh(kits, limits)


class Warm:
    """One warm process."""

    def __init__(
        self,
        kits: dict[str, Data],
        limits: Limits,
        slot: int = 0,
        without: tuple[str, ...] = (),
        wrapper: Sequence[str] = (),
    ) -> None:
        self._wrapper = list(wrapper)
        self._limits = limits
        self._process: subprocess.Popen[bytes]
        self._base = _new_folder()
        self._first: dict[str, Any] = {
            "base": self._base,
            "exercises": kits,
            "limits": limits.as_data(),
            "slot": slot,
            "without": list(without),
            "inside": bool(wrapper),
        }
        self.holds: dict[str, str] = {}
        try:
            self._start()
        except Trouble:
            self.close()
            raise
        if self.holds["namespaces"] and "namespaces" not in without:
            self._try_bubblewrap()

    def _try_bubblewrap(self) -> None:
        """Where only bubblewrap may make namespaces, it makes them around the warm process."""
        if not (found := bubblewrap.command(self._limits)):
            return
        before = self._process
        self._wrapper, self._first["inside"] = found, True
        try:
            self._start()
            _stop(before)
        except Trouble:  # bubblewrap may not either
            self._wrapper, self._first["inside"], self._process = [], False, before

    def _start(self) -> None:
        self._process = _popen(wrapper=self._wrapper)
        try:
            _write(self._process, self._first)
            answer = _read(self._process, 60 + GRACE)
        except OSError:
            answer = None
        if answer is None:
            self._end()
            raise Trouble("the process that runs answers did not start; course doctor may say why")
        self.holds = answer["holds"]

    def ask(self, job: Data) -> Data:
        """Run the job; a warm process that is lost on the way is started again for the next."""
        try:
            _write(self._process, job)
            answer = _read(self._process, job["seconds"] + GRACE)
        except OSError:
            answer = None
        if answer is None:
            self._end()
            self._start()
            raise Lost
        return answer

    def close(self) -> None:
        """End the process; the system ends what is behind its walls."""
        self._end()
        with contextlib.suppress(OSError):
            os.rmdir(self._base)

    def _end(self) -> None:
        """End the process, and delete what its children have left."""
        _stop(self._process)
        try:
            for name in os.listdir(self._base):
                clear(os.path.join(self._base, name))
        except OSError:  # what resists stays behind; nobody works beside it
            self._base = self._first["base"] = _new_folder()


class Fresh:
    """A new process for every run, where none can be forked: slower, and without walls."""

    def __init__(self, kits: dict[str, Data], limits: Limits) -> None:
        self._kits, self._limits = kits, limits
        why = f"not known for {sys.platform}"
        self.holds = dict.fromkeys(("namespaces", "user", "landlock", "seccomp", "limits"), why)

    def ask(self, job: Data) -> Data:
        """Start a process, let it run the job, and end it when its time is over."""
        name = job.get("set")
        kits = {name: self._kits[name]} if name else self._kits
        first = {"exercises": kits, "limits": self._limits.as_data(), "once": True}
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            process = _popen(folder)
            try:
                _write(process, first)
                _write(process, job)
                answer = _read(process, job["seconds"] + GRACE)
            except OSError:
                answer = None
            finally:
                _stop(process)
        if answer is None:
            return {"said": "", "why": "time", "signal": 0, "status": 0, "wall": 0.0, "cpu": 0.0}
        return answer

    def close(self) -> None:
        """Nothing stays."""


# ---- processes and frames ------------------------------------------------------------------------


def _new_folder() -> str:
    """A folder for those of a warm process's children."""
    return tempfile.mkdtemp(prefix="course-grading-")


def _popen(folder: str | None = None, wrapper: Sequence[str] = ()) -> subprocess.Popen[bytes]:
    from course_lib.classroom.grading.server import environment

    paths = [_PACKAGES, *(os.path.abspath(path) for path in sys.path if path)]
    kept = ("SYSTEMROOT", "LD_LIBRARY_PATH", "COVERAGE_PROCESS_START")
    words = {key: value for key, value in os.environ.items() if key in kept}
    return subprocess.Popen(
        [*wrapper, sys.executable, "-I", "-B", "-c", START, json.dumps(list(dict.fromkeys(paths)))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder or os.path.abspath(os.sep),
        env={**environment(folder or tempfile.gettempdir()), **words},
        start_new_session=True,
    )


def _write(process: subprocess.Popen[bytes], message: Any) -> None:
    from course_lib.classroom.grading.server import send

    assert process.stdin is not None
    send(process.stdin, message)  # type: ignore[arg-type]


def _read(process: subprocess.Popen[bytes], seconds: float) -> Any:
    """The next frame, None when there is none in time. A timer that kills is safe in any thread."""
    from course_lib.classroom.grading.server import receive

    assert process.stdout is not None
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        return receive(process.stdout)  # type: ignore[arg-type]
    except (OSError, ValueError):
        return None
    finally:
        timer.cancel()


def _stop(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            if stream is not None:
                stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
    if process.returncode is None:
        process.kill()
        process.wait()
    if hasattr(os, "killpg"):  # what it started, where no wall has ended that
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
