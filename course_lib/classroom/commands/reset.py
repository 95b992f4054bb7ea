"""`course reset`: a set, or one question, as it was handed out, after a copy of what is there."""

import argparse
import json
from pathlib import Path
from typing import Any

from course_lib.classroom.prompt import command_line
from course_lib.classroom.sets import FOLDER_OPTION, Desk, ExerciseSet, desk
from course_lib.classroom.trouble import Trouble, writing
from course_lib.classroom.workspace import Workspace, write_whole

BACKUPS = "backups"

WORDS = {"SET": "its name or number, such as welcome or 0, or one question", **FOLDER_OPTION}


def run(arguments: argparse.Namespace) -> int:
    """Put what was released in place of the student's notebook, which is kept as a backup."""
    place = desk(arguments.folder)
    asked = place.find_name(arguments.set)
    one = place.find(asked)
    if one.original == one.notebook:
        raise Trouble(
            f"{one.notebook} was given to you as it is, without a second copy; "
            "ask for the file again",
        )
    if not one.notebook.is_file():
        raise Trouble(f"there is no {one.notebook} to reset; {command_line('update')} copies it")
    single = asked if asked in one.questions else ""
    changed = with_question_reset(one, single) if single else b""
    kept = _back_up(place, one)
    with writing(one.notebook):
        if single:
            write_whole(one.notebook, changed)
        else:
            Workspace(place.folder).bring_afresh(f"exercises/{one.notebook.name}", one.original)
    for question in [single] if single else one.questions:
        place.journal.note(question, "reset")
    what = f"{single} in {one.notebook}" if single else one.notebook
    print(f"{what} is as it was handed out, and its progress begins again.")
    print(f"A copy of what you had is in {kept}")
    print("Is it open in JupyterLab? Choose File, Reload Notebook from Disk.")
    return 0


def with_question_reset(one: ExerciseSet, question: str) -> bytes:
    """The student's notebook with the cells of one question as they were released.

    A cell that was deleted comes back behind the one that stands before it in the release.
    """
    try:
        notebook = json.loads(one.notebook.read_text(encoding="utf-8"))
        cells: list[dict[str, Any]] = notebook["cells"]
        places = {_role(cell): k for k, cell in enumerate(cells)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        whole = command_line(f"reset {one.name}")
        raise Trouble(f"{one.notebook} cannot be read; {whole} resets the whole set") from None
    at = len(cells)
    for fresh in json.loads(one.original.read_text(encoding="utf-8"))["cells"]:
        role = _role(fresh)
        if role in places:
            at = places[role] + 1
        if role[0] != question:
            continue
        if role in places:
            cells[places[role]] = fresh
        else:
            cells.insert(at, fresh)
            places = {_role(cell): k for k, cell in enumerate(cells)}
            at += 1
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def _role(cell: dict[str, Any]) -> tuple[str, str]:
    """Question and role of a cell; of one that belongs to no question, its id."""
    about = cell["metadata"].get("course", {})
    return about.get("question", ""), about.get("role", str(cell.get("id")))


def _back_up(place: Desk, one: ExerciseSet) -> Path:
    """Copy the student's notebook to a name that is still free."""
    folder, number = place.folder / BACKUPS, 1
    while (path := folder / f"{one.notebook.stem}-{number}.ipynb").exists():
        number += 1
    with writing(path):
        write_whole(path, one.notebook.read_bytes())
    return path
