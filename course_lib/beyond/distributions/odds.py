"""What distributions share that are given by probabilities or by logits."""

from __future__ import annotations

from typing import Any

from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.parameters import (
    lazy_property,
    logits_to_probs,
    probs_to_logits,
)
from course_lib.core.tensor import Tensor
from course_lib.words import errors


class Odds(Distribution):
    """A distribution with `probs` and `logits`: one is given, the other computed when needed."""

    _binary = False
    _param: Tensor

    def _given(self, probs: Any, logits: Any) -> Any:
        """The name of the parameter that is given, and its value."""
        if (probs is None) == (logits is None):
            raise ValueError(errors.PROBS_OR_LOGITS)
        return ("logits", logits) if probs is None else ("probs", probs)

    def _take(self, name: str, value: Tensor) -> None:
        setattr(self, name, value)
        self._param = value

    @lazy_property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities; of a single event, the log odds."""
        return probs_to_logits(self.probs, self._binary)

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities."""
        return logits_to_probs(self.logits, self._binary)

    @property
    def param_shape(self) -> Any:
        """The shape of `probs` and of `logits`."""
        return self._param.size()

    def _new(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._param.new(*args, **kwargs)

    def _expanded_odds(self, cls: type, batch_shape: Any, instance: Any, event: Any = ()) -> Any:
        """This distribution with a larger batch shape."""
        new = self._expanded(cls, batch_shape, instance, probs=event, logits=event)
        new._param = vars(new)["logits" if "logits" in vars(new) else "probs"]
        return new

    def _counted(self, values: Tensor, expand: bool) -> Tensor:
        """The possible values along dimension 0."""
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values
