"""Grids: every pairing of the elements of several vectors."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes.dtypes import int64
from course_lib.memory.dims import numel
from course_lib.ops.make.creation import finish
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.join import stack
from course_lib.ops.shape.reshape import flatten, reshape
from course_lib.words import errors

__all__ = ["cartesian_prod", "combinations", "meshgrid"]


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


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples with one element from each vector, as rows.

    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    for one in tensors:
        if one._array.ndim != 1:
            raise RuntimeError(errors.vector_only(one._array.shape))
    if len(tensors) == 1:
        return tensors[0]
    grids = meshgrid(*tensors, indexing="ij")
    return stack([flatten(grid) for grid in grids], 1)


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of `r` elements of a vector, in order, as rows.

    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    array = input._array
    if array.ndim != 1:
        raise RuntimeError(errors.vector_only(array.shape))
    if r < 0:
        raise RuntimeError(errors.combinations_count(r))
    if not r:
        return finish(np.empty(0, array.dtype), input._dtype)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    chosen = np.array(list(choose(range(numel(array.shape)), r)), np.int64).reshape(-1, r)
    columns = [finish(np.ascontiguousarray(chosen[:, at]), int64) for at in range(r)]
    return stack([input.index_select(0, one) for one in columns], 1)
