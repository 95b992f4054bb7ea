"""An autograder for Gradescope: a zip file that grades one set there as `course grade` does here.

It holds the package, the set with its record, and two scripts: `setup.sh` runs once, when the zip
file is uploaded, and `run_autograder` for each hand-in, in a container of its own. The second ends
here, in `main`, which writes `results.json` as Gradescope reads it.
"""

import importlib.metadata
import json
import os
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from course_grading import reference, submissions, visible
from course_grading.folder import grade_folder
from course_grading.results import whole
from course_grading.row import GRADED, waits
from course_grading.walls import Limits
from course_lib.classroom import content
from course_lib.classroom.probe import Data
from course_lib.classroom.record import FOLDER
from course_lib.classroom.trouble import Trouble, writing
from course_lib.classroom.verdict import CORRECT, SYMBOLS

NEEDS = ("numpy", "ml_dtypes", "jinja2", "markupsafe")  # for answers and checks; for pages
STUDENT = "hand-in"

SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, when the zip file is uploaded.
set -euo pipefail
python=$(command -v python3.13 || command -v python3.12 || command -v python3.11 || true)
if [ -z "$python" ] || ! "$python" -c 'import ensurepip' 2>/dev/null; then
    apt-get update
    apt-get install -y python3.12 python3.12-venv || apt-get install -y python3.11 python3.11-venv
    python=$(command -v python3.12 || command -v python3.11)
fi
"$python" -m venv "${AUTOGRADER:-/autograder}/course"
"${AUTOGRADER:-/autograder}/course/bin/python" -m pip install -r \\
    "${AUTOGRADER:-/autograder}/source/requirements.txt"
"""
RUN = """\
#!/usr/bin/env bash
# Gradescope runs this for each hand-in.
set -euo pipefail
cd "${AUTOGRADER:-/autograder}/source"
exec "${AUTOGRADER:-/autograder}/course/bin/python" -m course_grading.gradescope \\
    "${AUTOGRADER:-/autograder}"
"""


# ---- the zip file --------------------------------------------------------------------------------


def write_zip(path: Path, name: str, exercises: Path | None, unsafe: bool = False) -> None:
    """Write the autograder of the set `name` to `path`; the same bytes for the same course.

    `exercises` is a folder with released exercises, solutions included; without it the course's
    own are meant. Raises `Trouble`.
    """
    found, _ = reference.load(exercises, [name])
    where = exercises if exercises is not None else content.root() / "exercises"
    notebook, record = where / found[name].file, where / FOLDER / f"{name}.json"
    made = {
        "setup.sh": SETUP.encode(),
        "run_autograder": RUN.encode(),
        "requirements.txt": _requirements().encode(),
        "autograder.json": json.dumps({"set": name, "unsafe": unsafe}).encode(),
        f"exercises/{FOLDER}/{name}.json": record.read_bytes(),
    }
    if notebook.is_file():  # it has the titles of the questions
        made[f"exercises/{notebook.name}"] = notebook.read_bytes()
    for package in (content.PACKAGE, visible.GRADING):
        for file in sorted(package.rglob("*")):
            below = file.relative_to(package.parent)
            if file.is_file() and not {"__pycache__", "_content"} & set(below.parts):
                made[below.as_posix()] = file.read_bytes()
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path, binary=True) as file, zipfile.ZipFile(file, "w") as archive:
            for member, data in made.items():
                about = zipfile.ZipInfo(member)  # of a time of its own, so that bytes are the same
                about.compress_type = zipfile.ZIP_DEFLATED
                about.external_attr = (0o755 if data.startswith(b"#!") else 0o644) << 16
                archive.writestr(about, data)


def _requirements() -> str:
    """The packages in the versions that are installed here, so that both give the same marks."""
    return "".join(f"{name}=={importlib.metadata.version(name)}\n" for name in NEEDS)


# ---- in the container ----------------------------------------------------------------------------


def main(words: list[str]) -> int:
    """Grade `submission` in the folder named and write `results/results.json`: 0 when that is done.

    Without a result Gradescope tells the student that the autograder failed, and gives no mark.
    """
    root = Path(words[0] if words else "/autograder")
    begun = time.monotonic()
    try:
        asked = json.loads((root / "source" / "autograder.json").read_text(encoding="utf-8"))
        row, titles = _grade_one(root, asked["set"], asked["unsafe"])
    except Trouble as trouble:
        print(f"course: {trouble}", file=sys.stderr)
        return trouble.exit_code
    made = results(row, titles) | {"execution_time": round(time.monotonic() - begun, 1)}
    target = root / "results" / "results.json"
    target.parent.mkdir(exist_ok=True)
    with whole(target) as file:
        file.write(json.dumps(made, ensure_ascii=False, indent=1))
    return 0


def _grade_one(root: Path, name: str, unsafe: bool) -> tuple[Data, dict[str, str]]:
    exercises = root / "source" / "exercises"
    with tempfile.TemporaryDirectory() as place:
        home = Path(place, "in", STUDENT)
        home.mkdir(parents=True)
        _copy(root / "submission", home)
        out = Path(place, "out")
        grade_folder(home.parent, out, exercises=exercises, sets=(name,), jobs=1, unsafe=unsafe)
        rows = json.loads((out / "grades.json").read_text(encoding="utf-8"))["rows"]
    row = next((one for one in rows if one["status"] == GRADED), rows[0])
    return row, reference.load(exercises, [name])[0][name].titles


def _copy(submission: Path, home: Path) -> None:
    """Copy the ordinary files of a hand-in; links and pipes stay where they are."""
    most = Limits.notebook
    for place, _, files in os.walk(submission):
        for name in files:
            try:
                data = submissions.content(Path(place, name), most)
            except submissions.Refused:
                continue
            target = home / Path(place).relative_to(submission) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def results(row: Data, titles: dict[str, str]) -> Data:
    """A row as Gradescope's `results.json`, in which only instructors see why a person is needed.

    >>> results({"status": "unreadable", "points": 0, "reason": "it is a web page", "review": [],
    ...          "questions": [], "notes": []}, {})
    {'score': 0, 'output': 'It is a web page.', 'tests': []}
    """
    tests: list[Data] = []
    for number, one in enumerate(row["questions"], 1):
        title = titles.get(one["question"], "")
        tests.append(
            {
                "number": str(number),
                "name": f"{one['question']} {title}".strip(),
                **_score(one),
                "output": _output(one),
                "output_format": "text",
                "visibility": "visible",
            }
        )
    if row["review"]:
        tests.append(
            {
                "name": "For the instructor: a person should look at this",
                "output": "\n".join(row["review"]),
                "output_format": "text",
                "visibility": "hidden",
            }
        )
    said = [row["reason"], *row["notes"]] if row["status"] == GRADED else [row["reason"]]
    output = "\n".join(f"{one[0].upper()}{one[1:]}." for one in said if one)
    return {"score": row["points"], "output": output, "tests": tests}


def _score(one: Data) -> Data:
    """The points of one answer; none for an answer that a person has to mark."""
    if waits(one):
        return {}
    status = "passed" if one["word"] == CORRECT else "failed"
    return {"score": one["points"], "max_score": one["possible"], "status": status}


def _output(one: Data) -> str:
    """What a student reads about one answer."""
    lines = [f"{SYMBOLS.get(one['word'], '…')} {one['word']}"]
    if one["word"] != CORRECT:
        lines += dict.fromkeys([one["message"], one["reason"], *one["differences"]])
    for place, (label, value) in enumerate(one["values"]):
        mark = "✗" if one["marks"][place : place + 1] == [False] else "→"
        lines.append(f"    {label} {mark} {value}")
    lines += one["notes"]
    return "\n".join(line for line in lines if line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
