"""Errors of neural-network functions."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import CLAMP_COMPLEX, no_kernel
from course_lib.words.errors.sentence import Sentence, type_word

GELU_APPROXIMATE = "approximate argument must be either none or tanh."
NEGATIVE_SLOPE = (
    "In-place leakyReLu backward calculation is triggered with a negative slope which is not "
    "supported. This is caused by calling in-place forward function with a negative slope, "
    "please call out-of-place version instead. File an issue at "
    "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
    "calculation with negative slope"
)
NEGATIVE_ELU = (
    "In-place elu backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)
PRELU_SCALAR = "Not allow zero-dim input tensor."

implicit_dim = Sentence(
    "Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X "
    "as an argument."
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
