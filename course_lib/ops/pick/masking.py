"""Masks: choosing, filling and finding the elements where something is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.dtypes import dtypes, kinds
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import masked, negated
from course_lib.ops.make.fill import fits, scalar_like, written
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.split import unbind
from course_lib.words import errors

__all__ = [
    "masked_fill",
    "nonzero",
    "where",
]


# ---- choosing between two ------------------------------------------------------------------------


@op(
    kind="promote",
    layout="kernel",
    method=False,
    name="_where",
    node="WhereBackward0",
    operands=("self", "other"),
    saves=("condition",),
    self=lambda grad, condition: masked(grad, condition),
    other=lambda grad, condition: masked(grad, negated(condition)),
)
def chosen(condition, self, other):
    """`self` where the condition is true, else `other`."""
    errors.check_broadcast([condition, self, other])
    return layout.elementwise(np.where(condition, self, other)[()], [condition, self, other])


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """`input` where `condition` is true, else `other`; all three are broadcast.

    With the condition alone: the places where it is true, as `nonzero(as_tuple=True)`.

    >>> x = torch.tensor([-1., 2.])
    >>> torch.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    if isinstance(condition, Tensor) and input is None and other is None:
        return nonzero(condition, as_tuple=True)
    numbers = (Tensor, *kinds.NUMBERS)
    if not (
        isinstance(condition, Tensor) and isinstance(input, numbers) and isinstance(other, numbers)
    ):
        raise TypeError("where")
    if condition._dtype.name == "uint8":
        errors.warn_once(errors.WHERE_BYTE)
        condition = Tensor._make(condition._array != 0, dtypes.bool_)
    elif condition._dtype.name != "bool":
        raise RuntimeError(errors.where_condition(condition._dtype))
    return chosen(condition, input, other)


def where_method(self: Tensor, condition: Any, other: Any) -> Tensor:
    """This tensor where `condition` is true, else `other`.

    >>> torch.tensor([1, 2, 3]).where(torch.tensor([True, False, True]), 0)
    tensor([1, 0, 3])
    """
    if not isinstance(condition, Tensor):
        raise TypeError(errors.where_condition_argument(condition))
    return where(condition, self, other)


# ---- finding -------------------------------------------------------------------------------------


@op(kind="same", layout="contiguous", method=False, inplace=False, name="_nonzero")
def places(self):
    """The indices of the nonzero elements, one row each."""
    if isinstance(self, MetaArray):
        raise NotImplementedError(errors.NONZERO_META)
    if not np.ndim(self):
        return np.zeros((int(bool(self)), 0), np.int64)
    return np.stack(np.nonzero(self), 1).astype(np.int64, copy=False)


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The int64 indices of the nonzero elements, one row each; `as_tuple`: a tensor per dimension.

    >>> torch.nonzero(torch.tensor([[0, 3], [5, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    if not as_tuple:
        return column_wise(places(input))
    found = places(input)
    if not input._array.ndim:
        found = Tensor._make(np.zeros((found._array.shape[0], 1), np.int64), dtypes.int64)
    return unbind(column_wise(found), 1)


def column_wise(found: Tensor) -> Tensor:
    """The same indices, laid out in memory dimension by dimension, as in PyTorch."""
    array = found._array
    laid = layout.empty(array.shape[::-1], array.dtype)
    laid[...] = array.T
    strides = (array.itemsize, array.shape[0] * array.itemsize)
    found._array = layout.restride(laid, array.shape, strides, 0)
    return found


# ---- filling -------------------------------------------------------------------------------------


def fill_kernel(self: Any, mask: Any, value: Any) -> None:
    if mask.shape != self.shape:
        errors.check_broadcast([self, mask])
    if mask.shape != self.shape and np.broadcast_shapes(self.shape, mask.shape) != self.shape:
        wide = np.broadcast_shapes(self.shape, mask.shape)
        raise RuntimeError(errors.inplace_shape(self.shape, wide))
    np.copyto(self, scalar_like(value, self), where=mask)


def filling(node: str, of_tensor: bool) -> Any:
    """`masked_fill` with a number, or with a 0-dim tensor."""
    facts: dict[str, Any] = {"self": lambda grad, mask: masked_fill(grad, mask, 0)}
    if of_tensor:
        facts["value"] = lambda grad, mask: masked(grad, mask)
    return written(
        inplace=False,
        expanded=errors.expanded_write("masked_fill_", "tensor[mask] = scalar"),
        method=False,
        name="masked_fill",
        node=node,
        copy="contiguous",
        operands=("self", "value"),
        saves=("mask",),
        **facts,
    )(fill_kernel)


fill_number, fill_tensor = (
    filling("MaskedFillBackward0", False),
    filling("MaskedFillBackward1", True),
)


def fill_value(input: Any, mask: Any, value: Any, name: str) -> Any:
    """The value to fill with, checked: a 0-dim tensor, or a scalar of the tensor's dtype."""
    if not isinstance(mask, Tensor):
        raise TypeError(name)
    if isinstance(value, Tensor):
        if value._array.ndim:
            raise RuntimeError(errors.masked_fill_value(value._array.ndim))
        if value.device.type == "cpu":
            fits(value._array.item(), input._dtype)
    elif not isinstance(value, kinds.NUMBERS):
        raise TypeError(name)
    else:
        value = fits(value, input._dtype)
    if mask._dtype.name != "bool":
        raise RuntimeError(errors.mask_dtype("masked_fill_", mask._dtype))
    return value


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """A copy of `input` with `value` where `mask` is true.

    >>> torch.tensor([1, 2, 3]).masked_fill(torch.tensor([True, False, True]), 0)
    tensor([0, 2, 0])
    """
    if not isinstance(input, Tensor):
        return np.where(mask, input.dtype.type(value), input)[()]
    value = fill_value(input, mask, value, "masked_fill")
    shape, other = input._array.shape, mask._array.shape
    if other != shape:
        errors.check_broadcast([mask._array, input._array])
        wide = np.broadcast_shapes(shape, other)
        input = expand(input, wide) if wide != shape else input
    return (fill_tensor if isinstance(value, Tensor) else fill_number)(input, mask, value)


def masked_fill_(input: Tensor, mask: Any, value: Any) -> Tensor:
    """Write `value` where `mask` is true; returns the tensor itself."""
    value = fill_value(input, mask, value, "masked_fill_")
    return (fill_tensor if isinstance(value, Tensor) else fill_number).write(input, mask, value)


attach_as("where", where_method)
attach_as("nonzero", nonzero)
attach_as("masked_fill", masked_fill)
attach_as("masked_fill_", masked_fill_)
