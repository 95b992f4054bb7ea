"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.parameters import broadcast_all
from course_lib.core.tensor import Tensor
from course_lib.ops.make.creation import empty
from course_lib.ops.make.distributions import normal

__all__ = ["Normal"]


class Normal(ExponentialFamily):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    >>> d = torch.distributions.Normal(0.0, 1.0)
    >>> d.log_prob(torch.tensor(0.0))
    tensor(-0.9189)
    >>> d.cdf(torch.tensor(0.0))
    tensor(0.5000)
    """

    arg_constraints: Any = {"loc": constraints.real, "scale": constraints.positive}
    support: Any = constraints.real
    has_rsample = True
    _mean_carrier_measure: Any = 0

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded(Normal, batch_shape, _instance, loc=(), scale=())

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.pow(2)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        noise = empty(shape, dtype=self.loc.dtype, device=self.loc.device).normal_()
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        quadratic = -((value - self.loc) ** 2) / (2 * self.scale**2)
        return quadratic - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        standard = (value - self.loc) * self.scale.reciprocal()
        return 0.5 * (1 + (standard / math.sqrt(2)).erf())

    def icdf(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        square = self.scale.pow(2)
        return self.loc / square, -0.5 * square.reciprocal()

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        first, second = natural_params
        return -0.25 * first.pow(2) / second + 0.5 * (-math.pi / second).log()
