"""Several tensors joined into one: side by side, or along a new dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.ops.pick.slices import _blank, select, slice_
from course_lib.ops.shape.reshape import reshape
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "cat",
    "concat",
    "concatenate",
    "hstack",
    "stack",
    "vstack",
]


def check_list(name: str, tensors: Any) -> None:
    """Raise TypeError if this is not a list of tensors."""
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(errors.tensors_argument(name, tensors))
    allowed = (Tensor, np.ndarray, np.generic)
    if all([isinstance(value, allowed) for value in tensors]):
        return
    for at, value in enumerate(tensors):
        if not isinstance(value, allowed):
            raise TypeError(errors.element_type(at, value))


# ---- along a dimension that is there -------------------------------------------------------------


def check_cat(tensors: Any, dim: int) -> None:
    """Raise PyTorch's error if the shapes do not fit side by side."""
    shapes = [t._array.shape for t in tensors]
    if shapes[0] and shapes.count(shapes[0]) == len(shapes):
        wrap_dim(dim, len(shapes[0]))
        return
    for at, shape in enumerate(shapes):
        if not shape:
            raise RuntimeError(errors.cat_scalar(at))
    rest = [(at, shape) for at, shape in enumerate(shapes) if shape != (0,)]
    first = rest[0][1] if rest else (0,)
    along = wrap_dim(dim, len(first))
    for at, shape in rest:
        if len(shape) != len(first):
            raise RuntimeError(errors.cat_dims(len(first), len(shape)))
        for d, (expected, size) in enumerate(zip(first, shape, strict=True)):
            if d != along and expected != size:
                raise RuntimeError(errors.cat_sizes(along, expected, size, at))


@op(
    kind="promote",
    layout="kernel",
    method=False,
    name="cat",
    operands=("tensors",),
    check=check_cat,
    tensors=lambda grad, tensors_shape, dim: cut(grad, tensors_shape, dim),
)
def cat_arrays(tensors, dim=0):
    """The tensors side by side along `dim`; empty vectors are skipped."""
    arrays = [a for a in tensors if a.shape != (0,)] or tensors[:1]
    joined = np.concatenate(arrays, axis=dim)
    order = shared_order(arrays)
    if order is None or joined.__class__ is not np.ndarray:
        return layout.owned(joined)
    laid = layout.empty_permuted(joined.shape, list(order), joined.dtype)
    laid[...] = joined
    return laid


def cut(grad: Any, shapes: list[tuple[int, ...]], dim: int) -> list[Any]:
    """The adjoint of `cat`: the part of the gradient that belongs to each tensor."""
    parts, start = [], 0
    for shape in shapes:
        if shape == (0,):
            parts.append(_blank(grad, shape))
            continue
        size = shape[dim]
        parts.append(slice_(grad, dim, start, start + size, 1))
        start += size
    return parts


def shared_order(arrays: list[Any]) -> tuple[int, ...] | None:
    """The dimension order that all arrays share if they are channels-last images, else None."""
    if arrays[0].ndim not in (4, 5):
        return None
    for order in ((0, 2, 3, 1), (0, 2, 3, 4, 1)):
        if all(a.ndim == len(order) and has_channels_last(a, order) for a in arrays):
            return order
    return None


def has_channels_last(array: Any, order: tuple[int, ...]) -> bool:
    """Whether the strides fall in the order batch, rows, columns, channels.

    Dimensions of size 1 are ignored, but strides that also fit row-major order count as row-major.
    """
    least = 0
    if array.strides[1] == 0:
        return False
    for dim in reversed(order):
        size, stride = array.shape[dim], array.strides[dim]
        if size == 0 or stride < least:
            return False
        if dim == 0 and least == array.strides[1]:
            return False
        least = stride * size if size > 1 else stride
    return True


@composite(method=False)
def cat(tensors: Any, dim: int = 0, *, out: Any = None) -> Any:
    """The tensors joined one after the other along the existing dimension `dim`.

    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    check_list("cat", tensors)
    if not tensors:
        raise ValueError(errors.EMPTY_CAT)
    return cat_arrays(tensors, dim, out=out)


@composite(method=False)
def concat(tensors: Any, dim: int = 0, *, axis: int | None = None, out: Any = None) -> Any:
    """The same as `cat`."""
    return cat(tensors, dim if axis is None else axis, out=out)


@composite(method=False)
def concatenate(tensors: Any, dim: int = 0, *, axis: int | None = None, out: Any = None) -> Any:
    """The same as `cat`."""
    return cat(tensors, dim if axis is None else axis, out=out)


# ---- along a new dimension -----------------------------------------------------------------------


def check_stack(tensors: Any, dim: int) -> None:
    """Raise PyTorch's error if the shapes are not all the same."""
    first = tensors[0]._array.shape
    wrap_dim(dim, len(first) + 1)
    for at, t in enumerate(tensors):
        if t._array.shape != first:
            raise RuntimeError(errors.stack_sizes(first, t._array.shape, at))


def in_rows(arrays: list[Any]) -> bool:
    """Whether all arrays are NumPy's and lie row by row."""
    return all([a.__class__ is np.ndarray and a.flags.c_contiguous for a in arrays])


@op(
    kind="promote",
    layout="kernel",
    method=False,
    name="stack",
    operands=("tensors",),
    check=check_stack,
    tensors=lambda grad, tensors_shape, dim: [
        select(grad, dim, at) for at in range(len(tensors_shape))
    ],
)
def stack_arrays(tensors, dim=0):
    """The tensors as the entries of a new dimension."""
    ndim = tensors[0].ndim
    at = wrap_dim(dim, ndim + 1)
    if not ndim and all([isinstance(a, (np.ndarray, np.generic)) for a in tensors]):
        return np.array(tensors)
    if not at and in_rows(tensors):
        return np.concatenate(tensors).reshape(len(tensors), *tensors[0].shape)
    if at == ndim or ndim not in (3, 4):  # others cannot be channels-last images
        return layout.owned(np.stack(tensors, axis=at))
    lifted = [np.expand_dims(a, at) for a in tensors]
    return cat_arrays(lifted, at)


@composite(method=False)
def stack(tensors: Any, dim: int = 0, *, out: Any = None) -> Any:
    """The tensors, all of one shape, joined along a new dimension `dim`.

    >>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    check_list("stack", tensors)
    if not tensors:
        raise RuntimeError(errors.empty_list("stack"))
    return stack_arrays(tensors, dim, out=out)


# ---- at least so many dimensions -----------------------------------------------------------------


def lift(name: str, one: Callable, text: str) -> Callable:
    """A function of one tensor, of several, or of a list of them."""

    def function(*tensors: Any) -> Any:
        if len(tensors) == 1 and not isinstance(tensors[0], (list, tuple)):
            return one(tensors[0])
        return tuple(map(one, tensors[0] if len(tensors) == 1 else tensors))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


def two_dims(tensor: Any) -> Any:
    if tensor.ndim == 0:
        return reshape(tensor, (1, 1))
    return unsqueeze(tensor, 0) if tensor.ndim == 1 else tensor


atleast_1d = lift(
    "atleast_1d",
    lambda tensor: reshape(tensor, (1,)) if tensor.ndim == 0 else tensor,
    "The tensor, or tensors, with at least one dimension.",
)
atleast_2d = lift("atleast_2d", two_dims, "The tensor, or tensors, as rows at least.")


# ---- by direction --------------------------------------------------------------------------------


@composite(method=False)
def hstack(tensors: Any, *, out: Any = None) -> Any:
    """The tensors side by side: vectors end to end, others along dimension 1.

    >>> torch.hstack([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    parts = directed("hstack", tensors, atleast_1d)
    return cat(parts, 0 if parts[0].ndim == 1 else 1, out=out)


@composite(method=False)
def vstack(tensors: Any, *, out: Any = None) -> Any:
    """The tensors one above the other; vectors count as rows.

    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat(directed("vstack", tensors, atleast_2d), 0, out=out)


def directed(name: str, tensors: Any, lifted: Callable) -> tuple[Any, ...]:
    """The tensors, checked and lifted to enough dimensions."""
    check_list(name, tensors)
    if not tensors:
        raise RuntimeError(errors.empty_list(name))
    return lifted(list(tensors))


# ---- blocks --------------------------------------------------------------------------------------


def rows_and_columns(shape: tuple[int, ...]) -> tuple[int, int]:
    """The shape of a block: numbers and vectors are rows."""
    rows, columns = (1,) * (2 - len(shape)) + tuple(shape)
    return rows, columns


def blocks(grad: Any, shapes: list[tuple[int, ...]]) -> list[Any]:
    """The adjoint of `block_diag`: each block's part of the gradient."""
    found, row, column = [], 0, 0
    for shape in shapes:
        height, width = rows_and_columns(shape)
        part = slice_(slice_(grad, 0, row, row + height, 1), 1, column, column + width, 1)
        found.append(reshape(part, shape))
        row, column = row + height, column + width
    return found
