"""`check`: the decorator of every check cell.

    @check("welcome-3")
    def welcome_3(show):
        numbers = show.random.sample(range(1, 10), 3)
        show(f"mean_square({numbers})", mean_square(torch.tensor(numbers)))

A function, so that its names stay its own: no variable of the student's is overwritten, whatever
order the cells are run in. It is called at once; what it shows is displayed with the verdict.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from course_lib.classroom import page
from course_lib.classroom.probe import Data, Show, probe
from course_lib.classroom.record import NoRecord, find
from course_lib.classroom.verdict import CORRECT, Verdict, judge

Look = Callable[[Show], object]
Book = dict[str, Data]

_recording: list[tuple[str, Book]] = []  # seed and book of the recording that is going on


def check(question: str) -> Callable[[Look], Verdict]:
    """Decorate a function that shows an answer: call it at once and display the verdict.

    Never raises, with one exception: nbgrader counts a cell as passed unless it raises, so while
    nbgrader runs the notebook everything but *correct* is an AssertionError.
    """

    def look_now(look: Look) -> Verdict:
        if _recording:
            seed, book = _recording[-1]
            book[question] = probe(look, question, seed)
            return Verdict(question, "", book[question])
        data = probe(look, question)
        verdict = _verdict(question, data)
        page.show(page.verdict_page(verdict))
        if os.environ.get("NBGRADER_EXECUTION") and verdict.word != CORRECT:
            raise AssertionError(page.verdict_text(verdict))
        return verdict

    return look_now


def _verdict(question: str, data: Data) -> Verdict:
    try:
        return judge(question, data, find(question))
    except NoRecord as missing:
        return Verdict(str(question), "", data, message=f"No verdict: {missing}.")
    except (KeyError, TypeError, AttributeError):
        damaged = "No verdict: the record of this set is damaged; release the set again."
        return Verdict(question, "", data, message=damaged)


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
