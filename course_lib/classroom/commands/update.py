"""`course update`: newer versions of the files that the student has not changed."""

import argparse
from pathlib import Path

from course_lib.classroom.home import renew_home, write_home
from course_lib.classroom.prompt import command_line
from course_lib.classroom.workspace import Workspace, default_folder

WORDS = {"FOLDER?": "your workspace (default: workspace/ in the checkout, else ./course)"}


def run(arguments: argparse.Namespace) -> int:
    """Bring the workspace up to date: 0 done, 1 a file could not be written."""
    workspace = Workspace(Path(arguments.folder or _around(Path.cwd())).absolute())
    changes = workspace.refresh()
    renew_home(lambda: write_home(workspace))
    print(f"Workspace: {workspace.folder}")
    for said, names in (
        ("copied, as it was missing", changes.added),
        ("updated, as you had not changed it", changes.updated),
        ("kept as you changed it, though there is a newer version", changes.kept),
        ("not updated, because another program holds it or it is write-protected", changes.locked),
    ):
        for name in names:
            print(f"    {name}: {said}")
    if not any(vars(changes).values()):
        print("Everything is up to date.")
    if changes.kept:
        print("To get a newer version: rename or delete your file, then update again;")
        print(f"for a set of exercises: {command_line('reset SET')}, which makes a backup.")
    return 1 if changes.locked else 0


def _around(here: Path) -> Path:
    """The workspace that `here` lies in, else the one that `course lab` would make."""
    for folder in (here, *here.parents):
        if Workspace(folder).exists():
            return folder
    return default_folder(here)
