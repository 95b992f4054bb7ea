"""The guard itself: what it must see and end before anything hostile is run under it."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
GUARD = Path(__file__).with_name("guard.py")


@pytest.fixture
def guarded(tmp_path):
    """Run Python code under the guard; what it reports."""

    def run(code, seconds=20, kill=0):
        report = tmp_path / "report.json"
        lines = tmp_path / "lines.txt"
        words = [GUARD, report, seconds, lines, kill, sys.executable, "-c", code, lines]
        subprocess.run([sys.executable, *map(str, words)], check=True, timeout=60)
        return json.loads(report.read_text())

    return run


def gone(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def test_a_quiet_command_leaves_nothing_and_what_takes_too_long_is_ended(guarded):
    report = guarded("raise SystemExit(3)")
    assert (report["code"], report["ended"], report["left"]) == (3, "", [])
    begun = time.monotonic()
    report = guarded("import time; time.sleep(60)", seconds=0.5)
    assert report["ended"] == "it took longer than 0.5 seconds"
    assert time.monotonic() - begun < 10


DAEMON = """
import os, subprocess, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "77.25"])
    os._exit(0)
os.wait()
"""


def test_a_daemon_is_seen_and_ended(guarded):
    (left,) = guarded(DAEMON)["left"]
    pid, words = left.split(": ")
    assert words == "sleep 77.25" and gone(pid)


def test_what_takes_too_much_memory_is_ended(guarded, monkeypatch, tmp_path):
    small = tmp_path / "guard.py"
    small.write_text(GUARD.read_text().replace("MEMORY = 9 * 2**30", "MEMORY = 2**27"))
    monkeypatch.setattr(sys.modules[__name__], "GUARD", small)
    report = guarded("import time\nkept = b'x' * 2**28\ntime.sleep(30)")
    assert report["ended"].startswith("it took 0.") and report["memory"] > 2**27


WRITING = """
import sys, time
with open(sys.argv[1], "w") as file:
    for n in range(1000):
        print(n, file=file, flush=True)
        time.sleep(.05)
"""


def test_what_has_written_so_many_lines_is_killed(guarded):
    report = guarded(WRITING, kill=5)
    assert report["ended"] == "killed" and 0.2 < report["seconds"] < 10
