"""What was handed in is found, whatever its name: nobody is lost, and no two become one."""

import os
import sys

import pytest
from classroom.grading.submitting import hand_in

from course_lib.classroom.grading.results import page_name
from course_lib.classroom.grading.submissions import find, visible

any_name = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names of any bytes")


def students(folder):
    return [one.student for one in find(folder, ["00_welcome", "welcome"])]


# ---- names ---------------------------------------------------------------------------------------


NAMES = [
    *(b"a\x1b", b"a\x1c", rb"a\x1b", rb"a\\x1b", b"a\\\x1b", b"a\xef\xbf\xbd"),
    *(b"caf\xe9", b"caf\xe8", rb"caf\xe9", "café".encode(), b"caf\\\xe9", rb"caf\\xe9"),
    *(b"a\x85", "a\u0085".encode(), rb"a\u0085", "a\u202e".encode(), rb"a\u202e"),
    *(b"a" * 250, b"a" * 249 + b"b"),
]


@any_name
def test_names_that_differ_only_in_odd_letters_are_two_students(tmp_path):
    for name in NAMES:
        hand_in(tmp_path, os.fsdecode(name), b"{}")
    found = students(tmp_path)
    assert len(set(found)) == len(set(map(page_name, found))) == len(NAMES)
    assert {r"a\x1b", r"a\x1c", r"caf\xe9", r"caf\xe8", "café"} <= set(found)


@any_name
def test_files_that_differ_only_in_odd_letters_are_of_two_students(tmp_path):
    for name in (b"caf\xe9_00_welcome.ipynb", b"caf\xe8.ipynb"):
        (tmp_path / os.fsdecode(name)).write_bytes(b"{}")
    assert students(tmp_path) == [r"caf\xe8", r"caf\xe9"]


def test_ordinary_names_are_shown_as_they_are():
    for name in ("Ada Lovelace", "Zoë O'Neil", "宮本", r"back\slash\up", "C:\\", "a\u200b🎉"):
        assert visible(name) == name


# ---- what begins with a dot ----------------------------------------------------------------------


@any_name
def test_a_folder_that_begins_with_a_dot_may_be_a_students(tmp_path):
    for name in ("...", "..up", ".ada"):
        hand_in(tmp_path, name, b"{}")
    hand_in(tmp_path, ".grace", b"", "essay.txt")
    (tmp_path / ".carol.ipynb").write_bytes(b"{}")
    assert students(tmp_path) == ["...", "..up", ".ada", ".carol", ".grace"]


def test_what_tools_leave_is_no_student(tmp_path):
    hand_in(tmp_path, "ada", b"{}")
    for name in (".git", ".ipynb_checkpoints", ".VSCode", ".Trash-1000", ".venv", "__MACOSX"):
        hand_in(tmp_path, name, b"{}")
        hand_in(tmp_path / "ada", name, b"{}")
    for name in ("._ada.ipynb", ".~grace.ipynb", ".DS_Store"):
        (tmp_path / name).write_bytes(b"{}")
    assert students(tmp_path) == ["ada"]
