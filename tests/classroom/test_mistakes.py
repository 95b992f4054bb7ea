"""No message explains a mistake that the student did not make."""

import json
import re
from pathlib import Path

import pytest

import course_lib as torch
from course_lib.classroom.mistakes import EXPLAINED, explain_error, message_for, parts, without_code
from course_lib.classroom.verdict import judge

RECORDS = sorted(Path(__file__).parents[2].glob("exercises/.records/*.json"))
RAISED = {"entries": [], "error": {"type": "RuntimeError", "message": "no"}}


def wrong(code, data, message="your mistake"):
    return {"code": f"def f(x):\n    {code}", "data": data, "message": message}


def shows(*values):
    entries = [{"label": "x", "value": value} for value in values]
    return {"entries": entries, "error": None}


NOTHING = shows({"kind": "None"})
NINE = shows({"kind": "int", "value": 9})


def recorded(*answers):
    solution = shows({"kind": "int", "value": 2})
    code = "def f(x):\n    x.sum().backward()\n    return x.grad"
    stub = {"code": "def f(x):\n    ...", "data": {"entries": [], "error": None}}
    return {"solution": {"code": code, "data": solution}, "stub": stub, "wrong": [*answers]}


@pytest.mark.parametrize("data", [NOTHING, RAISED])
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("y = x.sum(); y.backward(); return y.grad", True),
        ("z = x.sum()\n    z.backward()\n    return z.grad", True),  # other names, the same mistake
        ("y = x.sum(); return x.grad", False),
        ("y = x.sum(); y.backward; return y.grad", False),
        ("y = x.mean(); y.backward(); return y.grad", False),
        ("y = x.sum(); y.requires_grad = True; y.backward(); return y.grad", False),
        ("y = (", False),
    ],
)
def test_what_has_many_causes_needs_the_code_too(data, source, told):
    known = wrong("y = x.sum(); y.backward(); return y.grad", data)
    found = message_for(data, recorded(known), [known], f"def f(x):\n    {source}")
    assert bool(found) is told


def told(code, data, record, known):
    """The message for an answer that gives this back."""
    return message_for(data, record, known, f"def f(x):\n    return {code}")


def test_numbers_say_enough_unless_the_code_is_that_of_another_mistake():
    one, other = wrong("return x.sum() + 1", NINE), wrong("return x.prod() * 3", NOTHING)
    for code, enough in (("x.sum() + 1", True), ("3 * 3", True), ("x.prod() * 3", False)):
        assert bool(told(code, NINE, recorded(one, other), [one])) is enough
    both = wrong("return x[1:]", NINE, "first"), wrong("return x.narrow(0)", NINE, "second")
    for code, said in (("x[1:]", "first"), ("x.narrow(0)", "second"), ("x.sum()", "first")):
        assert told(code, NINE, recorded(*both), [*both]) == said


def test_a_bug_that_shows_what_it_showed_is_explained_by_code_that_the_message_fits():
    known = wrong("return x.data", NINE, "data shares")
    record = recorded(known) | {"stub": {"code": "def f(x):\n    return x", "data": NINE}}
    for code, said in (("x.data", "data shares"), ("x.detach()", "")):
        assert told(code, NINE, record, [known]) == said
    flat = wrong("return x.flatten()", NINE, "`flatten` leaves one dimension: `stack` them.")
    first = wrong("return x[0] + 1", NINE, "`x[0]` is the first only; see `t[0]`.")
    either = wrong("return x if x else 3", NINE, "`if` asks for one truth value.")
    for known, alike in ((flat, "x.flatten()"), (first, "1 + x[ 0 ]"), (either, "1 if x else x")):
        for one in (known, without_code(known)):
            assert told(alike, NINE, recorded(known), [one])
            assert not told("torch.cat([*x])", NINE, recorded(known), [one])


def test_a_few_truth_values_are_no_pattern_and_unknown_code_leaves_it_to_the_data():
    for count, enough in ((4, False), (8, True)):
        data = shows(*({"kind": "bool", "value": place % 3 == 0} for place in range(count)))
        known = wrong("return x.sum() > 1", data)
        assert bool(told("x > 1", data, recorded(known), [known])) is enough
    for value in ({"kind": "list", "items": []}, {"kind": "float", "value": "nan"}):
        known = wrong("return x.log()", shows(value))
        assert not told("x / 0", shows(value), recorded(known), [known])
    known = wrong("return None", NOTHING)
    assert message_for(NOTHING, recorded(known), [known], "") == ""


def questions():
    for path in RECORDS:
        for name, record in json.loads(path.read_text(encoding="utf-8"))["questions"].items():
            yield pytest.param(name, record, id=name)


def leaf():
    return torch.tensor([1.0, 2.0], requires_grad=True)


RAISING = [
    lambda: float([1]),
    lambda: [float(size) for size in "2, 3"],
    lambda: float("two"),
    lambda: " ".join(None),
    lambda: " ".join([1]),
    lambda: list(2),
    lambda: [1].items(),
    lambda: leaf().grad.zero_(),
    lambda: list(None),
    lambda: 2 + [1],
    lambda: exec("def f(): n += 1\nf()", {}),
    lambda: exec("def f(): f()\nf()", {}),
    lambda: torch.arange(2).mul_(0.5),
    lambda: torch.zeros(10**15),
    lambda: torch.ones(2)[::-1],
    lambda: (lambda pair: [a + b for a, b in [pair]])((1, 2, 3)),
    lambda: true,  # noqa: F821
    lambda: len([1])(2),
    lambda: [1].item(),
    lambda: (torch.ones(2) == torch.ones(2).mode()).float(),
    lambda: torch.nn.functional.crossentropy(1, 2),
    lambda: torch.tensor(1.0).base,
    lambda: setattr(torch.nn.Module.__new__(torch.nn.Module), "part", torch.nn.ReLU()),
    lambda: list(zip([1], [], strict=True)),
    lambda: no_such_name,  # noqa: F821
    lambda: torch.ones(2, 2) > torch.ones(2, 2).max(dim=0),
    lambda: leaf().sum(dim=0, keep_dim=True),
    lambda: leaf().transpose(1),
    lambda: leaf.__call__(1, 2),
    lambda: torch.ones(2, 3) + torch.ones(2, 4),
    lambda: torch.stack([torch.ones(2), torch.ones(3)]),
    lambda: torch.ones(2, 3).t().view(-1),
    lambda: torch.ones(6).view(4, 2),
    lambda: torch.arange(2).requires_grad_(),
    lambda: setattr(leaf() * 2, "requires_grad", False),
    lambda: torch.cdist(torch.ones(2, 2).long(), torch.ones(2, 2).long()),
    lambda: torch.ones(2, 2) @ torch.ones(3, 2),
    lambda: torch.ones(2).item(),
    lambda: bool(torch.ones(2)),
    lambda: torch.ones(2)[3],
    lambda: torch.ones(2).sum(dim=2),
    lambda: torch.tensor(1.0).backward(),
    lambda: leaf().zero_(),
    lambda: leaf().exp().add_(1).sum().backward(),
    lambda: leaf().exp().backward(),
    lambda: [loss.backward() for loss in [leaf().exp().sum()] * 2],
]


@pytest.mark.parametrize(("said", "code"), [*zip(EXPLAINED, RAISING, strict=True)])
def test_each_error_that_is_explained_reads_as_python_and_pytorch_say_it(said, code):
    with pytest.raises(Exception, match=said) as caught:
        code()
    message = str(caught.value)
    assert said == next(one for one in EXPLAINED if re.fullmatch(one, message, re.DOTALL))
    told = explain_error({"message": message})
    assert told.endswith((".", "?")) and "{" not in told


def test_a_name_of_pytorch_is_offered_only_if_there_is_one():
    for name, told in (("stack", True), ("fourteen", False), ("classroom", False)):
        for line, is_text in ((f"[{name}, 2]", True), (f"({name} ** 2).sum()", False)):
            said = explain_error({"message": f"name '{name}' is not defined", "code": line})
            assert ("If it is a text, it needs quotes" in said) is is_text
            assert (f"`torch.{name}`" in said) is told


def test_a_prediction_with_two_known_mistakes_hears_of_the_first_and_nothing_untrue():
    path = next(path for path in RECORDS if path.stem == "numpy")
    record = json.loads(path.read_text(encoding="utf-8"))["questions"]["numpy-1"]
    numbers = [{"kind": "float", "value": float(n)} for n in (50, 50, 5, 50, 5)]
    data = shows({"kind": "list", "items": numbers})
    data["entries"][0]["label"] = record["solution"]["data"]["entries"][0]["label"]
    said = judge("numpy-1", data, record, True).message
    assert said == "`torch.tensor` always copies, so `b` has numbers of its own."


@pytest.mark.parametrize(("name", "record"), [*questions()])
def test_every_recorded_mistake_has_its_own_message_and_no_other_code_gets_it(name, record):
    for mine in record["wrong"]:
        said = judge(name, mine["data"], record, True, mine["code"]).message
        assert said == mine["message"]
        for other in record["wrong"]:
            if parts(other["code"]) != parts(mine["code"]):
                told = judge(name, mine["data"], record, True, other["code"]).message
                assert told != mine["message"] or other["message"] == told, other["code"]
