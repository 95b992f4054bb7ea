"""From two descriptions to a word, and to what differs."""

import re

import numpy as np
import pytest
from test_theme import contrast

from course_lib.classroom.page import verdict_html, verdict_text
from course_lib.classroom.probe import describe
from course_lib.classroom.verdict import (
    CORRECT,
    NOT_ATTEMPTED,
    NOT_YET,
    RAISED,
    as_text,
    differences,
    judge,
)


def test_the_words_are_those_that_students_and_grading_scripts_know():
    words = (CORRECT, NOT_YET, NOT_ATTEMPTED, RAISED)
    assert words == ("correct", "not yet", "not attempted", "your code raised")


def entries(*names, values=None):
    """What a check shows under these names."""
    shown = zip(names, values or [1] * len(names), strict=True)
    made = [{"label": name, "value": describe(value)} for name, value in shown]
    return {"entries": made, "error": None}


def shown(value):
    return entries("answer", values=[value])


def several(*values):
    return entries(*(f"row {k}" for k in range(len(values))), values=values)


def failed(kind, message="", **more):
    where = {} if "missing" in more else {"line": 2, "code": "n()"}
    return {"entries": [], "error": {"type": kind, "message": message, **where, **more}}


RECORD = {
    "type": "write a function",
    "answers": ["double"],
    "solution": {"data": shown(6)},
    "stub": {"data": shown(None), "code": "def double(n):\n    # your code here\n    ..."},
    "wrong": [
        {"data": shown(9), "message": "You squared it."},
        {"data": failed("TypeError", "no"), "message": "Text does not add up."},
    ],
}


@pytest.mark.parametrize(
    ("data", "word", "message"),
    [
        (shown(6), CORRECT, ""),
        (shown(None), NOT_ATTEMPTED, "The result is still that of the cell"),
        (shown(...), NOT_ATTEMPTED, "What comes back still is `...`"),
        (shown(None) | {"unset": ["double"]}, NOT_ATTEMPTED, "There is still `...` in `double`"),
        (failed("NotImplementedError"), NOT_ATTEMPTED, "The answer still says"),
        (failed("NotImplementedError", "Cannot copy out of meta tensor; no data!"), RAISED, ""),
        (failed("NameError", missing="double"), NOT_ATTEMPTED, "There is no `double` yet"),
        (failed("NameError", missing="other"), NOT_YET, ""),
        (shown(9), NOT_YET, "You squared it."),
        (shown(7), NOT_YET, "The number is 1 too large."),
        (failed("TypeError", "no"), RAISED, ""),  # an error has many causes: see test_mistakes.py
        (failed("TypeError", "other"), RAISED, ""),
    ],
)
def test_the_word_and_the_message_follow_from_the_data(data, word, message):
    verdict = judge("demo-1", data, RECORD)
    assert verdict.word == word
    assert verdict.message[: len(message) or None] == message


def test_an_edit_that_changes_no_result_is_an_attempt():
    verdict = judge("demo-1", shown(None), RECORD, edited=True)
    assert verdict.word == NOT_YET and "does your function `return`" in verdict.message
    assert "as it was given" not in verdict.message  # a lesson may give another one than the record
    still_empty = shown(None) | {"unset": ["double"]}
    assert judge("demo-1", still_empty, RECORD, edited=True).word == NOT_ATTEMPTED
    half = shown(6) | {"unset": ["double"]}
    verdict = judge("demo-1", half, RECORD, edited=True)
    assert verdict.word == NOT_YET  # even where the check took the dots for false
    assert "There is still `...` in `double`" in verdict.differences[0]


def test_a_prediction_that_is_half_done_is_told_what_is_missing():
    stopped = {"error": {"type": "AttributeError", "message": "'ellipsis' object has no …"}}
    stub = shown(None)["entries"], ["one", "other"]
    record = RECORD | {"stub": {"data": {"entries": stub[0], "unset": stub[1]} | stopped}}
    for rows, unset, word in (
        (*stub, NOT_ATTEMPTED),
        (stub[0], ["other"], NOT_YET),
        (shown(6)["entries"], ["one", "other"], NOT_YET),
    ):
        verdict = judge("demo-1", {"entries": rows, "unset": unset} | stopped, record)
        assert verdict.word == word and f"still `...` in `{unset[0]}`" in verdict_text(verdict)
        assert "ellipsis" not in verdict_text(verdict)


def test_what_came_in_place_of_the_dots_is_not_called_unchanged():
    record = RECORD | {"stub": RECORD["stub"] | {"data": shown(None) | {"unset": ["double"]}}}
    for edited in (True, False):
        verdict = judge("demo-1", shown(None), record, edited=edited)
        assert verdict.word == NOT_YET and "cell as it was given" not in verdict.message


def test_an_error_of_the_check_or_of_the_bug_is_not_called_one_of_the_answer():
    data = shown(6) | {"error": {"type": "TypeError", "message": "float() wants a number"}}
    verdict = judge("demo-1", data, RECORD)
    said = "The check could not go on with what your answer gave it: TypeError: float() wants"
    assert verdict.word == NOT_YET and verdict.differences[0].startswith(said)
    assert said in verdict_text(verdict) and said in verdict_html(verdict)
    bug = {"data": failed("TypeError", "other"), "code": "def double(n):\n    return n()"}
    verdict = judge("demo-1", failed("TypeError", "other"), RECORD | {"stub": bug}, edited=True)
    assert verdict.word == RAISED and verdict.message.endswith("before you changed the cell.")


BUG = {
    "type": "fix the bug",
    "answers": ["rows"],
    "solution": {"data": several(1, 2, 3, 4, 5)},
    "stub": {"data": several(1, 2, 7, 4, 5), "code": "def rows():\n    return 7"},
    "wrong": [],
}


def test_every_row_says_whether_it_is_right_and_right_ones_take_no_room():
    verdict = judge("demo-1", several(1, 2, 3, 9, 5), BUG)
    assert verdict.marks == (True, True, True, False, True)
    assert "✓ row 2 → 3" in verdict_text(verdict) and "✗ row 3 → 9" in verdict_text(verdict)
    html = verdict_html(verdict)
    assert "4 of 5 rows are as they should be" in html
    assert html.index("row 3") < html.index("<details>") < html.index("row 0")


def test_a_bug_shows_what_goes_wrong_and_advice_stands_above_the_rows():
    verdict = judge("demo-1", several(1, 2, 7, 4, 5), BUG)
    assert verdict.word == NOT_ATTEMPTED and verdict.place == 2
    assert "this is what goes wrong" in verdict.message
    assert "✗ row 2 → 7\n        expected 3, yours is 7" in verdict_text(verdict)
    record = BUG | {"wrong": [{"data": several(0, 2), "message": "Twice.", "code": "x"}]}
    verdict = judge("demo-1", several(0, 2), record)
    for words in (verdict_text(verdict), verdict_html(verdict)):
        assert words.index("Twice.") < words.index("row 0")


def test_a_bug_that_raises_is_told_by_its_error_and_rows_that_are_missing_are_counted():
    for error, told in (
        (failed("RuntimeError", "no grad"), "goes wrong. RuntimeError: no grad in line 2"),
        (failed("RuntimeError", "no", missing=""), "wrong. The check stops: RuntimeError: no"),
    ):
        verdict = judge("demo-1", error, BUG | {"stub": {"data": error, "code": "x"}})
        text = " ".join(verdict_text(verdict).split())
        assert verdict.word == NOT_ATTEMPTED and told in text and "should show" not in text
    for rows, said in ((1, "1 value, here it shows 0"), (2, "2 values, here")):
        record = BUG | {"solution": {"data": several(*range(rows))}}
        assert said in judge("demo-1", several(*range(rows - 1)), record).differences[0]


DTYPE = "the dtype should be float32, yours is float64"


@pytest.mark.parametrize(
    ("expected", "yours", "sentences"),
    [
        (2, 3, ["expected 2, yours is 3"]),
        (2, 2.0, ["expected a value of type int, yours is a float"]),
        (True, 1, ["expected a value of type bool, yours is an int"]),
        ("a", "b", ["expected 'a', yours is 'b'"]),
        ([1, 2], [1], ["expected 2 items, yours has 1"]),
        ([1, [2]], [1, [3]], ["at [1][0]: expected 2, yours is 3"]),
        ({"a": 1}, {"a": 2}, ["at ['a']: expected 1, yours is 2"]),
        ({"a": 1}, {"b": 1}, ["key 0 differs: yours is 'b'"]),
        (
            np.zeros((2, 2), np.float32),
            np.array([[0, 0], [5, 0]], np.float32),
            ["first difference at [1, 0]: expected 0.0, yours is 5.0 (1 of 4 places differ)"],
        ),
        (
            np.zeros((2, 3), np.float32),
            np.zeros(3, np.float64),
            ["the shape should be (2, 3), yours is (3,)", DTYPE],
        ),
        (np.zeros(()), np.ones(()), ["expected 0.0, yours is 1.0"]),
    ],
)
def test_a_difference_says_where_it_is(expected, yours, sentences):
    assert differences(describe(expected), describe(yours)) == sentences


@pytest.mark.parametrize(
    ("expected", "yours"),
    [
        (1 / 3, 0.3333333),
        (float("nan"), float("nan")),
        (np.float32([1, 2]) / 3, np.float32([0.3333334, 0.6666667])),
        (np.array([1 + 2j]), np.array([1 + 2j])),
        (np.zeros((0, 3)), np.zeros((0, 3))),
    ],
)
def test_what_differs_by_rounding_alone_is_the_same(expected, yours):
    assert differences(describe(expected), describe(yours)) == []
    assert differences(describe(10**9), describe(10**9 + 1))  # integers are never rounded


def test_a_prediction_is_judged_without_giving_the_value_away_and_names_have_no_place():
    verdict = judge("demo-1", shown(7), RECORD | {"type": "predict"})
    assert verdict.differences == ["7 is not it"]
    ours, yours = describe(["a", "c"]), describe(["b", "c"])
    assert differences(ours, yours, hide=True) == ["at least one of these names is not it"]
    assert differences(ours, yours) == ["'b' does not belong there"]
    assert differences(ours, describe(["a"]), hide=True) == ["expected 2 items, yours has 1"]
    assert differences(describe([]), describe(["a"]), hide=True) == ["['a'] is not it"]


def test_what_is_shown_after_wrong_rows_or_not_at_all_is_told():
    right = several(2, 3, 4)
    stopped = several(-2, -3) | {"error": failed("KeyError", line=1)["error"]}
    verdict = judge("demo-1", stopped, RECORD | {"solution": {"data": right}, "wrong": []}, True)
    assert "with the other sign" in verdict.message and verdict.word == RAISED
    record = RECORD | {"solution": {"data": entries("a", "b")}}
    (said,) = judge("demo-1", entries("b"), record).differences
    assert said == "your answer gave the check nothing to show as “a”"
    (said,) = judge("demo-1", entries("other"), record).differences
    assert said.startswith("the check should not show “other” here; if you changed its cell, copy")


@pytest.mark.parametrize(
    "value", [6, None, 9, [1], "<script>alert(1)</script>", failed("ValueError", "a < b")]
)
def test_every_page_names_the_verdict_in_words_and_no_colour_is_hard_to_read(value):
    data = value if isinstance(value, dict) else shown(value)
    verdict = judge("demo-1", data, RECORD)
    text, html = verdict_text(verdict), verdict_html(verdict)
    assert f"demo-1: {verdict.word}" in text and f"demo-1: {verdict.word}" in html
    assert "<script" not in html
    for style in re.findall(r'style="([^"]*)"', html):
        for colour in re.findall(r"(?<!-)color: (#\w+)", style):  # a text brings its own ground
            (ground,) = re.findall(r"background-color: (#\w+)", style)
            assert contrast(colour, ground) >= 4.5
        for line in re.findall(r"border(?:-left)?: [^;]*(#\w+)", style):
            assert min(contrast(line, ground) for ground in ("#ffffff", "#111111")) >= 3


HELPED = RECORD | {
    "hints": ["Look at `x`.", "Double it."],
    "solution": RECORD["solution"] | {"code": "x = a < b\n"},
    "explanation": "It is **so**.",
}


@pytest.mark.parametrize(
    ("expected", "given", "framed"),
    [
        (np.arange(6).reshape(2, 3), np.array([[0, 1, 2], [3, 4, 6]]), [[5], [6]]),
        ([1, 2], [1, 2, 3], [[], [3]]),
        ([[1], [2, 3]], [[1], [2, 3.5]], [[3], [3.5]]),
        (np.arange(3.0), np.arange(3), None),  # the dtypes differ, and no cell
        (6, 7, None),
        (np.zeros(11), np.ones(11), None),
    ],
)
def test_what_differs_is_drawn_beside_what_is_expected(expected, given, framed):
    record = HELPED | {"solution": HELPED["solution"] | {"data": shown(expected)}}
    verdict = judge("demo-1", shown(given), record)
    drawn = re.split("expected<table|yours<table", verdict_html(verdict, record))[1:]
    if framed is None:
        assert not drawn
    else:
        cells = [re.findall(r"bold[^>]*>([^<]*)</td>", table) for table in drawn]
        assert [list(map(float, row)) for row in cells] == framed
    kept_back = judge("demo-1", shown(given), record | {"type": "predict"})
    assert not kept_back.expected and '<td style="border' not in verdict_html(kept_back, record)


def test_help_is_folded_below_a_verdict_and_each_step_inside_the_one_before():
    html = verdict_html(judge("demo-1", shown(9), HELPED), HELPED)
    steps = re.findall(r"<summary>(Hint \d of 2|A solution)</summary>", html)
    assert steps == ["Hint 1 of 2", "Hint 2 of 2", "A solution"]
    assert html.endswith("</details></details></details></div>")
    assert "<pre>x = a &lt; b</pre><p>It is <strong>so</strong>.</p>" in html
    assert "gives a hint" not in html  # which needs typing
    assert "<summary>Hint" not in verdict_html(judge("demo-1", shown(6), HELPED), HELPED)
    kept = HELPED | {"solution": {"data": HELPED["solution"]["data"]}}
    html = verdict_html(judge("demo-1", shown(9), kept), kept)
    assert html.count("<summary>") == 2 and "A solution" not in html


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1,), "(1,)"),
        ([1, "a", None], "[1, 'a', None]"),
        (np.arange(4).reshape(2, 2), "[[0, 1], [2, 3]], shape (2, 2), int64"),
        (np.zeros((2, 0), bool), "[[], []], shape (2, 0), bool"),
        (np.zeros(5000, np.uint8), "[" + "0, " * 12 + "…], shape (5000,), uint8"),
        (1 << 999, "a number of 1000 bits"),
        (object(), "an object of type object"),
    ],
)
def test_a_value_reads_on_one_line(value, text):
    assert as_text(describe(value)) == text
