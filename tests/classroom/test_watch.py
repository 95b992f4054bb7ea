"""`course watch`: a save is noticed once, when it is whole, and answered with the verdicts."""

import argparse
import json
from pathlib import Path

import pytest
from grading.submitting import copy_sets, place

from course_lib.classroom.commands import watch
from course_lib.classroom.sets import ExerciseSet

NAME = "ex00_welcome.ipynb"


@pytest.fixture
def handout(tmp_path):
    """A folder with the welcome exercises, as an instructor hands them out."""
    return copy_sets(tmp_path, "welcome")


def answer(path: Path, code: str) -> None:
    notebook = json.loads(path.read_bytes())
    notebook["cells"][place(notebook, "welcome-1")]["source"] = f"# Answer to welcome-1\n{code}"
    path.write_text(json.dumps(notebook), "utf-8")


def after(monkeypatch, *happenings):
    """Let these things happen between two looks, and Ctrl-C after the last."""
    waiting = iter(happenings)

    def sleep(_):
        happening = next(waiting, None)
        if happening is None:
            raise KeyboardInterrupt
        happening()

    monkeypatch.setattr(watch.time, "sleep", sleep)


def nothing():
    pass


def test_a_save_that_went_wrong_ends_nothing(handout, monkeypatch, capsys):
    whole = (handout / NAME).read_bytes()

    def save(data):
        return lambda: (handout / NAME).write_bytes(data)

    after(monkeypatch, nothing, save(whole[:99]), nothing, save(whole), nothing, nothing)
    assert watch.run(argparse.Namespace(set="welcome-1", folder=handout)) == 0
    shown = capsys.readouterr().out
    assert "is no notebook that can be read" in shown and "Save it again, and it is" in shown
    assert shown.count("welcome-1: not attempted") == 1


def test_a_save_is_judged_and_ctrl_c_ends_it(handout, monkeypatch, capsys):
    after(monkeypatch, nothing, lambda: answer(handout / NAME, "y_holds = 14.0"), nothing, nothing)
    assert watch.run(argparse.Namespace(set="welcome-1", folder=handout)) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Watching {handout / NAME}.") and shown.endswith("Stopped watching.\n")
    assert shown.count("✓ welcome-1: correct") == 1 and "welcome-2" not in shown
    assert "1 of 1 correct" in shown


def test_a_save_that_goes_on_is_left_to_finish_and_a_missing_file_is_no_save(tmp_path, monkeypatch):
    path = tmp_path / "ex00_a.ipynb"
    path.write_text("0")
    one = ExerciseSet({"set": "a"}, path, path, "")
    seen = []

    def write(text):
        return lambda: path.write_text(text)

    after(
        monkeypatch,
        *(nothing, write("half of"), write("all of it"), nothing, nothing),
        *(path.unlink, nothing, write("once more"), nothing, nothing),
    )
    with pytest.raises(KeyboardInterrupt):
        for _ in watch.wait_for_saves([one]):
            seen.append(path.read_text())
    assert seen == ["all of it", "once more"]
