"""Arithmetic with a number, as PyTorch's own functions do it.

A student's ``x + 1`` records an `AddBackward0` whose second edge is empty.  Inside PyTorch's
losses and norms, the same sum takes a tensor and a number: `AddBackward1`, with one edge.
"""

from __future__ import annotations

from typing import Any

from course_lib.declare.op import op

__all__: list[str] = []


def with_number(node: str, slope: Any, kind: str = "number") -> Any:
    """Declare an operation of a tensor and a number; `slope` is its gradient."""
    facts = {"method": False, "inplace": False, "holomorphic": True}
    return op(kind=kind, node=node, self=slope, **facts)


@with_number("AddBackward1", lambda grad: grad)
def plus(self: Any, number: Any) -> Any:
    return self + number


@with_number("MulBackward1", lambda grad, number: times(grad, number))
def times(self: Any, number: Any) -> Any:
    return self * number


@with_number("DivBackward1", lambda grad, number: over(grad, number), "float")
def over(self: Any, number: Any) -> Any:
    return self / number
