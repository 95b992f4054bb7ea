"""A worker's end of grading on a cluster: the unit of work, and what is kept from one to the next.

Note [What a worker is told]
A worker never records what right answers show; the grader does, and only for the sets that were
handed in. Which set a submission belongs to is known after a child has read it. So a worker is sent
a submission alone, and answers with its row or with the name of what it needs first: the exercises,
or the records of a set. The grader sends the submission again, and that with it. The worker keeps
what it was told, so each set costs each worker one reading more, a twentieth of a second, and its
records travel once. `unit.grade` knows nothing of this.

Reading in a task of its own would send every submission and all that its answers showed through the
cluster twice. A guess from a file's name may be wrong, so the worker would have to ask all the
same. As dask's own data, the records would draw the tasks to the first worker that has them, since
dask places a task where its data are, and they would be lost with that worker.
"""

from __future__ import annotations

import json
import threading
import weakref

from course_grading import unit, warm
from course_grading.expected import Recorded, Unrecorded
from course_lib import version
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble

COURSE = ""  # stands for the exercises where a set's name stands for its records
KEPT = 2  # gradings at once; one that was killed has told nobody that it is over


class _Grading:
    """What this worker keeps of one grading: the exercises, records, and warm processes."""

    def __init__(self, facts: Data) -> None:
        self.course = unit.Course.from_data(facts)
        self._runners: dict[int, warm.Asked] = {}

    def learn(self, name: str, records: str) -> None:
        """Keep the records of a set."""
        expected = self.course.expected
        assert isinstance(expected, Recorded)
        expected.add(name, json.loads(records))

    def runner(self) -> warm.Asked:
        """This thread's warm process, as each does one thing at a time."""
        thread = threading.get_native_id()  # no two on this machine are equal, so few slots are
        if thread not in self._runners:
            course = self.course
            made = warm.start(course.kits, course.limits, thread % 900, unsafe=course.unsafe)
            weakref.finalize(self, made.close)  # once no thread is at this grading any more
            self._runners[thread] = made
        return self._runners[thread]


_gradings: dict[str, _Grading] = {}  # by name, the oldest first
_lock = threading.Lock()


def facts(course: unit.Course, expected: Data) -> str:
    """What a worker has to know before anything else, and whose it is."""
    return json.dumps({"version": version.COURSE, "course": course.as_data(expected)})


def grade(name: str, submission: bytes, told: dict[str, str]) -> Data:
    """The row of a submission and what holds here, or what is needed before there can be one."""
    grading = _known(name, told)
    if grading is None:
        return {"needs": COURSE}
    for exercise, records in told.items():
        if exercise != COURSE:
            grading.learn(exercise, records)
    runner = grading.runner()
    try:
        return {"row": unit.grade(submission, grading.course, runner), "holds": runner.holds}
    except Unrecorded as unrecorded:
        return {"needs": unrecorded.name}


def _known(name: str, told: dict[str, str]) -> _Grading | None:
    with _lock:
        if name not in _gradings and COURSE in told:
            _gradings[name] = _new(json.loads(told[COURSE]))
            while len(_gradings) > KEPT:
                del _gradings[next(iter(_gradings))]  # if it goes on, it will be told again
        return _gradings.get(name)


def _new(told: Data) -> _Grading:
    if told["version"] != version.COURSE:
        raise Trouble(
            f"a worker has version {version.COURSE} of the course, and you have "
            f"{told['version']}; install the same version everywhere"
        )
    return _Grading(told["course"])


def forget(name: str) -> None:
    """The grading is over: its warm processes end."""
    with _lock:
        _gradings.pop(name, None)
