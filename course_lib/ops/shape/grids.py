"""Grids: every pairing of the elements of several vectors."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.reshape import reshape
from course_lib.words import errors

__all__ = ["meshgrid"]


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Views of the vectors, each stretched over a grid with one dimension per vector.

    With `indexing="xy"` the first two dimensions change places, as in pictures.

    >>> rows, columns = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij")
    >>> rows
    tensor([[1, 1],
            [2, 2]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    for at, one in enumerate(tensors):
        if not isinstance(one, Tensor):
            raise TypeError(errors.element_type(at, one))
    if indexing is None:
        errors.warn_once(errors.MESHGRID_INDEXING)
        indexing = "ij"
    if not tensors:
        raise RuntimeError(errors.MESHGRID_EMPTY)
    if any(one._dtype is not tensors[0]._dtype for one in tensors):
        raise RuntimeError(errors.MESHGRID_DTYPE)
    for one in tensors:
        if one._array.ndim > 1:
            raise RuntimeError(errors.meshgrid_rank(one._array.ndim))
    if indexing not in ("ij", "xy"):
        raise RuntimeError(errors.meshgrid_unknown(indexing))
    count = len(tensors)
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    shape = [0] * count
    for at, one in zip(places, tensors, strict=True):
        shape[at] = one._array.size
    return tuple(
        expand(reshape(one, (1,) * at + (-1,) + (1,) * (count - at - 1)), tuple(shape))
        for at, one in zip(places, tensors, strict=True)
    )
