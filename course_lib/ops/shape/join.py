"""Several tensors joined into one: side by side, or along a new dimension."""

from typing import Any

import numpy as np

from course_lib.calls.rules import refuse, refuse_value
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim
from course_lib.ops.pick.slices import blank_of, select, slice_
from course_lib.words import errors

__all__ = ["cat", "concat", "stack"]

# ---- along a dimension that is there -------------------------------------------------------------


def check_cat(tensors: Any, dim: int) -> None:
    """Raise PyTorch's error if the shapes do not fit side by side."""
    shapes = [t._array.shape for t in tensors]
    if shapes[0] and shapes.count(shapes[0]) == len(shapes):
        wrap_dim(dim, len(shapes[0]))
        return
    if () in shapes:
        raise RuntimeError(errors.cat_scalar(shapes.index(())))
    rest = [(at, shape) for at, shape in enumerate(shapes) if shape != (0,)]
    first = rest[0][1] if rest else (0,)
    along = wrap_dim(dim, len(first))
    for at, shape in rest:
        refuse(len(shape) != len(first), errors.cat_dims, len(first), len(shape))
        for d, (expected, size) in enumerate(zip(first, shape, strict=True)):
            if d != along and expected != size:
                raise RuntimeError(errors.cat_sizes(along, expected, size, at))


@op(
    kind="promote",
    layout="kernel",
    method=False,
    refuses=check_cat,
    tensors=lambda grad, tensors_shape, dim: cut(grad, tensors_shape, dim),
)
def cat(tensors, dim=0):
    """The tensors joined one after the other along the existing dimension `dim`.

    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    refuse_value(not tensors, errors.EMPTY_CAT)
    arrays = [a for a in tensors if a.shape != (0,)] or tensors[:1]  # empty vectors are skipped
    return layout.own_array(np.concatenate(arrays, axis=dim))


def cut(grad: Any, shapes: list[tuple[int, ...]], dim: int) -> list[Any]:
    """The adjoint of `cat`: the part of the gradient that belongs to each tensor."""
    parts, start = [], 0
    for shape in shapes:
        if shape == (0,):
            parts.append(blank_of(grad, shape))
        else:
            parts.append(slice_(grad, dim, start, start + shape[dim], 1))
            start += shape[dim]
    return parts


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
    refuses=check_stack,
    tensors=lambda grad, tensors_shape, dim: [
        select(grad, dim, at) for at in range(len(tensors_shape))
    ],
)
def stack(tensors, dim=0):
    """The tensors, all of one shape, joined along a new dimension `dim`.

    >>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    refuse(not tensors, errors.empty_list, "stack")
    at = wrap_dim(dim, tensors[0].ndim + 1)
    if not tensors[0].ndim and all([isinstance(a, (np.ndarray, np.generic)) for a in tensors]):
        return np.array(tensors)
    wide = (*tensors[0].shape[:at], 1, *tensors[0].shape[at:])
    return layout.own_array(np.concatenate([a.reshape(wide) for a in tensors], axis=at))
