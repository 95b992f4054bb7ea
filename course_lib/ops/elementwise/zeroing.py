"""Small operations that gradients are made of: zeros everywhere, or where a mask says so."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.words import errors

__all__: list[str] = []

WORDS = {2: np.int16, 4: np.int32, 8: np.int64}  # as wide as a floating number


def kept(values: Any, mask: Any) -> Any:
    """`values` where `mask` is true and 0 elsewhere, even where they are inf or nan."""
    return by_bits(values, mask, True)


def dropped(values: Any, mask: Any) -> Any:
    """`values` where `mask` is false and 0 where it is true."""
    return by_bits(values, mask, False)


def drop(values: Any, mask: Any) -> Any:
    """`dropped`, in place; `values` must be floating-point.  The mask is overwritten."""
    word = WORDS[values.itemsize]
    truth, bits = mask.view(np.int8), values.view(word)
    np.subtract(truth, 1, out=truth)
    np.bitwise_and(bits, truth, out=bits)
    return values


def by_bits(values: Any, mask: Any, keep: bool) -> Any:
    """`values` where `mask` is `keep` and 0 elsewhere.

    `np.where` branches on the mask for each element, and a processor mispredicts a random mask half
    of the time.  And-ing a number's bits with all ones or all zeros needs no branch, and takes a
    ninth of the time.
    """
    word = WORDS.get(values.itemsize) if values.dtype.kind == "f" else None
    plain = values.__class__ is mask.__class__ is np.ndarray and mask.flags.c_contiguous
    if word is None or not plain or mask.shape != values.shape:
        zero = values.dtype.type(0)
        return (np.where(mask, values, zero) if keep else np.where(mask, zero, values))[()]
    result = np.empty(values.shape, values.dtype)
    bits, truth = result.view(word), mask.view(np.int8)
    if keep:
        np.negative(truth, out=bits)  # True: -1, which is all ones
    else:
        np.subtract(truth, 1, out=bits)
    np.bitwise_and(values.view(word), bits, out=bits)
    return result


def either(mask: Any, one: Any, other: Any) -> Any:
    """`one` where `mask` is true, else `other`: `np.where` by bits, as in `by_bits`."""
    word = WORDS.get(one.itemsize) if one.dtype.kind == "f" else None
    plain = one.__class__ is other.__class__ is mask.__class__ is np.ndarray
    if word is None or not plain or not one.shape == other.shape == mask.shape:
        return np.where(mask, one, other)[()]
    if one.dtype != other.dtype:
        return np.where(mask, one, other)
    result = np.empty(one.shape, one.dtype)
    bits, last = result.view(word), other.view(word)
    np.negative(mask.view(np.int8), out=bits)  # True: -1, which is all ones
    np.bitwise_and(bits, np.bitwise_xor(one.view(word), last), out=bits)
    np.bitwise_xor(bits, last, out=bits)
    return result


@op(kind="same", method=False, inplace=False)
def blank(self):
    """Zeros like `self`: the gradient of a function that is flat almost everywhere."""
    return np.zeros_like(self)


@op(
    kind="same",
    node="WhereBackward0",
    method=False,
    inplace=False,
    operands=("self",),
    saves=("mask",),
    layout="contiguous",
    self=lambda grad, mask: masked(grad, mask),
)
def masked(self, mask):
    """`self` where `mask` is true and 0 elsewhere, even where `self` is inf or nan."""
    return kept(self, mask)


@op(
    kind="same",
    node="WhereBackward0",
    method=False,
    inplace=False,
    operands=("self", "other"),
    saves=("mask",),
    layout="contiguous",
    self=lambda grad, mask: masked(grad, mask),
    other=lambda grad, mask: masked(grad, negated(mask)),
)
def chosen(self, other, mask):
    """`self` where `mask` is true, else `other`."""
    return either(mask, self, other)


@op(kind="same", method=False, inplace=False)
def negated(self):
    """The logical not of a mask."""
    return np.logical_not(self)


@op(kind="same", method=False, inplace=False)
def not_negative(self):
    """True where a number is real and at least zero."""
    if self.dtype.kind == "c":
        return np.logical_and(np.real(self) >= 0, np.imag(self) == 0)
    return np.greater_equal(self, 0)


def is_complex(value: Any) -> bool:
    """Whether a tensor or an array holds complex numbers."""
    return bool(value._dtype.is_complex if isinstance(value, Tensor) else value.dtype.kind == "c")


def no_formula(name: str) -> Any:
    """Instead of a gradient, PyTorch's error: `name` has no derivative."""
    raise NotImplementedError(errors.derivative_missing(name))
