"""Complex tensors made of two real ones: real and imaginary part, or length and angle."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory import dims
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.rounding import real_part
from course_lib.ops.shape.complex_views import imag
from course_lib.words import errors

__all__ = [
    "complex",
]

ALLOWED = ("float16", "float32", "float64")


def check_parts(*parts: Tensor) -> None:
    """Raise PyTorch's error unless both parts are floating and of one dtype."""
    one, two = (part._dtype for part in parts)
    if one.name not in ALLOWED or two.name not in ALLOWED:
        raise RuntimeError(errors.complex_parts(one, two))
    if one is not two:
        raise RuntimeError(errors.complex_mixed(one, two))
    if one.reduced:
        raise NotImplementedError(errors.absent("torch.complex(dtype=torch.complex32)"))


def joined(first: Any, second: Any) -> Any:
    """The complex array with these parts."""
    dtype = np.result_type(first.dtype, np.complex64)
    shape = dims.broadcast(first.shape, second.shape)
    if MetaArray in (first.__class__, second.__class__):
        return MetaArray(shape, dtype)
    result = np.empty(shape, dtype)
    result.real, result.imag = first, second
    return result[()]


@op(
    kind="same",
    method=False,
    inplace=False,
    check=lambda real, imag: check_parts(real, imag),
    real=lambda grad: real_part(grad),
    imag=lambda grad: imag(grad),
)
def complex(real, imag):
    """The complex tensor with these real and imaginary parts.

    >>> torch.complex(torch.tensor([1.0, 2.0]), torch.tensor([0.0, -1.0]))
    tensor([1.+0.j, 2.-1.j])
    """
    return joined(real, imag)
