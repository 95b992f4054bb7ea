"""Embeddings (rows of a table, looked up by number) and one-hot rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.ops.pick.index_put import add_elements
from course_lib.words import errors

__all__: list[str] = []


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("weight",),
    saves=("indices",),
    check=errors.check_embedding,
    weight=lambda grad, weight_shape, indices, padding_idx, scale_grad_by_freq: rows_added(
        grad, indices, weight_shape, padding_idx, scale_grad_by_freq
    ),
)
def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False):
    """The rows of `weight` at `indices`."""
    return np.take(weight, indices, axis=0)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    node="EmbeddingDenseBackwardBackward0",
    operands=("self",),
    saves=("indices",),
    self=lambda grad, indices, padding_idx, by_frequency: rows_taken(
        grad, indices, padding_idx, by_frequency
    ),
)
def rows_added(self, indices, shape, padding_idx, by_frequency):
    """The adjoint of looking up rows: each row is added where it came from."""
    flat, places = np.reshape(self, (indices.size, shape[1])), np.ravel(indices)
    if padding_idx >= 0 or by_frequency:
        flat = flat * shares(places, padding_idx, by_frequency, self.dtype)
    grad = np.zeros_like(self, shape=shape, order="C")
    add_elements(grad, places, flat)
    return grad


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self",),
    saves=("indices",),
    self=lambda grad, self_shape, indices, padding_idx, by_frequency: rows_added(
        grad, indices, self_shape, padding_idx, by_frequency
    ),
)
def rows_taken(self, indices, padding_idx, by_frequency):
    """The adjoint of `rows_added`."""
    share = shares(np.ravel(indices), padding_idx, by_frequency, self.dtype)
    return np.take(self, indices, axis=0) * share.reshape((*indices.shape, 1))


def shares(places: Any, padding_idx: int, by_frequency: bool, dtype: Any) -> Any:
    """The weight of each looked-up row: 0 for padding, less if it was looked up often."""
    share = np.not_equal(places, padding_idx).astype(dtype)
    if by_frequency and places.size:
        share = share / np.bincount(places)[places].astype(dtype)
    return share[:, None]


def renormed(weight: Any, indices: Any, max_norm: float, norm_type: float) -> None:
    """Shorten the rows at `indices` that are longer than `max_norm`, in place."""
    array = weight._array
    rows = np.unique(indices._array)
    lengths = np.linalg.norm(array[rows].astype(np.float64), norm_type, axis=1)
    for row, length in zip(rows, lengths, strict=True):
        if length > max_norm:
            array[row] *= array.dtype.type(max_norm / (length + 1e-7))
    weight._bump()


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """For each number, a row of zeros with a one at that place; int64.

    >>> torch.nn.functional.one_hot(torch.tensor([2, 0]))
    tensor([[0, 0, 1],
            [1, 0, 0]])
    """
    if tensor._dtype is not dtypes.int64:
        raise RuntimeError(errors.ONE_HOT_TYPE)
    array = np.asarray(tensor._array)
    if not array.size:
        if num_classes <= 0:
            raise RuntimeError(errors.NO_CLASSES)
        return Tensor._make(np.zeros((*array.shape, num_classes), np.int64), dtypes.int64)
    if array.min() < 0:
        raise RuntimeError(errors.NEGATIVE_CLASS)
    classes = int(array.max()) + 1 if num_classes == -1 else num_classes
    if array.max() >= classes:
        raise RuntimeError(errors.LARGE_CLASS)
    rows = np.zeros((*array.shape, classes), np.int64)
    np.put_along_axis(rows, array[..., None], 1, -1)
    return Tensor._make(rows, dtypes.int64)
