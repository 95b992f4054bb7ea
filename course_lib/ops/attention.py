"""Attention: for each query a mean of the values, weighted by how well their keys fit."""

from __future__ import annotations

import math
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors
from course_lib.ops.creation import ones
from course_lib.ops.dropout import dropped
from course_lib.ops.matmul import matmul
from course_lib.ops.softmax import safe_shares

__all__: list[str] = []


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
    factor = 1 / math.sqrt(query._array.shape[-1]) if scale is None else scale
    # both operands take the root of the scale, so that the product does not overflow
    root = math.sqrt(abs(factor))
    scores = matmul(query * (root if factor >= 0 else -root), (key * root).transpose(-2, -1))
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = safe_shares(scores, -1)
    if dropout_p:
        weights = dropped(weights, dropout_p, True, False)
    return matmul(weights, value)
