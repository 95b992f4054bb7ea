"""An interrupted run goes on: no row is lost and none is there twice."""

import json
import os
import random
import subprocess
import sys
import time
from argparse import Namespace

import pytest
from grading.conftest import linux
from grading.submitting import ROOT, hand_in, lines_of, notebook, words

from course_grading.folder import Work
from course_grading.row import FILE, Journal
from course_grading.submissions import Refused, content, find
from course_lib import cli
from course_lib.classroom.commands import grade
from course_lib.classroom.stop import CLOCK
from course_lib.classroom.trouble import Trouble

STUDENTS = 5


@linux
def test_a_run_that_is_killed_again_and_again_comes_to_its_end(tmp_path, welcome):
    for number in range(STUDENTS):
        made = notebook("welcome", {"welcome-1": f"y_holds = {number}"})
        hand_in(tmp_path / "in", f"student{number:02}", made)
    command = [sys.executable, "-m", "course_lib.cli", *words(tmp_path, welcome)]
    command += ["--resume", "--json"]
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
    students = [row["student"] for row in lines_of(tmp_path / "out" / "grades.csv")]
    assert students == [f"student{number:02}" for number in range(STUDENTS)]
    assert len(list((tmp_path / "out" / "students").iterdir())) == STUDENTS


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "--resume goes on"),
        (RuntimeError("a mistake of the grader's"), 3, "RuntimeError: a mistake"),
    ],
)
def test_a_run_that_ends_early_names_the_way_on(tmp_path, capsys, monkeypatch, error, code, said):
    def ends(*_, **__):
        raise error

    monkeypatch.setattr(grade, "grade_folder", ends)
    assert cli.main(words(tmp_path, tmp_path)) == code
    told = capsys.readouterr().err
    assert said in told and "--resume" in told


def lines(journal):
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def test_a_torn_line_costs_itself_alone_a_row_has_its_key_and_a_folder_one_grader(tmp_path):
    with Journal(tmp_path, resume=False) as journal:
        journal.add("a", {"n": 1})
        journal.add("a", {"n": 2})
    text = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(text + b"garbage\n" + b'{"key": "b", "row"')
    with Journal(tmp_path, resume=True) as journal:
        assert list(journal.keys()) == ["a"] and journal.row("a") == {"n": 1}
        journal.add("b", {"n": 3})
    with Journal(tmp_path, resume=True) as journal:
        assert journal.row("b") == {"n": 3} and len([*journal.keys()]) == 2
    with Journal(tmp_path, resume=False) as journal:
        assert not [*journal.keys()]
    with Journal(tmp_path, resume=False) as first:
        first.add("a", {"n": 1})
        with pytest.raises(Trouble, match="another `grade` is writing into") as told:
            Journal(tmp_path, resume=False)
        assert told.value.exit_code == 2
        assert first.row("a") == {"n": 1}  # and what the first has written is untouched
    with Journal(tmp_path, resume=True) as second:
        assert list(second.keys()) == ["a"]


@pytest.mark.parametrize(
    ("file", "student"),
    [
        ("ada_ex00_welcome.ipynb", "ada"),
        ("ada-welcome.ipynb", "ada"),
        ("ex00_welcome.ipynb", "ex00_welcome"),
        ("Ada Lovelace.ipynb", "Ada Lovelace"),
        ("ada.IPYNB", "ada"),
        ("ada.ipynb (1)", "ada"),
    ],
)
def test_the_name_of_a_file_names_a_student(file, student, tmp_path):
    (tmp_path / file).write_bytes(b"{}")
    assert [one.student for one in find(tmp_path, ["ex00_welcome", "welcome"])] == [student]


@linux
def test_links_and_pipes_are_never_opened(tmp_path):
    (tmp_path / "in" / "ada").mkdir(parents=True)
    secret = tmp_path / "secret.ipynb"
    secret.write_text("{}", encoding="utf-8")
    (tmp_path / "in" / "ada" / "a.ipynb").symlink_to(secret)
    (tmp_path / "in" / "grace").symlink_to(tmp_path)
    found = find(tmp_path / "in", [])
    assert [(one.student, bool(one.problem)) for one in found] == [("ada", False), ("grace", True)]
    os.mkfifo(tmp_path / "a.ipynb")
    for path, said in ((found[0].path, "a link"), (tmp_path / "a.ipynb", "no ordinary file")):
        with pytest.raises(Refused, match=said):
            content(path, 10)


def test_a_reader_that_goes_away_is_no_failure(monkeypatch):
    def fails(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr("course_grading.self_test.self_test", fails)
    with pytest.raises(BrokenPipeError):
        grade.run(Namespace(self_test=True, json=False, sandbox="linux"))


def test_every_student_has_a_turn_and_no_more_than_a_share(tmp_path, course):
    for name, count in (("ada", 5), ("grace", 2)):
        for number in range(count):
            hand_in(tmp_path / "in", name, f"{name} {number}".encode(), f"{number}.ipynb")
    with Journal(tmp_path / "out", resume=False) as journal:
        work = Work(find(tmp_path / "in", []), course, journal)
        begun = []
        for key, content in work:
            begun.append(content.decode())
            long = course.limits.share / 2 if content.startswith(b"ada") else 0.1
            work.cost(key, {"cpu": 0.0, "wall": CLOCK * long})
    assert begun == ["ada 0", "grace 0", "ada 1", "grace 1"]
    left = [one.row for one in work.graded if one.row]
    assert [row["status"] for row in left] == ["not run"] * 3
    assert "150 seconds" in left[0]["reason"] and left[0]["review"]


def test_of_very_many_notebooks_the_rest_is_named(tmp_path):
    for number in range(70):
        hand_in(tmp_path, "ada", b"{}", f"{number:03}.ipynb")
    found = find(tmp_path, [])
    assert len(found) == 61
    (rest,) = [one for one in found if one.problem]
    assert rest.status == "not run" and "10 more notebooks were handed in" in rest.problem
