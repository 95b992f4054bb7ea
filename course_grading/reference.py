"""The exercises that submissions are graded against, from their records. Only the grader has them.

An `Exercise` holds what a student has anyway, and no solution: warm processes may know its kit, and
workers elsewhere all of it. The records stay with the grader.
"""

import ast
import difflib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_grading import screen
from course_grading.splice import plain
from course_grading.statements import statements
from course_lib.classroom import content, credit
from course_lib.classroom.probe import Data
from course_lib.classroom.prompt import command_line
from course_lib.classroom.record import FOLDER, SCHEMA
from course_lib.classroom.trouble import Trouble


@dataclass(frozen=True)
class Exercise:
    """One set as far as students know it, and what each of its questions is worth."""

    name: str
    file: str  # the released notebook
    digest: str  # changes when anything does that a verdict may depend on
    worth: dict[str, float]  # points of a correct answer, in the order of the notebook
    titles: dict[str, str]
    kit: Data
    by_hand: dict[str, Data] = field(default_factory=dict)  # questions that a person marks

    @property
    def marks(self) -> dict[str, float]:
        """The points of every question, of those too that a person marks."""
        return self.worth | {name: one["points"] for name, one in self.by_hand.items()}

    @property
    def questions(self) -> list[str]:
        """The names of the questions, in the order of the notebook."""
        return list(self.worth)


def _kit(record: Data) -> Data:
    roles = [role for role, _ in record["cells"]]
    texts = [text for _, text in record["cells"]]
    answer, check = roles.index("answer"), roles.index("check")
    before, between = texts[:answer], texts[answer + 1 : check]
    own = [one for text in before + between for one in statements(0, text)]
    tools = sorted(name for one in own for name in one.binds)
    used = _names(texts[check]) - set(record["answers"])
    shows = texts[check] + "".join(one.text for one in own if one.binds & used)
    return {
        "before": before,
        "between": between,
        "check": texts[check],
        "stub_plain": plain(record["stub"]["code"]),
        "answers": record["answers"],
        "binds": tools,
        "tools": tools,
        "used": sorted(used),
        "memory": "untyped_storage" in shows or "data_ptr" in shows,
        "screened": sorted(
            {
                word
                for code in [record["solution"]["code"], *record["right"]]
                for word in screen.words(code, set(tools))
            }
        ),
    }


def _names(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def load(
    folder: Path | None, only: Iterable[str] = ()
) -> tuple[dict[str, Exercise], dict[str, Data]]:
    """Exercises and their records, from `folder` or the course's own; `only` those if named."""
    where = folder if folder is not None else content.root() / "exercises"
    paths = sorted((where / FOLDER).glob("*.json"))
    if not paths:
        makes = command_line("release")
        raise Trouble(f"there are no released exercises in {where}; {makes} makes them", 2)
    found = [_read(path, where) for path in paths]
    found.sort(key=lambda pair: pair[0].file)
    names = [exercise.name for exercise, _ in found]
    for name in only:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            said = f"did you mean {near[0]}?" if near else f"the sets are {', '.join(names)}"
            raise Trouble(f"there is no set {name}; {said}", 2)
    exercises = {exercise.name: exercise for exercise, _ in found}
    return exercises, {exercise.name: record for exercise, record in found}


def _read(path: Path, folder: Path) -> tuple[Exercise, Data]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["schema"] != SCHEMA:
            raise ValueError("schema")
        return _exercise(record, folder), record
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        raise Trouble(f"the record {path} cannot be read: release the set again", 2) from None


def _exercise(record: Data, folder: Path) -> Exercise:
    known: dict[str, Data] = record["questions"]
    if any("code" not in one["solution"] for one in known.values()):
        raise Trouble(
            f"{record['set']} was released without solutions; to grade it, release it with them "
            "into a folder of your own and name that with --exercises",
            2,
        )
    by_hand: dict[str, Data] = record.get("by_hand", {})
    idents, titles, between = _read_released(folder / record["notebook"])
    order = [name for name in titles if name in known]
    order += [name for name in known if name not in order]
    text = json.dumps([record, idents, between], sort_keys=True)
    return Exercise(
        name=str(record["set"]),
        file=str(record["notebook"]),
        digest=hashlib.sha256(text.encode()).hexdigest()[:16],
        worth={name: credit.worth(known[name]) for name in order},
        titles=titles,
        kit={
            "questions": {name: _kit(known[name]) for name in order},
            "idents": idents,
            "by_hand": {name: str(one["stub"]).strip() for name, one in by_hand.items()},
            "between": between if by_hand else [],
        },
        by_hand=by_hand,
    )


def _read_released(path: Path) -> tuple[list[str], dict[str, str], list[str]]:
    """Names of given code cells, headings of questions, and given words between the questions.

    There are none when the notebook is not there.
    """
    if not path.is_file():
        return [], {}, []
    between: list[str] = []
    idents: list[str] = []
    titles: dict[str, str] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        about: dict[str, Any] = cell["metadata"].get("course", {})
        if cell["cell_type"] == "code" and about.get("role") not in ("answer", "check"):
            idents.append(str(cell.get("id", "")))
        elif not about:
            between.append("".join(cell["source"]).strip())
        if about.get("role") == "prompt":
            lines = "".join(cell["source"]).split("\n")
            heads = [line.lstrip("# ") for line in lines if line.startswith("#")]
            titles[about["question"]] = heads[0] if heads else about["question"]
    return idents, titles, between
