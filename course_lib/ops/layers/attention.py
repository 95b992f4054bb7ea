"""Attention: for each query a mean of the values, weighted by how well their keys fit."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.order import largest
from course_lib.ops.elementwise.with_numbers import times
from course_lib.ops.layers.dropout import dropped
from course_lib.ops.layers.softmax import safe_shares
from course_lib.ops.linalg.matmul import matmul
from course_lib.ops.make.creation import ones
from course_lib.ops.reduce.adjoints import refused
from course_lib.words import errors

__all__: list[str] = []

Array = Any


# ---- all of it as one operation ------------------------------------------------------------------


def weights_of(query: Array, key: Array, mask: Array, causal: bool, scale: float) -> Array:
    """How much each query (row) takes of each value (column)."""
    scores = np.matmul(query, np.swapaxes(key, -2, -1))
    scores *= query.dtype.type(scale)
    if causal:
        np.copyto(scores, scores.dtype.type(-np.inf), where=later(*scores.shape[-2:]))
    elif mask is not None and mask.dtype.kind == "b":
        np.copyto(scores, scores.dtype.type(-np.inf), where=~mask)
    elif mask is not None:
        scores = scores + mask
    top = largest(scores, -1)
    top[np.isinf(top)] = 0  # of a row that is masked as a whole
    scores -= top
    np.exp(scores, out=scores)
    total = np.add.reduce(scores, axis=-1, keepdims=True)
    total[total == 0] = 1
    scores /= total
    return scores.astype(query.dtype, copy=False)


@functools.lru_cache(maxsize=16)
def later(rows: int, columns: int) -> Array:
    """The columns that each row must not see: those after its own number."""
    return ~np.tri(rows, columns, dtype=bool)


def for_each_query(heads: Array, query: Array) -> Array:
    """Keys or values, each head as often as there are heads of queries that share it."""
    repeats = query.shape[1] // heads.shape[1]
    return heads if repeats == 1 else np.repeat(heads, repeats, axis=1)


def shared(grad: Array, shape: Any) -> Array:
    """The adjoint of `for_each_query`, heads inside rows as PyTorch lays it out."""
    batch, heads, rows, size = shape
    if grad.shape[1] != heads:
        grad = grad.reshape(batch, heads, -1, rows, size).sum(2)
    found = layout.empty_permuted(grad.shape, [0, 2, 1, 3], grad.dtype)
    found[...] = grad
    return found


@op(
    kind="promote",
    layout="kernel",
    method=False,
    name="_scaled_dot_product_flash_attention_for_cpu",
    node="ScaledDotProductFlashAttentionForCpuBackward0",
    operands=("tensors",),
    saves=("query", "key", "value", "attn_mask"),
    tensors=lambda grad, query, key, value, attn_mask, is_causal, scale: flash_back(
        [grad, query, key, value], attn_mask, is_causal, scale
    ),
)
def flash(tensors, query, key, value, attn_mask, is_causal, scale):
    """Attention without a node in between; `tensors` are query, key and value again."""
    query, key, value = tensors
    weights = weights_of(query, for_each_query(key, query), attn_mask, is_causal, scale)
    out = np.empty_like(query)
    out[...] = np.matmul(weights, for_each_query(value, query))
    return out


@op(
    kind="promote",
    layout="kernel",
    method=False,
    several=True,
    operands=("tensors",),
    tensors=refused("_scaled_dot_product_flash_attention_for_cpu_backward"),
)
def flash_back(tensors, mask, causal, scale):
    """The gradients of query, key and value; the weights are computed anew, not kept."""
    grad, query, key, value = tensors
    keys, values = for_each_query(key, query), for_each_query(value, query)
    weights = weights_of(query, keys, mask, causal, scale)
    fit = np.matmul(grad, np.swapaxes(values, -2, -1))  # becomes the slope of the scores
    fit -= np.add.reduce(weights * fit, axis=-1, keepdims=True)
    fit *= weights
    fit *= query.dtype.type(scale)
    return (
        shared(np.matmul(fit, keys), query.shape),
        shared(np.matmul(np.swapaxes(fit, -2, -1), query), key.shape),
        shared(np.matmul(np.swapaxes(weights, -2, -1), grad), value.shape),
    )


def flash_fits(query: Any, key: Any, value: Any, mask: Any, dropout: float, gqa: bool) -> bool:
    """Whether PyTorch takes its one operation for these."""
    shapes = [t._array.shape for t in (query, key, value)]
    batch, heads, rows, size = shapes[0] if len(shapes[0]) == 4 else (0, 0, 0, 0)
    if dropout or 0 in (batch, heads, rows, size) or query._dtype.category != dtypes.FLOATING:
        return False
    if any(len(s) != 4 or s[0] != batch or s[3] != size or 0 in s for s in shapes):
        return False
    if any(t.stride(-1) != 1 for t in (query, key, value)):
        return False
    if shapes[1][:3] != shapes[2][:3]:
        return False
    if shapes[1][1] != heads and not (gqa and heads % shapes[1][1] == 0):
        return False
    if mask is None:
        return True
    found, columns = mask._array.shape, shapes[1][2]
    wanted = (rows, columns) if len(found) == 2 else (batch, heads, rows, columns)
    fits = len(found) in (2, 4) and all(n in (1, w) for n, w in zip(found, wanted, strict=True))
    return fits and not mask.requires_grad


# ---- step by step --------------------------------------------------------------------------------


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """``softmax(query @ key.T * scale + mask) @ value``.

    >>> q = k = torch.tensor([[1., 0.], [0., 1.]])
    >>> F = torch.nn.functional
    >>> F.scaled_dot_product_attention(q, k, torch.tensor([[1.], [2.]]), is_causal=True)
    tensor([[1.0000],
            [1.6698]])
    """
    errors.check_attention(query, key, value, attn_mask, is_causal)
    errors.check_attention_choices(query, key, value, dropout_p, enable_gqa)
    factor = 1 / math.sqrt(query._array.shape[-1] or 1) if scale is None else scale
    if flash_fits(query, key, value, attn_mask, dropout_p, enable_gqa):
        given = (query, key, value, attn_mask, is_causal, factor)
        return flash([query, key, value], *given)
    rows, columns = query._array.shape[-2], key._array.shape[-2]
    if is_causal:
        attn_mask = ones((rows, columns), dtype=dtypes.bool_).tril()
    if attn_mask is not None and attn_mask._dtype.category == 0:
        zero = query.new_zeros(())
        attn_mask = zero.expand(attn_mask.shape).masked_fill(~attn_mask, float("-inf"))
    if enable_gqa:
        repeats = query._array.shape[-3] // key._array.shape[-3]
        key = key.repeat_interleave(repeats, -3)
        value = value.repeat_interleave(query._array.shape[-3] // value._array.shape[-3], -3)
    dtype = query._dtype
    if dtype.reduced:
        query, key, value = (t.to(dtypes.float32) for t in (query, key, value))
        attn_mask = None if attn_mask is None else attn_mask.to(dtypes.float32)
    # both operands take the root of the scale, so that the product does not overflow
    root = math.sqrt(abs(factor))
    scores = matmul(
        times(query, root if factor >= 0 else -root), times(key.transpose(-2, -1), root)
    )
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = safe_shares(scores, -1)
    if dropout_p:
        weights = dropped(weights, dropout_p, True, False)
    found = matmul(weights, value)
    return found.to(dtype) if dtype.reduced else found
