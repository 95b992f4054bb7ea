"""What right, wrong and untouched answers show for the secret seed: recorded anew for each grading.

A warm process of its own runs the course's answers, behind the same walls; it never meets a
student's code, and no process that does ever meets these.
"""

import sys
import threading
from typing import Any

from course_grading import data, decoy, warm
from course_grading.reference import Exercise
from course_grading.walls import Limits
from course_lib.classroom import credit
from course_lib.classroom.mistakes import without_code
from course_lib.classroom.probe import Data
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import CORRECT, judge, same

RUNS = 2  # runs with different seeds that each answer has to stand


class Unrecorded(Trouble):
    """The records of a set that this process has not been told."""

    def __init__(self, name: str) -> None:
        super().__init__(f"what right answers of the set {name} show is not known here")
        self.name = name


class Recorded:
    """For each seed, what the answers of each set show; from what another process recorded.

    >>> Recorded({"seeds": ["a/1"], "records": {"demo": [{}]}}).of("demo")
    [{}]
    """

    def __init__(self, data: Data) -> None:
        self.seeds: list[str] = data["seeds"]
        self._records: dict[str, list[Data]] = data["records"]

    def prepare(self) -> None:
        """Do what can be done before the first set is asked for."""

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process goes what is recorded so far, and not what records."""
        return Recorded, ({"seeds": self.seeds, "records": dict(self._records)},)

    def add(self, name: str, records: list[Data]) -> None:
        """Take over the records of one more set."""
        self._records[name] = records

    def of(self, name: str) -> list[Data]:
        """For each seed, the records of the set's questions by name. Raises `Unrecorded`."""
        if name not in self._records:
            raise Unrecorded(name)
        return self._records[name]


class Expected(Recorded):
    """Records for the secret seed, made when a set is first needed, or all at once."""

    def __init__(
        self, exercises: dict[str, Exercise], records: dict[str, Data], seed: str, limits: Limits
    ) -> None:
        seeds = [f"{seed}/{number}" for number in range(1, RUNS + 1)]
        super().__init__({"seeds": seeds, "records": {}})
        self._exercises, self._known, self._limits = exercises, records, limits
        self._lock = threading.Lock()
        self._warm: warm.Asked | None = None

    def of(self, name: str) -> list[Data]:
        """For each seed, the records of the set's questions by name."""
        with self._lock:
            if name not in self._records:
                exercise = self._exercises[name]
                self.add(name, [self._run_recorded(exercise, seed) for seed in self.seeds])
            return super().of(name)

    def prepare(self) -> None:
        """Start the process, which takes as long as those that submissions run in."""
        with self._lock:
            self._start_runner()

    def _start_runner(self) -> warm.Asked:
        if self._warm is None:
            kits = {name: one.kit for name, one in self._exercises.items()}
            # The course's own answers: the quick way is safe enough, wherever there is one.
            sandbox = "linux" if sys.platform == "linux" else "wasm"
            self._warm = warm.start(kits, self._limits, 999, unsafe=True, sandbox=sandbox)
        return self._warm

    def close(self) -> None:
        """End the process, if one was started."""
        with self._lock:
            if self._warm is not None:
                self._warm.close()
                self._warm = None

    def _run_recorded(self, exercise: Exercise, seed: str) -> Data:
        """What all recorded answers of a set show for the seed.

        A solution is run apart, as what counts. Where it shows something else when it is run after
        those of the other questions, no submission's answers are run after each other either.
        """
        known = self._known[exercise.name]["questions"]
        solutions = {name: known[name]["solution"]["code"] for name in exercise.questions}
        right = {name: self._run_alone(exercise, seed, name, solutions[name]) for name in solutions}
        together = self._run(exercise, seed, solutions, self._limits.haste)
        stubs = self._run_together(
            exercise, seed, {name: known[name]["stub"]["code"] for name in exercise.questions}
        )
        no_work = self._no_work(exercise, seed)
        wrong = self._wrong(exercise, seed) if seed == self.seeds[0] else {}  # once is enough
        made = {}
        for name in exercise.questions:
            solution = right[name].data
            if solution is None or solution["error"] or not solution["entries"]:
                raise Trouble(
                    f"the solution of {name} does not run here, so it cannot be graded: "
                    f"{_why(right[name])}"
                )
            record: Data = {
                "type": known[name]["type"],
                "answers": known[name]["answers"],
                "solution": {"data": solution},
                "stub": {"code": known[name]["stub"]["code"], "data": stubs[name]},
                "wrong": wrong.get(name, []),
            }
            if name in no_work:
                record["counts"] = credit.counting(solution, stubs[name], no_work[name])
            decoys = right[name].decoys
            record["decoys"] = [
                kind
                for kind, shown in decoys.items()
                if shown is not None and judge(name, shown, record).word != CORRECT
            ]
            record["nothing"] = decoys.get(decoy.NOTHING)
            beside = together.get(name, data.Told()).data
            record["together"] = beside is not None and same(solution, beside)
            made[name] = record
        return made

    def _no_work(self, exercise: Exercise, seed: str) -> dict[str, Data]:
        """What answers without any work show, to the questions in which each value has points."""
        known = self._known[exercise.name]["questions"]
        partial = {name: one["stub"]["code"] for name, one in known.items() if one.get("partial")}
        codes = {name: credit.no_work(code) for name, code in partial.items()}
        return self._run_together(exercise, seed, codes) if codes else {}

    def _wrong(self, exercise: Exercise, seed: str) -> dict[str, list[Data]]:
        """Data and message of each wrong answer; the first of all questions, the second, …"""
        known = self._known[exercise.name]["questions"]
        listed = {
            name: [wrong for wrong in known[name]["wrong"] if "code" in wrong] for name in known
        }
        made: dict[str, list[Data]] = {name: [] for name in known}
        for number in range(max(map(len, listed.values()), default=0)):
            these = {name: one[number] for name, one in listed.items() if number < len(one)}
            codes = {name: one["code"] for name, one in these.items()}
            shown = self._run_together(exercise, seed, codes)
            for name, one in these.items():
                known = without_code(one | {"data": shown[name]})
                made[name].append(known | {"points": one.get("points", 0)})
        return made

    def _run_together(
        self, exercise: Exercise, seed: str, codes: dict[str, str]
    ) -> dict[str, Data]:
        """What these answers show, run in one process as far as that goes."""
        together = self._run(exercise, seed, codes, self._limits.haste)
        made = {}
        for name, code in codes.items():
            told = together.get(name, data.Told())
            if told.data is None or not told.ended:
                told = self._run_alone(exercise, seed, name, code)
            error = {"type": "TookTooLong", "message": "it shows nothing"}
            made[name] = told.data or {"entries": [], "error": error}
        return made

    def _run_alone(self, exercise: Exercise, seed: str, name: str, code: str) -> data.Told:
        told = self._run(exercise, seed, {name: code}, self._limits.seconds)
        return told.get(name, data.Told(broke="the process that ran it was lost"))

    def _run(
        self, exercise: Exercise, seed: str, codes: dict[str, str], patience: float
    ) -> dict[str, data.Told]:
        questions = [[name, [[1, code]]] for name, code in codes.items()]
        job = run_job(exercise.name, questions, seed, self._limits.seconds, patience)
        try:
            return data.lines(self._start_runner().ask(job)["said"], questions)
        except warm.Lost:
            return {}


def run_job(name: str, questions: Any, seed: str, seconds: float, patience: float) -> Data:
    """The job of running questions of a set, each with the cells of its answer, in one child."""
    return {
        "kind": "run",
        "set": name,
        "questions": questions,
        "seed": seed,
        "seconds": seconds,
        "patience": patience,
    }


def _why(told: data.Told) -> str:
    if told.broke:
        return told.broke
    errors = [error for _, error in told.raised] + [(told.data or {}).get("error")]
    known = [f"{error['type']}: {error['message']}" for error in errors if error]
    return known[0] if known else "it shows nothing"
