"""The files for machines of somebody else: what they run is a command of the course, and is there.

What the commands do is tested with the commands; here, that these files name them rightly.
"""

import re
from pathlib import Path

import pytest

from course_lib import cli

ROOT = Path(__file__).parents[1]
FILES = {
    ".devcontainer/devcontainer.json": r'"postCreateCommand": "python3 start\.py (.+)"',
    ".binder/postBuild": r"^course (.+)$",
    "docs/editors.md": r"^  !course (.+)$",
}


@pytest.mark.parametrize("file", FILES)
def test_a_machine_of_somebody_elses_gets_copies_to_work_in(file):
    (words,) = re.findall(FILES[file], (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert words == "update" and cli.parse(words.split())


def test_binder_installs_lists_that_are_there():
    lists = re.findall(r"-r (\S+)", (ROOT / ".binder" / "postBuild").read_text("utf-8"))
    assert lists and all((ROOT / name).is_file() for name in lists)


def test_every_command_on_the_page_about_editors_is_one(capsys):
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    commands = re.findall(r"python3 start\.py ?([^`]*)`", page)
    assert len(commands) >= 5
    for words in commands:
        assert cli.parse(words.split() or ["lab"])
