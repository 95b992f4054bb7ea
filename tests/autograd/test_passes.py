"""Whole backward passes: nodes called by hand, hooks, anomalies, inference."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import Function


def tracked(*values: float) -> Any:
    return torch.tensor([*map(float, values)], requires_grad=True)


# ---- anomalies -----------------------------------------------------------------------------------


def test_an_anomaly_shows_what_induced_it() -> None:
    class Inner(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * float("nan")

    class Outer(Inner):
        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return Inner.apply(grad)

    with torch.autograd.set_detect_anomaly(True):
        x, start = tracked(1), tracked(1)
        (grad,) = torch.autograd.grad(Outer.apply(x), x, start, create_graph=True)
        with (
            pytest.warns(UserWarning, match="induced by OuterBackward"),
            pytest.warns(UserWarning, match="Error detected in InnerBackward"),
            pytest.raises(RuntimeError, match="'InnerBackward' returned nan values"),
        ):
            grad.backward()


@pytest.mark.parametrize("wrong", [0.0, float("nan")], ids=["overwritten", "a NaN arrives"])
def test_the_mode_around_backward_alone_finds_the_node_but_not_its_line(wrong: float) -> None:
    root = tracked(4).sqrt()
    start = torch.tensor([1 + wrong])
    if not wrong:
        root += 1
    with (
        torch.autograd.set_detect_anomaly(True),
        pytest.warns(UserWarning, match="in SqrtBackward0. No forward pass information available"),
        pytest.raises(RuntimeError, match="returned nan values" if wrong else "is at version 1"),
    ):
        root.backward(start)


def test_a_mode_that_has_ended_warns_no_more() -> None:
    with torch.autograd.set_detect_anomaly(True):
        root = tracked(4).sqrt()
    root += 1
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(RuntimeError, match="is at version 1"):
            root.backward()
    assert not caught


@pytest.mark.filterwarnings("error")
def test_where_warnings_are_errors_the_anomaly_is_still_the_error(capsys: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = torch.tensor(-1.0, requires_grad=True).sqrt()
        with pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan values"):
            y.backward()
    assert "UserWarning: Error detected in SqrtBackward0" in capsys.readouterr().err
