"""What is said about a wrong answer that no record knows is a fact about its data."""

import random

import numpy as np
import pytest

import course_lib as torch
from course_lib.classroom.near import observation
from course_lib.classroom.probe import describe


def shown(*values):
    return {"entries": [{"label": f"row {k}", "value": describe(v)} for k, v in enumerate(values)]}


def said(expected, yours, hide=False):
    return observation(shown(expected), shown(yours), (False,), hide)


MATRIX = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("expected", "yours", "words"),
    [
        (2, None, "`None` where a value is expected"),
        (2, 2.0, "in the form of a float, not of an int"),
        (2.0, torch.tensor(2.0), "`.item()`"),
        (2, print, "a function in place of its result"),
        (torch.ones(2), torch.ones(2, requires_grad=True), "What differs is `requires_grad`."),
        (MATRIX, MATRIX.astype(int), "What differs is `dtype`."),
        (MATRIX, MATRIX[None], "one dimension of size 1 is too many"),
        (MATRIX, MATRIX.reshape(6), "only the shape is not"),
        (MATRIX, MATRIX.T, "transpose"),
        ([1, 2, 4], [4, 2, 1], "in reverse order"),
        ([1, 2, 4], [2, 1, 4], "in another order"),
        ([1, 2, 4], [1, 2], "but at the end one is missing."),
        (MATRIX, MATRIX.sum(0), "One dimension is missing"),
        (2.0, MATRIX, "Several numbers"),
        ([1, 2, 4], [-1, -2, -4], "the other sign"),
        ([1, 2, 4], [4, 5, 7], "3 too large"),
        ([1, 2, 4], [3, 6, 12], "3 times the expected"),
        (8.0, 2.0, "1/4 of the expected"),
        ([1.5, 2.5], [2.25, 6.25], "the square of"),
        ([1.0, 2.0], [1.0, float("nan")], "a `nan`"),
        ([1, 2, 4], [1, 2, 9], "except the last"),
        ([1, -2, 4], [1, 2, 4], "except those that should be negative"),
        ("Even", "even ", "but for capitals or spaces"),
        (torch.ones(2), (torch.ones(2),), "inside a tuple with one item"),
        ([0.5, 0.25], [50.0, 25.0], "100 times the expected"),
        ([100.0, 200.0], [100.5, 200.0], "close to the expected one, off by no more than 0.5 %"),
        ([True, False], [True, True], "All truth values are right except the last"),
        (["a", "b"], ["a", "b", "c"], "at least one that does not belong there"),
        ([[1], [2]], [[1], [2, 3], [4]], "too many items"),
        ([1.5, 2.5], [torch.tensor(1.5), torch.tensor(2.5)], "the items are tensors, not floats"),
        ([True, False], [None, None], "`None` where a value is expected"),
        ((2, 3), tuple("(2, 3)"), "single letters of a text"),
        (["a", "b"], ["a"], "All the names there are right"),
        (["a", "b"], ["a", "c"], "At least one name is missing"),
    ],
)
def test_a_fact_is_told(expected, yours, words):
    assert words in said(expected, yours)


def test_a_fact_of_all_rows_comes_before_one_of_the_first():
    marks = (False, False)
    rows = [MATRIX, MATRIX[:1]]  # whose transposes are a row and a column
    told = observation(shown(*rows), shown(*(row.T for row in rows)), marks)
    assert told.startswith("In every row marked ✗, it is the transpose")
    told = observation(shown(1.0, 2.0), shown(9.0, float("nan")), marks)
    assert "every row" not in told
    told = observation(shown([1, 2, 3], [4, 6]), shown([3, 2, 1], [6, 4]), marks)
    assert told == "In every row marked ✗, the numbers are right, but in reverse order."
    told = observation(shown([1, 2, 3], [4, 6]), shown([3, 2, 1], [0, 1]), marks)
    assert told.startswith("In the first row marked ✗, the numbers")


@pytest.mark.parametrize(
    ("expected", "yours", "words"),
    [
        ([True, True, False], [False, False, False], "`False` comes too often"),
        ([True, False, False], [False, True, False], "The mistakes go both ways"),
        ([True, False], [False, True], "Each truth value is the opposite of the expected one."),
    ],
)
def test_truth_values_in_rows_are_told_apart_from_the_rows_that_are_right(expected, yours, words):
    marks = tuple(map(bool.__eq__, expected, yours))
    assert words in observation(shown(*expected), shown(*yours), marks)


def test_one_truth_value_in_a_row_is_not_called_the_opposite():
    marks = (False, False)
    assert "opposite" not in observation(shown(True, True), shown(False, False), marks)
    assert observation(shown(1j, 3), shown(True, True), marks) == ""  # no bool is expected there
    ours, yours = ([True, False], [True, True]), ([False, True], [False, False])
    assert "ach truth value is the opposite" in observation(shown(*ours), shown(*yours), marks)


def test_what_is_to_be_predicted_is_kept_back():
    assert said(["a", "b"], ["a", "c"], hide=True) == ""
    assert said([*"abcd"], [*"abde"], hide=True) == ""  # three are right, whatever their places
    assert said([1, 2, 4], [2, 4, 8], hide=True) == said(2, 3, hide=True) == ""
    assert said([1, 2, 4, 8], [1, 3, 9, 27], hide=True) == "1 of the 4 items is right."
    assert said([1, 2], [2, 1], hide=True) == said([1, 2, 4], [1, 3, 9], hide=True) == ""


def test_what_is_told_of_random_numbers_is_true():
    draw = random.Random(5)
    for _ in range(2000):
        ours = [draw.randint(-3, 3) for _ in range(draw.randint(1, 4))]
        yours = [draw.randint(-3, 3) for _ in range(len(ours))]
        told = said(ours, yours) if ours != yours else ""
        pairs = [*zip(ours, yours, strict=True)]
        holds = {
            "in reverse order": yours == ours[::-1],
            "in another order": sorted(ours) == sorted(yours),
            "the other sign": all(o == -y for o, y in pairs),
            "too large": all(y > o for o, y in pairs),
            "too small": all(y < o for o, y in pairs),
            " 2 times": all(y == 2 * o for o, y in pairs),
            " 1/2 of": all(2 * y == o for o, y in pairs),
            "except the last": ours[:-1] == yours[:-1],
            "except the first.": ours[1:] == yours[1:],
            "is 0": not any(yours),
        }
        assert all(true for words, true in holds.items() if words in told), (ours, yours, told)


def test_a_node_is_called_by_a_name_or_by_none():
    def graph(name):
        return {"entries": [{"label": "g", "value": {"kind": "graph", "nodes": [[name, []]]}}]}

    said = observation(graph("AddBackward0"), graph("[on](https://x.org)"), (False,))
    assert said == "The graph has a node of your own in place of `AddBackward0`."
