"""Normalization: scale to mean 0 and variance 1, then apply a learned scale and shift.

The kinds differ in what shares a mean: a layer's last dimensions, a channel of a batch, or a group
of channels.  For all of them the input is seen in the shape (batch, share, place), in which all
that has one mean lies in one share.  `eps` is added to the variance, so that nothing is divided by
zero.
"""

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import lacking, refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.modes import modes
from course_lib.ops.elementwise.arithmetic import div
from course_lib.ops.elementwise.clamp import clamp_min
from course_lib.ops.elementwise.powers import rsqrt
from course_lib.ops.layers import layer_op
from course_lib.ops.reduce.sums import mean_along, reshape_to, sum_along
from course_lib.words import errors

Array = Any
Folded = tuple[int, int, int]
UNLISTED = dict.fromkeys(("wide", "fold", "found", "bias_sym_sizes"), ...)


def moments(array: Array, fold: Folded) -> tuple[Array, Array] | None:
    """Mean and variance of each share, in double precision; None without elements."""
    if not array.size or array.__class__ is not np.ndarray:
        return None
    return modes.now.quiet(moments_of, array.reshape(fold))


def moments_of(flat: Array) -> tuple[Array, Array]:
    """The same of an array in the shape (batch, share, place)."""
    count, over = flat.size // flat.shape[1], {"axis": (0, 2), "dtype": np.float64}
    mean = np.add.reduce(flat, **over) / count
    centred = flat - mean.astype(flat.dtype)[:, None]
    return mean, np.add.reduce(np.square(centred, out=centred), **over) / count


# ---- what the formulas are made of: on arrays and on tensors -------------------------------------


@layer_op(self=lambda grad, self, fold, eps, found: standard_back(grad, self, fold, eps, found))
def standard(self, fold, eps, found):
    """`self` with mean 0 and variance 1 in each share; `found` are the `moments`."""
    if found is None:
        return self.copy()
    centred = self.reshape(fold) - found[0].astype(self.dtype)[:, None]
    centred *= (1 / np.sqrt(found[1] + eps)).astype(self.dtype)[:, None]
    return centred.reshape(self.shape)


standardized = standard.op.kernel  # the same, for kernels


@layer_op(
    self=lambda grad, self, result, fold, eps, found: (
        reshape_to(
            grad * result * result * reshape_to(standard(self, fold, eps, found), fold), self.shape
        )
        / (-fold[0] * fold[2])
    )
)
def factor(self, fold, eps, found):
    """One over the standard deviation of each share, in a shape that broadcasts."""
    return (1 / np.sqrt(found[1] + eps)).astype(self.dtype)[None, :, None]


def standard_back(grad: Any, x: Any, fold: Folded, eps: float, found: Any) -> Any:
    """The gradient of `standard`: minus the parts that flow through mean and variance."""
    if found is None:
        return grad
    normal, flat = reshape_to(standard(x, fold, eps, found), fold), reshape_to(grad, fold)
    along = mean_along(flat * normal, (0, 2), True) * normal
    inner = flat - along - mean_along(flat, (0, 2), True)
    return reshape_to(inner * factor(x, fold, eps, found), x.shape)


def times(grad: Any, weight: Any, wide: Any) -> Any:
    """A gradient times the weight, in a shape that broadcasts, if there is a weight."""
    return grad if weight is None else grad * reshape_to(weight, wide)


def gather(grad: Any, wide: Any, shape: Any) -> Any:
    """The adjoint of broadcasting from the shape `wide`: the sum, in another shape."""
    dims = tuple(dim for dim, size in enumerate(wide) if size == 1)
    return reshape_to(sum_along(grad, dims, True) if dims else grad, shape)


def scale_and_shift(array: Array, weight: Array, bias: Array, wide: Any) -> Array:
    """`array`, which is written over, times `weight` plus `bias`, both reshaped to `wide`."""
    if weight is not None:
        array *= weight.reshape(wide)
    if bias is not None:
        array += bias.reshape(wide)
    return array


def normalizing(node: str, bias: Any, **shows: Any) -> Any:
    """Declare normalization by the input's own moments; `bias` is the formula for the bias."""

    @layer_op(
        "first",
        node=node,
        shows={**UNLISTED, **shows},
        input=lambda grad, input, weight, wide, fold, eps, found: standard_back(
            times(grad, weight, wide), input, fold, eps, found
        ),
        weight=lambda grad, input, weight_shape, wide, fold, eps, found: gather(
            grad * standard(input, fold, eps, found), wide, weight_shape
        ),
        bias=bias,
    )
    def normalized(input, weight, bias, wide, fold, eps, found):
        """`standard`, times the weight plus the bias."""
        return scale_and_shift(standardized(input, fold, eps, found), weight, bias, wide)

    return normalized


# NB: PyTorch saves the bias of a layer, so that it must not change before the backward pass.
by_layer = normalizing(
    "NativeLayerNormBackward0", lambda grad, bias, wide: gather(grad, wide, bias.shape), eps=...
)
by_group, by_batch = (
    normalizing(node, lambda grad, bias_shape, wide: gather(grad, wide, bias_shape))
    for node in ("NativeGroupNormBackward0", "NativeBatchNormBackward0")
)


def check_dtypes(kernel: str, input: Tensor, *parameters: Any) -> None:
    """Raise unless input and parameters are of one floating dtype.

    The parameters of an input of 16 bits may be float32.
    """
    given = [p for p in parameters if p is not None]
    others = [p for p in given if p._dtype is not input._dtype]
    if others and others[0] is not given[0]:
        raise RuntimeError(errors.expected_scalar_type(input, others[0]))
    refuse(any(p._dtype is not dtypes.float32 for p in given if others), errors.MIXED_PARAMETERS)
    refuse(others and not input._dtype.reduced, errors.MIXED_DTYPES)
    lacking(input._dtype.category != dtypes.FLOATING, errors.no_kernel, kernel, input)


def channels(shape: Any) -> tuple[int, ...]:
    """The shape in which one value per channel broadcasts."""
    return tuple(n if d == 1 else 1 for d, n in enumerate(shape))


# ---- within each example -------------------------------------------------------------------------


def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over the last dimensions, then times `weight` plus `bias`.

    >>> torch.nn.functional.layer_norm(torch.tensor([[1., 3.], [0., 8.]]), (2,))
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """
    overloads("torch", "layer_norm").fit((input, normalized_shape, weight, bias, eps), {})
    check_normalized(input, normalized_shape, weight, bias)
    check_dtypes("LayerNormKernelImpl", input, weight, bias)
    lead = input._array.shape[: input._array.ndim - len(normalized_shape)]
    fold = (1, math.prod(lead), math.prod(normalized_shape))
    wide = ((1,) * len(lead)) + tuple(normalized_shape)
    return by_layer(input, weight, bias, wide, fold, eps, moments(input._array, fold))


def check_normalized(input: Any, sizes: Any, weight: Any, bias: Any) -> None:
    """Raise unless the input's last dimensions, weight and bias have the normalized shape."""
    shape, wanted = input._array.shape, list(sizes)
    refuse(not wanted, errors.normalized_scalar, wanted)
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and list(value._array.shape) != wanted:
            raise RuntimeError(errors.normalized_parameter(name, value, wanted))
    if list(shape[-len(wanted) :]) != wanted:
        raise RuntimeError(errors.normalized_input(wanted, ", ".join(map(str, wanted)), shape))


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over groups of channels, then times `weight` plus `bias`.

    >>> torch.nn.functional.group_norm(torch.tensor([[1., 3., 0., 8.]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    shape = input._array.shape
    overloads("torch", "group_norm").examine((input, num_groups, weight, bias, eps), {})
    check_groups(shape, num_groups, weight, bias)
    check_dtypes("GroupNormKernelImpl", input, weight, bias)
    fold = (1, shape[0] * num_groups, math.prod(shape[1:]) // num_groups)
    given = (channels(shape), fold, eps, moments(input._array, fold))
    return by_group(input, weight, bias, *given)


def check_groups(shape: Any, groups: int, weight: Any, bias: Any) -> None:
    """Raise unless the channels can be split into equal groups."""
    refuse(len(shape) < 2, errors.group_dims, shape)
    seen = (shape[0] * shape[1] // groups, groups, *shape[2:])
    refuse_value(math.prod(seen) == groups, errors.group_values, seen)
    refuse(groups <= 0, errors.group_count, groups)
    refuse(shape[1] % groups, errors.group_channels, shape, groups)
    for name, value in (("weight", weight), ("bias", bias)):
        if value is not None and value._array.shape != shape[1:2]:
            found = [0] if weight is None else weight  # NB: also for the bias
            raise RuntimeError(errors.group_parameter(name, found, shape))


# ---- over the batch ------------------------------------------------------------------------------


@layer_op(
    "first",
    node="NativeBatchNormBackward0",
    saves=("running_mean", "running_var"),
    shows={**UNLISTED, "training": False},
    input=lambda grad, weight, running_var, wide, eps: (
        times(grad, weight, wide) * eval_factor(running_var, wide, eps)
    ),
    weight=lambda grad, input, weight_shape, running_mean, running_var, wide, eps: gather(
        grad * (input - reshape_to(running_mean, wide)) * eval_factor(running_var, wide, eps),
        wide,
        weight_shape,
    ),
    bias=lambda grad, bias_shape, wide: gather(grad, wide, bias_shape),
)
def by_statistics(input, weight, bias, running_mean, running_var, wide, eps):
    """Normalized by a mean and a variance that are given for each channel."""
    fold = (*input.shape[:2], math.prod(input.shape[2:]))
    normal = standardized(input, fold, eps, (running_mean, running_var))
    return scale_and_shift(normal, weight, bias, wide)


def eval_factor(variance: Any, wide: Any, eps: float) -> Any:
    """The factor by which evaluation multiplies: one over the standard deviation."""
    return rsqrt(reshape_to(variance, wide) + eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 for each channel of a batch, or by the running statistics.

    In training these move by the share `momentum` towards the batch's.

    >>> mean, var = torch.zeros(1), torch.ones(1)
    >>> torch.nn.functional.batch_norm(torch.tensor([[1.], [3.]]), mean, var, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    >>> mean, var
    (tensor([0.2000]), tensor([1.1000]))
    """
    shape, statistics = input._array.shape, (running_mean, running_var)
    given = (input, weight, bias, *statistics, training, momentum, eps, True)
    overloads("torch", "batch_norm").examine(given, {})
    check_batch(shape, statistics, weight, bias, training, eps)
    check_dtypes("batch_norm", input)
    check_dtypes("batch_norm", input, weight, bias, *statistics)
    if not training:
        return by_statistics(input, weight, bias, *statistics, channels(shape), eps)
    fold = (shape[0], shape[1], math.prod(shape[2:]))
    measured = moments(input._array, fold)
    remember(fold, measured, statistics, momentum)
    return by_batch(input, weight, bias, channels(shape), fold, eps, measured)


def check_batch(shape, statistics, weight, bias, training, eps):
    """Raise unless there is something to normalize by, one number for each channel."""
    if training and math.prod((*shape[:1], *shape[2:])) == 1:
        raise ValueError(errors.values_per_channel(shape))
    refuse_value(training and eps <= 0, errors.training_eps, eps)
    refuse_value(not training and eps < 0, errors.evaluation_eps, eps)
    named = {"running_mean": statistics[0], "running_var": statistics[1]}
    for name, value in named.items():
        refuse(value is None and not training, errors.evaluation_statistic, name)
    count = shape[1] if len(shape) > 1 else 0
    for name, value in {**named, "weight": weight, "bias": bias}.items():
        if value is not None and value._array.size != count:
            raise RuntimeError(errors.channel_parameter(name, count, value._array.size))


def remember(fold: Folded, found: Any, statistics: Any, momentum: float) -> None:
    """Move the running statistics towards the batch's, without changing their version."""
    if found is None:
        return
    count = fold[0] * fold[2]
    unbiased = found[1] * (count / max(count - 1, 1))
    for running, new in zip(statistics, (found[0], unbiased), strict=True):
        if running is not None:
            running._share()
            old = running._array
            old[...] = ((1 - momentum) * old + momentum * new).astype(old.dtype)


# ---- vectors -------------------------------------------------------------------------------------


def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """The input divided by its norm along `dim`, so that the norm becomes 1.

    >>> torch.nn.functional.normalize(torch.tensor([[3., 4.]]))
    tensor([[0.6000, 0.8000]])
    """
    return div(input, clamp_min(input.norm(p, dim, keepdim=True), eps).expand_as(input))
