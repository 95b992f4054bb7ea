"""Predictions in a handout: nobody reads them there, and checks say what they always say."""

import copy
import json
from pathlib import Path

import pytest

from course_lib.classroom.probe import describe
from course_lib.classroom.sealed import Unsealable, open_record, seal_record
from course_lib.classroom.verdict import GUESSED, judge

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "exercises/.records").glob("*.json"))


def shows(*values):
    """What a check shows that shows these values."""
    entries = [{"label": f"x{n}", "value": describe(value)} for n, value in enumerate(values)]
    return {"entries": entries, "error": None}


def record(*values, wrong=()):
    return {
        "type": "predict",
        "answers": ["x"],
        "solution": {"data": shows(*values)},
        "stub": {"code": "x = ...", "data": shows(...)},
        "wrong": [{"data": shows(*given), "message": message} for given, message in wrong],
    }


def guessed(path):
    """The predictions of a set, as a handout has them before they are sealed."""
    for name, one in json.loads(path.read_text(encoding="utf-8"))["questions"].items():
        if one["type"] in GUESSED:
            wrong = [{key: each[key] for key in ("data", "message")} for each in one["wrong"]]
            yield name, one | {"wrong": wrong}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_verdict_is_the_same_from_a_sealed_record_of_which_nothing_can_be_read(path):
    for name, clear in guessed(path):
        shut = json.loads(json.dumps(seal_record(clear, "salt")))
        shown = [clear["solution"]["data"], clear["stub"]["data"]]
        shown += [wrong["data"] for wrong in clear["wrong"]]
        for data in shown:
            assert judge(name, data, shut, True) == judge(name, data, clear, True)
        text = json.dumps([shut["solution"], shut["wrong"]])
        assert '"value": ' not in text.replace('"value": {', "")
        assert not any(wrong["message"] in text for wrong in clear["wrong"])


@pytest.mark.parametrize(
    ("right", "guess", "word"),
    [
        (1 / 3, 0.333333, "correct"),
        (0.1 + 0.2, 0.3, "correct"),
        (99999.5, 99999.9, "correct"),
        (0.0, 1e-7, "correct"),
        (1 / 3, 0.3334, "not yet"),
        (float("nan"), 0.0, "not yet"),
        ([1, [2.5, "a"]], [1, [2.5, "a"]], "correct"),
        ([1, [2.5, "a"]], [1, [2.5, "b"]], "not yet"),
        ([1, 2], [1], "not yet"),
        (3, 3.0, "not yet"),
        (2 + 1j, 2 + 1j, "correct"),
        ({"a": 1}, {"a": 1}, "correct"),
        ({"a": 1}, {"a": 2}, "not yet"),
    ],
)
def test_a_guess_is_judged_as_in_clear(right, guess, word):
    clear = record(right)
    for one in (clear, seal_record(clear, "salt")):
        assert judge("d-1", shows(guess), one).word == word


def test_a_tensor_is_sealed_value_by_value_and_none_cannot_be_told_from_its_kind():
    import course_lib as torch

    right, wrong = torch.tensor([1.5, 2.5]), torch.tensor([1.5, 2.0])
    shut = seal_record(record(right), "salt")
    assert "2.5" not in json.dumps(shut)
    assert judge("d-1", shows(right), shut).word == "correct"
    (said,) = judge("d-1", shows(wrong), shut).differences
    assert said == "first difference at [1]: 2.0 is not it (1 of 2 places differ)"
    shut = seal_record(record([None, 3]), "salt")
    assert "None" not in json.dumps(shut["solution"]) and '"int"' not in json.dumps(shut)
    assert judge("d-1", shows([None, 3]), shut).word == "correct"
    assert judge("d-1", shows([3, None]), shut).differences == ["at [0]: 3 is not it"]


def test_equal_values_have_different_digests_no_guess_is_changed_no_graph_sealed():
    shut, guess = seal_record(record([1, 2]), "salt"), shows([1, 3])
    before = copy.deepcopy((shut, guess))
    judge("d-1", guess, shut)
    assert (shut, guess) == before
    items = seal_record(record([7, 7]), "salt")["solution"]["data"]["entries"][0]["value"]["items"]
    assert items[0]["digest"] != items[1]["digest"]
    clear = record(1)
    clear["solution"]["data"]["entries"][0]["value"] = {"kind": "graph", "nodes": []}
    with pytest.raises(Unsealable):
        seal_record(clear, "salt")


def test_a_message_opens_for_its_own_guess_alone_and_explains_a_place_as_in_clear():
    shut = seal_record(
        record(3, wrong=[((4,), "One less: it is three."), ((5,), "Two less.")]), "s"
    )
    messages = [wrong["message"] for wrong in open_record(shut, shows(4))["wrong"]]
    assert messages == ["One less: it is three.", ""]
    wrong = [(([1, 7],), "The first is right. But 7 counts twice."), (([9, 2],), "No.")]
    clear = record([1, 2], wrong=wrong)
    shut = json.loads(json.dumps(seal_record(clear, "salt")))
    assert "twice" not in json.dumps(shut)
    for guess in ([5, 7], [5, 8], [9, 7]):
        assert judge("d-1", shows(guess), shut) == judge("d-1", shows(guess), clear)
    assert judge("d-1", shows([5, 7]), shut).message == "7 counts twice."
