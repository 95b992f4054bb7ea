"""When start.py makes the environment, and how."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

MAKE, UPDATE, NOTHING = ["venv", "ensurepip", "install"], ["ensurepip", "install"], []


# ---- when it works and when it leaves alone -----------------------------------------------------


def moved(course):
    stamp = json.loads(Path(course.start.STAMP).read_text())
    stamp["location"] = "/elsewhere/.venv"
    Path(course.start.STAMP).write_text(json.dumps(stamp))


def pandas_of_the_students_own(course):
    info = course.site / "pandas-3.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("")


# What happens between two starts, and the steps of the second one.
BETWEEN = {
    "nothing": (lambda course: None, NOTHING),
    "changed pins": (lambda course: course.pin("course", "1.1"), UPDATE),
    "an interrupted installation": (lambda course: os.remove(course.start.STAMP), MAKE),
    "a half-written stamp": (
        lambda course: Path(course.start.STAMP).write_text('{"location": "/ho'),
        MAKE,
    ),
    "a stamp of another shape": (lambda course: Path(course.start.STAMP).write_text("[]"), MAKE),
    "a truncated file": (lambda course: (course.site / "demo.py").write_text(""), MAKE),
    "a lost package": (lambda course: shutil.rmtree(course.site / "demo-1.0.dist-info"), MAKE),
    "a package that the student added": (pandas_of_the_students_own, NOTHING),
    "a moved folder": (moved, MAKE),
}


@pytest.mark.parametrize("what", BETWEEN)
def test_the_second_start_does_what_is_needed(course, what):
    happens, steps = BETWEEN[what]
    assert course.steps_of("course") == MAKE
    happens(course)
    assert course.steps_of("course") == steps


def test_test_tools_are_added_to_the_environment_that_is_there_and_serve_the_course(course):
    course.steps_of("course")
    assert course.steps_of("test") == UPDATE
    assert course.steps_of("course") == NOTHING


def test_python_that_went_away_is_noticed(course, monkeypatch):
    course.steps_of("course")
    monkeypatch.setattr(course.start, "environment_python", lambda: None)
    assert course.start.find_damage(course.start.read_stamp())


def test_failed_update_leaves_the_finished_environment_usable(course, monkeypatch):
    course.steps_of("course")

    def refuse(command):
        raise course.start.Stop("no network")

    monkeypatch.setattr(course.start, "work", refuse)
    with pytest.raises(course.start.Stop):
        course.start.prepare("test")
    monkeypatch.setattr(course.start, "work", course.work)
    assert course.steps_of("course") == NOTHING


# ---- how it works -------------------------------------------------------------------------------


@pytest.mark.parametrize("uv", [True, False])
def test_hashes_are_required_with_uv_which_is_used_where_it_works_and_with_pip(course, uv):
    course.uv = uv
    course.steps_of("course")
    assert "--require-hashes" in course.steps[-1]
    assert not uv or [step[0] for step in course.steps] == ["uv", "uv"]


def test_environment_can_be_remade_by_its_own_python(course, monkeypatch):
    monkeypatch.setattr(sys, "executable", course.start.PYTHON)
    monkeypatch.setattr(sys, "_base_executable", "/usr/bin/python3")
    course.steps_of("course")
    assert course.steps[0][0] == "/usr/bin/python3"


def test_package_is_found_through_a_path_that_is_plain_ascii(course):
    course.steps_of("course")
    line = (course.site / "course_lib.pth").read_bytes().decode("ascii").strip()
    assert (course.site / line).resolve() == course.folder.resolve()


def test_paths_of_another_python_do_not_leak_in(course, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/opt/robots")
    assert "PYTHONPATH" not in course.start.environment_variables()


def test_every_check_runs_and_one_failure_fails_the_whole(course, monkeypatch):
    seen = []

    def run(command, folder=None):
        seen.append(command)
        return 1 if "ruff" in command else 0

    monkeypatch.setattr(course.start, "run", run)
    assert course.start.run_checks(["-x"]) == 1
    assert [command[2] for command in seen] == ["ruff", "ruff", "mypy", "pytest"]
    assert seen[-1][-1] == "-x"
    course.start.run_checks([])
    assert seen[-1][3:] == ["-n", str(course.start.WORKERS), "--dist", "loadfile"]


# ---- the website --------------------------------------------------------------------------------


def test_the_site_has_an_environment_of_its_own(course, monkeypatch):
    course.pin("site", "1.0")
    course.site = course.folder / ".venv-site/lib/python3.11/site-packages"
    handed = []
    (course.folder / "site").mkdir()
    (course.folder / "site/build.py").write_text("parse = list\n")
    monkeypatch.setattr(course.start, "hand_over", lambda command: handed.append(command) or 0)
    assert course.start.main(["site", "--out", "public"]) == 0
    assert handed[0][0].startswith(str(course.folder / ".venv-site"))
    assert handed[0][-3:] == [str(course.folder / "site/build.py"), "--out", "public"]
    assert not (course.folder / ".venv").exists()
    assert "requirements/site.txt" in Path(course.steps[-1][-1]).as_posix()
