"""Normalization: scale to mean 0 and variance 1, then apply a learned scale and shift.

The kinds differ in what shares a mean: a layer's last dimensions, a channel of a batch, or a group
of channels.  `eps` is added to the variance, so that nothing is divided by zero.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.dtypes import dtypes
from course_lib.memory.memory_formats import has_channels_last, in_format_of
from course_lib.modes import modes
from course_lib.ops.elementwise.powers import rsqrt
from course_lib.ops.elementwise.with_numbers import plus
from course_lib.ops.reduce.adjoints import reshaped
from course_lib.ops.reduce.sums import mean_along, sum_along

__all__: list[str] = []

Array = Any


@lru_cache(maxsize=256)
def folded(shape: Any, dims: tuple) -> tuple[int, int, int]:
    """The shape (batch, share, place) in which all that has one mean lies in one share.

    >>> folded((4, 3, 8, 8), (2, 3)), folded((4, 3, 8, 8), (0, 2, 3))
    ((1, 12, 64), (4, 3, 64))
    """
    first = len(shape) - len(dims)
    if dims == tuple(range(first, len(shape))):
        return 1, math.prod(shape[:first]), math.prod(shape[first:])
    return shape[0], shape[1], math.prod(shape[2:])


def sums(array: Array) -> Array:
    """The sum of each share, in the precision of `array`: by the matrix product, the fastest."""
    batch, share, place = array.shape
    if place == 1:
        return np.dot(np.ones(batch, array.dtype), array.reshape(batch, share))
    rows = np.dot(array.reshape(-1, place), np.ones(place, array.dtype))
    return rows if batch == 1 else np.add.reduce(rows.reshape(batch, share), axis=0)


def products(one: Array, other: Array) -> Array:
    """The sum of the products in each share."""
    batch, share, place = one.shape
    if place == 1:
        return sums(one * other)
    rows = np.einsum("ij,ij->i", one.reshape(-1, place), other.reshape(-1, place))
    return rows if batch == 1 else np.add.reduce(rows.reshape(batch, share), axis=0)


@lru_cache(maxsize=256)
def portions(shape: tuple[int, int, int]) -> tuple[slice, ...]:
    """Slices of the shares that stay in the cache while several kernels go through them."""
    batch, share, place = shape
    step = max(PORTION // max(place, 1), 1) if batch == 1 else share
    return tuple(slice(at, at + step) for at in range(0, share, max(step, 1)))


PORTION = 2**16  # elements


def moments(array: Array, dims: tuple) -> tuple[tuple[Array, Array], Array | None]:
    """Mean and variance of each share; the mean in double precision, as in PyTorch.

    And the array, folded, without its mean, if it is small enough to be at hand anyway.
    """
    flat = np.reshape(array, folded(array.shape, dims))
    parts = portions(flat.shape)
    if len(parts) == 1:
        mean, variance, centred = moments_of(flat)
        return (mean, variance), centred
    means, variances, _ = zip(*[moments_of(flat[:, some]) for some in parts])
    return (np.concatenate(means), np.concatenate(variances)), None


def moments_of(flat: Array) -> tuple[Array, Array, Array]:
    """The same of an array in the shape that `folded` gives."""
    count = flat.shape[0] * flat.shape[2]
    mean = sums(flat.astype(np.float64)) / count
    centred = flat - mean.astype(flat.dtype)[:, None]
    return mean, products(centred, centred).astype(np.float64) / count, centred


def factor(variance: Array, eps: float, dtype: Any) -> Array:
    """One over the standard deviation."""
    return (1 / np.sqrt(variance + eps)).astype(dtype)


def known(array: Array, dims: tuple) -> Any:
    """The `moments` of what has elements: computed once, and used by forward and backward."""
    wide = array.astype(np.float32) if array.dtype.itemsize == 2 else array
    return modes.now.quiet(moments, wide, dims) if array.size else (None, None)


# ---- what the formulas are made of: on arrays and on tensors -------------------------------------


@op(
    kind="promote",
    method=False,
    inplace=False,
    layout="contiguous",
    operands=("self",),
    self=lambda grad, self, dims, eps, found: standard_back(grad, self, dims, eps, found),
)
def standard(self, dims, eps, found, centred=None):
    """`self` with mean 0 and variance 1 over `dims`; `found` and `centred` are the `moments`."""
    if not self.size:
        return self.copy()
    mean, variance = found
    by = factor(variance, eps, self.dtype)[:, None]
    if centred is not None and centred.dtype == self.dtype:
        return (centred * by).reshape(self.shape)
    flat = np.reshape(self, folded(self.shape, dims))
    result = flat - mean.astype(self.dtype)[:, None]
    result *= by
    return result.reshape(self.shape)


standardized = standard.op.kernel  # the same, for kernels


@op(
    kind="promote",
    method=False,
    inplace=False,
    layout="contiguous",
    operands=("grad_output", "self"),
    grad_output=lambda grad, self, dims, eps, found: standard_back(grad, self, dims, eps, found),
    self=lambda grad, grad_output, self, dims, eps, found: bent(
        grad, grad_output, self, dims, eps, found
    ),
)
def standard_back(grad_output, self, dims, eps, found):
    """The gradient of `standard`: minus the parts that flow through mean and variance."""
    if not self.size:
        return grad_output.copy()
    mean, variance = found
    shape = folded(self.shape, dims)
    grad, flat = np.reshape(grad_output, shape), np.reshape(self, shape)
    count = shape[0] * shape[2]
    by = factor(variance, eps, self.dtype)
    along = flat - mean.astype(self.dtype)[:, None]
    along *= (products(grad, along) * by * by / -count)[:, None]
    along += grad
    along -= (sums(grad) / count)[:, None]
    along *= by[:, None]
    return along.reshape(self.shape)


def bent(one: Any, other: Any, x: Any, dims: tuple, eps: float, found: Any) -> Any:
    """The gradient, for `x`, of the product of `one` with `standard_back(other, x)`.

    With n = `standard(x)` and r the factor in it, that product is r times
    sum(one * other) - sum(one) * mean(other) - sum(one * n) * mean(other * n).
    """
    normal = standard(x, dims, eps, found)
    centred = x - mean_along(x, dims, True)
    by = rsqrt(mean_along(centred * centred, dims, True) + eps)
    a, b = mean_along(one * normal, dims, True), mean_along(other * normal, dims, True)
    both = mean_along(one * other, dims, True) - a * b
    both = both - mean_along(one, dims, True) * mean_along(other, dims, True)
    through_normal = standard_back(by * (other * a + one * b), x, dims, eps, found)
    return -through_normal - by * by * normal * both


@op(
    kind="promote",
    method=False,
    inplace=False,
    layout="contiguous",
    operands=("grad_output", "self"),
    grad_output=lambda grad, self, dims, eps, found: grad * standard(self, dims, eps, found),
    self=lambda grad, grad_output, self, dims, eps, found: standard_back(
        grad * grad_output, self, dims, eps, found
    ),
)
def scale_back(grad_output, self, dims, eps, found, gone):
    """The sum of `grad_output` times `standard(self)` over `gone`, which is kept.

    That is `dims` if each share has a weight, and what comes before it if all have the same ones.
    """
    shape = tuple(1 if dim in gone else size for dim, size in enumerate(self.shape))
    if not self.size:
        return np.zeros(shape, self.dtype)
    mean, variance = found
    batch, share, place = folded(self.shape, dims)
    by = factor(variance, eps, self.dtype)
    parts = np.reshape(self, (batch, share, place)) - mean.astype(self.dtype)[:, None]
    parts *= np.reshape(grad_output, parts.shape)
    found = sums(parts) * by if gone == dims else np.dot(by, parts[0])
    return found.reshape(shape)


def times(grad: Any, weight: Any, shape: Any) -> Any:
    """A gradient times the weight, in a shape that broadcasts, if there is a weight."""
    return grad if weight is None else grad * reshaped(weight, shape)


def gathered(grad: Any, dims: tuple, shape: Any) -> Any:
    """The sum over `dims`, in another shape."""
    return reshaped(sum_along(grad, dims, True) if dims else grad, shape)


def scaled(array: Array, weight: Array, bias: Array, shape: Any) -> Array:
    """`array`, which is written over, times `weight` plus `bias`, both reshaped to `shape`."""
    if weight is not None:
        array *= np.reshape(weight, shape)
    if bias is not None:
        array += np.reshape(bias, shape)
    return array


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
    self=lambda grad, self, self_shape, weight, normalized_shape, eps, found: standard_back(
        times(grad, weight, normalized_shape), self, last(self_shape, normalized_shape), eps, found
    ),
    weight=lambda grad, self, self_shape, normalized_shape, eps, found: reshaped(
        scale_back(
            *(grad, self, last(self_shape, normalized_shape), eps, found),
            first(self_shape, normalized_shape),
        ),
        normalized_shape,
    ),
    # NB: PyTorch saves the bias too, so that it must not change before the backward pass.
    bias=lambda grad, bias, self_shape, normalized_shape: gathered(
        grad, first(self_shape, normalized_shape), normalized_shape
    ),
)
def layer_norm(self, weight, bias, normalized_shape, eps, found, centred=None):
    normal = standardized(self, last(self.shape, normalized_shape), eps, found, centred)
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
    operands=("self", "weight", "bias"),
    saves=("mean", "variance"),
    self=lambda grad, self, self_shape, weight, mean, variance, eps, found: (
        standard_back(
            times(grad, weight, channels(self_shape)), self, others(self_shape), eps, found
        )
        if mean is None
        else times(grad, weight, channels(self_shape)) * fixed_factor(variance, self_shape, eps)
    ),
    weight=lambda grad, self, self_shape, mean, variance, eps, found: (
        reshaped(
            scale_back(grad, self, others(self_shape), eps, found, others(self_shape)),
            (self_shape[1],),
        )
        if mean is None
        else gathered(
            grad
            * (self - reshaped(mean, channels(self_shape)))
            * fixed_factor(variance, self_shape, eps),
            others(self_shape),
            (self_shape[1],),
        )
    ),
    bias=lambda grad, self_shape: gathered(grad, others(self_shape), (self_shape[1],)),
)
def batch_norm(self, weight, bias, mean=None, variance=None, eps=1e-5, found=None):
    """Normalize by the batch's own moments, which were `found`, or by those that are given."""
    shape = channels(self.shape)
    mean, variance = found if mean is None else (mean, variance)
    scale = factor(variance, eps, self.dtype)
    scattered = self.__class__ is np.ndarray and not (
        self.flags.c_contiguous or has_channels_last(self)
    )
    if scattered or self.dtype == np.float64:
        normal = self - np.reshape(mean.astype(self.dtype), shape)
        normal *= np.reshape(scale, shape)
        found = scaled(normal, weight, bias, shape).astype(self.dtype, copy=False)
        return in_format_of(found, self)
    # As in PyTorch, all factors of a channel are multiplied first, and all that is added to it is
    # added up: then two kernels run over all numbers in the place of four.  PyTorch rounds once
    # after both, though; in float64, the four steps come closer to that.
    if weight is not None:
        scale = (scale * weight).astype(self.dtype, copy=False)
    shift = mean.astype(self.dtype).astype(np.float64) * -scale
    if bias is not None:
        shift += bias
    result = self * np.reshape(scale, shape)
    result += np.reshape(shift.astype(self.dtype), shape)
    return in_format_of(result, self)


def fixed_factor(variance: Any, shape: Any, eps: float) -> Any:
    """The factor by which evaluation multiplies: one over the standard deviation."""
    return rsqrt(reshaped(variance, channels(shape)) + eps)


def remember(
    shape: Any, found: Any, mean: Tensor | None, variance: Tensor | None, momentum: float
) -> None:
    """Move the running statistics towards the batch's, without changing their version."""
    count = math.prod(shape) // shape[1]
    for running, new, share in (
        (mean, found[0], 1),
        (variance, found[1], count / max(count - 1, 1)),
    ):
        if running is not None:
            running._share()
            old = running._array
            old[...] = ((1 - momentum) * old + momentum * (new * share)).astype(old.dtype)


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
    self=lambda grad, self, self_shape, weight, groups, eps, found: reshaped(
        standard_back(
            reshaped(times(grad, weight, channels(self_shape)), grouped(self_shape, groups)),
            reshaped(self, grouped(self_shape, groups)),
            (2,),
            eps,
            found,
        ),
        self_shape,
    ),
    weight=lambda grad, self, self_shape, groups, eps, found: gathered(
        grad
        * reshaped(
            standard(reshaped(self, grouped(self_shape, groups)), (2,), eps, found), self_shape
        ),
        others(self_shape),
        (self_shape[1],),
    ),
    bias=lambda grad, self_shape: gathered(grad, others(self_shape), (self_shape[1],)),
)
def group_norm(self, weight, bias, groups, eps, found, centred=None):
    rows = np.reshape(self, grouped(self.shape, groups))
    normal = np.reshape(standardized(rows, (2,), eps, found, centred), self.shape)
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
