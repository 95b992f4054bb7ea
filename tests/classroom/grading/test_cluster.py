"""The same units of work on dask workers: the same rows, even when a worker is killed meanwhile."""

import json
import os
import signal
import sys

import pytest
from classroom.grading.submitting import hand_in, notebook

from course_lib.classroom.grading import Limits, cluster, grade_folder
from course_lib.classroom.trouble import Trouble

LIMITS = Limits(seconds=8.0)


@pytest.fixture(scope="module")
def exercises(welcome):
    """The welcome exercises alone."""
    return welcome


def without_costs(out):
    listing = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    return [{key: row[key] for key in row if key != "cost"} for row in listing["rows"]]


@pytest.mark.filterwarnings("ignore")  # dask's own, of its own imports
@pytest.mark.skipif(sys.platform != "linux", reason="warm processes are for Linux")
def test_a_worker_that_is_killed_loses_no_row(tmp_path, exercises, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "BATCH", 2)
    for number in range(6):
        made = notebook("welcome", {"welcome-1": f"y_holds = {number}.0"})
        hand_in(tmp_path / "in", f"student {number}", made)
    options = {"exercises": exercises, "limits": LIMITS, "seed": "one for both"}
    grade_folder(tmp_path / "in", tmp_path / "local", jobs=1, **options)

    killed = []

    def kill_one(done, total, review):
        if not killed:
            workers = client.run(os.getpid)
            killed.append(list(workers.values())[0])
            os.kill(killed[0], signal.SIGKILL)

    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as local,
        distributed.Client(local) as client,
    ):
        grade_folder(
            tmp_path / "in",
            tmp_path / "dask",
            scheduler=local.scheduler_address,
            step=kill_one,
            **options,
        )
    assert killed
    assert without_costs(tmp_path / "dask") == without_costs(tmp_path / "local")


def test_a_scheduler_that_is_not_there_is_said_to_be(tmp_path, exercises):
    hand_in(tmp_path / "in", "ada", notebook("welcome"))
    with pytest.raises(Trouble, match="cluster|no dask scheduler"):
        grade_folder(
            tmp_path / "in",
            tmp_path / "out",
            exercises=exercises,
            limits=LIMITS,
            scheduler="not-a-protocol://nowhere:1",
        )
