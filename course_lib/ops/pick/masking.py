"""Masks: choosing, filling and finding the elements where something is true."""

from typing import Any

import numpy as np

from course_lib.calls.rules import common, lacking, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as, method
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.dtypes.kinds import NUMBERS
from course_lib.memory import layout
from course_lib.memory.dims import broadcast
from course_lib.memory.meta import MetaArray, check_devices
from course_lib.ops.elementwise.zeroing import masked, negated
from course_lib.ops.make.fill import declare_filling, fits, scalar_like
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.split import unbind
from course_lib.words import errors

__all__ = ["masked_fill", "nonzero", "where"]

# ---- choosing between two ------------------------------------------------------------------------


@op(
    kind="promote",
    layout="kernel",
    method=False,
    name="_where",
    saves=("condition",),
    self=lambda grad, condition: masked(grad, condition),
    other=lambda grad, condition: masked(grad, negated(condition)),
)
def chosen(condition, self, other):
    """`self` where the condition is true, else `other`."""
    shapes = [getattr(one, "shape", ()) for one in (condition, self, other)]
    if shapes.count(shapes[0]) < 3:
        broadcast(*shapes)
    return layout.elementwise(np.where(condition, self, other)[()], [condition, self, other])


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """`input` where `condition` is true, else `other`; all three are broadcast.

    With the condition alone: the places where it is true, as `nonzero(as_tuple=True)`.

    >>> x = torch.tensor([-1., 2.])
    >>> torch.where(x > 0, x, 0)
    tensor([0., 2.])
    """
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    if condition._dtype is dtypes.uint8:
        errors.warn_once(errors.WHERE_BYTE)
        condition = Tensor._make(condition._array != 0, dtypes.bool_)
    elif condition._dtype is not dtypes.bool_:
        raise RuntimeError(errors.where_condition(condition))
    for number in (input, other):
        if isinstance(number, NUMBERS) and not (dtype := common((input, other))).reduced:
            fits(number, dtype)
    return chosen(condition, input, other)


def where_method(self: Tensor, condition: Any, other: Any) -> Tensor:
    """This tensor where `condition` is true, else `other`.

    >>> torch.tensor([1, 2, 3]).where(torch.tensor([True, False, True]), 0)
    tensor([1, 0, 3])
    """
    return where(condition, self, other)


# ---- finding -------------------------------------------------------------------------------------


@op(layout="kernel", method=False, inplace=False, name="_nonzero")
def places(self):
    """The indices of the nonzero elements, one row each; those of one dimension lie together."""
    lacking(isinstance(self, MetaArray), errors.NONZERO_META)
    found = np.nonzero(self) if np.ndim(self) else np.zeros((0, int(bool(self))))
    found = np.array(found, np.int64)
    step = found.itemsize
    return layout.restride(found, found.shape[::-1], (step, step * found.shape[1]), 0)


@method
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The int64 indices of the nonzero elements, one row each; `as_tuple`: a tensor per dimension.

    >>> torch.nonzero(torch.tensor([[0, 3], [5, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    if as_tuple:
        return unbind(places(input if input._array.ndim else input.view(1)), 1)
    return places(input)


# ---- filling -------------------------------------------------------------------------------------


def check_fill(self: Tensor, mask: Tensor, value: Any) -> None:
    """Raise unless the mask is one, and the value a number that the tensor can hold."""
    number = value
    if isinstance(value, Tensor):
        refuse(value._array.ndim, errors.masked_fill_value, value._array.ndim)
        number = 0 if isinstance(value._array, MetaArray) else value.item()
    fits(number, self._dtype)
    refuse(mask._dtype is not dtypes.bool_, errors.mask_dtype, "masked_fill_", mask)


def fill_kernel(self: Any, mask: Any, value: Any) -> None:
    if mask.shape != self.shape and (wide := broadcast(self.shape, mask.shape)) != self.shape:
        raise RuntimeError(errors.inplace_shape(self.shape, wide))
    np.copyto(self, scalar_like(value, self), where=mask)


def filling(node: str, **formulas: Any) -> Any:
    """`masked_fill` with a number, or with a 0-dim tensor."""
    return declare_filling(
        inplace=False,
        expanded=errors.expanded_write("masked_fill_", "tensor[mask] = scalar"),
        method=False,
        name="masked_fill",
        node=node,
        copy="contiguous",
        operands=("self", "value"),
        saves=("mask",),
        refuses=check_fill,
        self=lambda grad, mask: masked_fill(grad, mask, 0),
        **formulas,
    )(fill_kernel)


fill_number = filling("MaskedFillBackward0")
fill_tensor = filling("MaskedFillBackward1", value=lambda grad, mask: masked(grad, mask))


@method
def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """A copy of `input` with `value` where `mask` is true.

    >>> torch.tensor([1, 2, 3]).masked_fill(torch.tensor([True, False, True]), 0)
    tensor([0, 2, 0])
    """
    if not isinstance(input, Tensor):
        return np.where(mask, input.dtype.type(value), input)[()]
    shape, other = input._array.shape, mask._array.shape
    if mask._array.__class__ is not input._array.__class__:
        check_devices((mask._array, input._array))
    if other != shape:
        check_fill(input, mask, value)
        wide = broadcast(other, shape)
        input = input if wide == shape else expand(input, wide)
    return (fill_tensor if isinstance(value, Tensor) else fill_number)(input, mask, value)


@method
def masked_fill_(input: Tensor, mask: Any, value: Any) -> Tensor:
    """Write `value` where `mask` is true; returns the tensor itself."""
    return (fill_tensor if isinstance(value, Tensor) else fill_number).write(input, mask, value)


attach_as("where", where_method)
