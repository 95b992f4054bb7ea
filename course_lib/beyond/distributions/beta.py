"""The beta distribution: a random probability."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.dirichlet import Dirichlet
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.parameters import broadcast_all
from course_lib.core.tensor import Tensor
from course_lib.ops.make.tensor import tensor
from course_lib.ops.shape.join import stack

__all__ = ["Beta"]


class Beta(ExponentialFamily):
    """The first of two parts of 1: a `Dirichlet` distribution of two categories.

    >>> d = torch.distributions.Beta(1.0, 3.0)
    >>> d.mean, d.log_prob(torch.tensor(0.5))
    (tensor(0.2500), tensor(-0.2877))
    """

    arg_constraints: Any = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support: Any = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None):
        if isinstance(concentration1, Tensor) or isinstance(concentration0, Tensor):
            both = stack(broadcast_all(concentration1, concentration0), -1)
        else:
            both = tensor([float(concentration1), float(concentration0)])
        self._dirichlet = Dirichlet(both, validate_args=validate_args)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(Beta, _instance)
        new._dirichlet = self._dirichlet.expand(batch_shape)
        Distribution.__init__(new, new._dirichlet.batch_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @property
    def concentration1(self) -> Tensor:
        """How strongly the samples are drawn to 1."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Tensor:
        """How strongly the samples are drawn to 0."""
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Tensor:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Samples; for concentrations that require a gradient, NotImplementedError."""
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return self._dirichlet.log_prob(stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        first, second = natural_params
        return first.lgamma() + second.lgamma() - (first + second).lgamma()
