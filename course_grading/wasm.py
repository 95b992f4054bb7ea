"""Answers run in WebAssembly: Python (Pyodide) inside Deno, a process for each run, on any system.

Note [A second way]
Linux builds walls around a process; other systems have no such walls for everybody. WebAssembly is
one by itself: code in it has the memory that it was given and the functions that were handed to it,
and no others. Deno hands out nothing either: it starts with the right to read the image, and gives
that up before it is sent the job. What an answer finds are files in memory, which end with it.

A process begins as a copy of an image (`image.py`), which saves the seconds of starting Python and
importing the course, and is then ready for one job: it comes as a line on its input, with the kit
of one set and nothing else. It answers on its output with the lines that `perform` says everywhere,
and `data` believes them as little. The next process gets ready while this one works. The grader
looks often at the time, the memory and the output, and ends what takes too much.
"""

import contextlib
import json
import os
import subprocess
import threading
import time

import psutil

from course_grading import data, image, trials, walls
from course_grading.walls import MEGABYTE, Limits
from course_grading.warm import Lost
from course_lib.classroom.probe import Data
from course_lib.classroom.stop import CLOCK

SLOWER = 4.0  # times as long as elsewhere a check may take that is meant to be quick
OFTEN = 0.05  # seconds between two looks at a process
PATIENCE = 120.0  # seconds until a process is ready, which takes one
AROUND = 512 * MEGABYTE  # of memory, for Deno itself, beside that of the answer
_tried: dict[str, list[str]] = {}  # what attempts broke, of each image
_lock = threading.Lock()


def start(kits: dict[str, Data], limits: Limits) -> "Wasm":
    """What runs jobs here. Raises `Trouble` where an attempt of `trials.py` comes to its end."""
    runner = Wasm(kits, limits)
    with _lock:
        name = str(runner.image.folder)
        if name not in _tried:
            _tried[name] = trials.broken_promises(runner)
    if _tried[name]:
        runner.close()
        raise walls.refuse(runner.holds, _tried[name])
    return runner


class Wasm:
    """What runs jobs in WebAssembly; the interface is `warm.Asked`."""

    process = 0  # none that the others are forked from

    def __init__(self, kits: dict[str, Data], limits: Limits) -> None:
        self._kits, self._limits = kits, limits
        self.holds: walls.Holds = {"wasm": ""}
        self.image = image.ready()
        self._next = _Process(self.image, limits)
        self._next.wait()  # what fails for the first fails for all

    def ask(self, job: Data) -> Data:
        """Run the job in the process that is ready, and get the next one ready."""
        process, name = self._next, job.get("set")
        self._next = _Process(self.image, self._limits)
        process.wait()
        job = dict(job, key=os.urandom(16).hex())
        if "patience" in job:
            job["patience"] = min(job["seconds"], SLOWER * job["patience"])
        kits = {name: self._kits[name]} if name else self._kits
        limits = self._limits
        room = {"bytes": limits.folder, "entries": limits.entries, "open": limits.open_files}
        told = json.dumps({"job": job, "exercises": kits})
        process.send({"room": room, "later": _needs_more(job), "python": told})
        ended = process.watch(job["seconds"])
        return ended | {"said": data.genuine(ended["said"], job["key"])}

    def close(self) -> None:
        """End the process that is ready."""
        self._next.end()


def _needs_more(job: Data) -> bool:
    """Whether an answer may import what is not in every process: matplotlib, IPython."""
    text = bytes.fromhex(job.get("notebook", "")) + json.dumps(job.get("questions")).encode()
    return any(word in text for word in (b"IPython", b"plot"))


class _Process:
    """Deno with Python in it, for one job."""

    def __init__(self, place: image.Image, limits: Limits) -> None:
        os.utime(place.folder)  # it is in use, and stays
        self._limits = limits
        self._said = bytearray()
        self._ready, self._over = threading.Event(), threading.Event()
        pages = (limits.memory + 128 * MEGABYTE) >> 16
        flags = f"--wasm-max-mem-pages={pages},--max-heap-size=256"
        flags += ",--disallow-code-generation-from-strings"
        words = place.command(f"--v8-flags={flags}")
        if os.name == "posix":  # so that a loop ends even if the grader is killed
            most = int(3 * limits.seconds) + 60
            words = ["/bin/sh", "-c", f'ulimit -t {most}; exec "$@"', "sh", *words]
        self._popen = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd=place.folder,
            env=place.environment,
            start_new_session=True,
        )
        assert self._popen.stdin is not None
        self._given = self._popen.stdin
        self._seen = psutil.Process(self._popen.pid)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Read until the end, or until it is too much. No other way works on all systems."""
        assert self._popen.stdout is not None
        with self._popen.stdout as output:
            while len(self._said) <= self._limits.output and (part := output.read(65536)):
                self._said += part
                self._ready.set()
        self._over.set()
        self._ready.set()

    def wait(self) -> None:
        """Wait until it is ready. Raises `Lost` where it never is."""
        if not self._ready.wait(PATIENCE) or self._over.is_set():
            raise Lost(f"it ended with status {self.end()}")
        self._said.clear()

    def send(self, order: Data) -> None:
        """Give it what there is to do."""
        with contextlib.suppress(OSError):
            self._given.write(json.dumps(order).encode() + b"\n")

    def watch(self, seconds: float) -> Data:
        """Wait until it ends or has to be ended; what it said, and how that went."""
        begun, before, cpu, why = time.monotonic(), self._look()[0], 0.0, ""
        while not why and not self._over.wait(OFTEN):
            computed, memory = self._look()
            cpu = computed - before
            if cpu > 1.7 * seconds + 1 or time.monotonic() - begun > CLOCK * seconds:
                why = "time"
            elif memory > self._limits.memory + AROUND:
                why = "memory"
        if len(self._said) > self._limits.output:
            why = "output"
        wall, cpu = time.monotonic() - begun, max(cpu, self._look()[0] - before)
        status = self.end(grace=0.0 if why else 5.0)
        said = bytes(self._said[: self._limits.output])
        ended = {"said": said, "why": why, "wall": wall, "cpu": cpu, "finished": status == 0}
        return ended | {"signal": max(0, -status), "status": max(0, status)}

    def _look(self) -> tuple[float, int]:
        """Seconds of computing so far, and bytes of memory; nothing of a process that is gone."""
        with contextlib.suppress(psutil.Error):
            times, memory = self._seen.cpu_times(), self._seen.memory_info()
            return times.user + times.system, memory.rss
        return 0.0, 0

    def end(self, grace: float = 0.0) -> int:
        """End it, if it does not end by itself; its status."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(grace)
        self._popen.kill()
        with contextlib.suppress(OSError):
            self._given.close()
        return self._popen.wait()
