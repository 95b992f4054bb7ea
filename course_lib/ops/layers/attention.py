"""Attention: each place of a sequence asks all others, and takes a mixture of what they say.

    weights = softmax(queries @ keys.T / √size)        who listens to whom: rows of shares
    result  = weights @ values

Several heads do so side by side, each with a part of the embedding.
"""

import math
from typing import Any

import numpy as np

from course_lib.calls.rules import refuse
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.elementwise.zeroing import refuse_gradient, times
from course_lib.ops.layers import layer_op
from course_lib.ops.layers.dropout import drop
from course_lib.ops.layers.linear import linear
from course_lib.ops.layers.softmax import safe_shares, softmax
from course_lib.ops.linalg.matmul import baddbmm, bmm, matmul
from course_lib.ops.make.creation import ones
from course_lib.ops.make.like import zeros_like
from course_lib.words import errors

Array = Any


# ---- all of it as one operation ------------------------------------------------------------------


def weights_of(query: Array, key: Array, mask: Array, causal: bool, scale: float) -> Array:
    """How much each query (row) takes of each value (column)."""
    scores = np.matmul(query, key.swapaxes(-2, -1)) * query.dtype.type(scale)
    if causal:  # a row must not see the columns after its own number
        mask = np.tri(*scores.shape[-2:], dtype=bool)
    if mask is not None and mask.dtype.kind == "b":
        scores = np.where(mask, scores, scores.dtype.type(-np.inf))
    elif mask is not None:
        scores = scores + mask
    top = np.max(scores, axis=-1, keepdims=True)
    top[np.isinf(top)] = 0  # of a row that is masked as a whole
    scores = np.exp(scores - top)
    total = np.add.reduce(scores, axis=-1, keepdims=True)
    total[total == 0] = 1
    return (scores / total).astype(query.dtype, copy=False)


@layer_op(
    layout="kernel",
    name="_scaled_dot_product_flash_attention_for_cpu",
    saves=("query", "key", "value", "attn_mask"),
    tensors=lambda grad, query, key, value, attn_mask, is_causal, scale: flash_back(
        [grad, query, key, value], attn_mask, is_causal, scale
    ),
)
def flash(tensors, query, key, value, attn_mask, is_causal, scale):
    """Attention without a node in between; `tensors` are query, key and value again."""
    query, key, value = tensors
    out = np.empty_like(query)
    out[...] = np.matmul(weights_of(query, key, attn_mask, is_causal, scale), value)
    return out


@layer_op(
    layout="kernel",
    several=True,
    tensors=refuse_gradient("_scaled_dot_product_flash_attention_for_cpu_backward"),
)
def flash_back(tensors, mask, causal, scale):
    """The gradients of query, key and value; the weights are computed anew, not kept."""
    grad, query, key, value = tensors
    weights = weights_of(query, key, mask, causal, scale)
    fit = np.matmul(grad, value.swapaxes(-2, -1))  # becomes the slope of the scores
    fit -= np.add.reduce(weights * fit, axis=-1, keepdims=True)
    fit *= weights
    fit *= query.dtype.type(scale)
    return (
        heads_inside(np.matmul(fit, key)),
        heads_inside(np.matmul(fit.swapaxes(-2, -1), query)),
        heads_inside(np.matmul(weights.swapaxes(-2, -1), grad)),
    )


def heads_inside(grad: Array) -> Array:
    """A gradient with the heads inside rows, as PyTorch lays it out in memory."""
    return grad.swapaxes(1, 2).copy().swapaxes(1, 2)


def flash_fits(query: Any, key: Any, value: Any, mask: Any, dropout: float) -> bool:
    """Whether PyTorch takes its one operation for these."""
    shapes = [t._array.shape for t in (query, key, value)]
    if dropout or query._dtype.category != dtypes.FLOATING or any(len(s) != 4 for s in shapes):
        return False
    (batch, heads, rows, size), (*_, columns, _), _ = shapes
    wanted = (batch, heads, columns, size)
    if any(0 in s for s in shapes) or shapes[1] != wanted or shapes[2] != wanted:
        return False
    if any(t.stride(-1) != 1 for t in (query, key, value)):
        return False
    if mask is None:
        return True
    found = mask._array.shape
    most = (batch, heads, rows, columns)[-len(found) :]
    fits = len(found) in (2, 4) and all(n in (1, w) for n, w in zip(found, most, strict=True))
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
) -> Tensor:
    """``softmax(query @ key.T * scale + mask) @ value``.

    >>> q = k = torch.tensor([[1., 0.], [0., 1.]])
    >>> F = torch.nn.functional
    >>> F.scaled_dot_product_attention(q, k, torch.tensor([[1.], [2.]]), is_causal=True)
    tensor([[1.0000],
            [1.6698]])
    """
    check_operands(query, key, value, attn_mask, is_causal)
    refuse(dropout_p < 0, errors.SDPA_DROPOUT)
    refuse(dropout_p > 1, errors.dropout_probability, dropout_p)
    factor = 1 / math.sqrt(query._array.shape[-1] or 1) if scale is None else scale
    if flash_fits(query, key, value, attn_mask, dropout_p):
        return flash([query, key, value], query, key, value, attn_mask, is_causal, factor)
    if is_causal:
        rows, columns = query._array.shape[-2], key._array.shape[-2]
        attn_mask = ones((rows, columns), dtype=dtypes.bool_, device=query.device).tril()
    if attn_mask is not None and attn_mask._dtype.category == 0:
        zero = query.new_zeros(())
        attn_mask = zero.expand(attn_mask.shape).masked_fill(~attn_mask, float("-inf"))
    # both operands take the root of the scale, so that the product does not overflow
    root = math.sqrt(abs(factor))
    query = times(query, root if factor >= 0 else -root)
    scores = matmul(query, times(key.transpose(-2, -1), root))
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = safe_shares(scores, -1)
    return matmul(drop(weights, dropout_p, True, False), value)


def check_operands(query: Any, key: Any, value: Any, mask: Any, causal: bool) -> None:
    """Raise unless ranks and dtypes fit and there is at most one mask."""
    three = (query, key, value)
    refuse(min(t._array.ndim for t in three) < 2, errors.attention_dims, *three)
    refuse(any(t._dtype is not query._dtype for t in three), errors.attention_dtypes, *three)
    refuse(any(t.device != query.device for t in three), errors.attention_devices, *three)
    refuse(mask is not None and causal, errors.SDPA_CAUSAL)
    if mask is not None and mask._dtype.category and mask._dtype is not query._dtype:
        raise RuntimeError(errors.attention_mask_other_dtype(mask, query))


# ---- several heads -------------------------------------------------------------------------------


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
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `nn.MultiheadAttention` computes, with weights that are given."""
    if bias_k is not None or bias_v is not None or add_zero_attn:
        raise NotImplementedError(errors.absent("attention with bias_k, bias_v or add_zero_attn"))
    batched = check_dims(query, key, value, key_padding_mask, attn_mask)
    refuse(is_causal and attn_mask is None, errors.CAUSAL_WITHOUT_MASK)
    if not batched:
        query, key, value = (x.unsqueeze(1) for x in (query, key, value))
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    both = key_padding_mask is not None and attn_mask is not None
    if both and key_padding_mask.dtype != attn_mask.dtype:
        errors.warn(errors.MASKS_DIFFER)
    if query.shape[2] != embed_dim_to_check:
        raise AssertionError(errors.attention_embedding(embed_dim_to_check, query.shape[2]))
    if key.shape != value.shape:
        raise AssertionError(errors.attention_values(key.shape, value.shape))
    padding = additive(key_padding_mask, "key_padding_mask", query.dtype)
    causal = is_causal and padding is None and not need_weights
    mask = None if causal else additive(attn_mask, "attn_mask", query.dtype)
    mask = join_masks(mask, padding, query, key, num_heads)
    parts = project(query, key, value, in_proj_weight, in_proj_bias)
    mix = attend_with_weights if need_weights else attend
    mixed, weights = mix(parts, num_heads, mask, dropout_p if training else 0.0, causal)
    result = linear(mixed, out_proj_weight, out_proj_bias).view(*query.shape[:2], -1)
    if weights is not None and average_attn_weights:
        weights = weights.mean(dim=1)
    if batched:
        return result, weights
    return result.squeeze(1), None if weights is None else weights.squeeze(0)


def check_dims(query: Any, key: Any, value: Any, padding: Any, mask: Any) -> bool:
    """Whether there is a batch dimension; AssertionError if the ranks do not fit."""
    dims = query.dim()
    refuse(dims not in (2, 3), errors.attention_query, dims, error=AssertionError)
    kind = "batched (3-D)" if dims == 3 else "unbatched (2-D)"
    if key.dim() != dims or value.dim() != dims:
        raise AssertionError(errors.attention_key(kind, dims, key.dim(), value.dim()))
    if padding is not None and padding.dim() != dims - 1:
        raise AssertionError(errors.attention_padding(kind, dims - 1, padding.dim()))
    if mask is not None and mask.dim() not in (2, 3):
        raise AssertionError(errors.attention_mask(kind, mask.dim()))
    return bool(dims == 3)


def additive(mask: Any, name: str, dtype: Any) -> Any:
    """A mask as numbers to add: minus infinity where a mask of bools is True."""
    if mask is None or mask.is_floating_point():
        return mask
    refuse(mask.dtype is not dtypes.bool_, errors.attention_mask_dtype, name, error=AssertionError)
    return zeros_like(mask, dtype=dtype).masked_fill_(mask, float("-inf"))


def join_masks(mask: Any, padding: Any, query: Any, key: Any, heads: int) -> Any:
    """One mask (heads of all examples or 1, queries, keys) from the two kinds of masks."""
    (length, batch, _), columns = query.shape, key.shape[0]
    if mask is not None:
        wanted = (length, columns) if mask.dim() == 2 else (batch * heads, length, columns)
        if tuple(mask.shape) != wanted:
            raise RuntimeError(errors.attention_mask_shape(mask.dim(), mask.shape, wanted))
        mask = mask.unsqueeze(0) if mask.dim() == 2 else mask
    if padding is None:
        return mask
    for dim, (here, there) in enumerate(zip(padding.shape, (batch, columns), strict=True)):
        refuse(here != there, errors.attention_padding_size, dim, there, here, error=AssertionError)
    padding = padding.view(batch, 1, 1, columns).expand(-1, heads, -1, -1)
    padding = padding.reshape(batch * heads, 1, columns)
    return padding if mask is None else mask + padding


def project(query: Any, key: Any, value: Any, weight: Any, bias: Any) -> list[Any]:
    """Queries, keys and values, each with its own part of the weights."""
    size = query.shape[2]
    if key is not value:
        weights, biases = weight.chunk(3), (None,) * 3 if bias is None else bias.chunk(3)
        return [linear(*given) for given in zip((query, key, value), weights, biases, strict=True)]
    if query is key:  # one product for all three
        return split_joint(linear(query, weight, bias), 3)
    first, both = weight.split([size, 2 * size])  # one for keys and values
    biases = (None, None) if bias is None else bias.split([size, 2 * size])
    return [linear(query, first, biases[0]), *split_joint(linear(key, both, biases[1]), 2)]


def split_joint(joint: Any, count: int) -> list[Any]:
    """The parts of a product with the weights for several."""
    size = joint.shape[-1] // count
    parts = joint.unflatten(-1, (count, size)).unsqueeze(0).transpose(0, -2).squeeze(-2)
    parts = parts.contiguous()
    return [parts[n] for n in range(count)]


def in_heads(part: Any, heads: int) -> Any:
    """Sequences (length, batch, embedding) as (heads of all examples, length, size)."""
    length, batch, size = part.shape
    return part.view(length, batch * heads, size // heads).transpose(0, 1)


def attend_with_weights(parts: list, heads: int, mask: Any, dropout: float, _: bool) -> Any:
    """The mixtures as rows, and the weights of each head."""
    length, batch, size = parts[0].shape
    q, k, v = (in_heads(part, heads) for part in parts)
    q, turned = q * math.sqrt(1.0 / (size // heads)), k.transpose(-2, -1)
    scores = bmm(q, turned) if mask is None else baddbmm(mask, q, turned)
    shares = drop(softmax(scores, -1), dropout, True, False)
    mixed = bmm(shares, v).transpose(0, 1).reshape(length * batch, size)
    return mixed, shares.view(batch, heads, length, k.shape[1])


def attend(parts: list, heads: int, mask: Any, dropout: float, causal: bool) -> Any:
    """The mixtures as rows, by `scaled_dot_product_attention`."""
    length, batch, size = parts[0].shape
    each = [in_heads(part, heads) for part in parts]
    if mask is not None:
        shape = (batch, heads, -1, mask.shape[-1])
        mask = mask.unsqueeze(0) if mask.shape[0] == 1 else mask.view(*shape)
    q, k, v = (x.view(batch, heads, *x.shape[1:]) for x in each)
    mixed = scaled_dot_product_attention(q, k, v, mask, dropout, causal)
    return mixed.permute(2, 0, 1, 3).reshape(batch * length, size), None
