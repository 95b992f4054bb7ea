"""The Bernoulli distribution: a coin."""

from __future__ import annotations

import math
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.odds import Odds
from course_lib.beyond.distributions.parameters import broadcast_all
from course_lib.core.tensor import Tensor
from course_lib.nn.functional import binary_cross_entropy_with_logits
from course_lib.ops.make.distributions import bernoulli
from course_lib.ops.make.ranges import arange

__all__ = ["Bernoulli"]


class Bernoulli(Odds, ExponentialFamily):
    """One with probability `probs`, else zero; `logits` are the log odds of a one.

    >>> d = torch.distributions.Bernoulli(torch.tensor([0.0, 0.5, 1.0]))
    >>> d.variance
    tensor([0.0000, 0.2500, 0.0000])
    >>> d.enumerate_support(expand=False)
    tensor([[0.],
            [1.]])
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support: Any = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure: Any = 0
    _binary = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None):
        name, value = self._given(probs, logits)
        self._take(name, *broadcast_all(value))
        super().__init__(self._param.size(), validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return self._expanded_odds(Bernoulli, batch_shape, _instance)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        likely = (self.probs >= 0.5).to(self.probs.dtype)
        likely[self.probs == 0.5] = math.nan
        return likely

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Tensor:
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = arange(2, dtype=self._param.dtype, device=self._param.device)
        return self._counted(values, expand)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.probs.logit(),)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        return natural_params[0].exp().log1p()
