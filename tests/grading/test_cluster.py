"""The same units of work on dask workers: the same rows, even when a worker is killed meanwhile."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest
from grading.conftest import LIMITS, linux
from grading.submitting import ROOT, copy_sets, hand_in, listing, notebook

from course_grading import grade_folder, unit, walls, warm, workers
from course_grading.expected import Expected, Recorded
from course_grading.row import FILE
from course_lib import version
from course_lib.classroom.trouble import Trouble

dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="dask.distributed is not installed"
)
quiet = pytest.mark.filterwarnings("ignore")  # dask's own warnings, of its own imports


@pytest.fixture(scope="module")
def exercises(tmp_path_factory):
    """Three sets, two of which are handed in."""
    return copy_sets(tmp_path_factory.mktemp("three sets"), "welcome", "creation", "dtype")


@contextmanager
def running(*words):
    """A process of dask's, until the end of the block."""
    command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
    quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=ROOT, **quietly)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@contextmanager
def lent(folder, workers):
    """The address of a scheduler, and the processes of that many workers."""
    place = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(place)]
    with ExitStack() as stack:
        scheduler = stack.enter_context(running("scheduler", *words))
        until = time.monotonic() + 120
        while not (place.exists() and place.read_text().endswith("}")):
            assert scheduler.poll() is None and time.monotonic() < until
            time.sleep(0.1)
        address = json.loads(place.read_text())["address"]
        words = ["worker", address, "--nthreads", "1", "--no-nanny"]
        yield address, [stack.enter_context(running(*words)) for _ in range(workers)]


def rows(out):
    return [{key: row[key] for key in row if key != "cost"} for row in listing(out)["rows"]]


def finished(out):
    journal = out / FILE
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


@linux
@dask
def test_a_worker_that_is_killed_loses_no_row(tmp_path, exercises):
    for number in range(8):
        code = f"import time; time.sleep(0.4); y_holds = {number}.0"
        hand_in(tmp_path / "in", f"student {number}", notebook("welcome", {"welcome-1": code}))
    hand_in(tmp_path / "in", "ada", notebook("creation"))
    hand_in(tmp_path / "in", "grace", b"{", "creation.ipynb")
    command = [sys.executable, "-m", "course_lib.cli", "grade", str(tmp_path / "in")]
    command += ["--exercises", str(exercises), "--seed", "one for both", "--json"]
    words = ["--jobs", "1", "--out", str(tmp_path / "local")]
    local = subprocess.run([*command, *words], cwd=ROOT)
    with lent(tmp_path, workers=2) as (address, workers):
        words = ["--scheduler", address, "--out", str(tmp_path / "dask")]
        grader = subprocess.Popen([*command, *words], cwd=ROOT)
        while finished(tmp_path / "dask") < 3:
            assert grader.poll() is None
            time.sleep(0.02)
        os.kill(workers[0].pid, signal.SIGKILL)
        assert finished(tmp_path / "dask") < 8
        assert grader.wait() == local.returncode == 1  # a notebook of one letter needs a person
    assert rows(tmp_path / "dask") == rows(tmp_path / "local")
    assert len(rows(tmp_path / "dask")) == 10


@quiet
def test_a_scheduler_that_is_not_there_is_said_to_be(tmp_path, exercises):
    hand_in(tmp_path / "in", "ada", notebook("welcome"))
    given = {"exercises": exercises, "scheduler": "not-a-protocol://nowhere:1"}
    with pytest.raises(Trouble, match="cluster|no dask scheduler"):
        grade_folder(tmp_path / "in", tmp_path / "out", **given)


class Lender:
    """Stands for dask's client, with a worker in this process."""

    def __init__(self, threads=1):
        self.threads = threads
        self.pool = ThreadPoolExecutor(1)
        self.scheduler = SimpleNamespace(address="tcp://10.0.0.1:8786")

    def nthreads(self):
        return {"tcp://10.0.0.2:1": self.threads} if self.threads else {}

    def submit(self, function, *words, **_):
        return self.pool.submit(function, *words)

    def run(self, function, *words, on_error):
        function(*words)

    def close(self):
        self.pool.shutdown()


@pytest.fixture
def lender(monkeypatch):
    """What grading on a cluster finds in place of one."""
    monkeypatch.setattr(Expected, "prepare", lambda self: None)  # `of` does it when it has to
    made = Lender()
    monkeypatch.setattr(workers, "_client", lambda address: made)
    return made


@pytest.fixture
def grade_there(tmp_path, exercises):
    """Grades the folder `in` on a cluster."""
    return lambda: grade_folder(
        tmp_path / "in", tmp_path / "out", exercises=exercises, limits=LIMITS, scheduler="tcp://one"
    )


@linux
def test_only_sets_that_were_handed_in_are_recorded(tmp_path, lender, grade_there, monkeypatch):
    recorded = []

    def record(self, exercise, seed, make=Expected._run_recorded):
        recorded.append(exercise.name)
        return make(self, exercise, seed)

    monkeypatch.setattr(Expected, "_run_recorded", record)
    for number in range(4):
        made = notebook(("dtype", "welcome")[number % 2]) | {"student": number}
        hand_in(tmp_path / "in", f"student {number}", made)
    outcome = grade_there()
    assert sorted(recorded) == ["dtype", "dtype", "welcome", "welcome"]  # for two seeds
    assert [row["status"] for row in rows(tmp_path / "out")] == ["graded"] * 4
    assert outcome.holds and not workers._gradings


@linux
@pytest.mark.parametrize(
    ("fails", "said"),
    [
        ("the recording", "solution of welcome-1 does not run"),
        ("every worker", "dask worker tcp://10.0.0.1:8786.*--resume"),  # nobody waits for ever
        ("the work", "four workers died.*--resume"),
    ],
)
def test_what_cannot_be_done_ends_it(tmp_path, lender, grade_there, monkeypatch, fails, said):
    def refuse(self, exercise, seed):
        raise Trouble("the solution of welcome-1 does not run here")

    lost = Future()
    if fails == "the recording":
        monkeypatch.setattr(Expected, "_run_recorded", refuse)
    else:
        monkeypatch.setattr(lender, "submit", lambda *words, **_: lost)
    if fails == "every worker":
        monkeypatch.setattr(workers, "PATIENCE", 0.2)
        monkeypatch.setattr(lender, "threads", 0)
    else:
        lost.set_exception(RuntimeError("four workers died"))
    hand_in(tmp_path / "in", "ada", notebook("welcome"))
    with pytest.raises(Trouble, match=said):
        grade_there()


def test_what_fails_on_one_worker_is_not_said_to_hold():
    on_all = {}
    for holds in ({"seccomp": "", "user": ""}, {"seccomp": "no", "user": ""}, {"seccomp": ""}):
        on_all = walls.weakest(on_all, holds)
    assert on_all == {"seccomp": "no", "user": ""}


@pytest.fixture
def facts(course):
    """What a worker is told of the exercises."""
    nothing = Recorded({"seeds": course.expected.seeds, "records": {}})
    yield workers.facts(replace(course, expected=nothing))
    for name in list(workers._gradings):
        workers.forget(name)


@linux
def test_a_worker_asks_for_what_it_needs_and_keeps_it(course, runner, facts):
    book = json.dumps(notebook("welcome", {"welcome-2": "y = 1"})).encode()
    assert workers.grade("one", book, {}) == {"needs": workers.COURSE}
    assert workers.grade("one", book, {workers.COURSE: facts}) == {"needs": "welcome"}
    records = course.expected.of("welcome")
    first = workers.grade("one", book, {workers.COURSE: facts, "welcome": records})
    again = workers.grade("one", book, {})
    here = unit.grade(book, course, runner)
    for row in (first["row"], again["row"], here):
        row.pop("cost")
    assert first["row"] == again["row"] == here and first["holds"] == runner.holds


class Runner:
    """Stands for a warm process that is lost in every run."""

    holds, closed = {}, False

    def ask(self, job):
        raise warm.Lost

    def close(self):
        self.closed = True


def test_warm_processes_end_with_their_grading(course, facts, monkeypatch):
    started = []
    monkeypatch.setattr(warm, "start", lambda *_: started.append(Runner()) or started[-1])
    for name in ("one", "one", "two", "three"):
        assert workers.grade(name, b"{}", {workers.COURSE: facts})["row"]["status"] == "unreadable"
    assert list(workers._gradings) == ["two", "three"]
    assert [one.closed for one in started] == [True, False, False]
    workers.forget("two")
    workers.forget("never known")
    assert [one.closed for one in started] == [True, True, False]


def test_a_worker_with_another_version_of_the_course_refuses(facts):
    told = json.dumps(json.loads(facts) | {"version": "0.0.1"})  # JSON, as of every version
    with pytest.raises(Trouble, match=f"{version.COURSE} of the course.*0.0.1"):
        workers.grade("one", b"{}", {workers.COURSE: told})
