"""Distributions whose density is exp(⟨t(x), θ⟩ − F(θ) + k(x)): their entropy follows from F."""

from __future__ import annotations

from typing import Any

from course_lib.autograd.backward import grad
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.core.tensor import Tensor

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """A distribution of the exponential family.

    >>> isinstance(torch.distributions.Normal(0.0, 1.0), torch.distributions.ExponentialFamily)
    True
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        """The natural parameters θ."""
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        """F, whose derivative is the mean of t(x)."""
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        """The mean of k(x)."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, in nats: F(θ) − ⟨θ, F′(θ)⟩ − E[k]."""
        natural = [each.detach().requires_grad_() for each in self._natural_params]
        normalizer = self._log_normalizer(*natural)
        slopes = grad(normalizer.sum(), natural, create_graph=True)
        result = normalizer - self._mean_carrier_measure
        for each, slope in zip(natural, slopes, strict=True):
            result = result - (each * slope).reshape((*self._batch_shape, -1)).sum(-1)
        return result
