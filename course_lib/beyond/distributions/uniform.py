"""The uniform distribution on an interval."""

from __future__ import annotations

import math
from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.parameters import broadcast_all
from course_lib.core.tensor import Tensor
from course_lib.ops.make.random import rand

__all__ = ["Uniform"]


class Uniform(Distribution):
    """The uniform distribution on [low, high).

    >>> d = torch.distributions.Uniform(0.0, 10.0)
    >>> d.mean, d.log_prob(torch.tensor(3.0))
    (tensor(5.), tensor(-2.3026))
    """

    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded(Uniform, batch_shape, _instance, low=(), high=())

    @property
    def arg_constraints(self) -> dict[str, Any]:
        below, above = constraints.less_than(self.high), constraints.greater_than(self.low)
        return {"low": below, "high": above}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        return math.nan * self.high  # all values are equally likely

    @property
    def stddev(self) -> Tensor:
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Tensor:
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        part = rand(shape, dtype=self.low.dtype, device=self.low.device)
        return self.low + part * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return inside.log() - (self.high - self.low).log()

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Tensor) -> Tensor:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        return (self.high - self.low).log()
