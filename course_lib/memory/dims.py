"""Dimensions and sizes as arguments: negative and repeated ones, a size of -1, broadcasting."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from course_lib.memory.size import Size
from course_lib.words import errors


def wrap_dim(dim: int, ndim: int, scalar: bool = True) -> int:
    """A dimension counted from the front; IndexError with PyTorch's sentence if there is none.

    A 0-dim tensor counts as having one dimension, unless `scalar` is False.

    >>> wrap_dim(-1, 3)
    2
    """
    if dim.__class__ is not int:
        raise TypeError(errors.dim_type(dim))  # True and 1.0 would pass for 1
    if not ndim and not scalar:
        raise IndexError(errors.no_dimensions(dim))
    limit = ndim or 1
    if not -limit <= dim < limit:
        raise IndexError(errors.dim_range(dim, ndim))
    return dim + limit if dim < 0 else dim


def wrap_dims(dims: int | Iterable[int], ndim: int) -> tuple[int, ...]:
    """One or several dimensions counted from the front; RuntimeError if one is repeated.

    >>> wrap_dims((0, -1), 3)
    (0, 2)
    """
    if isinstance(dims, int):
        return (wrap_dim(dims, ndim),)
    found: list[int] = []
    for dim in dims:
        wrapped = wrap_dim(dim, ndim)
        if wrapped in found:
            raise RuntimeError(errors.dim_twice(wrapped))
        found.append(wrapped)
    return tuple(found)


def infer_size(shape: Sequence[int], numel: int) -> tuple[int, ...]:
    """`shape` with its -1, if it has one, replaced by the size that gives `numel` elements.

    >>> infer_size((2, -1), 6)
    (2, 3)
    """
    if math.prod(shape) == numel and min(shape, default=0) >= 0:
        return tuple(shape)
    known, open_at = 1, None
    for at, size in enumerate(shape):
        if size == -1:
            if open_at is not None:
                raise RuntimeError(errors.ONE_INFERRED)
            open_at = at
        elif size < 0:
            raise RuntimeError(errors.negative_size(size, at, shape))
        else:
            known *= size
    if known == numel == 0:
        raise RuntimeError(errors.ambiguous_shape(shape))
    if open_at is None or known == 0 or numel % known:
        raise RuntimeError(errors.shape_mismatch(shape, numel))
    return (*shape[:open_at], numel // known, *shape[open_at + 1 :])


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The shape that all `shapes` broadcast to; RuntimeError with PyTorch's sentence if none.

    >>> broadcast((2, 1), (3,))
    (2, 3)
    """
    found = tuple(shapes[0])
    for shape in map(tuple, shapes[1:]):
        if text := misfit(found, shape):
            raise RuntimeError(text)
        found = np.broadcast_shapes(found, shape) if shape and shape != found else found
    return found


def misfit(one: Sequence[int], two: Sequence[int]) -> str:
    """PyTorch's sentence if two shapes do not broadcast, else an empty one."""
    for back in range(1, min(len(one), len(two)) + 1):
        m, n = one[-back], two[-back]
        if m != n and 1 not in (m, n):
            return errors.broadcast_sizes(m, n, max(len(one), len(two)) - back)
    return ""


def check_broadcast(values: Iterable[Any]) -> None:
    """Raise PyTorch's error if the shapes of arrays or tensors do not broadcast."""
    broadcast(*map(np.shape, values))


def in_pytorch_words(error: Exception) -> Exception:
    """An error of NumPy's in PyTorch's words; any other error as it is."""
    if isinstance(error, np.exceptions.AxisError):
        return IndexError(errors.dim_range(error.axis, error.ndim))
    if isinstance(error, MemoryError):
        return RuntimeError(errors.no_memory(error))
    if "maximum supported dimension" in str(error):
        return RuntimeError(errors.TOO_MANY_DIMS)
    shapes = re.findall(r"\(([\d,]*)\)", str(error))
    if "could not be broadcast" not in str(error) or len(shapes) != 2:
        return error
    one, two = ([int(n) for n in shape.split(",") if n] for shape in shapes)
    return RuntimeError(misfit(one, two) or str(error))


def common_shape(shapes: Sequence[Sequence[int]]) -> Size:
    """The result of `torch.broadcast_shapes`: like `broadcast`, with different error messages.

    >>> common_shape([(2, 1), (3,)])
    torch.Size([2, 3])
    """
    ndim = max(map(len, shapes), default=0)
    found = [1] * ndim
    for number, shape in enumerate(map(tuple, shapes)):
        for back in range(1, len(shape) + 1):
            size = shape[-back]
            if size == 1 or size == found[-back]:
                continue
            if found[-back] == 1 and size < 0:
                raise ValueError(errors.NEGATIVE_LENGTH)
            if found[-back] != 1:
                raise RuntimeError(errors.mismatched_shape(size, -back, number, shape, found))
            found[-back] = size
    return Size(found)
