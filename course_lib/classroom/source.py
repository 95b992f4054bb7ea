"""Read a source notebook: the one hand-written file of an exercise set.

A question is four kinds of cell. What they are is written in them, where an author sees it and
where copying, splitting or moving a cell does not lose it; metadata is never asked.

prompt     Markdown with the line: `welcome-3` · write a function · difficulty 2 of 5 · 5 minutes
           (before the minutes may stand: 10 points · or 0.5 or 0; else it is worth its difficulty)
answer     code that begins: # Answer to welcome-3
check      code that begins: @check("welcome-3")
notes      Markdown between BEGIN MARK SCHEME and END MARK SCHEME, headed: ### Notes on welcome-3
           and divided by: #### Stub, Hint, Right answer, Wrong answer, Explanation

Code before the first prompt sets every question up. Other code cells belong to the question they
follow. No question sees another's cells.
"""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_lib.classroom import by_hand, content
from course_lib.classroom.by_hand import ByHand
from course_lib.classroom.credit import number, worth

TYPES = ("predict", "fix the bug", "write a function", "puzzle", "read the graph")
BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"
STUB = ("# your code here", "...")

_PROMPT = re.compile(
    rf"^`(?P<question>\w+-\w+)` · (?P<type>{'|'.join(TYPES)}) · "
    r"difficulty (?P<difficulty>[1-5]) of 5 · (?:(?P<points>\d+(?:\.\d+)?) points? · )?"
    r"(?P<minutes>\d+) minutes?$",
    re.MULTILINE,
)
_ANSWER = re.compile(r"\A# Answer to (\w+-\w+)$", re.MULTILINE)
_CHECK = re.compile(r'^@check\("([^"]+)"\)$', re.MULTILINE)
_NOTES = re.compile(r"^### Notes on (\w+-\w+)$", re.MULTILINE)
_MARKS = re.compile(r"^.*\b(BEGIN|END) MARK SCHEME\b.*$", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Mistake:
    """What is wrong with a source, where, and what to do about it."""

    path: str
    cell: int  # counted from 1, over all cells, as a reader counts; 0 for the whole notebook
    question: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        where = f", cell {self.cell}" if self.cell else ""
        whose = f" ({self.question})" if self.question else ""
        return f"{self.path}{where}{whose}: {self.problem}; {self.remedy}"


class Mistakes(Exception):
    """All the mistakes found in a source, so that they can be mended in one go."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in sorted(mistakes)))
        self.mistakes = sorted(mistakes)


@dataclass
class Cell:
    """One cell; `role` is prompt, answer, check, notes, or "" for one of no special kind."""

    number: int
    kind: str
    text: str
    raw: dict[str, Any]
    role: str = ""
    question: str = ""


@dataclass(frozen=True)
class Note:
    """One section of the notes: its words, and its code if it has a fence."""

    title: str  # what follows "Wrong answer:"
    words: str
    code: str = ""


@dataclass
class Question:
    """One question, as far as reading goes: nothing was run yet."""

    name: str
    file: str
    cells: dict[str, Cell] = field(default_factory=dict)  # by role
    run: list[Cell] = field(default_factory=list)  # code cells in order, answer and check included
    notes: dict[str, list[Note]] = field(default_factory=dict)  # by heading, in lower case

    @property
    def facts(self) -> dict[str, Any]:
        """Type, difficulty and minutes, from the prompt, and points where it says how many."""
        found = _PROMPT.search(self.cells["prompt"].text)
        assert found is not None  # that line made the cell a prompt
        facts = {"type": found["type"], "difficulty": int(found["difficulty"])}
        facts["minutes"] = int(found["minutes"])
        return facts | ({"points": number(float(found["points"]))} if found["points"] else {})

    @property
    def points(self) -> float:
        """What it is worth."""
        return worth(self.facts)

    @property
    def answer(self) -> str:
        """The whole answer cell, with the solution and without its markers."""
        return answer_of(self.cells["answer"].text)

    @property
    def stub(self) -> str:
        """The answer cell as the student gets it."""
        if self.notes.get("stub"):
            return self.variant(self.notes["stub"][0].code)
        return stub_of(self.cells["answer"].text)

    def mistake(self, role: str, problem: str, remedy: str) -> Mistake:
        """A mistake in the cell of that role, or in the first cell where there is none."""
        cell = self.cells.get(role) or next(iter(self.cells.values()))
        return Mistake(self.file, cell.number, self.name, problem, remedy)

    def variant(self, code: str) -> str:
        """An answer cell with other code in it: the code of a section of the notes."""
        return f"# Answer to {self.name}\n{code}"


@dataclass
class Source:
    """A source notebook, read."""

    path: Path
    notebook: dict[str, Any]
    cells: list[Cell]
    questions: dict[str, Question]
    by_hand: dict[str, ByHand] = field(default_factory=dict)  # questions that a person marks

    @property
    def name(self) -> str:
        """The set's name, which survives renumbering: "welcome" for ex00_welcome.ipynb."""
        return set_name(self.path)

    @property
    def asked(self) -> dict[str, Question | ByHand]:
        """Every question, whoever marks it."""
        return self.questions | self.by_hand

    @property
    def setup(self) -> list[Cell]:
        """The code cells before the first question."""
        return [cell for cell in self.cells if cell.kind == "code" and not cell.question]

    @property
    def digest(self) -> str:
        """Changes when any cell's text does; outputs and metadata do not count."""
        texts = json.dumps([[cell.kind, cell.text] for cell in self.cells])
        return hashlib.sha256(texts.encode()).hexdigest()[:16]


def answer_of(text: str) -> str:
    """The cell with its solution, and without the markers around it.

    >>> answer_of("x = 1\\n# BEGIN SOLUTION\\ny = 2\\n# END SOLUTION")
    'x = 1\\ny = 2'
    """
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END))


def stub_of(text: str) -> str:
    """The cell as a student gets it: a comment and three dots in place of the solution.

    >>> print(stub_of("def f():\\n    # BEGIN SOLUTION\\n    return 2\\n    # END SOLUTION"))
    def f():
        # your code here
        ...
    """
    lines, inside = [], False
    for line in text.split("\n"):
        if line.strip() == BEGIN:
            inside = True
            lines += [line[: line.index("#")] + part for part in STUB]
        elif line.strip() == END:
            inside = False
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def set_name(path: Path) -> str:
    """The name of the set in that file.

    >>> set_name(Path("solutions/ex05_storage_and_strides.ipynb"))
    'storage_and_strides'
    """
    return content.strip_number(path.stem)


def read(path: Path) -> Source:
    """The source notebook at `path`. Raises `Mistakes` if it cannot be taken apart."""
    notebook = _notebook(path)
    cells = [
        Cell(number, raw["cell_type"], "".join(raw["source"]).rstrip("\n"), raw)
        for number, raw in enumerate(notebook["cells"], 1)
    ]
    asked, mistakes = _taken_apart(path, cells)
    questions = {name: one for name, one in asked.items() if isinstance(one, Question)}
    manual = {name: one for name, one in asked.items() if isinstance(one, ByHand)}
    if not questions:
        remedy = "begin a Markdown cell with `name-1` · puzzle · difficulty 1 of 5 · 2 minutes"
        mistakes.append(Mistake(path.name, 0, "", "it holds no question", remedy))
    for one in manual.values():
        for role, *told in one.mistakes():
            mistakes.append(Mistake(path.name, one.cells[role].number, one.name, *told))
    if mistakes:
        raise Mistakes(mistakes)
    return Source(path, notebook, cells, questions, manual)


def _taken_apart(
    path: Path, cells: list[Cell]
) -> tuple[dict[str, Question | ByHand], list[Mistake]]:
    """The questions by their names, each with its cells, and the cells that are there twice."""
    asked: dict[str, Question | ByHand] = {}
    mistakes: list[Mistake] = []
    current = ""
    for cell in cells:
        cell.role, name = _role(cell, asked)
        current = cell.question = name or current
        if not current:
            continue
        kind = ByHand if cell.role == "prompt" and by_hand.PROMPT.search(cell.text) else Question
        question = asked.setdefault(current, kind(current, path.name))
        other = question.cells.get(cell.role)
        if kind is ByHand and isinstance(question, Question):
            other = next(iter(question.cells.values()))
        if other is not None:
            problem = f"cell {other.number} is the {other.role} of {current} already"
            remedy = "give this question a name of its own, or delete the cell"
            mistakes.append(Mistake(path.name, cell.number, current, problem, remedy))
        elif cell.role:
            question.cells[cell.role] = cell
        if isinstance(question, Question):
            if cell.kind == "code":
                question.run.append(cell)
            if cell.role == "notes":
                question.notes = _sections(cell.text)
    return asked, mistakes


def _notebook(path: Path) -> dict[str, Any]:
    try:
        notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if notebook["nbformat"] == 4 and all(
            isinstance(cell["cell_type"], str) and cell["source"] is not None
            for cell in notebook["cells"]
        ):
            return notebook
    except OSError as error:
        problem = f"cannot be read ({error.strerror})"
        raise Mistakes([Mistake(path.name, 0, "", problem, "check the path")]) from None
    except (ValueError, KeyError, TypeError):
        pass
    remedy = "open it in JupyterLab and save it again"
    raise Mistakes([Mistake(path.name, 0, "", "is no notebook of format 4", remedy)])


def _role(cell: Cell, asked: dict[str, Question | ByHand]) -> tuple[str, str]:
    """What the cell is, and of which question; two empty strings when it is nothing special.

    An answer in words is one only below its prompt: any text may be headed like it.
    """
    kinds = {
        "code": (("answer", _ANSWER), ("check", _CHECK)),
        "markdown": (
            *(("notes", _NOTES), ("prompt", _PROMPT), ("prompt", by_hand.PROMPT)),
            ("answer", _ANSWER),
        ),
    }
    for role, pattern in kinds.get(cell.kind, ()):
        found = pattern.search(cell.text)
        in_words = role == "answer" and cell.kind == "markdown"
        if found and not (in_words and not isinstance(asked.get(found[1]), ByHand)):
            return role, found[1]
    return "", ""


def _sections(text: str) -> dict[str, list[Note]]:
    """The notes by heading. A fence hides lines that only look like headings."""
    words: list[str] = []
    code: list[str] = []
    parts: list[tuple[str, list[str], list[str]]] = []
    fenced = False
    for line in _MARKS.sub("", text).split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif line.startswith("#### ") and not fenced:
            words, code = [], []
            parts.append((line[5:], words, code))
        else:
            (code if fenced else words).append(line)
    notes: dict[str, list[Note]] = {}
    for heading, words, code in parts:
        kind, _, title = heading.partition(":")
        note = Note(title.strip(), "\n".join(words).strip(), "\n".join(code).strip("\n"))
        notes.setdefault(kind.strip().lower(), []).append(note)
    return notes
