"""The categorical distribution: one of several categories."""

from __future__ import annotations

import math
from typing import Any

from course_lib.beyond.distributions import constraints
from course_lib.beyond.distributions.odds import Odds
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.dtypes.limits import finfo
from course_lib.memory.size import Size
from course_lib.ops.make.creation import full
from course_lib.ops.make.distributions import multinomial
from course_lib.ops.make.ranges import arange
from course_lib.ops.shape.expand import broadcast_tensors
from course_lib.words import errors

__all__ = ["Categorical"]


class Categorical(Odds):
    """The numbers 0, 1, …, with the probabilities along the last dimension of `probs`.

    `probs` are divided by their sum, `logits` are logarithms of probabilities up to a constant.

    >>> d = torch.distributions.Categorical(torch.tensor([1.0, 1.0, 2.0]))
    >>> d.probs
    tensor([0.2500, 0.2500, 0.5000])
    >>> d.log_prob(torch.tensor(2))
    tensor(-0.6931)
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None):
        name, value = self._given(probs, logits)
        if value.dim() < 1:
            raise ValueError(errors.parameter_rank(name))
        if name == "probs":
            self._take(name, value / value.sum(-1, keepdim=True))
        else:
            self._take(name, value - value.logsumexp(dim=-1, keepdim=True))
        self._num_events = self._param.size()[-1]
        super().__init__(self._param.size()[:-1], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        new = self._expanded_odds(Categorical, batch_shape, _instance, (self._num_events,))
        new._num_events = self._num_events
        return new

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:  # categories are names, not quantities
        return full(self._extended_shape(), math.nan, dtype=self.probs.dtype)

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Tensor:
        return full(self._extended_shape(), math.nan, dtype=self.probs.dtype)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        rows = self.probs.reshape(-1, self._num_events)
        drawn = multinomial(rows, Size(sample_shape).numel(), True)
        return drawn.T.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        chosen, logits = broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, chosen[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)  # 0 · log 0 is 0
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        return self._counted(arange(self._num_events, dtype=dtypes.int64), expand)
