"""Each wall holds by itself, and what a system refuses is said, not supposed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from classroom.grading.conftest import linux

from course_lib import cli
from course_lib.classroom.grading import data, landlock, seccomp, self_test, system, warm
from course_lib.classroom.grading.expected import run_job
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.overview import sandbox_words

LIMITS = Limits(seconds=5.0)
WALLS = ("namespaces", "user", "landlock", "seccomp")

pytestmark = linux


def attempts(without, texts):
    """What functions with these bodies give back, or raise, behind the other walls."""
    runner = warm.start(self_test._KIT, LIMITS, without=without)
    try:
        seen = []
        for text in texts:
            code = "def attempt():\n    import os, socket\n    " + text.replace("\n", "\n    ")
            questions = [["trial-1", [[1, code]]]]
            answer = runner.ask(run_job("trial", questions, "x", 5.0, 4.0))
            told = data.lines(answer["said"], ["trial-1"]).get("trial-1", data.Told())
            shown = told.data or {"entries": [], "error": {"type": answer["why"] or "ended"}}
            error = shown["error"]
            seen.append(error["type"] if error else shown["entries"][0]["value"].get("value"))
        return runner.holds, seen
    finally:
        runner.close()


def test_the_self_test_tries_and_tells(capsys):
    code = cli.main(["grade", "--self-test", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert len(told["trials"]) == len(self_test.TRIALS)
    assert code == (0 if all(trial["held"] for trial in told["trials"]) else 1)
    if told["sandbox"]["namespaces"] == told["sandbox"]["seccomp"] == "holds":
        assert code == 0


@pytest.mark.parametrize("wall", ["landlock", "seccomp", "namespaces"])
def test_a_wall_holds_without_the_others(wall, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("for nobody", encoding="utf-8")
    os.chmod(secret, 0o644)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        if folder != Path("/tmp"):
            os.chmod(folder, 0o755)
    others = tuple(other for other in WALLS if other != wall)
    holds, seen = attempts(
        others,
        [
            f"return open({str(secret)!r}).read()",
            "return os.fork() and 'forked'",
            "s = socket.socket()\ns.settimeout(1)\ns.connect(('127.0.0.1', 9))",
        ],
    )
    assert set(others) <= {name for name, why in holds.items() if why == "switched off"}
    if holds[wall]:
        pytest.skip(f"this system has no {wall}: {holds[wall]}")
    read, forked, connected = seen
    assert (read == "for nobody") is (wall == "seccomp")
    assert (forked == "PermissionError") is (wall == "seccomp")
    if wall == "namespaces":
        assert connected == "OSError"  # there is no way to anywhere: not even to this machine
    if wall == "seccomp":
        assert connected == "PermissionError"


def test_without_walls_the_first_line_says_so():
    holds, _ = attempts((*WALLS, "limits"), [])
    said, warned = sandbox_words(holds)
    assert warned and said.startswith("NOT SANDBOXED")


@pytest.mark.parametrize("without", [(), WALLS])
def test_nothing_it_started_is_left(without, tmp_path):
    mark = f"course-left-{os.getpid()}"
    program = f"os.execv({sys.executable!r}, ['{mark}', '-c', 'import time; time.sleep(60)'])"
    daemon = (
        "for number in range(3):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0:\n"
        f"            {program}\n"
        "        os._exit(0)\n"
        "import time; time.sleep(0.5)\nreturn 'started'"
    )
    _, (seen,) = attempts(without, [daemon])
    assert without == () or seen == "started"
    time.sleep(0.2)
    lines = [Path(f"/proc/{one}/cmdline") for one in os.listdir("/proc") if one.isdigit()]
    assert not [path for path in lines if path.exists() and mark.encode() in path.read_bytes()]


def test_children_share_nothing_and_leave_nothing():
    put, look = "open('left', 'w').write('x')\nreturn 'put'", "return str(os.listdir('.'))"
    _, seen = attempts((), [put, look])
    assert seen == ["put", "[]"]


def test_limits_hold():
    texts = [
        "return len(bytearray(3 << 30))",
        "open('big', 'wb').write(bytes(20 << 20))",
        "return len([open('/dev/null') for _ in range(100)])",
        "for n in range(5000):\n    open(str(n), 'w').close()",
        "return os.environ.get('HOME', '') + str(sorted(os.environ)[:1])",
    ]
    holds, seen = attempts((), texts)
    assert seen[:3] == ["MemoryError", "OSError", "OSError"]
    if not holds["namespaces"]:
        assert seen[3] == "OSError"  # the folder lies in memory, and is small
    assert "HOME" in seen[4] and "SECRET" not in seen[4]


def test_a_warm_process_that_is_lost_is_started_again():
    runner = warm.start(self_test._KIT, LIMITS)
    try:
        job = run_job("trial", [["trial-1", [[1, "attempt = len"]]]], "x", 5.0, 4.0)
        runner._process.kill()
        with pytest.raises(warm.Lost):
            runner.ask(job)
        assert "TypeError" in runner.ask(job)["said"]  # len() wants an argument
    finally:
        runner.close()


def test_when_the_grader_is_killed_its_processes_end(tmp_path):
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from course_lib.classroom.grading import self_test, warm\n"
        "from course_lib.classroom.grading.limits import Limits\n"
        "runner = warm.start(self_test._KIT, Limits(seconds=30))\n"
        "print(runner._process.pid, flush=True); time.sleep(60)"
    )
    root = str(Path(warm.__file__).resolve().parents[3])
    grader = subprocess.Popen([sys.executable, "-c", code, root], stdout=subprocess.PIPE)
    started = int(grader.stdout.readline())
    grader.kill()
    grader.wait()
    grader.stdout.close()
    until = time.monotonic() + 10
    while Path(f"/proc/{started}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{started}").exists()


def test_a_fresh_process_for_each_run_gives_the_same():
    fresh = warm.Fresh(self_test._KIT, LIMITS)
    job = run_job("trial", [["trial-1", [[1, "attempt = lambda: 41 + 1"]]]], "x", 20.0, 4.0)
    told = data.lines(fresh.ask(job)["said"], ["trial-1"])["trial-1"]
    assert told.ended and told.data["entries"][0]["value"] == {"kind": "int", "value": 42}


@pytest.mark.skipif(not system.known(), reason="no numbers of calls for this machine")
def test_the_filter_names_every_call_once_and_ends_with_leave():
    for machine in ("x86_64", "aarch64"):
        program = seccomp.steps(7_000_000, machine)
        numbers = [k for code, _, _, k in program[4:] if code == 0x15 and k not in (0, 7_000_000)]
        assert len(numbers) == len(set(numbers)) > 30
        assert program[-1] == (0x06, 0, 0, 0x7FFF0000)
    assert landlock.version() >= 0


def test_an_answer_may_limit_itself_and_nobody_else():
    texts = [
        "import resource\nreturn resource.prlimit(0, resource.RLIMIT_CORE)[0]",
        "import resource\nreturn resource.prlimit(os.getpid(), resource.RLIMIT_CORE)[0]",
        "import resource\nreturn resource.prlimit(os.getppid(), resource.RLIMIT_CORE)[0]",
        "return os.sched_getscheduler(0)",
        "os.setpriority(os.PRIO_PROCESS, os.getppid(), 5)",
    ]
    holds, seen = attempts(("namespaces", "user", "landlock"), texts)
    if holds["seccomp"]:
        pytest.skip(f"this system has no seccomp: {holds['seccomp']}")
    assert seen == [0, 0, "PermissionError", 0, "PermissionError"]
