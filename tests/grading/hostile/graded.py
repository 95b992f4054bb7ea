"""Hand in a collection, have it graded behind the guard, and say what is wrong with the rows."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from grading import modes
from grading.hostile import guard
from grading.hostile.kinds import EXERCISES, Kind, Place, question
from grading.hostile.traces import SECRETS, Bystander, Facts, Listening, facts, plant
from grading.submitting import copy_sets, listing

from course_grading.image import CACHE

Row = dict[str, Any]
JOURNAL = ".journal.jsonl"  # a line for each row that is done
GUARD = Path(__file__).with_name("guard.py")


@dataclass(eq=False)
class Run:
    """One run of `course grade`: where, how it went, and what it printed."""

    place: Place
    report: guard.Report
    said: str
    reached: list[str]
    before: dict[str, Facts]  # what was handed in, and what is the instructor's own

    def changed(self) -> list[str]:
        """What of that is no longer as it was."""
        found = []
        for name, before in self.before.items():
            now = facts(getattr(self.place, name))
            paths = sorted({*before, *now})
            found += [f"{name}/{path}" for path in paths if before.get(path) != now.get(path)]
        return found

    def temporary(self) -> list[str]:
        """What lies in the folder for temporary files."""
        return sorted(os.listdir(self.place.temporary))

    def rows(self, kind: Kind) -> list[Row]:
        """The rows of a submission."""
        return [row for row in self.all_rows if _shown(kind.who).fullmatch(row["student"])]

    @cached_property
    def all_rows(self) -> list[Row]:
        """Every row there is."""
        rows: list[Row] = listing(self.place.results)["rows"]
        return rows


@cache
def _shown(name: str) -> re.Pattern[str]:
    """How a name may be written in a result: letters that no file can hold, or that command a
    terminal, as something else, such as `\\x1b`."""
    normal = [letter.isprintable() or letter in "\n\t\u200b\u2060\u200d" for letter in name]
    letters = zip(name, normal, strict=True)
    return re.compile("".join(re.escape(one) if is_so else ".{1,10}" for one, is_so in letters))


def hand_in(
    kinds: Iterable[Kind],
    base: Path,
    mode: modes.Mode,
    listening: Listening | None = None,
    bystander: Bystander | None = None,
) -> Place:
    """Write the submissions and plant the secrets, as files of whoever grades in that mode. All of
    it may be read by everyone: if a submission cannot, it is the grader that keeps it from doing
    so."""
    aims: dict[str, Any] = {}
    if listening:
        aims |= {"socket": listening.path, "port": listening.port, "abstract": listening.name}
    if bystander:
        aims["bystander"] = bystander.pid
    place = Place(base / "submissions", base / "results", base / "home", **aims)
    place.home.mkdir(mode=0o755)
    place.temporary.mkdir()
    (place.home / "secret.txt").write_text(SECRETS["home"])
    plant(place.precious)
    for kind in kinds:
        kind.write(place)
    if mode.owner != os.geteuid():
        for path in (base, *base.rglob("*")):
            os.chown(path, mode.owner, mode.owner, follow_symlinks=False)
    return place


def run(
    place: Place,
    mode: modes.Mode,
    *words: str,
    seconds: float,
    listening: Listening | None = None,
    until: int = 0,
) -> Run:
    """Grade what lies there, with the rights of that mode. `words` are further words of `course
    grade`; it is killed when `until` rows are written down, if that is not 0."""
    before = {name: facts(getattr(place, name)) for name in ("submissions", "precious")}
    told, printed = place.home.parent / "report.json", place.home.parent / "printed.txt"
    command = [sys.executable, "-m", "course_lib.cli", "grade", str(place.submissions)]
    command += ["--out", str(place.results), "--sandbox", mode.sandbox, *words]
    environment = os.environ | {
        "HOME": str(place.home),
        "COURSE_TEST_SECRET": SECRETS["environment"],
        "PYTHONPATH": str(EXERCISES.parent),
        "TMPDIR": str(place.temporary),
        "XDG_CACHE_HOME": str(CACHE.parent),  # where the image of Python for WebAssembly is
    }
    guarded = [sys.executable, GUARD, told, str(seconds), place.results / JOURNAL, str(until)]
    guarded += modes.command(mode, command, str(place.home.parent))
    with printed.open("wb") as output:
        streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        where: dict[str, Any] = {"env": environment, "cwd": place.home}
        subprocess.run(guarded, **where, **streams, timeout=seconds + 60, check=True)
    report = guard.Report(**json.loads(told.read_text()))
    said = printed.read_text(encoding="utf-8", errors="replace")
    return Run(place, report, said, list(listening.reached) if listening else [], before)


SOME = ("welcome", "graph", "storage_and_strides")  # the sets that nearly all kinds are of


def some_exercises(base: Path) -> tuple[str, str]:
    """The words that grade against few sets: to get all of them ready takes seconds."""
    return "--exercises", str(copy_sets(base / "exercises", *SOME))


def folder_for_all() -> Path:
    """A new folder that every user may enter, unlike those that pytest makes."""
    folder = Path(tempfile.mkdtemp(prefix="course-hostile-test-"))
    folder.chmod(0o755)
    return folder


def remove(folder: Path) -> None:
    """Delete the folder, whatever the submissions in it are."""
    for path in [*folder.glob("submissions/*"), *folder.glob("submissions/*/*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder)


# ---- what is wrong with a row --------------------------------------------------------------------


def complaints(kind: Kind, rows: list[Row], asks: bool = True) -> list[str]:
    """What does not hold of the rows of a submission, in words; nothing when all does.

    In WebAssembly nobody `asks` a person about an attack that had nothing to aim at.
    """
    if not rows:
        return [f"{kind.name}: there is no row"]
    row = next((row for row in rows if row["set"] == kind.set), rows[0])
    whole = _of_row(kind, row, asks or not kind.review)
    found = [f"{what} ({_told(row)})" for what in (*whole, *_marks(kind, row))]
    return [f"{kind.name}: {what}" for what in found]


def _of_row(kind: Kind, row: Row, asks: bool) -> Iterable[str]:
    asked = bool(row["review"])
    if asks and kind.review is not None and kind.review != asked:
        yield "a person has to look" if kind.review else "nobody has to look"
    if not kind.readable and row["status"] == "graded":
        yield "it cannot be graded"
    if row["status"] != "graded" and not row["reason"]:
        yield "it gives no reason"
    for one in row["questions"]:
        if one["points"] < one["possible"] and one["word"] != "not attempted" and not one["reason"]:
            yield f"{one['question']} gives no reason"


def _marks(kind: Kind, row: Row) -> Iterable[str]:
    known = {one["question"]: one for one in row["questions"]}
    for letter in sorted({*kind.keep, *kind.lose, *kind.flagged}):
        name = question(letter, kind.set)
        one = known.get(name, {"points": 0, "possible": 1, "review": []})
        full = one["points"] == one["possible"]
        if letter in kind.lose and full:
            yield f"{name} has full marks"
        if letter in kind.flagged and full and not one["review"]:
            yield f"{name} has full marks, and nobody is asked about it"
        if letter in kind.keep and not full and not (kind.doubtful and row["review"]):
            yield f"{name} has lost its marks"


def _told(row: Row) -> str:
    words = [f"{one['question']}: {one['reason']}" for one in row["questions"] if one["reason"]]
    return "; ".join([row["status"], row["reason"], *row["review"], *words])[:400]
