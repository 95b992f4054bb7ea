"""`hint` and `solution`: help on request, a step at a time."""

from course_lib.classroom import progress
from course_lib.classroom.page import markdown_page, show
from course_lib.classroom.parts import solve_part
from course_lib.classroom.progress import in_lesson, keep
from course_lib.classroom.record import NoRecord, find

_checked: list[str] = []  # the question that was checked last
_shown: dict[str, int] = {}  # how many hints of a question this session has shown


def hint(question: str = "", number: int | None = None) -> None:
    """Show the next hint of a question, or the hint with that number.

    Without a name it is the question that was checked last. Each hint goes one step further; none
    gives the answer away.
    """
    question = question or find_last_checked()
    try:
        hints: list[str] = find(question)["hints"]
    except NoRecord as missing:
        show(markdown_page(str(missing)))
        return
    if not hints:
        show(markdown_page(f"{question} has no hints."))
        return
    wanted = number if isinstance(number, int) else _shown.get(question, 0) + 1
    if not 1 <= wanted <= len(hints):
        many = f"{question} has {len(hints)} hints, and you have seen the last."
        if number is not None:
            many = f"{question} has hints 1 to {len(hints)}."
        show(markdown_page(f'{many} `solution("{question}")` shows a solution.'))
        return
    _shown[question] = max(wanted, _shown.get(question, 0))
    _note(question, "hint", number=wanted)
    show(markdown_page(f"**Hint {wanted} of {len(hints)}** for {question}\n\n{hints[wanted - 1]}"))


def solution(question: str = "") -> None:
    """Show a solution of a question, by itself of the one that was checked last, and say why.

    A part that a lesson builds has one, too.
    """
    question = question or find_last_checked()
    try:
        record = find(question)
    except NoRecord as missing:
        code = solve_part(question) if isinstance(question, str) else ""
        part = f"**One way to build** {question}\n\n```python\n{code}\n```"
        show(markdown_page(part if code else str(missing)))
        return
    if "code" not in record["solution"]:
        show(markdown_page(f"The solution of {question} is not handed out."))
        return
    _note(question, "solution")
    code = record["solution"]["code"].strip()
    why = record["explanation"]
    show(markdown_page(f"**A solution** of {question}\n\n```python\n{code}\n```\n\n{why}"))


def find_last_checked() -> str:
    """The question that this notebook checked last, else the one in the journal; "" if none."""
    if _checked:
        return _checked[-1]
    folder = progress.home()
    events = progress.Journal(folder).read()[0] if folder else []
    last = progress.latest(event for event in events if event["event"] == "check")
    return str(last.get("question", ""))


def was_checked(question: str) -> None:
    """Remember what `hint()` means."""
    _checked[:] = [question]


def _note(question: str, event: str, **facts: int) -> None:
    if not in_lesson():
        keep(lambda journal: journal.note(question, event, **facts))
