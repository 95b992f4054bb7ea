"""`guess`: a line of its own before the cell that answers.

    guess("welcome-list", ...)  # what will the next cell show?

Note [A guess waits for its cell]
The reader types a value in place of the dots and runs both cells. The second one is ordinary code,
so nothing in it compares anything: IPython tells when a cell has run, and then the guess is
compared with what that cell showed, or with the error that it raised. A cell in between changes
nothing: the guess waits for the cell that stands after it in the lesson, known by its code, or by
its id where the reader has changed the code. With the dots left in, nothing waits and nothing is
said. A cell that runs twice may give something else the second time, and so may one below cells
that were changed. Where unchanged code does not give what the lesson's file expects, a guess that
differs is not judged, and waits on.
"""

from __future__ import annotations

import ast
import json
import sys
from dataclasses import dataclass
from html import escape
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.copies import guess_in, text_of
from course_lib.classroom.guessed import as_guess, in_words, misses
from course_lib.classroom.keeping import keep
from course_lib.classroom.page import Page, inline, markdown_page, show
from course_lib.classroom.probe import Data
from course_lib.classroom.progress import GUESS
from course_lib.classroom.record import meant
from course_lib.classroom.trouble import Trouble

FOLDER = "notebooks/.guesses"  # one file a lesson: what each guess is about, and known wrong ones
RIGHT, WRONG = "right", "wrong"

AGAIN = (
    "This cell gives something else here than in a fresh run of the lesson: it has run before, or "
    "a cell above it was changed, left out or run twice. Choose Kernel → Restart Kernel, run the "
    "cells from the top, and your guess is judged."
)

_waiting: list[Guess] = []  # the one that was typed last


@dataclass(frozen=True)
class Guess:
    """What was typed, and what it is about."""

    name: str
    typed: Data
    about: Data
    answer: Data  # the cell that answers

    def is_about(self, info: Any) -> bool:
        """True for the run of the cell that answers; for any cell where the lesson is not here."""
        if not self.answer or getattr(info, "cell_id", None) == self.answer.get("id"):
            return True
        return self._is_unchanged(info)

    def _is_unchanged(self, info: Any) -> bool:
        return _code(info.raw_cell) == _code(text_of(self.answer))

    def is_out_of_place(self, info: Any, shown: Data, names: dict[str, Any]) -> bool:
        """True where the lesson's own cell did not give what it gives when all run in order."""
        right = self.about.get("right")
        if not right or not self._is_unchanged(info):
            return False
        return bool(misses(shown, _in_file(right, names)))

    def shown(self, result: Any, names: dict[str, Any]) -> Data:
        """What the cell gave, or the error, or `of`: an expression in the lesson's file.

        There `shown` is what the cell gave, beside the reader's own names.
        """
        if result.error_in_exec is not None:
            return as_guess(result.error_in_exec)
        of = self.about.get("of")
        if not of:
            return as_guess(result.result)
        try:
            return as_guess(eval(of, {**names, "shown": result.result}))  # the course's own code
        except Exception as error:  # about names that the reader has changed
            return as_guess(error)

    def judged(self, shown: Data, names: dict[str, Any]) -> list[str]:
        """How the guess differs, and what the course says to that guess; nothing if it is right."""
        found = misses(shown, self.typed)
        if found:
            for typed, message in self.about.get("wrong", {}).items():
                if not misses(_in_file(typed, names), self.typed):
                    return [*found, str(message)]
        return found


def guess(name: str, *typed: object) -> None:
    """Note what you think the next cell will show: it is compared once that cell has run.

    `typed` is what you type in place of the dots: the value itself, a list for a tensor, or an
    error such as `RuntimeError` (or just "error"); several values are one tuple. With `...` nothing
    is compared. Raises nothing; outside a notebook nothing happens.

    >>> guess("welcome-list", [2, 4, 6])
    """
    _waiting.clear()
    shell = _shell()
    if shell is None or typed in ((), (...,)):
        return
    value = typed[0] if len(typed) == 1 else typed
    shell.events.register("post_run_cell", _after)  # which stays there once
    about, answer = _lesson(name)
    if not about and (said := _misspelled(name)):
        show(markdown_page(f"There is no guess `{name}`; {said}"))
        return
    _waiting.append(Guess(name, as_guess(value), about, answer))


def lesson_of(name: str) -> str:
    """The lesson that a guess belongs to: all before the first dash.

    >>> lesson_of("storage_and_strides-kept")
    'storage_and_strides'
    """
    return name.partition("-")[0]


def _shell() -> Any:
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython

    return get_ipython()


def _after(result: Any) -> None:
    """A cell has run: if the guess was about it, say how good the guess was."""
    cell = {"cell_type": "code", "source": result.info.raw_cell or ""}
    if not _waiting or guess_in(cell) or result.error_before_exec:
        return
    if not _waiting[0].is_about(result.info):
        return
    one, names = _waiting[0], _shell().user_ns
    typed = in_words(one.typed)
    shown = one.shown(result, names)
    said = one.judged(shown, names)
    if said and one.is_out_of_place(result.info, shown, names):
        show(_page(f"○ Your guess was {typed}, and it is not judged yet", [AGAIN], "dotted"))
        return
    _waiting.clear()
    title = f"◐ Your guess was {typed}" if said else f"✓ Your guess was right: {typed}"
    show(_page(title, said, "dashed" if said else "solid"))
    keep(lambda journal: journal.note(one.name, GUESS, word=WRONG if said else RIGHT))


def _in_file(typed: str, names: dict[str, Any]) -> Data:
    """A guess that stands in the lesson's file."""
    return as_guess(eval(typed, {"torch": names.get("torch")}))


def _page(title: str, said: list[str], line: str) -> Page:
    text = "\n".join([title, *(f"    {one}" for one in said)])
    rows = "".join(f"<p>{inline(one)}</p>" for one in said)
    return Page(
        text,
        html=f'<div style="border-left: 5px {line}; padding-left: 0.8em">'
        f"<p><strong>{escape(title)}</strong></p>{rows}</div>",
    )


def _lesson(name: str) -> tuple[Data, Data]:
    """What the lesson's file says about a guess, and the cell after it; empty where neither is."""
    try:
        root = content.root()
        path = root / FOLDER / f"{lesson_of(name)}.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        lesson = root / "notebooks" / record["lesson"]
        cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
        return record["guesses"][name], answer_to(name, cells)
    except (Trouble, OSError, ValueError, KeyError):
        return {}, {}


def _misspelled(name: str) -> str:
    """The name of the course's own that is nearest to that of a guess, as a question; or ""."""
    try:
        paths = sorted((content.root() / FOLDER).glob("*.json"))
        records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    except (Trouble, OSError, ValueError):  # an own lesson may be all that there is
        return ""
    stems = [one["lesson"].removesuffix(".ipynb") for one in records]
    numbers = {content.number(stem): content.unnumbered(stem) for stem in stems}
    return meant(name, [known for one in records for known in one["guesses"]], numbers)


def answer_to(name: str, cells: list[Data]) -> Data:
    """The code cell that follows the one with the guess of that name; {} without one.

    >>> cells = [{"cell_type": "code", "source": source} for source in ('guess("a-1", ...)', "2")]
    >>> answer_to("a-1", cells)["source"]
    '2'
    """
    places = [place for place, cell in enumerate(cells) if guess_in(cell) == name]
    after = cells[places[0] + 1 :] if places else []
    return next((cell for cell in after if cell["cell_type"] == "code"), {})


def _code(source: str) -> str:
    """The code without its comments and layout, or as it is where it is no Python."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
