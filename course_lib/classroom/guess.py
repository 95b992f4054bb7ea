"""`guess`: a line of its own before the cell that answers.

    guess("welcome-list", ...)  # what will the next cell show?

Note [A guess waits for its cell]
The reader types a value in place of the dots and runs both cells. The second one is ordinary code,
so nothing in it compares anything: IPython tells when a cell has run, and then the guess is
compared with what that cell showed, or with the error that it raised. A cell in between changes
nothing: the guess waits for the cell that stands after it in the lesson, known by its code, or by
its id where the reader has changed the code. With the dots left in, nothing waits and nothing is
said. A cell that has run already has shown its answer, so a guess after it is told so and is not
judged. Below cells that were changed or left out, unchanged code may not give what the lesson's
file expects; then a guess that differs is not judged, and waits on.

A wrong guess may be answered by a picture: `draw` in the lesson's file is an expression about the
reader's own names, the pictures of the course and `guess`, the value that was typed.
"""

import re
import sys
from dataclasses import dataclass
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.copies import guess_in, text_of
from course_lib.classroom.edits import same_code
from course_lib.classroom.guessed import as_guess, in_words, misses
from course_lib.classroom.page import Page, beside, frame_html, inline, markdown_page, shell, show
from course_lib.classroom.probe import Data
from course_lib.classroom.progress import GUESS, keep
from course_lib.classroom.record import ask_nearest
from course_lib.classroom.runs import ASKS, has_run
from course_lib.classroom.verdict import CORRECT, NOT_ATTEMPTED, NOT_YET

FOLDER = "notebooks/.guesses"  # one file a lesson: what each guess is about, and known wrong ones
RIGHT, WRONG = "right", "wrong"

AFRESH = "Choose Kernel → Restart Kernel, run the cells from the top, and your guess is judged."
AGAIN = (
    "This cell gives something else here than in a fresh run of the lesson: a cell above it was "
    f"changed, left out or run twice. {AFRESH}"
)
SEEN = f"The next cell has already run. {AFRESH}"

_waiting: "list[Guess]" = []  # the one that was typed last
_judged: dict[str, Data] = {}  # what was typed, by the names of the guesses


@dataclass(frozen=True)
class Guess:
    """What was typed, and what it is about."""

    name: str
    typed: Data
    about: Data
    answer: Data  # the cell that answers
    value: Any = None  # what was typed, as it is

    def is_about(self, info: Any) -> bool:
        """True for the run of the cell that answers; for any cell where the lesson is not here."""
        if not self.answer or getattr(info, "cell_id", None) == self.answer.get("id"):
            return True
        return self._is_unchanged(info)

    def _is_unchanged(self, info: Any) -> bool:
        return same_code(info.raw_cell, text_of(self.answer))

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

    def judge_guess(self, shown: Data, names: dict[str, Any]) -> list[str]:
        """How the guess differs, and what the course says to that guess; nothing if it is right."""
        found = misses(shown, self.typed)
        if found:
            for typed, message in self.about.get("wrong", {}).items():
                if not misses(_in_file(typed, names), self.typed):
                    return [*found, str(message)]
        return found

    def picture(self, names: dict[str, Any]) -> Any:
        """What answers a wrong guess; None without a picture, or where this guess fits in none."""
        viz = sys.modules.get("course_lib.viz")  # of a lesson that draws
        if viz is None or "draw" not in self.about:
            return None
        code = compile(self.about["draw"], self.name, "eval")
        draws = {one: getattr(viz, one) for one in code.co_names if one in viz.HOMES}
        try:
            return eval(code, {**names, **draws, "guess": self.value})  # the course's own code
        except Exception:  # a guess has any form, and its words say all that the picture says
            return None


def guess(name: str, *typed: object) -> None:
    """Note what you think the next cell will show: it is compared once that cell has run.

    `typed` is what you type in place of the dots: the value itself, a list for a tensor, or an
    error such as `RuntimeError` (or just "error"); several values are one tuple. With `...` nothing
    is compared. Raises nothing; outside a notebook nothing happens.

    >>> guess("welcome-list", [2, 4, 6])
    """
    _waiting.clear()
    here = shell()
    if here is None or typed in ((), (...,)):
        return
    value = typed[0] if len(typed) == 1 else typed
    here.events.register("post_run_cell", _after)  # which stays there once
    about, answer = _lesson(name)
    if not about and (said := _ask_near_name(name)):
        show(markdown_page(f"There is no guess `{name}`; {said}"))
        return
    one = Guess(name, as_guess(value), about, answer, value)
    if not answer or not has_run(answer):
        _waiting.append(one)
    elif _judged.get(name) != one.typed:  # the one that was judged is no news when it runs again
        show(_explain_no_verdict(one, SEEN))


def lesson_of(name: str) -> str:
    """The lesson that a guess belongs to: all before the first dash.

    >>> lesson_of("storage_and_strides-kept")
    'storage_and_strides'
    """
    return name.partition("-")[0]


def _after(result: Any) -> None:
    """A cell has run: if the guess was about it, say how good the guess was."""
    cell = {"cell_type": "code", "source": result.info.raw_cell or ""}
    if not _waiting or guess_in(cell) or result.error_before_exec:
        return
    if not _waiting[0].is_about(result.info):
        return
    one, names = _waiting[0], shell().user_ns
    typed = in_words(one.typed)
    shown = one.shown(result, names)
    said = one.judge_guess(shown, names)
    if said and one.is_out_of_place(result.info, shown, names):
        show(_explain_no_verdict(one, AGAIN))
        return
    _waiting.clear()
    _judged[one.name] = one.typed
    if said:
        drawn = beside(("the cell", shown), ("your guess", one.typed))
        show(_page(NOT_YET, f"◐ Your guess was {typed}", said, drawn, one.picture(names)))
    else:
        show(_page(CORRECT, f"✓ Your guess was right: {typed}", []))
    keep(lambda journal: journal.note(one.name, GUESS, word=WRONG if said else RIGHT))


def _explain_no_verdict(one: Guess, why: str) -> Page:
    title = f"○ Your guess was {in_words(one.typed)}, and it is not judged yet"
    return _page(NOT_ATTEMPTED, title, [why])


def _in_file(typed: str, names: dict[str, Any]) -> Data:
    """A guess that stands in the lesson's file."""
    return as_guess(eval(typed, {"torch": names.get("torch")}))


def _page(word: str, title: str, said: list[str], drawn: str = "", picture: Any = None) -> Page:
    said = [one[:1].upper() + one[1:] for one in said]
    text = "\n".join([title, *(f"    {one}" for one in said)])
    rows = "".join(f"<p>{inline(one)}</p>" for one in said)
    if picture is not None:
        text, drawn = f"{text}\n{picture}", picture._repr_html_()
    return Page(text, html=frame_html(word, title, rows + drawn))


def _lesson(name: str) -> tuple[Data, Data]:
    """What the lesson's file says about a guess, and the cell after it; empty where neither is."""
    for record in content.read(f"{FOLDER}/{lesson_of(name)}.json"):
        cells = content.cells(f"notebooks/{record['lesson']}")
        if cells and name in record["guesses"]:
            return record["guesses"][name], answer_to(name, cells)
    return {}, {}


def _ask_near_name(name: str) -> str:
    """The name of the course's own that is nearest to that of a guess, as a question; or ""."""
    records = content.read(f"{FOLDER}/*.json")
    stems = [one["lesson"].removesuffix(".ipynb") for one in records]
    numbers = {content.number(stem): content.strip_number(stem) for stem in stems}
    return ask_nearest(name, [known for one in records for known in one["guesses"]], numbers)


def answer_to(name: str, cells: list[Data]) -> Data:
    """The code cell that follows the one with the guess of that name; {} without one.

    >>> cells = [{"cell_type": "code", "source": source} for source in ('guess("a-1", ...)', "2")]
    >>> answer_to("a-1", cells)["source"]
    '2'
    """
    places = [place for place, cell in enumerate(cells) if guess_in(cell) == name]
    after = cells[places[0] + 1 :] if places else []
    return next((cell for cell in after if cell["cell_type"] == "code"), {})


def is_meant_to_fail(info: Any) -> bool:
    """Whether a cell that has run fails on purpose in a lesson, or is answered by the classroom."""
    if re.match(ASKS, info.raw_cell or ""):
        return True
    cells = content.cells("notebooks/*.ipynb")
    tagged = [cell for cell in cells if "raises-exception" in cell["metadata"].get("tags", ())]
    return any(same_code(info.raw_cell or "", text_of(cell)) for cell in tagged)
