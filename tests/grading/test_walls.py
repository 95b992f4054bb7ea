"""Each wall holds by itself, and what a system refuses is said, not supposed."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from textwrap import indent
from unittest.mock import Mock

import pytest
from grading.conftest import linux

from course_grading import data, kernel, seccomp, self_test, trials, walls, warm
from course_grading.expected import Expected, run_job
from course_grading.trials import Trial
from course_grading.walls import Limits
from course_lib import cli
from course_lib.classroom.trouble import Trouble

LIMITS = Limits(seconds=5.0)
WALLS = ("namespaces", "user", "landlock", "seccomp")
NOTHING = (*WALLS, "limits")

pytestmark = linux


def started(without=(), kits=self_test.KITS):
    """A warm process without these walls, until the end of the block."""
    return closing(warm.start(kits, LIMITS, 0, without, unsafe=True, sandbox="linux"))


def job(code, mark="x", seconds=5.0):
    """The question that this code answers, and the job to run it."""
    questions = [["trial-1", [[1, code]]]]
    return questions, run_job("trial", questions, mark, seconds, 4.0)


def attempts(without, texts):
    """What functions with these bodies give back, or raise, behind the other walls."""
    seen = []
    with started(without) as runner:
        for text in texts:
            body = indent(f"import os, socket\n{text}", "    ")
            questions, work = job(f"def attempt():\n{body}")
            answer = runner.ask(work)
            told = data.lines(answer["said"], questions).get("trial-1", data.Told())
            shown = told.data or {"entries": [], "error": {"type": answer["why"] or "ended"}}
            error = shown["error"]
            seen.append(error["type"] if error else shown["entries"][0]["value"].get("value"))
        return runner.holds, seen


def open_doors(without):
    """What stands without these walls, and the attempts that come to their end there."""
    with started(without, {}) as runner, trials.plant_names() as names:
        quick = [one for one in trials.TRIALS if not one.slow and one.promise != "bounds"]
        seen = trials.attempt(runner, quick, names)
        return dict(runner.holds), {one for one in quick if seen.get(one.words) == ""}


def test_the_self_test_tries_and_tells(capsys):
    code = cli.main(["grade", "--self-test", "--json"])
    told = json.loads(capsys.readouterr().out)
    tried = {(one["promise"], one["trial"]) for one in told["trials"]}
    assert {(one.promise, one.words) for one in trials.TRIALS} < tried
    assert {"has a folder deleted through a link", "forges results and is killed"} < {
        words for _, words in tried
    }
    held = all(trial["held"] for trial in told["trials"]) and all(told["promises"].values())
    assert code == (0 if held else 1)
    if told["sandbox"]["namespaces"] == told["sandbox"]["seccomp"] == "holds":
        assert code == 0


@pytest.mark.parametrize(
    "walls_left", [("landlock",), ("seccomp",), ("namespaces",), ("landlock", "seccomp", "limits")]
)
def test_a_wall_holds_what_the_table_says(walls_left):
    holds, succeeded = open_doors(tuple(one for one in NOTHING if one not in walls_left))
    missing = [one for one in walls_left if holds.get(one)]
    if missing:
        pytest.skip(f"this system has no {missing[0]}: {holds[missing[0]]}")
    left_open = set(walls.open_promises(holds))
    assert {one.promise for one in succeeded} <= left_open, succeeded
    for promise in left_open - {"bounds", "memory"}:  # that one may hold by itself, of a user
        assert promise in {one.promise for one in succeeded}, promise


def test_without_walls_the_attempts_succeed():
    """Else it would say nothing that they fail behind walls."""
    holds, succeeded = open_doors(NOTHING)
    assert set(walls.open_promises(holds)) == set(walls.PROMISES)
    for promise in ("files", "metadata", "processes", "network"):
        kind = [one for one in trials.TRIALS if one.promise == promise]
        assert len(succeeded & set(kind)) > len(kind) / 2, promise


@pytest.mark.parametrize("without", [NOTHING, ("namespaces", "seccomp"), ("limits",)])
def test_where_promises_are_open_nothing_is_graded(without):
    with pytest.raises(Trouble, match="nothing was graded: on this machine answers could") as told:
        warm.start({}, LIMITS, without=without, sandbox="linux")
    assert told.value.exit_code == 2
    assert "--unsafe" in str(told.value) and "switched off" in str(told.value)


@pytest.mark.parametrize("name", ["darwin", "win32"])
def test_other_systems_run_answers_in_webassembly_or_not_at_all(name, monkeypatch):
    monkeypatch.setattr(sys, "platform", name)
    monkeypatch.setattr(warm, "_in_wasm", lambda *_: "in WebAssembly")
    assert warm.start({}, LIMITS) == "in WebAssembly"
    assert Expected({}, {}, "", LIMITS)._start_runner() == "in WebAssembly"
    with pytest.raises(Trouble, match=f"is for Linux, and this is {name}"):
        warm.start({}, LIMITS, unsafe=True, sandbox="linux")


def test_webassembly_stands_in_where_the_walls_do_not_hold(monkeypatch):
    missing = Trouble("it is not installed")
    monkeypatch.setattr(warm, "_in_wasm", Mock(side_effect=["in WebAssembly", missing, missing]))
    assert warm.start({}, LIMITS, without=NOTHING) == "in WebAssembly"
    with pytest.raises(Trouble, match=r"nothing was graded(.|\n)*it is not installed"):
        warm.start({}, LIMITS, without=NOTHING)
    with closing(warm.start({}, LIMITS, without=NOTHING, unsafe=True)) as runner:
        assert walls.open_promises(runner.holds) == list(walls.PROMISES)


def test_a_promise_that_an_attempt_breaks_is_open_whatever_the_walls_say(monkeypatch):
    works = Trial("network", "does what it wants", "pass")
    monkeypatch.setattr(trials, "TRIALS", (works,))
    with pytest.raises(Trouble, match="the network"):
        warm.start({}, LIMITS, sandbox="linux")
    with started() as runner:
        assert trials.find_broken_promises(runner) == ["network"]
        assert walls.open_promises(runner.holds)


def test_the_first_line_says_what_answers_could_reach():
    said, warned = walls.words(dict.fromkeys(NOTHING, "switched off"))
    assert warned and said.startswith("UNSAFE: answers ran with --unsafe and could reach")
    said, warned = walls.words({"landlock": "", "seccomp": "", "limits": ""})
    assert not warned and "no file but their own" in said
    said, warned = walls.words({"landlock": "", "limits": ""})
    assert warned and "other processes" in said


def test_no_process_that_forks_holds_what_students_wrote():
    """A thousand answers, each with a mark: none is in the memory that children are copies of."""
    mark = "mark-of-a-student-" + os.urandom(8).hex()
    _, work = job(f"kept = '{mark}' * 50\ndef attempt(): return kept", mark)
    with started() as runner:
        for _ in range(1000 if os.environ.get("COURSE_HOSTILE") == "all" else 100):
            answer = runner.ask(work)
        assert mark in answer["said"]
        processes = self_test.family(runner.process)
        try:
            known = [self_test.in_memory(one, b"trial-1") for one in processes]
        except PermissionError:
            pytest.skip("this user may not look into the memory of its own processes")
        assert any(known)  # what it does hold is found
        assert not any(self_test.in_memory(one, mark.encode()) for one in processes)


@pytest.mark.parametrize("without", [(), WALLS], ids=["all walls", "no walls"])
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


def test_limits_hold_and_children_share_and_leave_nothing():
    texts = [
        "open('left', 'w').write('x')\nreturn 'put'",
        "return str(os.listdir('.'))",
        "return len(bytearray(3 << 30))",
        "open('big', 'wb').write(bytes(20 << 20))",
        "return len([open('/dev/null') for _ in range(100)])",
        "for n in range(5000):\n    open(str(n), 'w').close()",
        "return os.environ.get('HOME', '') + str(sorted(os.environ)[:1])",
    ]
    holds, (*left, memory, size, files, many, names) = attempts((), texts)
    assert left == ["put", "[]"]
    assert [memory, size, files] == ["MemoryError", "OSError", "OSError"]
    # in memory the folder is full; on the disk the process is ended when it has written too much
    assert many == ("disk" if holds["namespaces"] else "OSError")
    assert "HOME" in names and "SECRET" not in names


def test_a_warm_process_that_is_lost_is_started_again():
    _, work = job("attempt = len")
    with started() as runner:
        runner._process.kill()
        with pytest.raises(warm.Lost):
            runner.ask(work)
        assert "TypeError" in runner.ask(work)["said"]  # len() wants an argument


def test_when_the_grader_is_killed_its_processes_end(tmp_path):
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from course_grading import self_test, warm\n"
        "from course_grading.walls import Limits\n"
        "runner = warm.start(self_test.KITS, Limits(seconds=30), unsafe=True)\n"
        "print(runner.process, flush=True); time.sleep(60)"
    )
    root = str(Path(warm.__file__).resolve().parents[1])
    grader = subprocess.Popen([sys.executable, "-c", code, root], stdout=subprocess.PIPE)
    started = int(grader.stdout.readline())
    grader.kill()
    grader.wait()
    grader.stdout.close()
    until = time.monotonic() + 10
    while Path(f"/proc/{started}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{started}").exists()


@pytest.mark.skipif(not kernel.has_known_calls(), reason="no numbers of calls for this machine")
def test_the_filter_names_every_call_once_and_ends_with_refusing():
    for machine in ("x86_64", "aarch64"):
        program = seccomp.steps(7_000_000, machine)
        compared, place = [], 6  # each comparison with a number of a call says how far to go on
        while program[place][0] == 0x15:
            compared.append(program[place][3])
            place += program[place][2] + 1
        assert len(compared) == len(set(compared)) > 100
        assert program[-1] == (0x06, 0, 0, 0x00050000 | 1)
        assert 444 not in compared and max(compared) < 450  # Landlock's own, and what is newer
    assert kernel.landlock_version() >= 0


PIPE = """import stat
def is_pipe(n):
    try: return stat.S_ISFIFO(os.fstat(n).st_mode)
    except OSError: return False
fd = next(filter(is_pipe, range(3, 64)))
"""
TAKEN = (
    *("os.close(fd)", "os.dup(fd)", "os.dup2(fd, 30)", "os.dup2(0, fd)", "os.dup2(0, fd, False)"),
    *("os.set_blocking(fd, False)", "os.get_inheritable(fd)\nos.set_inheritable(fd, True)"),
    "import fcntl\nfcntl.fcntl(fd, fcntl.F_DUPFD, 9)",
    *(f"os.open(f'/proc/self/fd/{{fd}}', os.{how})" for how in ("O_RDONLY", "O_WRONLY", "O_RDWR")),
)
REFUSED = {
    **{PIPE + code: "PermissionError" for code in TAKEN},
    PIPE + "os.closerange(3, 64)\nreturn str(is_pipe(fd))": "True",
    "os.close(os.dup2(os.dup(0), 30))\nreturn 'allowed'": "allowed",
    "os.chmod('.', 0o777)": "PermissionError",
    "os.chown('.', os.getuid(), -1)": "PermissionError",
    "os.utime('.')": "PermissionError",
    "os.setxattr('.', 'user.x', b'1')": "PermissionError",
    "os.memfd_create('x')": "PermissionError",
    "os.symlink('/', 'x')": "PermissionError",
    "open('y', 'w').close()\nos.link('y', 'z')": "PermissionError",
    "os.mkfifo('x')": "PermissionError",
    "os.truncate('/dev/null', 0)": "PermissionError",
    "os.open('.', os.O_TMPFILE | os.O_RDWR)": "PermissionError",
    "os.pidfd_open(os.getpid())": "PermissionError",
    "os.eventfd(1)\nreturn 'allowed'": "allowed",
    "import threading\none = threading.Thread(target=len, args=('x',))\none.start()\n"
    "return 'allowed'": "allowed",
    "one, other = socket.socketpair()\none.send(b'x')\nreturn other.recv(1).decode()": "x",
    "import signal\nsignal.raise_signal(signal.SIGCHLD)\nreturn 'allowed'": "allowed",
    "os.mkdir('a')\nopen('a/b', 'w').close()\nos.rename('a', 'c')\nreturn os.listdir('c')[0]": "b",
}


def test_calls_that_no_answer_needs_are_refused_and_others_are_not():
    holds, seen = attempts(("namespaces", "user"), list(REFUSED))
    if holds["seccomp"] or holds["landlock"]:
        pytest.skip("this system has no seccomp, or no Landlock")
    assert dict(zip(REFUSED, seen)) == REFUSED


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
