"""The rules that films tell: each gives the number that the function has sent."""

from pathlib import Path

import pytest

from course_lib.viz.reading.backward import watch
from course_lib.viz.reading.rules import RULES, describe_rule

# A function of a graph, and what makes it.
ROWS = Path(__file__).with_name("rules.txt").read_text(encoding="utf-8").splitlines()
PROGRAMS = dict(row.split(" ", 1) for row in ROWS)
# the same rule as another one has, or a form that only one of the two libraries makes
ALIKE = {
    "ReshapeAliasBackward0",
    "RsubBackward0",
    "SqueezeBackward0",
    "ToCopyBackward0",
    "UnsafeViewBackward0",
}


def test_every_rule_is_tried():
    assert set(PROGRAMS) | ALIKE == set(RULES)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_rule_gives_what_was_sent(lib, name):
    a = lib.tensor([-1.5, 2.0], requires_grad=True)
    b = lib.tensor([0.5, 3.0], requires_grad=True)
    m = lib.tensor([[1.0, -2.0], [0.5, 4.0]], requires_grad=True)
    output = eval(PROGRAMS[name], {"lib": lib, "a": a, "b": b, "m": m})
    gradient = lib.linspace(1, 2, output.numel()).reshape(output.shape)
    step = watch(output, gradient)[0][0]
    assert output.grad_fn.name().endswith(name)
    assert step.sent and all(sent.rule for sent in step.sent)


def test_a_rule_that_gives_another_number_is_not_told(lib):
    x = lib.tensor(3.0, requires_grad=True)
    assert describe_rule((x * x).grad_fn, "MulBackward0", 0, lib.tensor(1.0), lib.tensor(4.0)) == ""


def test_a_negative_number_stands_in_brackets(lib):
    x = lib.tensor(-2.0, requires_grad=True)
    (step, *_), _ = watch(x * x)
    assert step.sent[0].rule == "gradient · other = 1. · (-2.) = -2."
