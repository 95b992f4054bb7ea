"""What was handed in is found, whatever its name: nobody is lost, and no two become one."""

import os
import shutil
import sys

import pytest
from grading.submitting import hand_in

from course_grading import grade_folder
from course_grading.results import page_name
from course_grading.submissions import find, visible
from course_lib.classroom.trouble import Trouble

any_name = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names of any bytes")


def students(folder):
    return [one.student for one in find(folder, ["ex00_welcome", "welcome"])]


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
    for name in (b"caf\xe9_ex00_welcome.ipynb", b"caf\xe8.ipynb"):  # and so are two files
        (tmp_path / "top").mkdir(exist_ok=True)
        (tmp_path / "top" / os.fsdecode(name)).write_bytes(b"{}")
    assert students(tmp_path / "top") == [r"caf\xe8", r"caf\xe9"]


def test_ordinary_names_are_shown_as_they_are():
    for name in ("Ada Lovelace", "Zoë O'Neil", "宮本", r"back\slash\up", "C:\\", "a\u200b🎉"):
        assert visible(name) == name


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


def test_other_files_beside_the_notebooks_are_named(tmp_path):
    hand_in(tmp_path, "ada", b"{}")
    names = "grace.ipynb grace.pdf ada.zip carol_ex00_welcome.zip carol.pdf dan.tar.gz o.brien.zip"
    for name in f"{names} Thumbs.db .gitignore README.md list.csv".split():
        (tmp_path / name).write_bytes(b"{}")
    found = find(tmp_path, ["ex00_welcome", "welcome"])
    said = {one.student: one.problem for one in found if one.problem}
    files = {"carol": "carol.pdf, carol_ex00_welcome.zip"}
    files |= {"dan": "dan.tar.gz", "o.brien": "o.brien.zip"}
    assert said == {
        student: f"no notebook was handed in; there is {names}; hand in the .ipynb file itself"
        for student, names in files.items()
    }
    assert [one.student for one in found if not one.problem] == ["ada", "grace"]
    photos = tmp_path / "another folder"  # with no notebook at all
    photos.mkdir()
    for number in range(5):
        (photos / f"photo{number}.jpeg").write_bytes(b"")
    with pytest.raises(Trouble, match="only photo0.jpeg, photo1.jpeg, photo2.jpeg, 2 more; it"):
        find(photos, [])


def test_pages_of_students_who_are_no_longer_handed_in_are_removed(tmp_path, welcome):
    def grade(*names):
        shutil.rmtree(tmp_path / "in", ignore_errors=True)
        for name in names:
            hand_in(tmp_path / "in", name, b"{}")
        grade_folder(tmp_path / "in", tmp_path / "out", exercises=welcome, jobs=1)
        return {path.name for path in (tmp_path / "out" / "students").iterdir()}

    first = grade("ada", "grace", "Zoë & O'Neil")
    assert first == {page_name(name) for name in ("ada", "grace", "Zoë & O'Neil")}
    students = tmp_path / "out" / "students"
    (students / ".grace-0a1b2c.html.new").write_text("<title>Feedback", encoding="utf-8")
    kept = {"notes.html", "grace-0a1b2c.html", "empty-0a1b2c.html", page_name("dan")}
    text = (students / page_name("grace")).read_text(encoding="utf-8")
    for name in kept - {"empty-0a1b2c.html"}:  # none of them is a page that the grader has named so
        (students / name).write_text(text, encoding="utf-8")
    (students / "empty-0a1b2c.html").mkdir()
    assert grade("ada") == {page_name("ada"), *kept}
    assert grade("ada", "grace") == {page_name("ada"), page_name("grace"), *kept}
