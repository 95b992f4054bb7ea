"""`check`, `hint` and `solution`, as a notebook calls them."""

import io
import json
import sys

import pytest

from course_lib.classroom import check, hint, hints, solution
from course_lib.classroom.check import recording
from course_lib.classroom.probe import describe


def shown(value):
    return {"entries": [{"label": "two", "value": describe(value)}], "error": None}


QUESTION = {
    "type": "puzzle",
    "answers": ["two"],
    "solution": {"code": "two = 2", "data": shown(2)},
    "stub": {"data": shown(...), "code": "two = ..."},
    "wrong": [{"data": shown(3), "message": "One too many."}],
    "hints": ["Count.", "Count to the number after one."],
    "explanation": "One and one.",
}


def as_record(question):
    return json.dumps({"schema": 1, "questions": {"lonely-1": question}})


@pytest.fixture(autouse=True)
def beside_a_record(tmp_path, monkeypatch):
    """A working folder with the record of one question, `lonely-1`."""
    (tmp_path / ".records").mkdir()
    path = tmp_path / ".records" / "lonely.json"
    path.write_text(as_record(QUESTION), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for switch in ("NBGRADER_EXECUTION", "COURSE_GRADE"):
        monkeypatch.delenv(switch, raising=False)
    monkeypatch.setattr("course_lib.classroom.hints._shown", {})
    return path


@pytest.mark.parametrize(
    ("two", "said"),
    [(2, "correct"), (3, "One too many."), (4, "expected 2, yours is 4"), (..., "not attempted")],
)
def test_a_check_displays_its_verdict(capsys, two, said):
    check("lonely-1")(lambda show: show("two", two))
    assert said in capsys.readouterr().out


def test_a_check_that_nobody_released_shows_the_data_and_a_recording_nothing(capsys):
    check("lonely-9")(lambda show: show("two", 2))
    out = capsys.readouterr().out
    assert "two → 2" in out and "there is no question lonely-9" in out
    with recording("course") as book:
        check("lonely-1")(lambda show: show("two", 2))
    assert capsys.readouterr().out == "" and book == {"lonely-1": shown(2)}


def test_a_name_that_the_top_makes_is_no_mistake_of_the_answer(capsys, beside_a_record):
    for above, said in (("import helping", "at the top of this notebook"), ("x = 1", "not yet")):
        question = QUESTION | {"cells": [["", above], ["answer", "two = 2"]]}
        beside_a_record.write_text(as_record(question), encoding="utf-8")
        check("lonely-1")(lambda show: show("two", helping(2)))  # noqa: F821
        assert said in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": 1, "questions": {"lonely-1": 3}}'])
def test_a_damaged_record_is_said_to_be_one(capsys, beside_a_record, content):
    beside_a_record.write_text(content, encoding="utf-8")
    check("lonely-1")(lambda show: show("two", 2))
    said = " ".join(capsys.readouterr().out.split())  # the text is wrapped, and paths are long
    assert "release the set again" in said


@pytest.mark.parametrize(
    ("ours", "nbgraders", "raises"),
    [
        *((value, "", True) for value in ("1", "yes", "on", "true", " 1 ", "oui", "nbval")),
        *((value, "", False) for value in ("", " ", "0", "no", "No", "off", "FALSE", "0 ")),
        ("", "autograde", True),
        ("0", "autograde", True),  # nbgrader's switch counts whatever ours says
    ],
)
def test_a_grader_sees_an_error(monkeypatch, tmp_path, ours, nbgraders, raises):
    monkeypatch.setenv("COURSE_GRADE", ours)
    monkeypatch.setenv("NBGRADER_EXECUTION", nbgraders)
    if raises:
        with pytest.raises(AssertionError, match="(?s)lonely-1: not yet.*One too many"):
            check("lonely-1")(lambda show: show("two", 3))
        with pytest.raises(AssertionError, match="there is no question lonely-9"):
            check("lonely-9")(lambda show: show("two", 2))
    else:
        assert check("lonely-1")(lambda show: show("two", 3)).word == "not yet"
    assert check("lonely-1")(lambda show: show("two", 2)).word == "correct"
    assert (tmp_path / ".course").exists() is not raises  # grading is nobody's progress


def test_a_terminal_without_the_symbols_still_shows_the_words(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", terminal)
    check("lonely-1")(lambda show: show("two", 2))
    terminal.flush()
    assert b"lonely-1: correct" in terminal.buffer.getvalue()


def test_hints_come_one_at_a_time_and_a_solution_with_its_explanation(capsys, monkeypatch):
    outs = []
    for _ in range(3):
        hint("lonely-1")
        outs.append(capsys.readouterr().out)
    assert "Hint 1 of 2" in outs[0] and "Hint 2 of 2" in outs[1]
    assert 'solution("lonely-1")' in outs[2]
    hint("lonely-1", 2)
    assert "after one" in capsys.readouterr().out
    solution("lonely-1")
    out = capsys.readouterr().out
    assert "two = 2" in out and "One and one." in out
    monkeypatch.setattr(hints, "find", lambda question: {"hints": []})
    hint("demo-1")
    assert capsys.readouterr().out == "demo-1 has no hints.\n"


@pytest.mark.parametrize("helper", [hint, solution])
@pytest.mark.parametrize("name", ["Lonely1", "lonely-2", "nowhere-1", "nonsense", "", 3, None])
def test_a_wrong_name_gets_an_answer_and_no_error(capsys, helper, name):
    helper(name)
    out = capsys.readouterr().out
    assert len(out) > 20 and ("did you mean lonely-1?" in out) == (name == "Lonely1")
