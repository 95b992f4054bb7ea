"""Errors of attention."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

HEADS_DIVIDE = "embed_dim must be divisible by num_heads"
SDPA_DROPOUT = "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0"
SDPA_CAUSAL = (
    "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
)
CAUSAL_WITHOUT_MASK = (
    "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
    "`generate_square_subsequent_mask` to create this mask."
)
MASKS_DIFFER = (
    "Support for mismatched key_padding_mask and attn_mask is deprecated. Use same type for both "
    "instead."
)

attention_dims = Sentence(
    "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
    "{query:dims} key.dim: {key:dims} and value.dim: {value:dims} instead."
)
attention_dtypes = Sentence(
    "Expected query, key, and value to have the same dtype, but got query.dtype: {query:c} "
    "key.dtype: {key:c} and value.dtype: {value:c} instead."
)
attention_devices = Sentence(
    "Expected query, key, and value to have the same device type, but got query.device: "
    "{query.device} key.device: {key.device} and value.device: {value.device} instead."
)
attention_mask_other_dtype = Sentence(
    "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
    "attn_mask.dtype: {mask:c} and  query.dtype: {query:c} instead."
)
attention_sizes = Sentence(
    "embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
    "num_heads={num_heads} instead"
)
attention_query = Sentence(
    "query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor"
)
attention_key = Sentence(
    "For {kind} `query`, expected `key` and `value` to be {dims}-D but found {key}-D and {value}-D "
    "tensors respectively"
)
attention_padding = Sentence(
    "For {kind} `query`, expected `key_padding_mask` to be `None` or {wanted}-D but found {got}-D "
    "tensor instead"
)
attention_mask = Sentence(
    "For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {got}-D tensor "
    "instead"
)
attention_embedding = Sentence("was expecting embedding dimension of {wanted}, but got {got}")
attention_values = Sentence("key shape {key} does not match value shape {value}")
attention_mask_shape = Sentence(
    "The shape of the {dims}D attn_mask is {got}, but should be {wanted}."
)
attention_padding_size = Sentence(
    "Expected key_padded_mask.shape[{dim}] to be {wanted}, but got {got}"
)
attention_mask_dtype = Sentence("only bool and floating types of {name} are supported")
