"""The rules that films tell: each gives the number that the function has sent."""

import pytest

from course_lib.viz.reading.backward import watch
from course_lib.viz.reading.rules import RULES, SUMMED, describe_rule

PROGRAMS = {
    "AbsBackward0": lambda lib, a, b, m: a.abs(), "AddBackward0": lambda lib, a, b,
    m: lib.add(a, b, alpha=3), "AddmmBackward0": lambda lib, a, b, m: lib.addmm(m, m, m),
    "AmaxBackward0": lambda lib, a, b, m: a.amax(), "BmmBackward0": lambda lib, a, b,
    m: m.unsqueeze(0).bmm(m.unsqueeze(0)), "CloneBackward0": lambda lib, a, b, m: a.clone(),
    "CosBackward0": lambda lib, a, b, m: a.cos(), "DivBackward0": lambda lib, a, b, m: a / b,
    "DotBackward0": lambda lib, a, b, m: a.dot(b), "ExpBackward0": lambda lib, a, b, m: a.exp(),
    "ExpandBackward0": lambda lib, a, b, m: a.expand(3, 2), "LinalgVectorNormBackward0": lambda lib,
    a, b, m: a.norm(), "Log1PBackward0": lambda lib, a, b, m: b.log1p(), "LogBackward0": lambda lib,
    a, b, m: b.log(), "LogSoftmaxBackward0": lambda lib, a, b, m: m.log_softmax(-1),
    "LogsumexpBackward0": lambda lib, a, b, m: m.logsumexp(1), "MaskedFillBackward0": lambda lib, a,
    b, m: a.masked_fill(a > 0, 0.0), "MeanBackward0": lambda lib, a, b, m: m.mean(),
    "MmBackward0": lambda lib, a, b, m: m @ m, "MseLossBackward0": lambda lib, a, b,
    m: lib.nn.functional.mse_loss(a, b), "MulBackward0": lambda lib, a, b, m: a * m,
    "MvBackward0": lambda lib, a, b, m: m @ a, "NegBackward0": lambda lib, a, b, m: -a,
    "PowBackward0": lambda lib, a, b, m: a**3, "PowBackward1": lambda lib, a, b, m: b**a,
    "ProdBackward0": lambda lib, a, b, m: a.prod(), "ReciprocalBackward0": lambda lib, a, b,
    m: b.reciprocal(), "ReluBackward0": lambda lib, a, b, m: a.relu(), "RsqrtBackward0": lambda lib,
    a, b, m: b.rsqrt(), "RsubBackward1": lambda lib, a, b, m: 1 - a, "SelectBackward0": lambda lib,
    a, b, m: m[-1], "SigmoidBackward0": lambda lib, a, b, m: a.sigmoid(),
    "SinBackward0": lambda lib, a, b, m: a.sin(), "SliceBackward0": lambda lib, a, b, m: m[:, 1:],
    "SoftmaxBackward0": lambda lib, a, b, m: m.softmax(-1), "SqrtBackward0": lambda lib, a, b,
    m: b.sqrt(), "SqueezeBackward1": lambda lib, a, b, m: m[:1].squeeze(0),
    "SubBackward0": lambda lib, a, b, m: a - b, "SumBackward0": lambda lib, a, b, m: a.sum(),
    "SumBackward1": lambda lib, a, b, m: m.sum(0), "TBackward0": lambda lib, a, b, m: m.t(),
    "TanhBackward0": lambda lib, a, b, m: a.tanh(), "TransposeBackward0": lambda lib, a, b,
    m: m.transpose(-1, 0), "UnsqueezeBackward0": lambda lib, a, b, m: a.unsqueeze(0),
    "ViewBackward0": lambda lib, a, b, m: m.view(4), "WhereBackward0": lambda lib, a, b,
    m: lib.where(a > 0, a, b),
}  # fmt: skip
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
    output = PROGRAMS[name](lib, a, b, m)
    gradient = lib.linspace(1, 2, output.numel()).reshape(output.shape)
    step = watch(output, gradient)[0][0]
    assert output.grad_fn.name().endswith(name)
    assert step.sent and all(sent.rule for sent in step.sent)


def test_a_rule_that_gives_another_number_is_not_told(lib):
    x = lib.tensor(3.0, requires_grad=True)
    assert describe_rule((x * x).grad_fn, "MulBackward0", 0, lib.tensor(1.0), lib.tensor(4.0)) == ""


def test_a_sum_over_what_was_repeated_is_part_of_the_rule(lib, x):
    step = watch(lib.ones(3, 2) * x, lib.ones(3, 2))[0][0]
    assert step.sent[0].rule.startswith(f"gradient · self{SUMMED}")


def test_a_negative_number_stands_in_brackets(lib):
    x = lib.tensor(-2.0, requires_grad=True)
    (step, *_), _ = watch(x * x)
    assert step.sent[0].rule == "gradient · other = 1. · (-2.) = -2."
