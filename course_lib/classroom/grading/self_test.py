"""`course grade --self-test`: try what hostile answers try, and show what holds on this machine."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from course_lib.classroom.grading import data, warm
from course_lib.classroom.grading.expected import run_job
from course_lib.classroom.grading.limits import MEGABYTE, Limits
from course_lib.classroom.grading.overview import sandbox_words
from course_lib.classroom.probe import Data

_CHECK = '@check("trial-1")\ndef trial_1(show):\n    show("it", attempt())'
_KIT: dict[str, Data] = {
    "trial": {
        "idents": [],
        "questions": {
            "trial-1": {
                "before": [],
                "between": [],
                "check": _CHECK,
                "check_same": "",
                "stub_plain": "",
                "answers": ["attempt"],
                "given": [],
                "binds": [],
                "tools": [],
                "screened": [],
            }
        },
    }
}

# What is tried, as an answer: the wall is held when the answer cannot give back "done".
TRIALS: tuple[tuple[str, str], ...] = (
    ("reads a user's files", "open('/etc/passwd').read(); return 'done'"),
    ("reads what everybody may read", "open({secret!r}).read(); return 'done'"),
    ("reads a process's environment", "open('/proc/1/environ').read(); return 'done'"),
    ("writes where everybody may write", "open({secret!r} + '-2', 'w'); return 'done'"),
    ("opens a connection", "import socket; socket.socket().close(); return 'done'"),
    (
        "asks the network for a name",
        "import socket; socket.gethostbyname('example.org'); return 'done'",
    ),
    ("starts a process", "import os; os.fork() or os._exit(0); return 'done'"),
    ("runs a program", "import subprocess; subprocess.run(['/bin/true']); return 'done'"),
    ("signals another process", "import os; os.kill(os.getppid() or 2, 0); return 'done'"),
    (
        "limits another process",
        "import os, resource; other = os.getppid() or 2; "
        "resource.prlimit(other, resource.RLIMIT_CPU, (1, 1)); return 'done'",
    ),
    ("takes 4 GB of memory", "x = bytearray(4 << 30); return 'done'"),
    ("writes 100 MB to a file", "open('f', 'wb').write(b'0' * (100 << 20)); return 'done'"),
    ("becomes root", "import os; os.setuid(0); return 'done' if os.getuid() == 0 else 'no'"),
    ("runs forever", "import time; time.sleep(1e9); return 'done'"),
    ("crashes", "import ctypes; ctypes.string_at(0); return 'done'"),
)


def trials() -> tuple[dict[str, str], list[tuple[str, bool, str]]]:
    """The walls, and of each trial whether it was held back and what was seen."""
    limits = Limits(seconds=2.0, memory=1024 * MEGABYTE)
    runner = warm.start(_KIT, limits)
    try:
        seen = []
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            secret = os.path.join(folder, "secret")
            Path(secret).write_text("for everybody's eyes", encoding="utf-8")
            for name, code in TRIALS:
                lines = code.replace("{secret!r}", repr(secret)).split("; ")
                text = "def attempt():\n" + "\n".join(f"    {line}" for line in lines)
                held, what = _attempt(runner, text, limits)
                seen.append((name, held, what))
        return runner.holds, seen
    finally:
        runner.close()


def _attempt(runner: warm.Asked, text: str, limits: Limits) -> tuple[bool, str]:
    try:
        questions = [["trial-1", [[1, text]]]]
        job = run_job("trial", questions, "trial", limits.seconds, limits.patience)
        answer = runner.ask(job)
    except warm.Lost:
        return False, "the process that runs answers was lost"
    told = data.lines(answer["said"], ["trial-1"]).get("trial-1", data.Told())
    if told.data is None:
        why = {"time": "ended when its time was over"}.get(answer["why"], "its process ended")
        return True, why
    if told.data["error"]:
        return True, f"{told.data['error']['type']}: {told.data['error']['message']}"[:90]
    shown: Any = told.data["entries"][0]["value"].get("value")
    return shown != "done", f"gave back {shown!r}"


def self_test(as_json: bool) -> int:
    """Print what holds; 0 when every trial was held back, else 1."""
    walls, seen = trials()
    if as_json:
        rows = [{"trial": name, "held": held, "seen": what} for name, held, what in seen]
        sandbox = {wall: why or "holds" for wall, why in walls.items()}
        print(json.dumps({"sandbox": sandbox, "trials": rows}, indent=1))
    else:
        print(sandbox_words(walls)[0])
        for wall, why in walls.items():
            print(f"  {'✓' if not why else '✗'} {wall}{': ' + why if why else ''}")
        print("An answer that …")
        for name, held, what in seen:
            print(f"  {'✓ is held back' if held else '✗ SUCCEEDS    '}  {name:<32} {what}")
    sys.stdout.flush()
    return 0 if all(held for _, held, _ in seen) else 1
