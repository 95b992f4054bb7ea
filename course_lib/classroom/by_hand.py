"""Questions that a person marks: a prompt, a Markdown cell for the answer, and a rubric.

prompt     Markdown with the line: `welcome-why` · explain · 3 points · 5 minutes
answer     Markdown that begins: # Answer to welcome-why
notes      Markdown between BEGIN MARK SCHEME and END MARK SCHEME, headed: ### Notes on welcome-why
           and below #### Rubric a line for each item: - 2 points: names the storage
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

TYPE = "explain"
_PROMPT = re.compile(
    rf"^`(?P<question>\w+-\w+)` · {TYPE} · (?P<points>\d+) points? · (?P<minutes>\d+) minutes?$",
    re.MULTILINE,
)
_ANSWER = re.compile(r"\A# Answer to (\w+-\w+)$", re.MULTILINE)
_NOTES = re.compile(r"^### Notes on (\w+-\w+)$", re.MULTILINE)
_ITEM = re.compile(r"^- (\d+) points?: (.+)$", re.MULTILINE)


@dataclass
class ByHand:
    """One such question, by the texts of its cells."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)  # by role
    cell: int = 0  # of the prompt

    @property
    def points(self) -> int:
        """What it is worth."""
        found = _PROMPT.search(self.texts["prompt"])
        assert found is not None  # that line made the cell a prompt
        return int(found["points"])

    @property
    def rubric(self) -> list[list[Any]]:
        """Points and words of each item."""
        _, _, below = self.texts.get("notes", "").partition("#### Rubric")
        return [[int(points), words.strip()] for points, words in _ITEM.findall(below)]

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """What is wrong with it, and what to do."""
        if "answer" not in self.texts:
            remedy = f"add a Markdown cell that begins with # Answer to {self.name}"
            yield "it has no answer cell", remedy
        total = sum(points for points, _ in self.rubric)
        if total != self.points:
            said = f"its rubric has {total} points, its prompt {self.points}"
            yield said, "below #### Rubric in its notes, write lines such as - 2 points: …"
        if "BEGIN MARK SCHEME" not in self.texts.get("notes", "BEGIN MARK SCHEME"):
            remedy = "put the notes between <!-- BEGIN MARK SCHEME --> and <!-- END MARK SCHEME -->"
            yield "the notes are not marked as such, so students would see them", remedy

    def record(self, rubric: bool) -> dict[str, Any]:
        """What the record of the set holds; the `rubric` is not for a handout."""
        kept = {"points": self.points, "stub": self.texts["answer"]}
        return kept | ({"rubric": self.rubric} if rubric else {})

    def nbgrader(self, role: str) -> dict[str, Any]:
        """The metadata by which nbgrader knows a cell of it: the answer is graded by a person."""
        flags = {
            "schema_version": 3,
            "grade_id": self.name if role == "answer" else f"{self.name}-{role}",
            "grade": role == "answer",
            "locked": role != "answer",
            "solution": role == "answer",
            "task": False,
        }
        return flags | ({"points": self.points} if role == "answer" else {})


def role(kind: str, text: str, known: dict[str, ByHand]) -> tuple[str, str]:
    """What a cell is, and of which question; two empty strings where it is of no such question.

    >>> role("markdown", "## Why?\\n`demo-why` · explain · 2 points · 5 minutes", {})
    ('prompt', 'demo-why')
    """
    if kind != "markdown":
        return "", ""
    if found := _PROMPT.search(text):
        return "prompt", found["question"]
    for name, pattern in (("answer", _ANSWER), ("notes", _NOTES)):
        found = pattern.search(text)
        if found and found[1] in known:
            return name, found[1]
    return "", ""
