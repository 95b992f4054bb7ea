"""Instance normalization: each channel of each example shifted to mean 0 and variance 1."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module
from course_lib.nn.normalization import BatchNorm
from course_lib.words import errors

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LocalResponseNorm"]


class InstanceNorm(BatchNorm):
    """What `InstanceNorm1d`, `2d` and `3d` share; the first of `dimensions` has no batch."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ):
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def forward(self, input: Tensor) -> Tensor:
        """The normalized input."""
        self._check_input_dim(input)
        single = len(input.shape) == self.dimensions[0]
        place = 0 if single else 1
        if input.shape[place] != self.num_features:
            if self.affine:
                text = errors.instance_features(place, self.num_features, input.shape[place])
                raise ValueError(text)
            errors.warn(errors.instance_unused(place))
        batch = input.unsqueeze(0) if single else input
        found = F.instance_norm(
            batch,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return found.squeeze(0) if single else found

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: dict, *rest: Any
    ) -> None:
        names = [f"{prefix}running_{what}" for what in ("mean", "var")]
        found = [name for name in names if name in state_dict]
        if (local_metadata.get("version") or 1) < 2 and not self.track_running_stats and found:
            own = type(self).__name__
            rest[-1].append(errors.instance_running(found, own))  # the list of error messages
            for name in found:
                state_dict.pop(name)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class InstanceNorm1d(InstanceNorm):
    """Each channel of each sequence normalized.

    >>> torch.nn.InstanceNorm1d(1)(torch.tensor([[[1., 3.]]])).tolist()
    [[[-0.9999949932098389, 0.9999949932098389]]]
    """

    dimensions = (2, 3)


class InstanceNorm2d(InstanceNorm):
    """Each channel of each image normalized."""

    dimensions = (3, 4)


class InstanceNorm3d(InstanceNorm):
    """Each channel of each volume normalized."""

    dimensions = (4, 5)


class LocalResponseNorm(Module):
    """Each number divided by a power of the mean square of `size` neighbouring channels."""

    __constants__ = ["size", "alpha", "beta", "k"]

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        """The input, numbers among large ones made smaller."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The choices."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
