"""`check`: the decorator of every check cell.

    @check("welcome-3")
    def welcome_3(show):
        numbers = show.random.sample(range(1, 10), 3)
        show(f"mean_square({numbers})", mean_square(torch.tensor(numbers)))

A function, so that its names stay its own: no variable of the student's is overwritten, whatever
order the cells are run in. It is called at once; what it shows is displayed with the verdict.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from course_lib.classroom import page
from course_lib.classroom.edits import cells_run, is_edited, latest, makes
from course_lib.classroom.hints import was_checked
from course_lib.classroom.home import leading_on
from course_lib.classroom.mistakes import explain_error
from course_lib.classroom.probe import Data, Show, probe, with_pythons_own
from course_lib.classroom.progress import in_lesson, keep
from course_lib.classroom.record import NoRecord, find
from course_lib.classroom.runs import failure, unmade
from course_lib.classroom.stop import short_output
from course_lib.classroom.verdict import CORRECT, NOT_YET, RAISED, Verdict, judge

REPORT = "COURSE_VERDICTS"  # names a file that gets a line per verdict: `course check` reads it
GRADE = "COURSE_GRADE"  # set by an instructor who grades with nbval and nothing else
NBGRADER = "NBGRADER_EXECUTION"  # set by nbgrader in every kernel that it starts
OFF = ("", "0", "no", "off", "false")  # any other value grades: an error is seen, a pass is not

STOPPED_BEFORE = (
    "Your answer's cell stopped with an error when you last ran it, so there is nothing new to "
    "check. Fix that line, run the cell, and then run the check again."
)
UNMADE = (
    "Your answer's cell ran, but it does not define `{}`. Compare the name with the one in the "
    "question, run the cell, and then run the check again."
)

ABOVE = (
    "No verdict: `{}` is made by the cell at the top of this notebook. Run that cell, run the cell "
    "of your answer, and then run the check again."
)

Look = Callable[[Show], object]
Book = dict[str, Data]

_recording: list[tuple[str, Book]] = []  # seed and book of the recording that is going on


def check(question: str) -> Callable[[Look], Verdict]:
    """Decorate a function that shows an answer: call it at once and display the verdict.

    Never raises, with one exception: nbval and nbgrader count a cell as passed unless it raises, so
    while one of them grades the notebook everything but *correct* is an AssertionError.
    """

    question = question if type(question) is str else ""

    def look_now(look: Look) -> Verdict:
        if _recording:
            seed, book = _recording[-1]
            book[question] = probe(look, question, seed)
            return Verdict(question, "", book[question])
        verdict, record = _verdict(question, look)
        was_checked(question)
        if _is_graded():
            page.show(page.verdict_page(verdict))
            if verdict.word != CORRECT:  # the advice on the page is for the student
                raise AssertionError(page.verdict_text(verdict, advice=False))
            return verdict
        if verdict.word:
            _note(verdict)
        if verdict.word == CORRECT and not in_lesson():
            verdict = leading_on(verdict, record)
        page.show(page.verdict_page(verdict, record))
        return verdict

    return look_now


def require(question: str) -> Callable[[Look], None]:
    """Like `check`, for a grader that counts errors: display nothing, raise unless *correct*."""

    def look_now(look: Look) -> None:
        verdict, _ = _verdict(question, look)
        if verdict.word != CORRECT:
            raise AssertionError(page.verdict_text(verdict))

    return look_now


def _is_graded() -> bool:
    """True while the notebook runs for somebody who counts the cells that raise."""
    switch = os.environ.get(GRADE, "").strip().lower()
    return switch not in OFF or bool(os.environ.get(NBGRADER))


def _note(verdict: Verdict) -> None:
    """Keep the verdict with the student's progress, and in the file that `REPORT` names."""
    path = os.environ.get(REPORT)
    if path:
        facts = {"question": verdict.question, "word": verdict.word}
        line = json.dumps(facts | {"text": page.verdict_text(verdict, advice=False)})
        with open(path, "a", encoding="utf-8") as report:
            report.write(line + "\n")
    if not in_lesson():
        keep(lambda journal: journal.note_verdict(verdict, of_file=path is not None))


def _verdict(question: str, look: Look) -> tuple[Verdict, dict[str, Any]]:
    """The verdict, and the record that it rests on; an empty one where there is none."""
    nothing: Data = {"entries": [], "error": None}
    data = nothing
    try:
        record = find(question)
    except NoRecord as missing:
        with short_output():
            data = probe(look, question)
        said = f"No verdict: {missing}.".replace("?.", "?")
        return Verdict(question, "", data, message=said), {}
    try:
        if error := failure(question, record["answers"]):
            if name := _find_maker_above(error, record):
                return Verdict(question, "", nothing, message=ABOVE.format(name)), record
            stopped = {"entries": [], "error": error}
            told = f"{explain_error(error)} {STOPPED_BEFORE}".strip()
            return Verdict(question, RAISED, stopped, message=told), record
        own, names = with_pythons_own(look, record["answers"])
        with short_output():
            data = probe(own, question, names=names)
        absent = str((data["error"] or {}).get("missing", ""))
        if name := unmade(question, record["answers"], absent):
            return Verdict(question, NOT_YET, nothing, message=UNMADE.format(name)), record
        if name := _find_maker_above(data["error"] or {}, record):
            return Verdict(question, "", nothing, message=ABOVE.format(name)), record
        cells = cells_run(look)
        source = latest(cells, record["answers"])
        return judge(question, data, record, is_edited(cells, record), source), record
    except (KeyError, TypeError, AttributeError, ValueError):
        damaged = "No verdict: the record of this set is damaged; release the set again."
        return Verdict(question, "", data, message=damaged), {}


def _find_maker_above(error: Data, record: dict[str, Any]) -> str:
    """The name that was not found, if a cell that belongs to no question makes it; else ""."""
    found = re.fullmatch(r"name '(\w+)' is not defined", error.get("message", ""))
    name = found.group(1) if found else ""
    above = [cell for role, cell in record.get("cells", ()) if not role]
    return name if name and any(makes(cell, name) for cell in above) else ""


@contextmanager
def recording(seed: str) -> Iterator[Book]:
    """Within the block, checks write their data down and display nothing.

    >>> with recording("other seed") as book:
    ...     verdict = check("demo-1")(lambda show: show("two", 2))
    >>> book["demo-1"]["entries"]
    [{'label': 'two', 'value': {'kind': 'int', 'value': 2}}]
    """
    book: Book = {}
    _recording.append((seed, book))
    try:
        yield book
    finally:
        _recording.pop()
