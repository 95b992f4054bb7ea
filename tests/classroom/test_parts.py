"""The parts of a lesson that the reader builds: trials, and solutions to show."""

import numpy as np
import pytest

from course_lib.classroom import content, expect, parts, solution, stop


def said(capsys, wanted, compute):
    expect("it", wanted, compute)
    return capsys.readouterr().out.removesuffix("\n")


@pytest.mark.parametrize(
    ("wanted", "compute"),
    [
        (2, lambda: 2.0),
        ([1, 2], lambda: np.array([1.0, 2.0])),
        ([[1], None], lambda: [np.ones(1), None]),
        ("label", lambda: "label"),
        (None, lambda: None),
        (RuntimeError, lambda: "".no_such_name if False else exec("raise RuntimeError")),
        (Exception, lambda: 1 / 0),
    ],
)
def test_what_is_wanted_gets_a_tick(capsys, wanted, compute):
    assert said(capsys, wanted, compute) == "✓ it"


@pytest.mark.parametrize(
    ("wanted", "compute", "difference"),
    [
        (2, lambda: 3, "expected 2, yours is 3"),
        ([1, 2], lambda: [1], "expected 2 items, yours has 1"),
        ([28, 42], lambda: [28, 41], "at [1]: expected 42, yours is 41"),
        (2, lambda: None, "expected 2, yours is None. Does your function `return` something?"),
        (2, lambda: 1 / 0, "your code raised ZeroDivisionError: division by zero"),
        (ValueError, lambda: 1 / 0, "your code raised ZeroDivisionError: division by zero"),
        (ValueError, lambda: 1, "expected ValueError, and no error was raised"),
    ],
)
def test_what_differs_is_said(capsys, wanted, compute, difference):
    assert said(capsys, wanted, compute) == f"not yet: it: {difference}"


def part():
    return {}["a"]


def test_an_error_in_a_part_is_told_with_its_line(capsys):
    line = part.__code__.co_firstlineno + 1
    where = f'in line {line} of its cell: return {{}}["a"]'
    told = said(capsys, 2, lambda: part())
    assert told == f"not yet: it: your code raised KeyError: 'a', {where}"


def test_a_trial_that_does_not_end_is_stopped(capsys, monkeypatch):
    def endless():
        while True:
            pass

    monkeypatch.setattr(parts, "SECONDS", 0.2)
    monkeypatch.setattr(stop, "CLOCK", 1500.0)  # on a crowded machine 0.2 seconds take long
    assert said(capsys, 2, endless) == (
        "not yet: it: it was stopped after 0.2 seconds of computing. "
        "Does it repeat something too often, or for ever?"
    )


def test_a_solution_of_a_part_is_shown_on_request(capsys, tmp_path, monkeypatch):
    solution("own_autograd-unbroadcast")
    shown = capsys.readouterr().out
    assert "def unbroadcast(grad, shape):" in shown and "np.sum" in shown
    assert "SOLUTION" not in shown
    for name in ("own_autograd-nothing", "nothing-run", "../x-1", "own_autograd"):
        assert parts.solve_part(name) == ""
    monkeypatch.setattr(content, "root", lambda: tmp_path)
    (tmp_path / "notebooks").mkdir()
    for text in ("{", "{}", "[]", '{"cells": [{}]}'):  # no notebook any more
        (tmp_path / "notebooks/21_own_autograd.ipynb").write_text(text)
        assert parts.solve_part("own_autograd-unbroadcast") == ""
