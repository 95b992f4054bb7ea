"""The exercise sets that a student has: the course's own, and those an instructor handed out."""

import argparse
import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from course_lib.classroom import content, progress
from course_lib.classroom.lessons import stage_of
from course_lib.classroom.progress import Journal, Standing
from course_lib.classroom.prompt import command_line
from course_lib.classroom.record import FOLDER, SCHEMA, ask_nearest, nearest, set_of
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.workspace import Workspace, default_folder

HANDED_OUT = "From your instructor"
FOLDER_OPTION = {  # of the commands that may be about another desk
    "--folder FOLDER": "your workspace, or a folder of exercises that you were given "
    "(default: the one around the current folder, else that of lab)"
}


@dataclass(frozen=True)
class ExerciseSet:
    """One set: its record, the notebook as it was released, and the student's copy of it."""

    record: dict[str, Any]
    original: Path
    notebook: Path
    stage: str

    @property
    def name(self) -> str:
        """The name that its questions begin with."""
        return str(self.record["set"])

    @property
    def label(self) -> str:
        """What a student reads in the file's name.

        >>> ExerciseSet({}, Path(), Path("ex00_two_words.ipynb"), "").label
        '00 two words'
        """
        return content.label(self.notebook.name)

    @property
    def lesson(self) -> str:
        """The file of the lesson that it is about, which an instructor's set need not have."""
        return f"{content.FOLDERS[0]}/{content.lesson_file(self.notebook.name)}"

    @property
    def questions(self) -> list[str]:
        """The names of the questions, in the order of the notebook."""
        return [name for name in self._prompts if name in self.record["questions"]] or list(
            self.record["questions"]
        )

    def title(self, question: str) -> str:
        """The heading of a question."""
        return self._prompts.get(question, (question, ""))[0]

    def place(self, question: str) -> str:
        """What a link to a question ends with: the notebook and the cell with its text.

        >>> ExerciseSet({}, Path(), Path("ex00_two_words.ipynb"), "").place("two_words-1")
        'ex00_two_words.ipynb'
        """
        return self.notebook.name + content.cell_place(self._prompts.get(question, ("", ""))[1])

    def solved(self, known: dict[str, Standing]) -> tuple[bool, ...]:
        """For each question whether it is solved."""
        return tuple(known[question].solved for question in self.questions)

    def next_question(self, known: dict[str, Standing], after: str = "") -> str | None:
        """The next question of the set that is not solved: behind `after`, else before it."""
        names = self.questions
        place = names.index(after) + 1 if after in names else 0
        ahead = [*names[place:], *names[:place]]
        return next((q for q in ahead if not known[q].solved), None)

    @cached_property
    def _prompts(self) -> dict[str, tuple[str, str]]:
        """For each question its heading and the id of the cell that asks it."""
        try:
            cells = json.loads(self.original.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError):
            return {}
        found = {}
        for cell in cells:
            about = cell["metadata"].get("course", {})
            if about.get("role") == "prompt":
                heading = re.search(r"^#+ (.*)$", "".join(cell["source"]), re.MULTILINE)
                title = heading[1] if heading else about["question"]
                found[about["question"]] = title, str(cell.get("id", ""))
        return found


@dataclass(frozen=True)
class Desk:
    """Where a student works: a folder, the sets in it and the journal of what was done."""

    folder: Path
    sets: list[ExerciseSet]

    @property
    def journal(self) -> Journal:
        """The student's progress."""
        return Journal(self.folder)

    def find_name(self, word: str, questions: bool = False) -> str:
        """The set or question that `word` means: by number, by file, begun or misspelled.

        With `questions`, a question alone. What it took a misspelled word for, it says; a word
        that may mean several, or none, comes back as it is.
        """
        bare = content.strip_number(Path(word).stem if word.endswith(".ipynb") else word)
        names = ([] if questions else [one.name for one in self.sets]) + self.questions
        if bare in names or any(set_of(word) == one.name for one in self.sets):
            return bare
        near = nearest(bare, names, self._numbers())
        number = re.search(r"\d*$", word)
        if len(near) != 1 or (number and not near[0].endswith(number[0])) and not word.isdigit():
            return word  # welcome-9 is no misspelled welcome-1
        if not word.isdigit():
            print(f"{word}: taken as {near[0]}", file=sys.stderr)
        return near[0]

    def find(self, word: str) -> ExerciseSet:
        """The set of that name, or the one with the question of that name."""
        names = [one.name for one in self.sets]
        if word in names:
            return self.sets[names.index(word)]
        if set_of(word) in names or any(word in one.record["questions"] for one in self.sets):
            return self.question(word)  # which says what the questions of that set are
        raise self._nothing("set", word, names[:6], [*names, *self.questions])

    def question(self, word: str) -> ExerciseSet:
        """The set that has the question `word`."""
        for one in self.sets:
            if word in one.record["questions"]:
                return one
        near = [q for one in self.sets if set_of(word) == one.name for q in one.questions]
        such = near or self.questions[:6]
        raise self._nothing("question", word, such, [] if near else self.questions)

    def _nothing(self, what: str, word: str, such: list[str], names: list[str]) -> Trouble:
        said = ask_nearest(word, names, self._numbers()) or f"name one such as {', '.join(such)}"
        return Trouble(f"there is no {what} {word}; {said}", 2)

    @property
    def questions(self) -> list[str]:
        """The names of all questions, in the order of the course."""
        return [question for one in self.sets for question in one.questions]

    def _numbers(self) -> dict[int | None, str]:
        return {content.number(one.notebook.stem): one.name for one in self.sets}

    def last_question(self) -> str:
        """The question that was last checked or asked about, else the very first."""
        known = {*self.questions}
        tried = [event for event in self.journal.read()[0] if event["event"] != "reset"]
        last = progress.latest(event for event in tried if event["question"] in known)
        return str(last.get("question", self.sets[0].questions[0]))

    def next_question(self, known: dict[str, Standing]) -> tuple[ExerciseSet, str] | None:
        """The first question that is not solved, in the order of the course."""
        for one in self.sets:
            if question := one.next_question(known):
                return one, question
        return None


def desk(folder: Path | None) -> Desk:
    """The desk in `folder`, or around the current folder when none is named."""
    if folder is not None and not folder.is_dir():
        raise Trouble(f"there is no folder {folder}; {command_line('update')} makes a workspace", 2)
    here = (folder or progress.home() or default_folder()).absolute()
    handed_out = [*_handed_out_sets(here), *_handed_out_sets(here / "exercises")]
    own = Workspace(here).exists() or not handed_out
    sets = [*(_own_sets(Workspace(here)) if own else []), *handed_out]
    if not sets:
        raise Trouble(f"there are no exercises in {here}", 2)
    return Desk(here, sets)


def asked_desk(arguments: argparse.Namespace) -> Desk:
    """The desk that a command is about; lines of its journal that cannot be read are moved away."""
    place = desk(arguments.folder)
    if told := place.journal.mend():
        print(told, file=sys.stderr)
    return place


def _own_sets(workspace: Workspace) -> list[ExerciseSet]:
    try:
        course = content.root() / "exercises"
    except Trouble:  # an installation without lessons still knows what was handed out
        return []
    found = []
    for path, record in _records(course):
        stage = getattr(stage_of(path.stem), "title", "More")
        copy = workspace.file(f"exercises/{path.name}")
        found.append(ExerciseSet(record, path, copy, stage))
    return found


def _handed_out_sets(folder: Path) -> list[ExerciseSet]:
    return [ExerciseSet(record, path, path, HANDED_OUT) for path, record in _records(folder)]


def _records(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Notebook and record of each set in a folder, in the order of the notebooks."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["schema"] == SCHEMA and record["questions"] and record["set"]:
                found.append((folder / record["notebook"], record))
        except (OSError, ValueError, KeyError, TypeError):
            raise Trouble(f"the record {path} cannot be read: release the set again") from None
    return sorted(found, key=lambda pair: pair[0].name)
