"""Attention: each place of a sequence asks all others, and takes a mixture of what they say.

    weights = softmax(queries @ keys.T / √size)        who listens to whom: rows of shares
    result  = weights @ values

Several heads do so side by side, each with a part of the embedding.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.nn._functional.activations import softmax
from course_lib.nn._functional.dropouts import dropout as dropped
from course_lib.ops.layers.attention import scaled_dot_product_attention
from course_lib.ops.layers.linear import linear
from course_lib.ops.layers.padding import pad
from course_lib.ops.linalg.addmm import baddbmm
from course_lib.ops.linalg.matmul import bmm
from course_lib.ops.make.creation import zeros
from course_lib.ops.make.like import zeros_like
from course_lib.ops.shape.join import cat
from course_lib.words import errors

__all__ = ["multi_head_attention_forward"]


class Heads(NamedTuple):
    """What several heads compute with: their sizes and weights."""

    embed_dim: int
    num_heads: int
    in_weight: Any
    in_bias: Any
    separate: tuple[Any, Any, Any] | None  # weights of queries, keys, values if sizes differ
    bias_k: Any
    bias_v: Any
    add_zero_attn: bool
    dropout: float
    out_weight: Any
    out_bias: Any

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any,
        need_weights: bool,
        attn_mask: Any,
        average_attn_weights: bool,
        is_causal: bool,
    ) -> tuple[Any, Any]:
        """The mixtures and their weights; sequences are (length, batch, embedding)."""
        batched = self._check_dims(query, key, value, key_padding_mask, attn_mask)
        if is_causal and attn_mask is None:
            raise RuntimeError(errors.CAUSAL_WITHOUT_MASK)
        if not batched:
            query, key, value = (x.unsqueeze(1) for x in (query, key, value))
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        if key_padding_mask is not None and attn_mask is not None:
            if key_padding_mask.dtype != attn_mask.dtype:
                errors.warn(errors.MASKS_DIFFER)
        padding = additive(key_padding_mask, "key_padding_mask", query.dtype)
        causal = is_causal and padding is None and not need_weights
        mask = None if causal else additive(attn_mask, "attn_mask", query.dtype)
        result, weights = self._attend(query, key, value, padding, need_weights, mask, causal)
        if weights is not None and average_attn_weights:
            weights = weights.mean(dim=1)
        if not batched:
            return result.squeeze(1), None if weights is None else weights.squeeze(0)
        return result, weights

    def _check_dims(self, query: Any, key: Any, value: Any, padding: Any, mask: Any) -> bool:
        """Whether there is a batch dimension; AssertionError if the shapes do not fit."""
        dims = query.dim()
        if dims not in (2, 3):
            raise AssertionError(errors.attention_query(dims))
        if key.dim() != dims or value.dim() != dims:
            raise AssertionError(errors.attention_key(dims, key.dim(), value.dim()))
        if padding is not None and padding.dim() != dims - 1:
            wanted = f"{dims - 1}-D"
            text = errors.attention_mask(dims, "key_padding_mask", wanted, padding.dim())
            raise AssertionError(text)
        if mask is not None and mask.dim() not in (2, 3):
            text = errors.attention_mask(dims, "attn_mask", "2-D or 3-D", mask.dim())
            raise AssertionError(text)
        return bool(dims == 3)

    # ---- the computation -------------------------------------------------------------------------

    def _projected(self, query: Any, key: Any, value: Any) -> list[Any]:
        """Queries, keys and values, each with its own weights."""
        weights: Any = self.separate
        bias = self.in_bias
        if weights is None:
            size, weight = self.embed_dim, self.in_weight
            if query is key and key is value:  # one product for all three
                joint: Any = linear(query, weight, bias)
                parts = joint.unflatten(-1, (3, size)).unsqueeze(0).transpose(0, -2).squeeze(-2)
                parts = parts.contiguous()
                return [parts[0], parts[1], parts[2]]
            if key is value:  # one for keys and values
                first, both = weight.split([size, 2 * size])
                biases = (None, None) if bias is None else bias.split([size, 2 * size])
                joint = linear(key, both, biases[1])
                parts = joint.unflatten(-1, (2, size)).unsqueeze(0).transpose(0, -2).squeeze(-2)
                parts = parts.contiguous()
                return [linear(query, first, biases[0]), parts[0], parts[1]]
            weights = list(weight.chunk(3))
        biases = (None,) * 3 if bias is None else bias.chunk(3)
        inputs = (query, key, value)
        return [linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]

    def _attend(
        self,
        query: Any,
        key: Any,
        value: Any,
        padding: Any,
        need_weights: bool,
        mask: Any,
        causal: bool,
    ) -> tuple[Any, Any]:
        """The result and the weights of each head; sequences are (length, batch, embedding)."""
        length, batch, size = query.shape
        if size != self.embed_dim:
            raise AssertionError(errors.attention_embedding(self.embed_dim, size))
        if self.separate is None and key.shape != value.shape:
            raise AssertionError(errors.attention_values(key.shape, value.shape))
        heads, head_dim = batch * self.num_heads, self.embed_dim // self.num_heads
        q, k, v = self._projected(query, key, value)
        if mask is not None:
            wanted = (length, key.shape[0]) if mask.dim() == 2 else (heads, length, key.shape[0])
            if tuple(mask.shape) != wanted:
                raise RuntimeError(errors.attention_mask_shape(mask.shape, wanted))
            mask = mask.unsqueeze(0) if mask.dim() == 2 else mask
        if self.bias_k is not None:
            k = cat([k, self.bias_k.repeat(1, batch, 1)])
            v = cat([v, self.bias_v.repeat(1, batch, 1)])
        q, k, v = (x.view(x.shape[0], heads, head_dim).transpose(0, 1) for x in (q, k, v))
        if self.add_zero_attn:
            nothing = zeros((heads, 1, head_dim), dtype=k.dtype, device=k.device)
            k, v = cat([k, nothing], 1), cat([v, nothing], 1)
        if padding is not None:
            errors.check_padding(padding.shape, (batch, key.shape[0]))
        added = k.shape[1] - key.shape[0]
        mask = pad(mask, (0, added)) if added and mask is not None else mask
        padding = pad(padding, (0, added)) if added and padding is not None else padding
        if padding is not None:
            padding = padding.view(batch, 1, 1, k.shape[1]).expand(-1, self.num_heads, -1, -1)
            padding = padding.reshape(heads, 1, k.shape[1])
            mask = padding if mask is None else mask + padding
        dropout = self.dropout
        weights = None
        if need_weights:
            q = q * math.sqrt(1.0 / head_dim)
            turned = k.transpose(-2, -1)
            scores = bmm(q, turned) if mask is None else baddbmm(mask, q, turned)
            shares: Any = softmax(scores, dim=-1)
            shares = dropped(shares, dropout) if dropout else shares
            mixed = bmm(shares, v).transpose(0, 1).reshape(length * batch, size)
            weights = shares.view(batch, self.num_heads, length, k.shape[1])
        else:
            if mask is not None:
                alone = mask.shape[0] == 1
                shape = (batch, self.num_heads, -1, k.shape[1])
                mask = mask.unsqueeze(0) if alone else mask.view(*shape)
            q, k, v = (x.view(batch, self.num_heads, x.shape[1], head_dim) for x in (q, k, v))
            mixed = scaled_dot_product_attention(q, k, v, mask, dropout, causal)
            mixed = mixed.permute(2, 0, 1, 3).reshape(batch * length, size)
        result: Any = linear(mixed, self.out_weight, self.out_bias)
        return result.view(length, batch, result.shape[1]), weights


def additive(mask: Any, name: str, dtype: Any) -> Any:
    """A mask as numbers to add: minus infinity where a mask of bools is True."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype is not dtypes.bool_:
        raise AssertionError(errors.attention_mask_dtype(name))
    return zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `nn.MultiheadAttention` computes, with weights that are given."""
    if static_k is not None or static_v is not None:
        raise NotImplementedError(errors.absent("multi_head_attention_forward(static_k=…)"))
    separate = (q_proj_weight, k_proj_weight, v_proj_weight)
    heads = Heads(
        embed_dim_to_check,
        num_heads,
        in_proj_weight,
        in_proj_bias,
        separate if use_separate_proj_weight else None,
        bias_k,
        bias_v,
        add_zero_attn,
        dropout_p if training else 0.0,
        out_proj_weight,
        out_proj_bias,
    )
    choices = (key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal)
    return heads.forward(query, key, value, *choices)
