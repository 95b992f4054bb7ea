"""The unit of work: the bytes of one submission become one row. Local or elsewhere, it is the same.

Nothing here runs or parses what a student wrote; Note [Who knows what].
"""

import hashlib
import json
import signal
import time
from dataclasses import asdict, dataclass, replace
from typing import Any

from course_grading import data, decoy, row, splice, warm
from course_grading.expected import Recorded, run_job
from course_grading.reference import Exercise
from course_grading.walls import GRADER, Limits
from course_lib.classroom import credit
from course_lib.classroom.edits import latest
from course_lib.classroom.mistakes import explain_error
from course_lib.classroom.probe import Data
from course_lib.classroom.stop import by_clock
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.verdict import (
    CORRECT,
    NOT_ATTEMPTED,
    NOT_YET,
    RAISED,
    Verdict,
    judge,
    same,
)


@dataclass(frozen=True)
class Course:
    """What every unit of one grading has in common."""

    exercises: dict[str, Exercise]
    expected: Recorded
    limits: Limits
    only: tuple[str, ...] = ()  # the sets that are graded, all when none is named
    unsafe: bool = False  # also where the walls do not hold what they promise
    sandbox: str = "auto"  # what runs answers, one of `walls.SANDBOXES`

    def start(self, slot: int, without: tuple[str, ...] = ()) -> warm.Asked:
        """What runs answers, for one thread."""
        kits, limits, sandbox = self.kits, self.limits, self.sandbox
        return warm.start(kits, limits, slot, without, self.unsafe, sandbox)

    @property
    def kits(self) -> dict[str, Data]:
        """What a warm process may know of the exercises."""
        return {name: exercise.kit for name, exercise in self.exercises.items()}

    def key(self, submission: bytes) -> str:
        """Names the work: the same bytes, exercises, limits and grader give the same row."""
        facts = {
            "exercises": {name: one.digest for name, one in self.exercises.items()},
            "limits": asdict(self.limits),
            "only": sorted(self.only),
            "unsafe": self.unsafe,
            "sandbox": self.sandbox,
            "grader": GRADER,
        }
        head = json.dumps(facts, sort_keys=True).encode()
        return hashlib.sha256(head + b"\0" + submission).hexdigest()[:32]


def grade(submission: bytes, course: Course, runner: warm.Asked) -> Data:
    """The row of one submission. Whatever it does, there is one."""
    begun = time.monotonic()
    cost = {"cpu": 0.0, "runs": 0}
    try:
        made = _row(submission, course, runner, cost)
    except Trouble:
        raise  # it is the exercise, or this machine, that nothing can be graded with
    except Exception as error:  # a mistake of the grader's must not cost the others their grades
        why = f"the grader failed at it ({type(error).__name__}: {error}); please report this"
        made = row.unread("unreadable", why)
    made["cost"] = {
        "wall": round(time.monotonic() - begun, 3),
        "cpu": round(cost["cpu"], 3),
        "runs": cost["runs"],
    }
    return made


def _row(submission: bytes, course: Course, runner: warm.Asked, cost: Data) -> Data:
    if len(submission) > (most := course.limits.notebook):  # no more of it was read
        said = f"it has more than {most / 1e6:.0f} MB; clear its outputs and hand it in again"
        return row.unread("unreadable", said)
    plan, first = _plan(submission, course, runner, cost)
    if plan.get("status") != "read":
        return row.unread(plan["status"], plan["reason"], plan.get("review", []))
    if course.only and plan["set"] not in course.only:
        return row.unread(row.OTHER, "this set is not graded now", ["none"]) | {"review": []}
    return _grade_first(plan, first, course, runner, cost)


def _plan(
    submission: bytes, course: Course, runner: warm.Asked, cost: Data
) -> tuple[Data, Data | None]:
    """What is in the notebook, and what its answers showed in a first run, one after the other."""
    job = {
        "kind": "read",
        "notebook": submission.hex(),
        "seed": course.expected.seeds[0],
        "seconds": course.limits.seconds,
        "patience": course.limits.haste,
    }
    why = "it could not be taken apart"
    try:
        answer = runner.ask(job)
        _add(cost, answer)
        first, _, rest = answer["said"].partition("\n")
        told = json.loads(first)
        if "plan" in told:  # written before anything of the student's ran
            return told["plan"], answer | {"said": rest}
        why = f"{why} ({data.letters(str(told.get('broke', '')), 200)})"
    except (warm.Lost, ValueError, AttributeError, TypeError):
        why += " within the limits"
    remedy = "open it in JupyterLab, save it and hand it in again"
    return {"status": "unreadable", "reason": f"{why}; {remedy}", "review": [why]}, None


def _add(cost: Data, answer: Data) -> None:
    cost["cpu"] += answer["cpu"]
    cost["runs"] += 1


def _grade_first(
    plan: Data, first: Data | None, course: Course, runner: warm.Asked, cost: Data
) -> Data:
    exercise = course.exercises[plan["set"]]
    expected = course.expected.of(exercise.name)
    begun = time.monotonic()
    runs = _Runs(exercise, plan, expected, course, runner, cost)
    fine = runs.together(first)
    questions = []
    for name in exercise.questions:
        part = plan["questions"][name]
        if part["untouched"]:
            verdict = Verdict(name, NOT_ATTEMPTED, _NOTHING)
            answer = _Run(verdict, review=tuple(part["doubts"]))
        elif name in fine:
            answer = _Run(fine[name].verdict, review=tuple(part["odd"]))
        elif Limits.spent(cost["cpu"], time.monotonic() - begun) >= course.limits.budget:
            reason = f"not run: the questions before took {Limits.words(course.limits.budget)}"
            answer = _Run(Verdict(name, RAISED, _NOTHING), reason, (reason,))
        else:
            answer = runs.apart(name)
        questions.append(row.question(exercise, part, answer))
    for name, cells in plan["by_hand"].items():
        questions.append(row.by_hand(name, exercise.marks[name], cells))
    return row.make_row(exercise, plan["notes"], questions, plan.get("minutes"))


_NOTHING: Data = {"entries": [], "error": None}


@dataclass
class _Run:
    """What one run came to, or all runs of one answer: a verdict, or why there is none."""

    verdict: Verdict
    reason: str = ""
    review: tuple[str, ...] = ()  # what was odd about it
    stopped: bool = False  # a second run would only take as long again
    points: float = 0.0  # where it is not correct
    credit: str = ""  # the sentence that says for what


@dataclass
class _Runs:
    """The runs of one submission.

    Note [Together, then apart]
    First all questions run one after the other in one child, which spares most of the processes.
    Only what is correct and in no way odd is taken from that, for each seed. All the rest runs
    again, each question in a child of its own: what one answer does to a process is no other
    answer's business.
    """

    exercise: Exercise
    plan: Data
    expected: list[Data]
    course: Course
    runner: warm.Asked
    cost: Data

    def together(self, first: Data | None) -> dict[str, _Run]:
        """The questions that are correct for every seed, from runs one after the other."""
        wanted = splice.to_run(self.plan)
        fine = self._fine(first, wanted, 0)
        for number in range(1, len(self.expected)):
            wanted = [pair for pair in wanted if pair[0] in fine]
            if not wanted:
                break
            answer = self._ask(wanted, number, self.course.limits.haste)
            fine = self._fine(answer, wanted, number)
        return fine

    def _fine(self, answer: Data | None, wanted: list[Any], number: int) -> dict[str, _Run]:
        if answer is None or not answer["finished"]:
            return {}
        found = {}
        for name, told in data.lines(answer["said"], wanted).items():
            record = self.expected[number][name]
            if record["together"] and told.data is not None:
                run = self._judge(name, told, record, answer)
                if run.verdict.word == CORRECT and not run.review:
                    found[name] = run
        return found

    def apart(self, name: str) -> _Run:
        """Run it once per seed; where the runs disagree, once more, to know whether it wavers."""
        runs = [self._run(name, 0)]
        if not runs[0].stopped:
            runs += [self._run(name, number) for number in range(1, len(self.expected))]
        worst = next((run for run in runs if run.verdict.word != CORRECT), runs[0])
        odd = [reason for run in runs for reason in run.review]
        right = [run for run in runs if run.verdict.word == CORRECT]
        if right and worst.verdict.word != CORRECT and not worst.stopped:
            again = self._run(name, runs.index(worst))
            if again.verdict.data != worst.verdict.data:
                odd.append("it shows something else each time, for the same inputs")
        if worst.verdict.word == CORRECT:
            odd += self.plan["questions"][name]["odd"]
        points, why = 0.0, ""
        if not odd and worst.verdict.word != CORRECT:
            known = [(run.verdict, self.expected[number][name]) for number, run in enumerate(runs)]
            points, why = credit.best(known, self.exercise.worth[name])
        if worst.verdict.word != CORRECT:
            odd += self.plan["questions"][name]["doubts"]
        return replace(worst, review=tuple(dict.fromkeys(odd)), points=points, credit=why)

    def _run(self, name: str, number: int) -> _Run:
        limits = self.course.limits
        cells = self.plan["questions"][name]["cells"]
        answer = self._ask([[name, cells]], number, limits.seconds)
        if answer is None:
            said = "the process that ran it was lost"
            return self._stopped_row(name, said, ("it ended more than its own process",))
        told = data.lines(answer["said"], [[name, cells]]).get(name, data.Told())
        if told.data is None:
            reason = _why_no_data(told, answer, limits)
            odd = (told.forged, reason if answer["why"] == "time" else "")
            return self._stopped_row(name, reason, tuple(filter(None, odd)))
        return self._judge(name, told, self.expected[number][name], answer)

    def _ask(self, questions: list[Any], number: int, patience: float) -> Data | None:
        seed, limits = self.course.expected.seeds[number], self.course.limits
        job = run_job(self.exercise.name, questions, seed, limits.seconds, patience)
        try:
            answer = self.runner.ask(job)
        except warm.Lost:
            return None
        _add(self.cost, answer)
        return answer

    def _stopped_row(self, name: str, reason: str, odd: tuple[str, ...] = ()) -> _Run:
        return _Run(Verdict(name, RAISED, _NOTHING), reason, odd, stopped=True)

    def _judge(self, name: str, told: data.Told, record: Data, answer: Data) -> _Run:
        assert told.data is not None
        try:
            written = [str(text) for _, text in self.plan["questions"][name]["shown"]]
            source = latest(written, record["answers"])
            verdict = judge(name, told.data, record, edited=True, source=source)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            said = "what the check shows cannot be compared"
            return self._stopped_row(name, said, (said,))
        odd = list(told.changed)
        if verdict.word == CORRECT:
            odd += told.holds
            doubts = _doubts(name, told, record, answer)
            if doubts:
                return self._doubtful(name, told, doubts + odd)
        elif told.forged:
            odd.append(told.forged)
        right = record["solution"]["data"]
        labels = [[e["label"] for e in each["entries"]] for each in (told.data, right)]
        if labels[0] != labels[1][: len(labels[0])] and not verdict.message:
            odd.append("what came back is not what this check shows")
        if verdict.word == CORRECT:
            return _Run(verdict, "", tuple(odd))
        cell, error = told.raised[0] if told.raised else (0, told.data["error"] or {})
        said, told_of = _plainly(error, odd, self.course.limits)
        reason = f"line {error['line']}: " if said and "line" in error else ""
        if cell:
            reason = f"cell {cell}, line {error.get('line', '?')}: "
            said = said or row.error_text(error)
            if verdict.word == NOT_ATTEMPTED:
                verdict = Verdict(name, RAISED, told.data, message=explain_error(error))
        if odd and not told_of:  # nobody is accused, and nothing that was shown brings a point
            return self._stopped_row(name, reason + said)
        slow = error.get("type") == "TookTooLong"
        return _Run(verdict, reason + said, tuple(told_of), stopped=slow)

    def _doubtful(self, name: str, told: data.Told, odd: list[str]) -> _Run:
        """The right data, in a way that only somebody who writes them by hand can bring about."""
        assert told.data is not None
        reason = f"the result is right, but a person has to look at it: {odd[0]}"
        return _Run(Verdict(name, NOT_YET, told.data), reason, tuple(odd), stopped=True)


def _doubts(name: str, told: data.Told, record: Data, answer: Data) -> list[str]:
    """Why the right data are not to be trusted; none when the run went as every honest one goes."""
    if told.forged:
        return [told.forged]
    if not told.ended or not answer["finished"]:
        how = "was stopped" if answer["why"] else "ended"
        return [f"its process {how} before the grader was done"]
    found = []
    for kind in record["decoys"]:
        shown = told.decoys.get(kind)
        if shown is not None and judge(name, shown, record).word == CORRECT:
            found.append("the check finds even the grader's wrong answer correct")
    nothing = told.decoys.get(decoy.NOTHING)
    if nothing is None or not same(nothing, record["nothing"]):
        found.append("the check shows something else than it should where there is no answer")
    return found


def _plainly(error: Data, odd: list[str], limits: Limits) -> tuple[str, list[str]]:
    """What an error means whose name says little, and what is odd about the run then.

    Where memory or time was up, what else is not as it was is no deed of the answer's.
    """
    kind, message = error.get("type", ""), error.get("message", "")
    if "MemoryError" in kind or "can't allocate memory" in message:
        said = _too_much(limits)
    elif kind == "TookTooLong":
        said = message
    elif kind == "BdbQuit":
        said = "a debugger was left in; delete `breakpoint()` or `set_trace()`"
    else:
        return "", odd
    return said, [said] if kind == "BdbQuit" or "by the clock" in said else []


def _too_much(limits: Limits) -> str:
    return f"it used more than {limits.memory >> 20} MB of memory, which is what an answer may have"


def _why_no_data(told: data.Told, answer: Data, limits: Limits) -> str:
    """Why a run gave no data, in words that name the cell."""
    where = {None: "it", 0: "the check"}.get(told.at, f"cell {told.at}")
    if answer["why"] == "time":
        return f"{where} did not end: {by_clock(answer['wall'], answer['cpu'])}"
    if answer["why"] == "memory" or "MemoryError" in told.broke:
        return f"{where} did not end: {_too_much(limits)}"
    if answer["why"] == "disk":
        return f"{where} wrote more than {limits.folder >> 20} MB or {limits.entries} files"
    if answer["why"] == "output":
        return f"{where} gave back more than {limits.output >> 20} MB"
    if told.forged:
        return told.forged
    if told.broke:
        return f"{where} could not be run ({told.broke})"
    if answer["signal"] == 9 and answer["cpu"] >= 0.9 * limits.seconds:
        return f"{where} did not end: it was stopped after {answer['cpu']:.1f} seconds of computing"
    if answer["signal"]:
        return f"{where} ended its process: {_SIGNALS.get(answer['signal'], 'it was killed')}"
    if told.at is None:
        return "its process said nothing"
    return f"{where} ended its process"


_SIGNALS: dict[Any, str] = {
    getattr(signal, name, None): words
    for name, words in (
        ("SIGSEGV", "it crashed, as after an access to memory that is not there"),
        ("SIGBUS", "it crashed, as after an access to memory that is not there"),
        ("SIGABRT", "it gave up"),
        ("SIGFPE", "it crashed in arithmetic"),
        ("SIGKILL", "it was ended by the system"),
        ("SIGSYS", "it asked the system for what is not allowed"),
    )
}
