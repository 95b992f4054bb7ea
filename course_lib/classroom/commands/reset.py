"""`course reset`: a set as it was handed out, after a copy of what the student wrote."""

from __future__ import annotations

import argparse
from pathlib import Path

from course_lib.classroom.prompt import typed
from course_lib.classroom.sets import Desk, ExerciseSet, add_folder, desk
from course_lib.classroom.trouble import Trouble, cannot_write
from course_lib.classroom.workspace import Workspace, write_whole

BACKUPS = "backups"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course reset`."""
    parser.add_argument("set", metavar="SET", help="its name or number, such as welcome or 0")
    add_folder(parser)


def run(arguments: argparse.Namespace) -> int:
    """Put the released notebook in place of the student's, which is kept as a backup."""
    place = desk(arguments.folder)
    one = place.find(arguments.set)
    if arguments.set in one.questions:
        raise Trouble(f"a set is reset as a whole; for this one: {typed('reset ' + one.name)}", 2)
    if one.original == one.notebook:
        raise Trouble(
            f"{one.notebook} was given to you as it is, without a second copy; "
            "ask for the file again",
        )
    if not one.notebook.is_file():
        raise Trouble(f"there is no {one.notebook} to reset; {typed('update')} copies it")
    kept = _back_up(place, one)
    try:
        Workspace(place.folder).bring_afresh(f"exercises/{one.notebook.name}", one.original)
    except OSError as error:
        raise cannot_write(one.notebook, error) from None
    for question in one.questions:
        place.journal.note(question, "reset")
    print(f"{one.notebook} is as it was handed out.")
    print(f"What you had written is in {kept}")
    print("Is it open in JupyterLab? Choose File, Reload Notebook from Disk.")
    return 0


def _back_up(place: Desk, one: ExerciseSet) -> Path:
    """Copy the student's notebook to a name that is still free."""
    folder, number = place.folder / BACKUPS, 1
    while (path := folder / f"{one.notebook.stem}-{number}.ipynb").exists():
        number += 1
    try:
        folder.mkdir(exist_ok=True)
        write_whole(path, one.notebook.read_bytes())
    except OSError as error:
        raise cannot_write(path, error) from None
    return path
