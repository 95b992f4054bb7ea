"""Attention: each place of a sequence asks all others, and takes a mixture of what they say.

    weights = softmax(queries @ keys.T / √size)        who listens to whom: rows of shares
    result  = weights @ values

Several heads do so side by side, each with a part of the embedding.
"""

from __future__ import annotations

import math
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.linear import Linear
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.ops.addmm import baddbmm
from course_lib.ops.creation import empty, zeros
from course_lib.ops.joining import cat
from course_lib.ops.like import zeros_like
from course_lib.ops.matmul import bmm

__all__ = ["MultiheadAttention"]


class NonDynamicallyQuantizableLinear(Linear):
    """The last linear layer of attention, under the name that PyTorch shows."""


class MultiheadAttention(Module):
    """Attention with several heads, between one sequence and another or within one.

    Sequences are (length, batch, embedding), or with `batch_first` (batch, length, embedding).

    >>> layer = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    >>> x = torch.zeros(3, 5, 4)
    >>> result, weights = layer(x, x, x)
    >>> result.shape, weights.shape
    (torch.Size([3, 5, 4]), torch.Size([3, 5, 5]))
    """

    __constants__ = ["batch_first"]
    bias_k: Parameter | None
    bias_v: Parameter | None
    in_proj_weight: Any
    in_proj_bias: Any
    q_proj_weight: Any
    k_proj_weight: Any
    v_proj_weight: Any

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(errors.attention_sizes(embed_dim, num_heads))
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError(errors.HEADS_DIVIDE)
        options = {"device": device, "dtype": dtype}
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(empty((3 * embed_dim, embed_dim), **options))
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            for name, size in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                weight = Parameter(empty((embed_dim, size), **options))
                self.register_parameter(f"{name}_proj_weight", weight)
            self.register_parameter("in_proj_weight", None)
        in_bias = Parameter(empty(3 * embed_dim, **options)) if bias else None
        self.register_parameter("in_proj_bias", in_bias)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, **options)
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            self.bias_k = Parameter(empty((1, 1, embed_dim), **options))
            self.bias_v = Parameter(empty((1, 1, embed_dim), **options))
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for weight in (
            self.in_proj_weight,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
        ):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The mixtures, and the weights of the mixtures if `need_weights`.

        `key_padding_mask` says which places nobody shall listen to, `attn_mask` who shall not
        listen to whom (True), or what to add before the softmax (numbers).
        """
        batched = self._check_dims(query, key, value, key_padding_mask, attn_mask)
        if is_causal and attn_mask is None:
            raise RuntimeError(errors.CAUSAL_WITHOUT_MASK)
        if not batched:
            query, key, value = (x.unsqueeze(1) for x in (query, key, value))
            if key_padding_mask is not None:
                key_padding_mask = key_padding_mask.unsqueeze(0)
        elif self.batch_first:
            same_key, same_value = query is key, key is value
            query = query.transpose(1, 0)
            key = query if same_key else key.transpose(1, 0)
            value = key if same_value else value.transpose(1, 0)
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
        return (result.transpose(1, 0) if self.batch_first else result), weights

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
        weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        bias = self.in_proj_bias
        if self._qkv_same_embed_dim:
            size, weight = self.embed_dim, self.in_proj_weight
            if query is key and key is value:  # one product for all three
                joint: Any = F.linear(query, weight, bias)
                parts = joint.unflatten(-1, (3, size)).unsqueeze(0).transpose(0, -2).squeeze(-2)
                parts = parts.contiguous()
                return [parts[0], parts[1], parts[2]]
            if key is value:  # one for keys and values
                first, both = weight.split([size, 2 * size])
                biases = (None, None) if bias is None else bias.split([size, 2 * size])
                joint = F.linear(key, both, biases[1])
                parts = joint.unflatten(-1, (2, size)).unsqueeze(0).transpose(0, -2).squeeze(-2)
                parts = parts.contiguous()
                return [F.linear(query, first, biases[0]), parts[0], parts[1]]
            weights = list(weight.chunk(3))
        biases = (None,) * 3 if bias is None else bias.chunk(3)
        inputs = (query, key, value)
        return [F.linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]

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
        if self._qkv_same_embed_dim and key.shape != value.shape:
            raise AssertionError(errors.attention_values(key.shape, value.shape))
        heads = batch * self.num_heads
        q, k, v = self._projected(query, key, value)
        if mask is not None:
            wanted = (length, key.shape[0]) if mask.dim() == 2 else (heads, length, key.shape[0])
            if tuple(mask.shape) != wanted:
                raise RuntimeError(errors.attention_mask_shape(mask.shape, wanted))
            mask = mask.unsqueeze(0) if mask.dim() == 2 else mask
        if self.bias_k is not None:
            k = cat([k, self.bias_k.repeat(1, batch, 1)])  # type: ignore[attr-defined]
            v = cat([v, self.bias_v.repeat(1, batch, 1)])  # type: ignore[union-attr]
        q, k, v = (x.view(x.shape[0], heads, self.head_dim).transpose(0, 1) for x in (q, k, v))
        if self.add_zero_attn:
            nothing = zeros((heads, 1, self.head_dim), dtype=k.dtype, device=k.device)
            k, v = cat([k, nothing], 1), cat([v, nothing], 1)
        if padding is not None:
            errors.check_padding(padding.shape, (batch, key.shape[0]))
        added = k.shape[1] - key.shape[0]
        mask = F.pad(mask, (0, added)) if added and mask is not None else mask
        padding = F.pad(padding, (0, added)) if added and padding is not None else padding
        if padding is not None:
            padding = padding.view(batch, 1, 1, k.shape[1]).expand(-1, self.num_heads, -1, -1)
            padding = padding.reshape(heads, 1, k.shape[1])
            mask = padding if mask is None else mask + padding
        dropout = self.dropout if self.training else 0.0
        weights = None
        if need_weights:
            q = q * math.sqrt(1.0 / self.head_dim)
            turned = k.transpose(-2, -1)
            scores = bmm(q, turned) if mask is None else baddbmm(mask, q, turned)
            shares: Any = F.softmax(scores, dim=-1)
            shares = F.dropout(shares, dropout) if dropout else shares
            mixed = bmm(shares, v).transpose(0, 1).reshape(length * batch, size)
            weights = shares.view(batch, self.num_heads, length, k.shape[1])
        else:
            if mask is not None:
                alone = mask.shape[0] == 1
                shape = (batch, self.num_heads, -1, k.shape[1])
                mask = mask.unsqueeze(0) if alone else mask.view(*shape)
            q, k, v = (x.view(batch, self.num_heads, x.shape[1], self.head_dim) for x in (q, k, v))
            mixed = F.scaled_dot_product_attention(q, k, v, mask, dropout, causal)
            mixed = mixed.permute(2, 0, 1, 3).reshape(batch * length, size)
        result: Any = F.linear(mixed, self.out_proj.weight, self.out_proj.bias)
        return result.view(length, batch, result.shape[1]), weights


def additive(mask: Any, name: str, dtype: Any) -> Any:
    """A mask as numbers to add: minus infinity where a mask of bools is True."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype is not dtypes.bool_:
        raise AssertionError(errors.attention_mask_dtype(name))
    return zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))  # type: ignore[attr-defined]
