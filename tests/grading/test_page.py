"""Every `course` command on the pages about grading does what the page says."""

import argparse
import json
import re
import shlex
import shutil
import types

import pytest
from grading.downloads import MadeUp
from grading.submitting import ROOT, hand_in, notebook

from course_grading import lateness
from course_lib import cli
from course_lib.classroom import content
from course_lib.classroom.commands import grade

PAGES = [ROOT / "docs" / "grading.md", *sorted((ROOT / "docs" / "grading").glob("*.md"))]
PAGE = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
_LINES = [
    *re.findall(r"^(course .*)$", PAGE, re.MULTILINE),
    *(" ".join(line.split()) for line in re.findall(r"`(course [^`]+)`", PAGE)),
]
# the words in a sentence
_SHORT = [f"course {word}" for word in ("grade", "release", "preview", "new-exercise")]
# What other tests try: a scheduler, the attempts of the self-test, the folder of all sets.
ELSEWHERE = ("--scheduler", "--self-test")
COMMANDS = sorted(
    {
        line
        for line in (one.partition("#")[0].strip() for one in _LINES)
        if line not in _SHORT and not any(word in line for word in ELSEWHERE)
    }
)


class Looks:
    """Ends a watch after so many looks."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self, seconds: float = 0) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def desk(tmp_path_factory, welcome):
    """A folder with everything that the page's commands name, and a course of one set."""
    folder = tmp_path_factory.mktemp("desk")
    MadeUp("Moodle", 3).write(folder)
    (folder / "class").rename(folder / "my-class")
    hand_in(folder / "submissions", "a_user48213", notebook("welcome"))
    for name in ("my-sources", "solutions"):
        (folder / name).mkdir()
        shutil.copy(ROOT / "solutions" / "ex00_welcome.ipynb", folder / name)
    shutil.copytree(welcome, folder / "course" / "exercises")
    made = [str(folder / name) for name in ("my-sources", "handout")]
    assert cli.main(["release", *made, "--no-solutions"]) == 0
    shutil.copytree(welcome, folder / "graded")
    return folder


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_runs(line, desk, monkeypatch):
    words = shlex.split(line)[1:]
    monkeypatch.chdir(desk)
    monkeypatch.setattr(content, "root", lambda: desk / "course")
    if words[0] == "mark":
        monkeypatch.setattr("course_grading.mark.Desk.serve_forever", Looks(1).__call__)
        monkeypatch.setattr("webbrowser.open", print)
        assert cli.main(["grade", "submissions", "--out", "results"]) in (0, 1)
    if "--watch" in words:
        monkeypatch.setattr("course_grading.folder.time", types.SimpleNamespace(sleep=Looks(2)))
    if "--regrade" in words and not (desk / "results" / "grades.json").exists():
        assert cli.main(words[: words.index("--regrade")]) in (0, 1)
    assert cli.main(words) in (0, 1)
    if "--out" in words:
        listing = json.loads((desk / "results" / "grades.json").read_text(encoding="utf-8"))
        assert any(row["points"] for row in listing["rows"])


def test_every_option_and_every_key_is_on_the_page_and_none_that_is_not_there():
    parser = argparse.ArgumentParser(add_help=False)
    grade.add_arguments(parser)
    known = {word for action in parser._actions for word in action.option_strings} - {"--out"}
    listed = set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE))
    assert listed == known
    keys = [*lateness._KEYS, *lateness._GENERAL]
    assert [key for key in keys if f"{key}" not in PAGE] == []
