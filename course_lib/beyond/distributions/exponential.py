"""The exponential distribution: waiting times."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.parameters import broadcast_all
from course_lib.core.tensor import Tensor
from course_lib.ops.make.creation import empty

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """The exponential distribution, whose mean is 1 / rate.

    >>> d = torch.distributions.Exponential(2.0)
    >>> d.mean, d.log_prob(torch.tensor(0.0))
    (tensor(0.5000), tensor(0.6931))
    """

    arg_constraints: Any = {"rate": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure: Any = 0

    def __init__(self, rate: Any, validate_args: bool | None = None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded(Exponential, batch_shape, _instance, rate=())

    @property
    def mean(self) -> Tensor:
        return self.rate.reciprocal()

    @property
    def mode(self) -> Tensor:
        return self.rate.new_zeros(self.rate.shape)

    @property
    def stddev(self) -> Tensor:
        return self.rate.reciprocal()

    @property
    def variance(self) -> Tensor:
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        times = empty(shape, dtype=self.rate.dtype, device=self.rate.device).exponential_()
        return times / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return 1 - (-self.rate * value).exp()

    def icdf(self, value: Tensor) -> Tensor:
        return -(-value).log1p() / self.rate

    def entropy(self) -> Tensor:
        return 1.0 - self.rate.log()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (-self.rate,)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        return -(-natural_params[0]).log()
