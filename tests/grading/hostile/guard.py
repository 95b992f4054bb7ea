"""Run a command so that whatever it starts is seen, counted and gone at the end.

    python guard.py REPORT SECONDS FILE LINES COMMAND…

The guard adopts what its descendants leave behind (a child sub-reaper), whether or not it called
`setsid` or forked twice. Meanwhile it measures; a command that takes too long, too much memory or
too many processes is ended with all that it started, so that a grader that fails harms no machine.
What still runs when the command is over is reported, and ended. With LINES above 0 the command is
killed once FILE has so many lines, as a machine that breaks down would. Linux only.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

MEMORY = 9 * 2**30  # bytes of all processes together
PROCESSES = 1500
GRACE = 4.0  # seconds in which what the command started has to end by itself
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Report:
    """What came of it."""

    code: int = -1
    seconds: float = 0.0
    ended: str = ""  # why the guard ended it, if it did
    memory: int = 0  # the most bytes of all processes together, shared pages counted in each
    processes: int = 0  # the most at a time
    files: int = 0  # the most bytes of all files in TMPDIR
    left: list[str] = field(default_factory=list)  # what still ran after a while


def run(command: list[str], seconds: float, report: Path, kill: tuple[Path, int]) -> Report:
    """Run `command` and write the report; `kill` says at how many lines of which file to end it."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    said = Report()
    begun = time.monotonic()
    child = subprocess.Popen(command, start_new_session=True)
    while child.poll() is None:
        said.seconds = time.monotonic() - begun
        said.ended = _too_much(said, seconds) or _reached(*kill)
        if said.ended:
            child.kill()
            break
        time.sleep(0.1)
    said.code = child.wait()
    said.seconds = time.monotonic() - begun
    _wait_for_orphans(GRACE)
    said.left = [_words(pid) for pid in descendants()]
    while descendants():
        for pid in descendants():
            _kill(pid)
        _wait_for_orphans(0.05)
    report.write_text(json.dumps(asdict(said)))
    return said


def descendants(of: int | None = None) -> list[int]:
    """The processes below this one that are not dead."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            parent, state = _parent(int(entry))
            if state not in ("Z", "X", ""):
                children.setdefault(parent, []).append(int(entry))
    found: list[int] = []
    waiting = [of or os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _too_much(said: Report, seconds: float) -> str:
    pids = descendants()
    memory = sum(_resident(pid) for pid in pids)
    said.memory, said.processes = max(memory, said.memory), max(len(pids), said.processes)
    said.files = max(_files(os.environ.get("TMPDIR", "")), said.files)
    if said.seconds > seconds:
        return f"it took longer than {seconds:g} seconds"
    if memory > MEMORY:
        return f"it took {memory / 2**30:.1f} gigabytes of memory"
    if len(pids) > PROCESSES:
        return f"it had {len(pids)} processes"
    return ""


def _reached(file: Path, lines: int) -> str:
    if not lines or not file.exists() or file.read_bytes().count(b"\n") < lines:
        return ""
    return "killed"


def _parent(pid: int) -> tuple[int, str]:
    try:
        after = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return int(after[1]), after[0].decode()
    except (OSError, IndexError):
        return 0, ""


def _resident(pid: int) -> int:
    """Bytes in memory, those shared with files and other processes left out."""
    try:
        size = Path(f"/proc/{pid}/statm").read_bytes().split()
        return (int(size[1]) - int(size[2])) * PAGE
    except (OSError, IndexError):
        return 0


def _files(folder: str) -> int:
    """Bytes on the disk of what lies below the folder, as far as it can be seen."""
    found = 0
    for place, _, names in os.walk(folder) if folder else ():
        for name in names:
            try:
                found += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:  # gone by now, or too deep to be named
                pass
    return found


def _words(pid: int) -> str:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")[:300]
        return f"{pid}: {words.decode(errors='replace').strip()}"
    except OSError:
        return f"{pid}"


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _wait_for_orphans(seconds: float) -> None:
    """Give what ends by itself the time to; bury what has ended."""
    until = time.monotonic() + seconds
    while descendants() and time.monotonic() < until:
        time.sleep(0.02)
        _bury()
    _bury()


def _bury() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    told, most, watched, count, *words = sys.argv[1:]
    run(words, float(most), Path(told), (Path(watched), int(count)))
