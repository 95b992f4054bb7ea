"""The multinomial distribution: how often each category comes."""

from __future__ import annotations

import math
from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.categorical import Categorical
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.parameters import broadcast_all, probs_to_logits
from course_lib.core.tensor import Tensor
from course_lib.memory.size import Size
from course_lib.ops.make.ranges import arange
from course_lib.ops.make.tensor import tensor
from course_lib.words import errors

__all__ = ["Multinomial"]


class Multinomial(Distribution):
    """Counts of each category among `total_count` draws from `Categorical(probs)`.

    >>> d = torch.distributions.Multinomial(10, torch.tensor([1.0, 4.0]))
    >>> d.mean
    tensor([2., 8.])
    >>> d.sample().sum()
    tensor(10.)
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ):
        if not isinstance(total_count, int):
            raise NotImplementedError(errors.INHOMOGENEOUS)
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        batch, event = self._categorical.batch_shape, self._categorical.param_shape[-1:]
        super().__init__(batch, event, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._get_checked_instance(Multinomial, _instance)
        new.total_count = self.total_count
        new._categorical = self._categorical.expand(batch_shape)
        return self._expanded(Multinomial, batch_shape, new)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    @property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """The probabilities of the categories in one draw."""
        return self._categorical.probs

    @property
    def param_shape(self) -> Any:
        """The shape of `probs` and of `logits`."""
        return self._categorical.param_shape

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        outer = Size(sample_shape)
        draws = self._categorical.sample(Size((self.total_count,)) + outer).movedim(0, -1)
        counts = draws.new_zeros(self._extended_shape(outer))
        counts.scatter_add_(-1, draws, draws.new_ones(draws.shape))
        return counts.type_as(self.probs)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        impossible = (value == 0) & (logits == -math.inf)
        powers = (logits.masked_fill(impossible, 0) * value).sum(-1)
        orders = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        return orders + powers

    def entropy(self) -> Tensor:
        """The entropy, in nats: of the draws, less what their order would say."""
        count = tensor(self.total_count)
        draws = count * self._categorical.entropy() - (count + 1).lgamma()
        times = arange(1, self.total_count + 1, dtype=self.probs.dtype)
        times = times.view((-1,) + (1,) * self.probs.dim())
        factorials = (times + 1).lgamma()
        return draws + (self._chance(times).exp() * factorials).sum((0, -1))

    def _chance(self, times: Tensor) -> Tensor:
        """The logarithm of the probability that a category comes so many times: binomial."""
        count, logits = self.total_count, probs_to_logits(self.probs, is_binary=True)
        never = count * logits.clamp(min=0) + count * (-logits.abs()).exp().log1p()
        never = never - tensor(count + 1.0, dtype=logits.dtype).lgamma()
        return times * logits - (times + 1).lgamma() - (count - times + 1).lgamma() - never
