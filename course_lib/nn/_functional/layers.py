"""What layers with parameters compute, given the parameters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.layers import embedding as lookup
from course_lib.ops.layers import embedding_bag as bags
from course_lib.ops.layers import normalization as ops
from course_lib.ops.make.ranges import arange
from course_lib.words import errors

# ---- looked up -----------------------------------------------------------------------------------


def embedding(
    input: Tensor,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` at the indices `input`.

    >>> table = torch.tensor([[1., 2.], [3., 4.]])
    >>> torch.nn.functional.embedding(torch.tensor([1, 0, 1]), table)
    tensor([[3., 4.],
            [1., 2.],
            [3., 4.]])
    """
    if sparse:
        raise NotImplementedError(errors.absent("embedding(sparse=True)"))
    count = weight._array.shape[0] if weight._array.ndim else 0
    if padding_idx is not None and not -count <= padding_idx < max(count, padding_idx == 0):
        raise AssertionError(errors.PADDING_IDX)
    padding = -1 if padding_idx is None else padding_idx % count if count else padding_idx
    if max_norm is not None:
        errors.check_embedding(weight, input, padding, scale_grad_by_freq)
        lookup.renormed(weight, input, max_norm, norm_type)
    found: Tensor = lookup.embedding(weight, input, padding, scale_grad_by_freq)
    return found


def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The mean (sum, max) of the rows in each bag of indices; a matrix has a bag in each row.

    >>> table = torch.tensor([[1., 2.], [3., 4.], [5., 6.]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1], [1, 2]]), table)
    tensor([[2., 3.],
            [4., 5.]])
    """
    if weight._dtype is dtypes.int64 and input._dtype.category == dtypes.FLOATING:
        errors.warn(errors.BAG_ORDER)
        input, weight = weight, input
    shape = input._array.shape
    if per_sample_weights is not None and per_sample_weights._array.shape != shape:
        raise ValueError(errors.bag_shares(per_sample_weights._array.shape, shape))
    if weight._array.ndim != 2:
        raise ValueError(errors.bag_table(weight._array.ndim))
    if len(shape) == 2:
        if offsets is not None:
            raise ValueError(errors.bag_offsets_given(offsets))
        offsets = arange(0, input._array.size, shape[1])
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif len(shape) != 1:
        raise ValueError(errors.bag_dims(len(shape)))
    elif offsets is None:
        raise ValueError(f"{errors.BAG_OFFSETS} but got None")
    elif offsets._array.ndim != 1:
        raise ValueError(errors.BAG_OFFSETS)
    if mode not in ("sum", "mean", "max"):
        raise ValueError(errors.BAG_MODE)
    for name, asked in (("sparse", sparse), ("scale_grad_by_freq", scale_grad_by_freq)):
        if asked and mode == "max":
            raise ValueError(errors.bag_max(name))
        if asked:
            raise NotImplementedError(errors.absent(f"embedding_bag({name}=True)"))
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(errors.bag_shares_mode(mode))
    rows = weight._array.shape[0]
    errors.check_bag(input, offsets, weight, per_sample_weights, padding_idx)
    if max_norm is not None:
        lookup.renormed(weight, input, max_norm, norm_type)
    if include_last_offset:
        offsets = offsets[:-1]
    unread = -1 if padding_idx is None else padding_idx % rows
    found: Tensor = bags.embedding_bag(weight, input, offsets, mode, unread, per_sample_weights)
    return found


# ---- normalized ----------------------------------------------------------------------------------


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
    errors.check_shape_argument("layer_norm", normalized_shape)
    errors.check_layer_norm(input, normalized_shape, weight, bias)
    shape = tuple(normalized_shape)
    moments = ops.known(input._array, ops.last(input._array.shape, shape))
    found: Tensor = ops.layer_norm(input, weight, bias, shape, eps, *moments)
    return found


def rms_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    """Divided by the root of the mean square over the last dimensions.

    >>> torch.nn.functional.rms_norm(torch.tensor([1., 7.]), (2,))
    tensor([0.2000, 1.4000])
    """
    errors.check_shape_argument("rms_norm", normalized_shape)
    errors.check_rms_norm(input, normalized_shape, weight)
    if weight is not None and weight._dtype is not input._dtype:
        text = errors.rms_norm_dtypes(input._dtype, weight._dtype)
        errors.warn_once(text, key="dtypes of rms_norm")
    found: Tensor = ops.rms_norm(input, tuple(normalized_shape), weight, eps)
    return found


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
    errors.check_group_norm(input, num_groups, weight, bias)
    shape = input._array.shape
    moments = ops.known(np.reshape(input._array, ops.grouped(shape, num_groups)), (2,))
    found: Tensor = ops.group_norm(input, weight, bias, num_groups, eps, *moments)
    return found


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
    shape = input._array.shape
    if not input._array.size:
        return of_nothing(input, weight, bias)
    if training:
        if math.prod((*shape[:1], *shape[2:])) == 1:
            raise ValueError(errors.values_per_channel(shape))
        if eps <= 0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
        errors.check_batch_norm(input, weight, bias, running_mean, running_var, eps)
        errors.check_parameters(input, weight, bias, running_mean, running_var)
        moments, _ = ops.known(input._array, ops.others(shape))
        ops.remember(shape, moments, running_mean, running_var, momentum)
        found: Tensor = ops.batch_norm(input, weight, bias, None, None, eps, moments)
        return found
    if eps < 0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    for name, value in (("running_mean", running_mean), ("running_var", running_var)):
        if value is None:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    errors.check_batch_norm(input, weight, bias, running_mean, running_var, eps)
    errors.check_parameters(input, weight, bias, running_mean, running_var)
    found = ops.batch_norm(input, weight, bias, running_mean, running_var, eps)
    return found


def of_nothing(input: Any, weight: Any, bias: Any) -> Tensor:
    """Batch normalization of a tensor without elements."""
    found = input.clone()
    found = found if weight is None else found * weight[0]
    return found if bias is None else found + bias[0]


def instance_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """`batch_norm` of every example by itself.

    >>> torch.nn.functional.instance_norm(torch.tensor([[[1., 3.]], [[0., 8.]]]))
    tensor([[[-1.0000,  1.0000]],
    <BLANKLINE>
            [[-1.0000,  1.0000]]])
    """
    rest = input._array.shape[2:]
    if use_input_stats and math.prod(rest) == 1:
        raise ValueError(errors.spatial_elements(input._array.shape))
    errors.check_running(running_mean, running_var, use_input_stats)
    batch, channels = input._array.shape[:2]
    dtype = (input if weight is None else weight)._dtype
    running = [t if t is None else t.to(dtype) for t in (running_mean, running_var)]
    wide: list[Any] = [None if t is None else t.repeat(batch) for t in running]
    flat = input.reshape((1, batch * channels, *rest))
    by, to = (None if t is None else t.repeat(batch) for t in (weight, bias))
    found = batch_norm(flat, wide[0], wide[1], by, to, use_input_stats, momentum, eps)
    for old, new in zip((running_mean, running_var), wide, strict=True):
        if old is not None and use_input_stats:
            old._share()
            old._array[...] = new._array.reshape(batch, channels).mean(0)
    return found.view((batch, channels, *rest))
