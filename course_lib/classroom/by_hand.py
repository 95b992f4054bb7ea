"""Questions that a person marks: a prompt, a Markdown cell for the answer, and a rubric.

prompt     Markdown with the line: `welcome-why` · explain · 3 points · 5 minutes
answer     Markdown that begins: # Answer to welcome-why
notes      Markdown between BEGIN MARK SCHEME and END MARK SCHEME, headed: ### Notes on welcome-why
           and below #### Rubric a line for each item: - 2 points: names the storage

What stands in the answer cell between BEGIN SOLUTION and END SOLUTION is a model answer. Students
get a line in its place that nbgrader would put there, too, so an untouched cell is known as one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from course_lib.classroom.credit import number

if TYPE_CHECKING:
    from course_lib.classroom.source import Cell

TYPE = "explain"
STUB = "YOUR ANSWER HERE"
PROMPT = re.compile(
    rf"^`(?P<question>\w+-\w+)` · {TYPE} · (?P<points>\d+(?:\.\d+)?) points? · "
    r"(?P<minutes>\d+) minutes?$",
    re.MULTILINE,
)
_ITEM = re.compile(r"^- (\d+(?:\.\d+)?) points?: (.+)$", re.MULTILINE)
_MARKER = re.compile(r"^\s*(?:#+|<!--)\s*(BEGIN|END) SOLUTION\s*(?:-->)?\s*$")
_KINDS = r"(?:(?:model[\W_]*)?(?:solution|answer)|mark[\W_]*scheme)s?"
_MEANT = re.compile(  # in capitals anywhere, in other letters in a line of its own
    r"\b(?:BEGIN|END) (?:SOLUTION|MARK SCHEME)|"
    rf"^(?i:[\W_]*(?:begin|end)[\W_]*{_KINDS}[\W_]*)$"
)
UNMARKED = (
    "notes",
    "the notes are not marked as such",
    "put the notes between <!-- BEGIN MARK SCHEME --> and <!-- END MARK SCHEME -->",
)


@dataclass
class ByHand:
    """One such question, by its cells."""

    name: str
    file: str
    cells: "dict[str, Cell]" = field(default_factory=dict)  # by role

    @property
    def points(self) -> float:
        """What it is worth."""
        found = PROMPT.search(self.cells["prompt"].text)
        assert found is not None  # that line made the cell a prompt
        return number(float(found["points"]))

    @property
    def rubric(self) -> list[list[Any]]:
        """Points and words of each item."""
        notes = self.cells["notes"].text if "notes" in self.cells else ""
        _, _, below = notes.partition("#### Rubric")
        return [[number(float(points)), words.strip()] for points, words in _ITEM.findall(below)]

    @property
    def stub(self) -> str:
        """The answer cell as the student gets it."""
        return split_model_answer(self.cells["answer"].text)[0]

    @property
    def model(self) -> str:
        """The model answer, "" where there is none."""
        return split_model_answer(self.cells["answer"].text)[1]

    def mistakes(self) -> Iterator[tuple[str, str, str]]:
        """In which cell something is wrong, what it is, and what to do."""
        for role, cell in self.cells.items():
            if cell.kind != "markdown":
                remedy = "make it a Markdown cell, or delete it"
                yield role, f"a person marks this question, and its {role} is a code cell", remedy
        if "answer" not in self.cells:
            remedy = f"add a Markdown cell that begins with # Answer to {self.name}"
            yield "prompt", "it has no answer cell", remedy
        elif not _has_good_markers(self.cells["answer"].text):
            remedy = "write each on a line of its own, in turn: <!-- BEGIN SOLUTION --> and "
            remedy += "<!-- END SOLUTION -->"
            yield "answer", "the model answer is not between its two markers", remedy
        total = number(round(sum(points for points, _ in self.rubric), 2))
        if total != self.points:
            said = f"its rubric has {total} points, its prompt {self.points}"
            remedy = "below #### Rubric in its notes, write lines such as - 2 points: …"
            yield "prompt", said, remedy
        if "notes" in self.cells and "BEGIN MARK SCHEME" not in self.cells["notes"].text:
            yield UNMARKED

    def record(self, rubric: bool, model: bool) -> dict[str, Any]:
        """What the record of the set holds; the `rubric` and the `model` are not for a handout."""
        kept: dict[str, Any] = {"points": self.points, "stub": self.stub}
        kept |= {"rubric": self.rubric} if rubric else {}
        return kept | ({"model": self.model} if model else {})


def split_model_answer(text: str) -> tuple[str, str]:
    """The answer cell as the student gets it, and the model answer that it had.

    >>> begin, end = "<!-- BEGIN SOLUTION -->", "<!-- END SOLUTION -->"
    >>> split_model_answer(f"# Answer to d-1\\n{begin}\\nA copy.\\n{end}")
    ('# Answer to d-1\\nYOUR ANSWER HERE', 'A copy.')
    """
    stub: list[str] = []
    model: list[str] = []
    inside = False
    for line in text.split("\n"):
        if found := _MARKER.match(line):
            inside = found[1] == "BEGIN"
            stub += [STUB] * inside
        else:
            (model if inside else stub).append(line)
    return "\n".join(stub), "\n".join(model)


def marker_lines(text: str) -> list[tuple[str, str]]:
    r"""Each line that is meant for a marker, however it is written, and what it is about.

    >>> marker_lines("Begin with a solution.\n<!-- begin  solution -->\n### End mark scheme")
    [('<!-- begin  solution -->', 'SOLUTION'), ('### End mark scheme', 'MARK SCHEME')]
    """
    lines = [line for line in text.split("\n") if _MEANT.search(line)]
    return [(line, "MARK SCHEME" if "mark" in line.lower() else "SOLUTION") for line in lines]


def _has_good_markers(text: str) -> bool:
    lines = [_MARKER.sub(r"\1", line) for line, _ in marker_lines(text)]
    return lines == ["BEGIN", "END"] * (len(lines) // 2)
