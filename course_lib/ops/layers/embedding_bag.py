"""Bags of rows: the sums, means or maxima of several rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.declare.op import op
from course_lib.ops.pick.index_put import add_elements
from course_lib.ops.reduce.adjoints import refused, refused_by_name

__all__: list[str] = []

Array = Any


def bag_of_each(indices: Array, offsets: Array) -> Array:
    """The bag that each index is in."""
    return np.searchsorted(offsets, np.arange(len(indices)), side="right") - 1


def counted(indices: Array, bags: Array, count: int, padding_idx: int) -> tuple[Array, Array]:
    """A mask of the indices that count, no padding and in a bag; how many each bag has."""
    kept = (indices != padding_idx) & (bags >= 0)
    return kept, np.bincount(bags[kept], minlength=count)


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("weight", "per_sample_weights"),
    saves=("indices", "offsets"),
    weight=lambda grad, weight, indices, offsets, mode, padding_idx, per_sample_weights: bag_back(
        grad, weight, indices, offsets, mode, padding_idx, per_sample_weights
    ),
    per_sample_weights=lambda grad, weight, indices, offsets, padding_idx: shares_back(
        grad, weight, indices, offsets, padding_idx
    ),
)
def embedding_bag(weight, indices, offsets, mode, padding_idx, per_sample_weights):
    bags, count = bag_of_each(indices, offsets), len(offsets)
    kept, sizes = counted(indices, bags, count, padding_idx)
    rows = weight[indices[kept]]
    if mode == "max":
        found = np.full((count, weight.shape[1]), -np.inf, weight.dtype)
        np.maximum.at(found, bags[kept], rows)
        found[sizes == 0] = 0
        return found
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[kept][:, None]
    found = np.zeros((count, weight.shape[1]), weight.dtype)
    add_elements(found, bags[kept], rows)
    return found / np.maximum(sizes, 1)[:, None].astype(found.dtype) if mode == "mean" else found


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self", "weight", "shares"),
    self=refused_by_name("_embedding_bag_backward"),
    shares=refused_by_name("_embedding_bag_backward"),
)
def bag_back(self, weight, indices, offsets, mode, padding_idx, shares):
    """The gradient of the table."""
    bags, count = bag_of_each(indices, offsets), len(offsets)
    kept, sizes = counted(indices, bags, count, padding_idx)
    rows = self[bags[kept]]
    found = np.zeros_like(weight, order="C")
    if mode == "max":
        best = embedding_bag.op.kernel(weight, indices, offsets, mode, padding_idx, None)
        for bag in range(count):  # among equal rows, the first gets the whole gradient
            mine = indices[kept & (bags == bag)]
            if len(mine):
                first = np.argmax(weight[mine] == best[bag], axis=0)
                columns = np.arange(weight.shape[1])
                np.add.at(found, (mine[first], columns), self[bag])
        return found
    if mode == "mean":
        rows = rows / sizes[bags[kept]][:, None].astype(rows.dtype)
    if shares is not None:
        rows = rows * shares[kept][:, None]
    add_elements(found, indices[kept], rows)
    return found


@op(
    kind="promote",
    layout="contiguous",
    method=False,
    operands=("self", "weight"),
    self=refused("_embedding_bag_per_sample_weights_backward"),
    weight=refused("_embedding_bag_per_sample_weights_backward"),
)
def shares_back(self, weight, indices, offsets, padding_idx):
    """The gradient of the weights of the samples."""
    bags = bag_of_each(indices, offsets)
    found = np.add.reduce(self[bags] * weight[indices], axis=1)
    found[indices == padding_idx] = 0
    return found
