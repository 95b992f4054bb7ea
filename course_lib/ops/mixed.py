"""Operators between a tensor and something that is neither tensor nor number.

PyTorch's operators answer `NotImplemented` then, so that Python asks the other side.  A NumPy array
computes with the tensor's memory and hands its result to `__array_wrap__`: ``x * a`` is a tensor in
NumPy's dtype.  Two go another way: ``==`` takes an array as a tensor, and ``a / x`` is
``x.reciprocal() * a``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts.kinds import NUMBERS
from course_lib.forms.methods import attach
from course_lib.ops import arithmetic, compare, logic, powers  # noqa: F401 (they attach the operators)
from course_lib.ops.numpy_bridge import over

__all__: list[str] = []

WRITING = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
WRITING += ("lshift", "rshift")
OPERAND = (Tensor, *NUMBERS)


plain_equal = Tensor.__eq__


def equal_operator(self: Tensor, other: Any) -> Any:
    """``self == other``, element by element."""
    return plain_equal(self, over(other) if isinstance(other, np.ndarray) else other)


def writing(plain: Callable) -> Callable:
    """An in-place operator that leaves to others what it does not know."""

    def method(self: Tensor, other: Any) -> Any:
        return plain(self, other) if isinstance(other, OPERAND) else NotImplemented

    return method


def divided(self: Tensor, other: Any) -> Any:
    """``other / self``."""
    if isinstance(other, (*OPERAND, np.ndarray)):
        return arithmetic.reciprocal(self) * other
    return NotImplemented


def same(self: Tensor) -> int:
    """A tensor's hash is its identity, though `==` compares elements."""
    return id(self)


attach(
    {
        f"__i{n}__": writing(getattr(Tensor, f"__i{n}__"))
        for n in WRITING
        if f"__i{n}__" in Tensor.__dict__
    }
)
attach({"__eq__": equal_operator, "__rtruediv__": divided, "__hash__": same})
