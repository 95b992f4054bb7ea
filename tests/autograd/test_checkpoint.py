"""Checkpoints: the same gradients, for less memory and more time."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import course_lib as torch
from course_lib.utils.checkpoint import checkpoint


def leaf() -> Any:
    return torch.tensor([0.5, 1.0], requires_grad=True)


# ---- checkpoints within checkpoints --------------------------------------------------------------


def wrapped(function: Any) -> Any:
    return lambda *args: checkpoint(function, *args, use_reentrant=False)


def gradient(function: Any) -> Any:
    def gives(x: Any) -> Any:
        (found,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
        return found

    return gives


class Mark:
    """Hung on a node, to see it go."""


@pytest.mark.parametrize(
    "nest",
    [
        lambda f, c: c(c(f)),
        lambda f, c: gradient(c(c(f))),
        lambda f, c: gradient(c(gradient(c(f)))),
        lambda f, c: c(gradient(gradient(c(f)))),
    ],
    ids=["twice", "its gradient", "gradients between", "gradients inside"],
)
def test_checkpoints_and_gradients_nest_and_leave_no_cycle(nest: Any) -> None:
    def function(x: Any) -> Any:
        return x.sin().exp().sin()

    gc.collect()
    gc.disable()
    try:
        found = nest(function, wrapped)(leaf())
        values, mark = found.tolist(), Mark()
        node, found.grad_fn.metadata["mark"] = weakref.ref(mark), mark
        del found, mark
        assert node() is None
    finally:
        gc.enable()
    assert values == pytest.approx(nest(function, lambda f: f)(leaf()).tolist())
