"""A product of two vectors through a table: ``x1 @ weight @ x2`` for each output."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.words import errors

__all__ = ["bilinear"]

# Which letters stand for batch (b), output (o), first (i) and second (j) input.
LETTERS = ("bi", "oij", "bj", "bo")


def product_of(*places: int) -> Any:
    """Declare the sum of products of three of the four, which gives the fourth (last) one."""
    one, two, three, out = (LETTERS[p] for p in places)
    first, second, third, last = places

    @op(
        kind="promote",
        layout="contiguous",
        method=False,
        name="_trilinear" if last == 3 else f"_trilinear_{last}",
        node="TrilinearBackward0",
        operands=("i1", "i2", "i3"),
        i1=lambda grad, i2, i3: PRODUCTS[first](*ordered({last: grad, second: i2, third: i3})),
        i2=lambda grad, i1, i3: PRODUCTS[second](*ordered({last: grad, first: i1, third: i3})),
        i3=lambda grad, i1, i2: PRODUCTS[third](*ordered({last: grad, first: i1, second: i2})),
    )
    def product(i1, i2, i3):
        found = np.einsum(f"{one},{two},{three}->{out}", i1, i2, i3, optimize=True)
        return np.ascontiguousarray(found)

    return product


def ordered(operands: dict[int, Any]) -> list[Any]:
    """The operands in the order of the letters."""
    return [operands[place] for place in sorted(operands)]


PRODUCTS = {last: product_of(*(p for p in range(4) if p != last), last) for last in range(4)}


def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Tensor:
    """``x1 @ weight[k] @ x2`` for each k, plus a bias.

    >>> x = torch.tensor([[1., 2.]])
    >>> torch.nn.functional.bilinear(x, x, torch.ones(1, 2, 2))
    tensor([[9.]])
    """
    errors.check_bilinear(input1, input2, weight, bias)
    shape = input1._array.shape[:-1]
    one = input1.view(math.prod(shape), input1._array.shape[-1])
    two = input2.view(math.prod(shape), input2._array.shape[-1])
    found: Tensor = PRODUCTS[3](one, weight, two).view((*shape, weight._array.shape[0]))
    return found if bias is None else found + bias
