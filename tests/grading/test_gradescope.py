"""The autograder for Gradescope: its zip file is unpacked and run as Gradescope does it."""

import json
import os
import subprocess
import sys
import zipfile

import pytest
from grading.conftest import linux
from grading.submitting import WRONG, hand_in, notebook

from course_grading import row
from course_grading.gradescope import results
from course_lib import cli


@pytest.fixture(scope="module")
def autograder(tmp_path_factory, welcome):
    """The folder /autograder of a container, with the Python of the tests in place of its own."""
    root = tmp_path_factory.mktemp("autograder")
    path = root / "welcome.zip"
    words = ["export", "--gradescope", "welcome", str(path), "--exercises", str(welcome)]
    assert cli.main(words) == 0
    with zipfile.ZipFile(path) as archive:
        archive.extractall(root / "source")
    python = root / "course" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    return root


def graded(root, submission):
    """What Gradescope reads after it has run the autograder on a folder."""
    (root / "results" / "results.json").unlink(missing_ok=True)
    (root / "submission").unlink(missing_ok=True)
    (root / "submission").symlink_to(submission)
    env = {"PATH": os.environ["PATH"], "HOME": str(root), "AUTOGRADER": str(root)}
    run = ["bash", str(root / "source" / "run_autograder")]
    done = subprocess.run(run, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))


@linux
def test_a_hand_in_gets_its_points_and_its_feedback(autograder, tmp_path):
    made = notebook("welcome", {"welcome-3": WRONG["code"]})
    hand_in(tmp_path, "any folder", made, "my answers (1).ipynb")
    found = graded(autograder, tmp_path)
    assert found["score"] == 11 - 2 and found["execution_time"] > 0
    scores = {one["name"].split()[0]: (one["score"], one["max_score"]) for one in found["tests"]}
    assert scores["welcome-3"] == (0, 2) and scores["welcome-5"] == (3, 3)
    (wrong,) = [one for one in found["tests"] if one["status"] == "failed"]
    assert WRONG["message"] in wrong["output"] and wrong["visibility"] == "visible"


@linux
def test_what_is_no_notebook_gets_a_sentence_and_no_points(autograder, tmp_path):
    hand_in(tmp_path, ".", b"%PDF", "answers.pdf")
    found = graded(autograder, tmp_path)
    assert (found["score"], len(found["tests"])) == (0, 1)
    assert "hand in the .ipynb file itself" in found["output"]
    assert found["tests"][0]["visibility"] == "hidden"


def test_the_zip_file_is_what_gradescope_wants_and_always_the_same(welcome, tmp_path):
    for name in ("one.zip", "two.zip"):
        words = ["export", "--gradescope", "welcome", str(tmp_path / name)]
        assert cli.main([*words, "--exercises", str(welcome)]) == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        modes = {name: archive.getinfo(name).external_attr >> 16 for name in names}
        assert archive.read("requirements.txt").startswith(b"numpy==")
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    assert "exercises/.records/welcome.json" in names and "course_lib/cli.py" in names
    assert not [name for name in names if "__pycache__" in name or "_content" in name]
    assert [name for name in names if "/.records/" in name] == ["exercises/.records/welcome.json"]


def test_only_instructors_see_why_a_person_is_needed_and_what_waits_has_no_score():
    facts = {"status": "graded", "points": 3, "reason": "", "notes": [], "questions": []}
    found = results(facts | {"review": ["welcome-1: it uses `ctypes`"]}, {})
    (hidden,) = found["tests"]
    assert (hidden["visibility"], hidden["output"]) == ("hidden", "welcome-1: it uses `ctypes`")
    assert "ctypes" not in found["output"]
    waiting = row.by_hand("demo-why", 3, [[1, "Because."]])
    made = {"status": row.GRADED, "reason": "", "review": [], "notes": [], "questions": [waiting]}
    (test,) = results(made | row.total([waiting]), {})["tests"]
    assert "score" not in test and test["output"] == "… for a person"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--gradescope", "welcome", "target"], "should end in .zip"),
        (["--gradescope", "no_such_set", "x.zip"], "there is no set no_such_set"),
        (["--otter", "solutions", "x", "--unsafe"], "go with --gradescope"),
    ],
)
def test_words_that_cannot_be_meant_end_with_2(words, told, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["export", *words]) == 2
    assert told in capsys.readouterr().err and not list(tmp_path.iterdir())
