"""Errors of neural-network functions."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import CLAMP_COMPLEX, no_kernel
from course_lib.words.errors.sentence import C_NAMES, Sentence, type_word

GELU_APPROXIMATE = "approximate argument must be either none or tanh."
NEGATIVE_SLOPE = (
    "In-place leakyReLu backward calculation is triggered with a negative slope which is not "
    "supported. This is caused by calling in-place forward function with a negative slope, "
    "please call out-of-place version instead. File an issue at "
    "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
    "calculation with negative slope"
)
DROPOUT2D_SERIES = (
    "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
    "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. "
    "This behavior will change in a future release to interpret the input as one without a batch "
    "dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please "
    "switch to using dropout1d instead."
)
DROPOUT_FEATURES = "Feature dropout requires at least 2 dimensions in the input"
NEGATIVE_ELU = (
    "In-place elu backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)
PRELU_SCALAR = "Not allow zero-dim input tensor."
NEGATIVE_CLASS = "Class values must be non-negative."
LARGE_CLASS = "Class values must be smaller than num_classes."
NO_CLASSES = "Can not infer total number of classes from empty tensor."
ONE_HOT_TYPE = "one_hot is only applicable to index tensor of type LongTensor."
SDPA_DROPOUT = "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0"
SDPA_CAUSAL = (
    "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
)

implicit_dim = Sentence(
    "Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X "
    "as an argument."
)
dropout_probability = Sentence("dropout probability has to be between 0 and 1, but got {p}")


def dropout_dims(name: str, ndim: int) -> str:
    spatial = int(name[-2])
    return (
        f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an "
        "error in a future release. To retain the behavior and silence this warning, please use "
        f"dropout instead. Note that {name} exists to provide channel-wise dropout on inputs with "
        f"{spatial} spatial dimensions, a channel dimension, and an optional batch dimension "
        f"(i.e. {spatial + 1}D or {spatial + 2}D inputs)."
    )


# ---- activations ---------------------------------------------------------------------------------


def check_hardtanh(self: Any, min_val: Any, max_val: Any) -> None:
    """Raise for dtypes that cannot be clipped to these bounds."""
    if self._dtype.category == 0:
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if self._dtype.category == 3:
        raise NotImplementedError(CLAMP_COMPLEX)
    if self._dtype.category == 1 and not self._dtype.is_signed and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")


def check_floating(kernel: str) -> Any:
    """A check that refuses all but floating tensors, whatever the other arguments are."""

    def check(self: Any, **numbers: Any) -> None:
        if self._dtype.category != 2:
            raise NotImplementedError(no_kernel(kernel, self._dtype))

    return check


def check_prelu(self: Any, weight: Any) -> None:
    """Raise unless input and weight have the same floating dtype."""
    if self._dtype is not weight._dtype:
        one, other = type_word(self._dtype), type_word(weight._dtype)
        raise RuntimeError(f"prelu: Type promoting not supported. Got {one} and {other}")
    if self._dtype.category != 2:
        raise NotImplementedError(no_kernel("prelu_cpu", self._dtype))


def check_prelu_weight(shape: tuple, weight_dims: int, size: int) -> None:
    """Raise unless there is one weight, or one for each channel."""
    if size != 1:
        if not shape:
            raise RuntimeError(PRELU_SCALAR)
        channels = shape[1] if len(shape) > 1 else 1
        if channels != size:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{size} and channel size = {channels}."
            )
    if weight_dims > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight_dims}"
        )


def check_softmax(name: str) -> Any:
    """A check that refuses dtypes for which PyTorch has no kernel of this name."""

    def check(self: Any, dim: int) -> None:
        ndim = self._array.ndim
        if dim.__class__ is int and -ndim <= dim < ndim and self._dtype.category == 2:
            return  # before the import, which takes a microsecond even if it loads nothing
        from course_lib.memory.dims import wrap_dim

        last = wrap_dim(dim, ndim) == max(ndim - 1, 0)
        if self._dtype.category != 2:
            kernel = f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl"
            raise NotImplementedError(no_kernel(kernel, self._dtype))

    return check


# ---- layers --------------------------------------------------------------------------------------

not_implemented_derivative = Sentence("derivative for aten::{name} is not implemented")


def check_attention(query: Any, key: Any, value: Any, attn_mask: Any, is_causal: bool) -> None:
    """Raise unless ranks and dtypes fit and there is at most one mask."""
    sizes = [t._array.ndim for t in (query, key, value)]
    if min(sizes) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{sizes[0]} key.dim: {sizes[1]} and value.dim: {sizes[2]} instead."
        )
    if query._dtype is not key._dtype or query._dtype is not value._dtype:
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{c_dtype(query)} key.dtype: {c_dtype(key)} and value.dtype: {c_dtype(value)} instead."
        )
    if attn_mask is not None and is_causal:
        raise RuntimeError(SDPA_CAUSAL)
    if attn_mask is not None and attn_mask._dtype.category and attn_mask._dtype is not query._dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {c_dtype(attn_mask)} and  query.dtype: {c_dtype(query)} instead."
        )


def check_attention_choices(query: Any, key: Any, value: Any, p: float, gqa: bool) -> None:
    """Raise unless the dropout is a probability and heads can be shared, if they are."""
    if p < 0:
        raise RuntimeError(SDPA_DROPOUT)
    if p > 1:
        raise RuntimeError(dropout_probability(p))
    if gqa:
        heads = [t.shape[-3] if t.dim() > 2 else None for t in (query, key, value)]
        if None in heads:
            from course_lib.words.errors.shapes import dim_range

            raise IndexError(dim_range(-3, 2))
        if heads[0] % heads[1] or heads[0] % heads[2]:
            raise RuntimeError(
                "Number of heads in key and value must divide the number of heads in "
            )


def c_dtype(tensor: Any) -> str:
    return C_NAMES[tensor._dtype.name]
