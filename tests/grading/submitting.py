"""Notebooks as students hand them in, made from the released exercises and their records."""

import csv
import functools
import io
import json
import shutil
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = ROOT / "exercises"

Notebook = dict[str, Any]


def record(name: str) -> dict[str, Any]:
    """The record of a set."""
    found: dict[str, Any] = json.loads(_text(EXERCISES / ".records" / f"{name}.json"))
    return found


@functools.cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def notebook(name: str, answers: dict[str, str] | None = None) -> Notebook:
    """The released notebook with the solutions in it, but for the `answers` named."""
    known = record(name)
    made: Notebook = json.loads(_text(EXERCISES / known["notebook"]))
    for cell in made["cells"]:
        about = cell["metadata"].get("course", {})
        if about.get("role") == "answer":
            question = about["question"]
            code = known["questions"][question]["solution"]["code"]
            cell["source"] = (answers or {}).get(question, code)
    return made


def copy_sets(folder: Path, *names: str) -> Path:
    """Some of the released sets, in this folder: to record what right answers show takes time."""
    (folder / ".records").mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(EXERCISES / ".records" / f"{name}.json", folder / ".records")
        shutil.copy(EXERCISES / record(name)["notebook"], folder)
    return folder


def place(made: Notebook, question: str, role: str = "answer") -> int:
    """Where the cell of that role is."""
    return next(
        number
        for number, cell in enumerate(made["cells"])
        if cell["metadata"].get("course") == {"question": question, "role": role}
    )


def code(text: str, **metadata: Any) -> dict[str, Any]:
    """A code cell of the student's own."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [],
        "source": text,
    }


def hand_in(folder: Path, student: str, made: Notebook | bytes, name: str = "work.ipynb") -> Path:
    """Put a notebook, or any bytes, into the folder of a student."""
    path = folder / student / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made if isinstance(made, bytes) else json.dumps(made).encode())
    return path


def write_class(folder: Path, files: dict[str, str]) -> Path:
    """Write these files into the folder `class`."""
    about = folder / "class"
    about.mkdir(exist_ok=True)
    for name, text in files.items():
        (about / name).write_text(text, encoding="utf-8")
    return about


def words(folder: Path, exercises: Path, *more: str) -> list[str]:
    """The words that grade the folder `in`, and by the folder `class` where there is one."""
    made = ["grade", str(folder / "in"), "--out", str(folder / "out"), "--jobs", "1"]
    made += ["--exercises", str(exercises)]
    about = folder / "class"
    return [*made, *(["--class", str(about)] if about.exists() else []), *more]


def listing(out: Path, name: str = "grades") -> dict[str, Any]:
    """What grading wrote for programs."""
    found: dict[str, Any] = json.loads((out / f"{name}.json").read_text(encoding="utf-8"))
    return found


def rows(out: Path) -> dict[str, Any]:
    """The row of each student."""
    return {row["student"]: row for row in listing(out)["rows"]}


def lines_of(path: Path) -> list[dict[str, str]]:
    """The lines of a table."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


WRONG = record("welcome")["questions"]["welcome-3"]["wrong"][0]
