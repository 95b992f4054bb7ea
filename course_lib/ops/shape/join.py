"""Several tensors joined into one: side by side, or along a new dimension."""

from __future__ import annotations

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
    "cat",
    "concat",
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
    refuses=check_cat,
    tensors=lambda grad, tensors_shape, dim: cut(grad, tensors_shape, dim),
)
def cat_arrays(tensors, dim=0):
    """The tensors side by side along `dim`; empty vectors are skipped."""
    arrays = [a for a in tensors if a.shape != (0,)] or tensors[:1]
    return layout.owned(np.concatenate(arrays, axis=dim))


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


# ---- along a new dimension -----------------------------------------------------------------------


def check_stack(tensors: Any, dim: int) -> None:
    """Raise PyTorch's error if the shapes are not all the same."""
    first = tensors[0]._array.shape
    wrap_dim(dim, len(first) + 1)
    for at, t in enumerate(tensors):
        if t._array.shape != first:
            raise RuntimeError(errors.stack_sizes(first, t._array.shape, at))


@op(
    kind="promote",
    layout="kernel",
    method=False,
    name="stack",
    operands=("tensors",),
    refuses=check_stack,
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
    return layout.owned(np.stack(tensors, axis=at))


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


# ---- by direction --------------------------------------------------------------------------------


@composite(method=False)
def hstack(tensors: Any, *, out: Any = None) -> Any:
    """The tensors side by side: vectors end to end, others along dimension 1.

    >>> torch.hstack([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    parts = lifted("hstack", tensors, 1)
    return cat(parts, 0 if parts[0].ndim == 1 else 1, out=out)


@composite(method=False)
def vstack(tensors: Any, *, out: Any = None) -> Any:
    """The tensors one above the other; vectors count as rows.

    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat(lifted("vstack", tensors, 2), 0, out=out)


def lifted(name: str, tensors: Any, least: int) -> list[Any]:
    """The tensors, checked, with at least so many dimensions: the new ones come first."""
    check_list(name, tensors)
    if not tensors:
        raise RuntimeError(errors.empty_list(name))
    whole = [one if one.ndim else reshape(one, (1,) * least) for one in tensors]
    return [unsqueeze(one, 0) if one.ndim < least else one for one in whole]
