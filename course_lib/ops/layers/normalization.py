"""Normalization: scale to mean 0 and variance 1, then apply a learned scale and shift.

The kinds differ in what shares a mean: a layer's last dimensions, a channel of a batch, or a group
of channels.  `eps` is added to the variance, so that nothing is divided by zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.memory.memory_formats import in_format_of
from course_lib.ops.elementwise.powers import rsqrt
from course_lib.ops.elementwise.with_numbers import plus
from course_lib.ops.reduce.adjoints import reshaped
from course_lib.ops.reduce.sums import mean_along, sum_along
from course_lib.words import errors

__all__: list[str] = []

Array = Any


def moments(array: Array, dims: tuple) -> tuple[Array, Array]:
    """Mean and variance over `dims`, which are kept; summed in double precision, as in PyTorch."""
    mean = np.mean(array, axis=dims, keepdims=True, dtype=np.float64)
    square = np.square(array - mean)
    return mean, np.mean(square, axis=dims, keepdims=True)


def standard(array: Array, dims: tuple, eps: float) -> Array:
    """`array` with mean 0 and variance 1 over `dims`."""
    if not array.size:
        return array
    mean, variance = moments(array, dims)
    return ((array - mean) / np.sqrt(variance + eps)).astype(array.dtype)


def scaled(array: Array, weight: Array, bias: Array, shape: Any) -> Array:
    """`array` times `weight` plus `bias`, both of them reshaped to `shape`."""
    if weight is not None:
        array = array * np.reshape(weight, shape)
    return array if bias is None else array + np.reshape(bias, shape)


# ---- what the formulas are made of: on arrays and on tensors -------------------------------------


def whitened(x: Any, dims: tuple, eps: float) -> tuple[Any, Any]:
    """`standard`, made of differentiable operations, and the factor that it multiplies by."""
    centred = x - mean_along(x, dims, True)
    factor = rsqrt(mean_along(centred * centred, dims, True) + eps)
    return centred * factor, factor


def through(grad: Any, x: Any, dims: tuple, eps: float) -> Any:
    """The gradient of `standard`: minus the parts that flow through mean and variance."""
    normal, factor = whitened(x, dims, eps)
    along = normal * mean_along(grad * normal, dims, True)
    return factor * (grad - mean_along(grad, dims, True) - along)


def times(grad: Any, weight: Any, shape: Any) -> Any:
    """A gradient times the weight, in a shape that broadcasts, if there is a weight."""
    return grad if weight is None else grad * reshaped(weight, shape)


def gathered(grad: Any, dims: tuple, shape: Any) -> Any:
    """The sum over `dims`, in another shape."""
    return reshaped(sum_along(grad, dims, True) if dims else grad, shape)


# ---- over the last dimensions --------------------------------------------------------------------


def last(shape: Any, normalized: Any) -> tuple:
    """The dimensions that `normalized_shape` stands for."""
    return tuple(range(len(shape) - len(normalized), len(shape)))


def first(shape: Any, normalized: Any) -> tuple:
    """The dimensions before those that `normalized_shape` stands for."""
    return tuple(range(len(shape) - len(normalized)))


@op(
    kind="first",
    layout="contiguous",
    method=False,
    node="NativeLayerNormBackward0",
    operands=("self", "weight", "bias"),
    self=lambda grad, self, self_shape, weight, normalized_shape, eps: through(
        times(grad, weight, normalized_shape), self, last(self_shape, normalized_shape), eps
    ),
    weight=lambda grad, self, self_shape, normalized_shape, eps: gathered(
        grad * whitened(self, last(self_shape, normalized_shape), eps)[0],
        first(self_shape, normalized_shape),
        normalized_shape,
    ),
    # NB: PyTorch saves the bias too, so that it must not change before the backward pass.
    bias=lambda grad, bias, self_shape, normalized_shape: gathered(
        grad, first(self_shape, normalized_shape), normalized_shape
    ),
)
def layer_norm(self, weight, bias, normalized_shape, eps):
    normal = standard(self, last(self.shape, normalized_shape), eps)
    return scaled(normal, weight, bias, normalized_shape)


# ---- over the batch ------------------------------------------------------------------------------


def others(shape: Any) -> tuple:
    """All dimensions but that of the channels."""
    return tuple(d for d in range(len(shape)) if d != 1)


def channels(shape: Any) -> tuple:
    """The shape in which one value per channel broadcasts."""
    return tuple(n if d == 1 else 1 for d, n in enumerate(shape))


@op(
    kind="first",
    layout="kernel",
    method=False,
    node="NativeBatchNormBackward0",
    check=errors.check_batch_norm,
    operands=("self", "weight", "bias"),
    saves=("mean", "variance"),
    self=lambda grad, self, self_shape, weight, mean, variance, eps: (
        through(times(grad, weight, channels(self_shape)), self, others(self_shape), eps)
        if mean is None
        else times(grad, weight, channels(self_shape)) * fixed_factor(variance, self_shape, eps)
    ),
    weight=lambda grad, self, self_shape, mean, variance, eps: gathered(
        grad
        * (
            whitened(self, others(self_shape), eps)[0]
            if mean is None
            else (self - reshaped(mean, channels(self_shape)))
            * fixed_factor(variance, self_shape, eps)
        ),
        others(self_shape),
        (self_shape[1],),
    ),
    bias=lambda grad, self_shape: gathered(grad, others(self_shape), (self_shape[1],)),
)
def batch_norm(self, weight, bias, mean=None, variance=None, eps=1e-5):
    """Normalize by the batch's own mean and variance, or by those that are given."""
    shape = channels(self.shape)
    if mean is None:
        normal = standard(self, others(self.shape), eps)
    else:
        factor = 1 / np.sqrt(np.reshape(variance, shape) + eps)
        normal = (self - np.reshape(mean, shape)) * factor
    return in_format_of(scaled(normal, weight, bias, shape).astype(self.dtype, copy=False), self)


def fixed_factor(variance: Any, shape: Any, eps: float) -> Any:
    """The factor by which evaluation multiplies: one over the standard deviation."""
    return rsqrt(reshaped(variance, channels(shape)) + eps)


def remember(input: Any, mean: Tensor | None, variance: Tensor | None, momentum: float) -> None:
    """Move the running statistics towards the batch's, without changing their version."""
    array = np.asarray(input._array)
    if not array.size:
        return
    wide = array.astype(np.float32) if array.dtype.itemsize == 2 else array
    found, spread = moments(wide, others(array.shape))
    count = array.size // array.shape[1]
    spread = spread * (count / max(count - 1, 1))
    for running, new in ((mean, found), (variance, spread)):
        if running is not None:
            running._share()
            old = running._array
            old[...] = ((1 - momentum) * old + momentum * new.ravel()).astype(old.dtype)


# ---- over groups of channels ---------------------------------------------------------------------


def grouped(shape: Any, groups: int) -> tuple:
    """The shape in which all elements of a group lie along one dimension."""
    return (shape[0], groups, -1 if 0 not in shape else 0)


@op(
    kind="first",
    layout="kernel",
    method=False,
    node="NativeGroupNormBackward0",
    operands=("self", "weight", "bias"),
    self=lambda grad, self, self_shape, weight, groups, eps: reshaped(
        through(
            reshaped(times(grad, weight, channels(self_shape)), grouped(self_shape, groups)),
            reshaped(self, grouped(self_shape, groups)),
            (2,),
            eps,
        ),
        self_shape,
    ),
    weight=lambda grad, self, self_shape, groups, eps: gathered(
        grad
        * reshaped(whitened(reshaped(self, grouped(self_shape, groups)), (2,), eps)[0], self_shape),
        others(self_shape),
        (self_shape[1],),
    ),
    bias=lambda grad, self_shape: gathered(grad, others(self_shape), (self_shape[1],)),
)
def group_norm(self, weight, bias, groups, eps):
    rows = np.reshape(self, grouped(self.shape, groups))
    normal = np.reshape(standard(rows, (2,), eps), self.shape)
    return in_format_of(scaled(normal, weight, bias, channels(self.shape)), self)


def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """The input divided by the root of its mean square over the last dimensions."""
    dims = last(input._array.shape, normalized_shape)
    wide = input.to(dtypes.float32) if input._dtype.reduced else input
    if eps is None:
        eps = float(np.finfo(wide._array.dtype).eps)
    square = wide.pow(2).mean(dims, True)
    found = wide * rsqrt(plus(square, eps))
    if weight is not None:
        found = found * weight
    return found if found._dtype is input._dtype else found.to(input._dtype)
