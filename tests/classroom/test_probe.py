"""Describing answers, the hostile ones too."""

import json
import random

import numpy as np
import pytest
from classroom.test_hostile_answers import Endless, Refusing, never, refuse

import course_lib as torch
from course_lib.classroom.probe import PLACES, Show, describe, probe

# Looks like a tensor until it is asked for its numbers.
LOOKS_LIKE_ONE = type("Looks", (), {"shape": (2,), "dtype": "float32", "tolist": refuse})
ENDLESS: list = []
ENDLESS.append(ENDLESS)


def leaf():
    return torch.tensor([[1.0, 2.0]], requires_grad=True)


DESCRIBED = {
    "an object that refuses everything": (Refusing(), {"kind": "object", "type": "Refusing"}),
    "an object that never answers": (Endless(), {"kind": "object", "type": "Endless"}),
    "what only looks like a tensor": (LOOKS_LIKE_ONE(), {"kind": "object", "type": "Looks"}),
    "an array, in order": (
        np.arange(6, dtype=np.int16).reshape(2, 3),
        {"values": [0, 1, 2, 3, 4, 5], "shape": [2, 3], "dtype": "int16"},
    ),
    "a tensor, with what a check compares": (
        leaf(),
        {
            **{"kind": "tensor", "shape": [1, 2], "dtype": "torch.float32"},
            **{"requires_grad": True, "values": [1.0, 2.0]},
        },
    ),
    "a node of the graph": ((leaf() * 2).grad_fn, {"kind": "node", "value": "MulBackward0"}),
    "a dtype": (torch.float32, {"kind": "name", "value": "torch.float32"}),
    "another dtype": (torch.int64, {"kind": "name", "value": "torch.int64"}),
    "a size, as a tuple": (torch.tensor([[1]]).shape, describe((1, 1))),
    "a float, to six digits": (0.1 + 0.2, describe(0.3)),
    "minus zero": (-0.0, {"value": 0.0}),
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_how_an_answer_is_described(name):
    value, expected = DESCRIBED[name]
    made = describe(value)
    assert str({key: made[key] for key in expected}) == str(expected)  # 0.0 is not -0.0
    assert set(made) == set(expected) or "kind" not in expected


@pytest.mark.parametrize(
    "huge",
    ["x" * 10**6, [0] * 10**6, {n: n for n in range(10**5)}, 1 << 10**6, [[[0] * 99] * 99]],
    ids=["text", "list", "dict", "number", "nested"],
)
def test_a_huge_answer_is_described_in_few_bytes(huge):
    assert len(json.dumps(describe(huge))) < 100 * PLACES
    assert len(json.dumps(describe(ENDLESS))) < 1000  # a list that contains itself


def test_an_expanded_array_is_read_without_copying_it():
    wide = np.broadcast_to(np.float32(1), (10**6, 10**6))
    data = describe(wide)
    assert (data["shape"], len(data["values"])) == ([10**6, 10**6], PLACES)


VALUES = [None, ..., True, 3, 2.5, 1j, "text", (1, 2), {"a": [1]}, np.eye(2), {1, 2}]
VALUES += [float("nan"), float("inf"), complex("nan"), np.array([np.inf])]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_a_description_survives_json_with_words_for_numbers_that_it_cannot_write(value):
    assert json.loads(json.dumps(describe(value), allow_nan=False)) == describe(value)


def test_describing_leaves_an_answer_a_tensor_and_its_graph_as_they_were():
    answer = [np.arange(3), {"a": 1}]
    describe(answer)
    assert answer[0].tolist() == [0, 1, 2] and answer[1] == {"a": 1}
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    result = (leaf * leaf).sum()
    node, version = result.grad_fn, leaf._version
    describe([leaf, result, node])
    result.backward()
    assert (result.grad_fn is node, leaf._version, leaf.grad.tolist()) == (True, version, [2, 4])


def test_the_seed_decides_what_a_check_draws_and_pythons_own_numbers_are_left_alone():
    draws = [Show("demo-1", seed).random.random() for seed in ("a", "a", "b")]
    assert draws[0] == draws[1] != draws[2]
    random.seed(1)
    expected = random.random()
    random.seed(1)
    probe(lambda show: show("n", show.random.random()), "demo-1")
    assert random.random() == expected


@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt, RecursionError])
def test_whatever_an_answer_raises_becomes_data(error):
    def look(show):
        show("first", 1)
        raise error("why")

    made = probe(look, "demo-1")
    assert made["error"]["type"] == error.__name__
    assert [entry["label"] for entry in made["entries"]] == ["first"]  # what was shown before


def test_an_error_without_end_has_no_text_and_one_points_at_the_students_line():
    class Unending(Exception):
        __str__ = never

    def look(show):
        raise Unending(Endless())

    assert probe(look, "demo-1")["error"]["message"] == ""
    names = {}
    exec("def answer():\n    x = 1\n    return x.y\n\ndef look(show):\n    answer()\n", names)
    assert probe(names["look"], "demo-1")["error"]["line"] == 3


def test_a_name_that_the_check_misses_is_told_from_one_that_the_answer_misses():
    names = {}
    exec("def wrong():\n    return nothing\n", names)
    exec("def first(show):\n    absent\n\ndef second(show):\n    wrong()\n", names)
    exec("def third(show):\n    show('all', [absent(n) for n in range(2)])\n", names)
    errors = [probe(names[name], "demo-1")["error"] for name in ("first", "second", "third")]
    assert [error.get("missing") for error in errors] == ["absent", None, "absent"]


@pytest.mark.parametrize(
    ("answer", "is_open"),
    [(..., True), ([1, ...], True), ([(1, ...), 2], True), ([(1, 0), 2], False), (ENDLESS, False)],
    ids=["dots", "in a list", "in a pair in a list", "none left", "a list in itself"],
)
def test_dots_that_are_left_in_an_answer_are_found(answer, is_open):
    names = {"answer": answer}
    exec("def look(show):\n    show('answer', len([answer]))", names)
    assert ("answer" in probe(names["look"], "set-1").get("unset", [])) is is_open
