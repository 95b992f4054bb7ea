"""Small operations that gradients are made of: zeros, masks, arithmetic with a number."""

import operator
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.words import errors

WORDS = {2: np.int16, 4: np.int32, 8: np.int64}  # as wide as a floating number
# An operation that no student calls by its name.
inner = partial(op, kind="same", method=False, inplace=False)


def zero_outside(values: Any, mask: Any) -> Any:
    """`values` where `mask` is true and 0 elsewhere, even where they are inf or nan.

    `np.where` branches on the mask for each element, and a processor mispredicts a random mask half
    of the time.  And-ing a number's bits with all ones or all zeros needs no branch, and takes a
    fortieth of the time.
    """
    word = WORDS.get(values.itemsize) if values.dtype.kind == "f" else None
    plain = values.__class__ is mask.__class__ is np.ndarray and mask.flags.c_contiguous
    if word is None or not plain or mask.shape != values.shape:
        return np.where(mask, values, values.dtype.type(0))[()]
    result = np.empty(values.shape, values.dtype)
    bits = np.negative(mask.view(np.int8), out=result.view(word))  # True: -1, which is all ones
    np.bitwise_and(values.view(word), bits, out=bits)
    return result


@inner()
def blank(self):
    """Zeros like `self`: the gradient of a function that is flat almost everywhere."""
    return np.zeros_like(self)


@inner(
    node="WhereBackward0",
    saves=("mask",),
    layout="contiguous",
    self=lambda grad, mask: keep_at(grad, mask),
    other=lambda grad, mask: keep_at(grad, negated(mask)),
)
def chosen(self, other, mask):
    """`self` where `mask` is true, else `other`."""
    if other.__class__ is int and other == 0:
        return zero_outside(self, mask)
    return np.where(mask, self, other)[()]


def keep_at(values: Any, mask: Any) -> Any:
    """`values` where `mask` is true and 0 elsewhere, even where they are inf or nan."""
    return chosen(values, 0, mask)


negated = operator.invert  # of a mask


def is_complex(value: Any) -> bool:
    """Whether a tensor or an array holds complex numbers."""
    return bool(value._dtype.is_complex if isinstance(value, Tensor) else value.dtype.kind == "c")


def no_gradient(what: str) -> Any:
    """Instead of a gradient, the sentence that the course does not have it."""
    raise NotImplementedError(errors.absent(f"the gradient of {what}"))


def refuse_gradient(name: str) -> Any:
    """The formula of an operation whose gradient PyTorch cannot differentiate."""

    def formula(grad: Any) -> Any:
        raise RuntimeError(errors.no_derivative(name))

    return formula


# ---- with a number -------------------------------------------------------------------------------

# A student's ``x + 1`` records an `AddBackward0` whose second edge is empty.  Inside PyTorch's
# losses and norms, the same sum takes a tensor and a number: `AddBackward1`, with one edge.
with_number = partial(inner, kind="all")


@with_number(node="AddBackward1", self=lambda grad: grad)
def plus(self, number):
    return self + number


@with_number(node="MulBackward1", self=lambda grad, other: times(grad, other))
def times(self, other):
    return self * other


@with_number(kind="float", node="DivBackward1", self=lambda grad, other: over(grad, other))
def over(self, other):
    return self / other
