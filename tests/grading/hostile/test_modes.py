"""The modes themselves, and what the grader does where it holds too little or is given too much."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from grading import modes
from grading.hostile import graded
from grading.hostile.collection import COLLECTION
from grading.hostile.kinds import FILE, as_bytes, folder_of, notebook

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="modes are of Linux")
ALL = os.environ.get("COURSE_HOSTILE") == "all"
LONG = "while True:\n    pass  # {}"  # a notebook for each number: equal ones are graded once
MUCH = "ada-who-hands-in-much"


def provided(mode):
    """The mode, where this machine has it."""
    if why := modes.missing(mode):
        pytest.skip(why)
    return mode


def tried(mode, code):
    """What Python code prints in the mode, and the error that ended it."""
    words = modes.command(mode, [sys.executable, "-c", code])
    run = subprocess.run(words, capture_output=True, text=True, cwd="/", timeout=60)
    return run.stdout.strip(), run.stderr.strip().rpartition("\n")[2]


@pytest.fixture
def base():
    """A folder that every user may enter."""
    made = graded.folder_for_all()
    yield made
    graded.remove(made)


def test_no_program_that_is_started_gets_the_capability_back():
    mode = provided(modes.MODES["root without CAP_SYS_ADMIN"])
    code = "import subprocess; print(subprocess.run(['cat', '/proc/self/status'], text=True, "
    said, _ = tried(mode, code + "stdout=-1).stdout)")
    sets = [line.split()[1] for line in said.split("\n") if line.startswith("Cap")]
    assert len(sets) == 5 and all(not int(one, 16) >> modes.ADMIN & 1 for one in sets)


@pytest.mark.parametrize("call", ["c.unshare(0x10000000)", "c.syscall(435, 0, 0)", "os.fork()"])
def test_without_namespaces_only_those_are_refused(call):
    mode = provided(modes.MODES["user without namespaces"])
    code = f"import ctypes, os; c = ctypes.CDLL(None); print({call})"
    said, error = tried(mode, code)
    assert not error and (said == "-1") is (call != "os.fork()")


def test_another_user_sees_python_and_nothing_of_a_closed_home(tmp_path):
    mode = provided(modes.MODES["user"])
    if mode.owner == os.geteuid():
        pytest.skip("the suite runs as an ordinary user already")
    closed, kept = tmp_path / "closed", tmp_path / "closed" / "needed"
    kept.mkdir(parents=True)
    (closed / "secret").write_text("x")
    (kept / "file").write_text("read")
    for folder in (tmp_path, *tmp_path.parents[:3]):
        if folder != Path("/tmp"):
            folder.chmod(0o755)
    closed.chmod(0o700)
    code = f"import os; print(os.listdir({str(closed)!r}), open({str(kept / 'file')!r}).read())"
    words = modes.command(mode, [sys.executable, "-c", code], str(kept))
    run = subprocess.run(words, capture_output=True, text=True, cwd="/", timeout=60)
    assert run.stdout == "['needed'] read\n"
    assert sorted(os.listdir(closed)) == ["needed", "secret"] and closed.stat().st_mode & 0o77 == 0


GOOD = [kind for kind in COLLECTION if kind.name in ("good-all", "good-half")]


@pytest.mark.parametrize(
    "mode", [*modes.NOTHING.values()][: 2 if ALL else 1], ids=lambda mode: mode.name
)
def test_without_walls_nothing_is_graded_unless_it_is_called_unsafe(mode, base):
    provided(mode)
    place = graded.hand_in(GOOD, base, mode)
    some = graded.some_exercises(base)
    refused = graded.run(place, mode, *some, seconds=120)
    assert refused.report.code == 2, refused.said[-2000:]
    assert "--unsafe" in refused.said and not (place.results / "grades.json").exists()
    unsafe = graded.run(place, mode, "--unsafe", *some, seconds=120)
    assert unsafe.report.code in (0, 1), unsafe.said[-2000:]
    page = (place.results / "index.html").read_text(encoding="utf-8")
    first = page.partition("<body>")[2].partition("<h1")[0]
    assert "UNSAFE" in first and "UNSAFE" in unsafe.said
    assert {row["student"] for row in unsafe.all_rows} == {kind.who for kind in GOOD}


@pytest.mark.skipif(not ALL, reason="takes half a minute; test_resuming.py counts the same")
@pytest.mark.parametrize(("many", "stubs", "run_at_most"), [(40, "", 19), (200, "t12345", 60)])
def test_one_student_cannot_take_the_time_of_all(base, many, stubs, run_at_most):
    """Many notebooks, of endless loops in every answer or of stubs, and two students beside."""
    mode = modes.first()
    place = graded.hand_in(GOOD, base, mode)
    for number in range(many):
        answers = {} if stubs else {letter: LONG.format(number) for letter in "t12345"}
        book = notebook(answers, stubs) | {"number": number}
        (folder_of(place, MUCH) / f"{number:03}-{FILE}").write_bytes(as_bytes(book))
    run = graded.run(place, mode, "--timeout", "1", "--jobs", "2", seconds=120)
    assert run.report.ended == "", run.said[-2000:]
    rows = [row for row in run.all_rows if row["student"] == MUCH]
    left = [row for row in rows if row["status"] == "not run"]
    assert left and all(row["reason"] and row["review"] for row in left)
    assert 0 < len(rows) - len(left) <= run_at_most
    others = [row["status"] for row in run.all_rows if row["student"] != MUCH]
    assert others == ["graded"] * len(GOOD)
