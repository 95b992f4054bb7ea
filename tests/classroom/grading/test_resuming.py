"""An interrupted run goes on: no row is lost and none is there twice."""

import csv
import json
import random
import subprocess
import sys
import time

import pytest
from classroom.grading.conftest import linux
from classroom.grading.submitting import ROOT, hand_in, notebook

from course_lib.classroom.grading.journal import FILE, Journal
from course_lib.classroom.grading.submissions import Refused, content, find, student_name

STUDENTS = 5


@linux
def test_a_run_that_is_killed_again_and_again_comes_to_its_end(tmp_path, welcome):
    for number in range(STUDENTS):
        made = notebook("welcome", {"welcome-1": f"y_holds = {number}"})
        hand_in(tmp_path / "in", f"student{number:02}", made)
    command = [sys.executable, "-m", "course_lib.cli", "grade", str(tmp_path / "in")]
    command += ["--out", str(tmp_path / "out"), "--exercises", str(welcome), "--resume"]
    command += ["--jobs", "1", "--json"]
    moments = random.Random(3)
    begun = 0
    journal = tmp_path / "out" / FILE
    while begun < STUDENTS - 2:
        grader = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while begun == lines(journal) and time.monotonic() < until:
            time.sleep(0.02)
        time.sleep(moments.uniform(0, 0.3))
        grader.kill()
        grader.wait()
        begun = lines(journal)
        with open(journal, "ab") as file:
            file.write(b'{"key": "torn')  # as if it had been killed while it wrote
    told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True).stdout)
    assert told["submissions"] == STUDENTS and told["kept"] >= begun - 1
    text = (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig")
    students = [row["student"] for row in csv.DictReader(text.splitlines())]
    assert students == [f"student{number:02}" for number in range(STUDENTS)]
    assert len(list((tmp_path / "out" / "students").iterdir())) == STUDENTS


def lines(journal):
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def test_a_torn_line_costs_itself_alone(tmp_path):
    with Journal(tmp_path, resume=False) as journal:
        journal.add("a", {"n": 1})
        journal.add("a", {"n": 2})
    text = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(text + b"garbage\n" + b'{"key": "b", "row"')
    with Journal(tmp_path, resume=True) as journal:
        assert list(journal.keys()) == ["a"] and journal.row("a") == {"n": 1}
        journal.add("b", {"n": 3})
    with Journal(tmp_path, resume=True) as journal:
        assert journal.row("b") == {"n": 3} and len(journal) == 2
    with Journal(tmp_path, resume=False) as journal:
        assert len(journal) == 0


# ---- what was handed in --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "student"),
    [
        ("ada_00_welcome.ipynb", "ada"),
        ("ada-welcome.ipynb", "ada"),
        ("00_welcome.ipynb", "00_welcome"),
        ("Ada Lovelace.ipynb", "Ada Lovelace"),
        ("ada.IPYNB", "ada"),
        ("ada.ipynb (1)", "ada"),
        ("a\x1b[31m\u202e.ipynb", "a\\x1b[31m\\u202e"),
    ],
)
def test_the_name_of_a_file_names_a_student(file, student):
    assert student_name(file, ["00_welcome", "welcome"]) == student


def test_links_and_pipes_are_never_opened(tmp_path):
    (tmp_path / "in" / "ada").mkdir(parents=True)
    secret = tmp_path / "secret.ipynb"
    secret.write_text("{}", encoding="utf-8")
    try:
        (tmp_path / "in" / "ada" / "a.ipynb").symlink_to(secret)
        (tmp_path / "in" / "grace").symlink_to(tmp_path)
    except OSError:
        pytest.skip("links need a right here")
    found = find(tmp_path / "in", [])
    assert [(one.student, bool(one.problem)) for one in found] == [("ada", False), ("grace", True)]
    with pytest.raises(Refused, match="a link"):
        content(found[0].path, 10)


@linux
def test_a_pipe_does_not_stop_the_grader(tmp_path):
    import os

    os.mkfifo(tmp_path / "a.ipynb")
    with pytest.raises(Refused, match="no ordinary file"):
        content(tmp_path / "a.ipynb", 10)
