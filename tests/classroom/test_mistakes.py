"""No message explains a mistake that the student did not make."""

import json
from pathlib import Path

import pytest

from course_lib.classroom.mistakes import message_for, parts
from course_lib.classroom.verdict import judge

RECORDS = sorted(Path(__file__).parents[2].glob("exercises/.records/*.json"))
NOTHING = {"entries": [{"label": "x", "value": {"kind": "None"}}], "error": None}
RAISED = {"entries": [], "error": {"type": "RuntimeError", "message": "no"}}


def wrong(code, data, message="your mistake"):
    return {"code": f"def f(x):\n    {code}", "data": data, "message": message}


def recorded(*answers):
    right = {"kind": "int", "value": 2}
    solution = {"entries": [{"label": "x", "value": right}], "error": None}
    code = "def f(x):\n    x.sum().backward()\n    return x.grad"
    return {"solution": {"code": code, "data": solution}, "wrong": [*answers]}


@pytest.mark.parametrize("data", [NOTHING, RAISED])
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("y = x.sum(); y.backward(); return y.grad", True),
        ("z = x.sum()\n    z.backward()\n    return z.grad", True),  # other names, the same mistake
        ("y = x.sum(); return x.grad", False),
        ("y = x.mean(); y.backward(); return y.grad", False),
        ("y = x.sum(); y.requires_grad = True; y.backward(); return y.grad", False),
        ("y = (", False),
    ],
)
def test_what_has_many_causes_needs_the_code_too(data, source, told):
    known = wrong("y = x.sum(); y.backward(); return y.grad", data)
    found = message_for(data, recorded(known), [known], f"def f(x):\n    {source}")
    assert bool(found) is told


def test_numbers_say_enough_unless_the_code_is_that_of_another_mistake():
    data = {"entries": [{"label": "x", "value": {"kind": "int", "value": 9}}], "error": None}
    one = wrong("return x.sum() + 1", data, "one too many")
    other = wrong("return x.prod() * 3", NOTHING, "a product")
    record = recorded(one, other)
    for code, told in (("x.sum() + 1", True), ("3 * 3", True), ("x.prod() * 3", False)):
        assert bool(message_for(data, record, [one], f"def f(x):\n    return {code}")) is told


def test_code_that_nobody_knows_leaves_it_to_the_data():
    known = wrong("return None", NOTHING)
    assert message_for(NOTHING, recorded(known), [known], "") == ""


def questions():
    for path in RECORDS:
        for name, record in json.loads(path.read_text(encoding="utf-8"))["questions"].items():
            yield pytest.param(name, record, id=name)


@pytest.mark.parametrize(("name", "record"), [*questions()])
def test_every_recorded_mistake_has_its_own_message_and_no_other_code_gets_it(name, record):
    for mine in record["wrong"]:
        said = judge(name, mine["data"], record, True, mine["code"]).message
        assert said == mine["message"]
        for other in record["wrong"]:
            if parts(other["code"]) != parts(mine["code"]):
                told = judge(name, mine["data"], record, True, other["code"]).message
                assert told != mine["message"] or other["message"] == told, other["code"]
