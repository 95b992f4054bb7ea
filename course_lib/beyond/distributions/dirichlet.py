"""The Dirichlet distribution: random probabilities."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.gamma import drawn
from course_lib.core.tensor import Tensor
from course_lib.nn.functional import one_hot
from course_lib.ops.elementwise.exponentials import xlogy
from course_lib.rng import gamma_numbers
from course_lib.words import errors

__all__ = ["Dirichlet"]


class Dirichlet(ExponentialFamily):
    """Vectors of probabilities; a larger `concentration` of a category gives it a larger part.

    >>> d = torch.distributions.Dirichlet(torch.tensor([1.0, 3.0]))
    >>> d.mean
    tensor([0.2500, 0.7500])
    >>> d.log_prob(torch.tensor([0.5, 0.5]))
    tensor(-0.2877)
    """

    arg_constraints: Any = {"concentration": constraints.independent(constraints.positive, 1)}
    support: Any = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None):
        if concentration.dim() < 1:
            raise ValueError(errors.parameter_rank("concentration"))
        self.concentration = concentration
        shape = concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        event = self._event_shape
        return self._expanded(Dirichlet, batch_shape, _instance, concentration=event)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = (self.concentration < 1).all(dim=-1)  # the density is infinite in the corners
        mode[corner] = one_hot(mode[corner].argmax(dim=-1), above.shape[-1]).to(mode.dtype)
        return mode

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Samples; for a concentration that requires a gradient, NotImplementedError."""
        shape = self._extended_shape(sample_shape)
        return drawn(gamma_numbers.dirichlet, self.concentration.expand(shape), type(self))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        powers = xlogy(self.concentration - 1.0, value).sum(-1)
        total = self.concentration.sum(-1)
        return powers + total.lgamma() - self.concentration.lgamma().sum(-1)

    def entropy(self) -> Tensor:
        each, total = self.concentration, self.concentration.sum(-1)
        start = each.lgamma().sum(-1) - total.lgamma() - (each.size(-1) - total) * total.digamma()
        return start - ((each - 1.0) * each.digamma()).sum(-1)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.concentration,)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (each,) = natural_params
        return each.lgamma().sum(-1) - each.sum(-1).lgamma()
