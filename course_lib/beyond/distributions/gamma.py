"""The gamma distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.parameters import broadcast_all
from course_lib.core.tensor import Tensor
from course_lib.dtypes.limits import finfo
from course_lib.modes import modes
from course_lib.ops.elementwise.exponentials import xlogy
from course_lib.ops.make.creation import finish
from course_lib.ops.make.generator import stream
from course_lib.ops.make.tensor import as_tensor
from course_lib.rng import gamma_numbers
from course_lib.words import errors

__all__ = ["Gamma"]


def drawn(sampler: Any, concentration: Tensor, kind: type) -> Tensor:
    """Numbers from a sampler, which have no gradient; NotImplementedError if one is needed."""
    if modes.grad and concentration.requires_grad:
        raise NotImplementedError(errors.no_sample_gradient(kind.__name__))
    values = sampler(stream(None), np.asarray(concentration.detach()._array))
    return finish(values, concentration.dtype)


class Gamma(ExponentialFamily):
    """The gamma distribution with shape `concentration` and `rate`: its mean is their quotient.

    >>> d = torch.distributions.Gamma(4.0, 2.0)
    >>> d.mean, d.variance
    (tensor(2.), tensor(1.))
    >>> d.log_prob(torch.tensor(1.0))
    tensor(-1.0192)
    """

    arg_constraints: Any = {"concentration": constraints.positive, "rate": constraints.positive}
    support: Any = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure: Any = 0

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded(Gamma, batch_shape, _instance, concentration=(), rate=())

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Samples, through which gradients reach `rate`, but not `concentration`."""
        shape = self._extended_shape(sample_shape)
        numbers = drawn(gamma_numbers.gamma, self.concentration.expand(shape), type(self))
        value = numbers / self.rate.expand(shape)
        value.detach().clamp_(min=finfo(value.dtype).tiny)
        return value

    def log_prob(self, value: Any) -> Tensor:
        value = as_tensor(value, dtype=self.rate.dtype, device=self.rate.device)
        if self._validate_args:
            self._validate_sample(value)
        powers = xlogy(self.concentration, self.rate) + xlogy(self.concentration - 1, value)
        return powers - self.rate * value - self.concentration.lgamma()

    def entropy(self) -> Tensor:
        shape = self.concentration
        return shape - self.rate.log() + shape.lgamma() + (1.0 - shape) * shape.digamma()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        first, second = natural_params
        return (first + 1).lgamma() + (first + 1) * (-second.reciprocal()).log()
