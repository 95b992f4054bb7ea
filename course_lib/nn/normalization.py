"""Normalization: scale numbers to mean 0 and variance 1, then apply a learned scale and shift.

The layers differ in what mean and variance are taken over: the batch, for each channel
(`_BatchNorm…`), or each sample (`LayerNorm`, `GroupNorm`).
"""

from numbers import Integral
from typing import Any

from course_lib.calls.rules import refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.nn import functional as F
from course_lib.nn import init
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter, fresh
from course_lib.ops.make.creation import ones, zeros
from course_lib.words import errors

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "LayerNorm"]


class Affine(Module):
    """The base of normalizing layers: a weight of ones and a bias of zeros, or neither."""

    weight: Parameter | None
    bias: Parameter | None

    def _add_affine(self, shape: Any, affine: bool, bias: bool, device: Any, dtype: Any) -> None:
        self.register_parameter("weight", fresh(shape, device, dtype, affine))
        self.register_parameter("bias", fresh(shape, device, dtype, affine and bias))

    def reset_parameters(self) -> None:
        """Set the weight to ones and the bias to zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self._parameters.get("bias") is not None:
            init.zeros_(self.bias)


# ---- over the batch ------------------------------------------------------------------------------


class _BatchNorm(Affine):
    """The base of `BatchNorm1d`, `2d` and `3d`.

    In training, mean and variance are those of the batch, and running averages of them are kept;
    in `eval` mode the averages are used.
    """

    _version = 2
    _shown = (
        "{0.num_features}, eps={0.eps}, momentum={0.momentum}, affine={0.affine}, bias={bias}, "
        "track_running_stats={0.track_running_stats}"
    )
    dimensions: tuple[int, ...] = ()
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self._add_affine(num_features, affine, bias, device, dtype)
        kept: tuple[Any, ...] = (None, None, None)
        if track_running_stats:
            count = zeros((), device=device, dtype=dtypes.int64)
            mean = zeros(num_features, device=device, dtype=dtype)
            kept = mean, ones(num_features, device=device, dtype=dtype), count
        for name, buffer in zip(("running_mean", "running_var", "num_batches_tracked"), kept):
            self.register_buffer(name, buffer)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Reset the running averages."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Reset the running averages, set the weight to ones and the bias to zeros."""
        self.reset_running_stats()
        super().reset_parameters()

    def _check_input_dim(self, input: Tensor) -> None:
        dims, wanted = input.dim(), " or ".join(f"{dims}D" for dims in self.dimensions)
        refuse_value(dims not in self.dimensions, errors.expected_dims, wanted, dims)

    def forward(self, input: Tensor) -> Tensor:
        """The normalized input."""
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the plain average of all batches
                factor = 1.0 / float(self.num_batches_tracked)
        mean, var = self.running_mean, self.running_var
        measured = self.training or (mean is None and var is None)
        if self.training and not self.track_running_stats:
            mean = var = None
        return F.batch_norm(input, mean, var, self.weight, self.bias, measured, factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Each feature of a batch, or each channel of a batch of sequences, normalized.

    >>> layer = torch.nn.BatchNorm1d(1)
    >>> layer(torch.tensor([[1.], [3.]])).tolist()
    [[-0.9999949932098389], [0.9999949932098389]]
    """

    dimensions = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Each channel of a batch of images normalized."""

    dimensions = (4,)


class BatchNorm3d(_BatchNorm):
    """Each channel of a batch of volumes normalized."""

    dimensions = (5,)


# ---- within each sample --------------------------------------------------------------------------


class LayerNorm(Affine):
    """The last dimensions of each sample normalized.

    >>> torch.nn.LayerNorm(2)(torch.tensor([[0., 2.]])).tolist()
    [[-0.9999949932098389, 0.9999949932098389]]
    """

    _shown = (
        "{0.normalized_shape}, eps={0.eps}, elementwise_affine={0.elementwise_affine}, bias={bias}"
    )

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ):
        super().__init__()
        one = isinstance(normalized_shape, Integral)
        self.normalized_shape = tuple((normalized_shape,) if one else normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._add_affine(self.normalized_shape, elementwise_affine, bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        """The normalized input."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(Affine):
    """The channels of each sample normalized in groups."""

    _shown = "{0.num_groups}, {0.num_channels}, eps={0.eps}, affine={0.affine}, bias={bias}"

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ):
        super().__init__()
        refuse_value(num_channels % num_groups, errors.num_channels, num_channels, num_groups)
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        self._add_affine(num_channels, affine, bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        """The normalized input."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)
