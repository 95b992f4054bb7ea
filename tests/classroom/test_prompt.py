"""Messages name a command as the reader can type it where they are."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from course_lib.classroom import content, prompt
from course_lib.classroom.prompt import STARTED_WITH, command_line

ROOT = Path(__file__).parents[2]


@pytest.fixture
def reader(monkeypatch):
    """A reader in the course's folder, whose PATH has no `course`."""
    monkeypatch.delenv(STARTED_WITH, raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.chdir(ROOT)
    return monkeypatch


def test_beside_start_py_its_name_is_enough_and_on_windows_the_launcher_is_called_py(reader):
    usual = "py" if os.name == "nt" else "python3"
    assert command_line("update") == f"{usual} start.py update"
    assert command_line() == f"{usual} start.py"
    reader.setattr(prompt, "WINDOWS", True)
    assert command_line("update") == "py start.py update"


def test_course_alone_where_the_path_has_it_and_python_as_the_reader_called_it(reader):
    reader.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert command_line("update") == "course update"
    reader.setenv(STARTED_WITH, "python3")  # then only the PATH that start.py made has it
    assert command_line("update") == "python3 start.py update"
    for called, shown in (("python3.12",) * 2, ("/my programs/py", '"/my programs/py"')):
        reader.setenv(STARTED_WITH, called)
        assert command_line("update") == f"{shown} start.py update"


def test_from_a_folder_below_the_way_up_and_from_elsewhere_the_whole_path(reader, tmp_path):
    reader.setenv(STARTED_WITH, "python3")
    reader.chdir(ROOT / "docs")
    assert command_line("next") == f"python3 {os.path.join('..', 'start.py')} next"
    reader.chdir(tmp_path)
    assert command_line("next") == f"python3 {prompt.quote_word(str(ROOT / 'start.py'))} next"


def test_from_another_drive_or_a_wheel_there_is_still_a_way(reader):
    def refuse(path):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    reader.setattr(os.path, "relpath", refuse)
    assert str(ROOT / "start.py") in command_line("next")
    reader.setattr(content, "checkout", lambda: None)
    assert command_line("next") == f"{prompt.quote_word(sys.executable)} -m course_lib.cli next"


def test_no_message_names_a_command_without_asking_how_it_is_typed():
    """Docstrings are for developers; what is printed goes through `command_line`."""
    words = "|".join(["lab", "check", "status", "next", "hint", "solution", "reset", "update"])
    words += "|doctor|release|grade|export|new-exercise"
    found = []
    for path in [ROOT / "course_lib/cli.py", *(ROOT / "course_lib/classroom").rglob("*.py")]:
        if "grading" in path.parts:  # a grader's commands: docs/grading.md writes them alike
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            shown = re.sub(r'"""(.*)', "", line).partition("# ")[0]
            if re.search(rf'["\s(]course ({words})\b', shown) and '"' in shown:
                found.append(f"{path.relative_to(ROOT)}: {line.strip()}")
    assert found == []
