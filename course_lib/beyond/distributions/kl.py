"""Kullback-Leibler divergences: how much one distribution differs from another.

The formulas follow from KL(p ‖ q) = E[log p(x)] − E[log q(x)], with x drawn from p.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from course_lib.autograd.backward import grad
from course_lib.beyond.distributions.bernoulli import Bernoulli
from course_lib.beyond.distributions.beta import Beta
from course_lib.beyond.distributions.categorical import Categorical
from course_lib.beyond.distributions.dirichlet import Dirichlet
from course_lib.beyond.distributions.distribution import Distribution
from course_lib.beyond.distributions.exp_family import ExponentialFamily
from course_lib.beyond.distributions.exponential import Exponential
from course_lib.beyond.distributions.gamma import Gamma
from course_lib.beyond.distributions.independent import Independent
from course_lib.beyond.distributions.multivariate_normal import (
    MultivariateNormal,
    log_diagonal,
    solve_lower,
    squared_distance,
)
from course_lib.beyond.distributions.normal import Normal
from course_lib.beyond.distributions.parameters import sum_rightmost
from course_lib.beyond.distributions.uniform import Uniform
from course_lib.core.tensor import Tensor
from course_lib.nn.functional import softplus
from course_lib.ops.elementwise.exponentials import xlogy
from course_lib.ops.shape.expand import broadcast_shapes
from course_lib.words import errors

__all__ = ["kl_divergence", "register_kl"]

FORMULAS: dict[tuple[type, type], Callable] = {}
EULER = 0.57721566490153286061  # the Euler-Mascheroni constant: −E[log x] for a rate of 1


# ---- the table -----------------------------------------------------------------------------------


def register_kl(type_p: type, type_q: type) -> Callable[[Callable], Callable]:
    """A decorator for the function that computes the divergence of two kinds of distributions.

    >>> class Still(torch.distributions.Normal):
    ...     pass
    >>> @torch.distributions.register_kl(Still, Still)
    ... def none_at_all(p, q):
    ...     return torch.zeros(p.batch_shape)
    >>> torch.distributions.kl_divergence(Still(0.0, 1.0), Still(3.0, 1.0))
    tensor(0.)
    """
    for kind in (type_p, type_q):
        issubclass(kind, Distribution)  # TypeError for what is not a class

    def register(function: Callable) -> Callable:
        FORMULAS[type_p, type_q] = function
        return function

    return register


def formula(type_p: type, type_q: type) -> Callable:
    """The function for the most specific kinds; a warning if `p` and `q` choose different ones."""
    fitting = [
        (kind_p, kind_q)
        for kind_p, kind_q in FORMULAS
        if issubclass(type_p, kind_p) and issubclass(type_q, kind_q)
    ]
    if not fitting:
        raise NotImplementedError(errors.no_kl(type_p.__name__, type_q.__name__))

    def distances(pair: tuple[type, type]) -> tuple[int, int]:
        return type_p.__mro__.index(pair[0]), type_q.__mro__.index(pair[1])

    left = min(fitting, key=distances)
    right = min(fitting, key=lambda pair: distances(pair)[::-1])
    if FORMULAS[left] is not FORMULAS[right]:
        names = [kind.__name__ for kind in (type_p, type_q, left[0], right[1])]
        errors.warn(errors.ambiguous_kl(*names), RuntimeWarning)
    return FORMULAS[left]


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence of `q` from `p`, one number for each of the batch.

    >>> p, q = torch.distributions.Normal(0.0, 1.0), torch.distributions.Normal(1.0, 1.0)
    >>> torch.distributions.kl_divergence(p, q)
    tensor(0.5000)
    """
    return formula(type(p), type(q))(p, q)


# ---- of the same kind ----------------------------------------------------------------------------


@register_kl(Bernoulli, Bernoulli)
def bernoullis(p: Bernoulli, q: Bernoulli) -> Tensor:
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    ones = ones.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0)
    return ones + zeros.masked_fill(q.probs == 1, math.inf).masked_fill(p.probs == 1, 0)


@register_kl(Beta, Beta)
def betas(p: Beta, q: Beta) -> Tensor:
    total_p, total_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    volume_q = q.concentration1.lgamma() + q.concentration0.lgamma() + total_p.lgamma()
    volume_p = p.concentration1.lgamma() + p.concentration0.lgamma() + total_q.lgamma()
    to_one = (p.concentration1 - q.concentration1) * p.concentration1.digamma()
    to_zero = (p.concentration0 - q.concentration0) * p.concentration0.digamma()
    return volume_q - volume_p + to_one + to_zero + (total_q - total_p) * total_p.digamma()


@register_kl(Categorical, Categorical)
def categoricals(p: Categorical, q: Categorical) -> Tensor:
    each = p.probs * (p.logits - q.logits)
    return each.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0).sum(-1)


@register_kl(Dirichlet, Dirichlet)
def dirichlets(p: Dirichlet, q: Dirichlet) -> Tensor:
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    volumes = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    logarithm = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)  # its mean under p
    mean = ((p.concentration - q.concentration) * logarithm).sum(-1)
    return total_p.lgamma() - total_q.lgamma() - volumes + mean


@register_kl(Exponential, Exponential)
def exponentials(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def gammas(p: Gamma, q: Gamma) -> Tensor:
    rates = q.concentration * (p.rate / q.rate).log()
    volumes = q.concentration.lgamma() - p.concentration.lgamma()
    powers = (p.concentration - q.concentration) * p.concentration.digamma()
    return rates + volumes + powers + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Independent, Independent)
def independents(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(MultivariateNormal, MultivariateNormal)
def multivariate_normals(p: MultivariateNormal, q: MultivariateNormal) -> Tensor:
    if p.event_shape != q.event_shape:
        raise ValueError(errors.KL_EVENT_SHAPES)
    lower_p, lower_q = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    batch, size = broadcast_shapes(lower_q.shape[:-2], lower_p.shape[:-2]), p.event_shape[0]
    matrices = [each.expand((*batch, size, size)) for each in (lower_q, lower_p)]
    trace = solve_lower(*matrices).pow(2).sum((-2, -1))
    distance = squared_distance(lower_q, q.loc - p.loc)
    return log_diagonal(lower_q) - log_diagonal(lower_p) + 0.5 * (trace + distance - size)


@register_kl(Normal, Normal)
def normals(p: Normal, q: Normal) -> Tensor:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Uniform, Uniform)
def uniforms(p: Uniform, q: Uniform) -> Tensor:
    ratio = ((q.high - q.low) / (p.high - p.low)).log()
    return ratio.masked_fill((q.low > p.low) | (q.high < p.high), math.inf)


@register_kl(ExponentialFamily, ExponentialFamily)
def exponential_families(p: ExponentialFamily, q: ExponentialFamily) -> Tensor:
    """From the normalizer alone: F(θq) − F(θp) − ⟨θq − θp, F′(θp)⟩."""
    if type(p) is not type(q):
        raise NotImplementedError(errors.CROSS_FAMILIES)
    own = [each.detach().requires_grad_() for each in p._natural_params]
    others = q._natural_params
    normalizer = p._log_normalizer(*own)
    slopes = grad(normalizer.sum(), own, create_graph=True)
    result = q._log_normalizer(*others) - normalizer
    for each, other, slope in zip(own, others, slopes, strict=True):
        result = result - sum_rightmost((other - each) * slope, len(q.event_shape))
    return result


# ---- of different kinds --------------------------------------------------------------------------


def infinite(p: Any, q: Any) -> Tensor:
    """The divergence where q excludes values that p has."""
    return p.mean.new_full(p.batch_shape, math.inf)


for _p, _others in {
    Exponential: (Beta, Uniform),
    Gamma: (Beta, Uniform),
    Normal: (Beta, Exponential, Gamma, Uniform),
}.items():
    for _q in _others:
        register_kl(_p, _q)(infinite)


def against_exponential(p: Any, q: Exponential) -> Tensor:
    return -p.entropy() - q.rate.log() + q.rate * p.mean


register_kl(Beta, Exponential)(against_exponential)
register_kl(Gamma, Exponential)(against_exponential)


@register_kl(Beta, Gamma)
def beta_gamma(p: Beta, q: Gamma) -> Tensor:
    total = p.concentration1 + p.concentration0
    volume = q.concentration.lgamma() - q.concentration * q.rate.log()
    powers = (q.concentration - 1) * (p.concentration1.digamma() - total.digamma())
    return -p.entropy() + volume - powers + q.rate * p.concentration1 / total


@register_kl(Beta, Normal)
def beta_normal(p: Beta, q: Normal) -> Tensor:
    variance = q.scale.pow(2)
    squares = (p.variance + p.mean.pow(2)) * 0.5 - q.loc * p.mean + q.loc.pow(2) * 0.5
    return -p.entropy() + 0.5 * (variance * 2 * math.pi).log() + squares / variance


@register_kl(Beta, Uniform)
def beta_uniform(p: Beta, q: Uniform) -> Tensor:
    result = -p.entropy() + (q.high - q.low).log()
    return result.masked_fill((q.low > 0) | (q.high < 1), math.inf)


@register_kl(Exponential, Gamma)
def exponential_gamma(p: Exponential, q: Gamma) -> Tensor:
    ratio, shape = q.rate / p.rate, q.concentration
    return -shape * ratio.log() + ratio + shape.lgamma() + shape * EULER - (1 + EULER)


@register_kl(Exponential, Normal)
def exponential_normal(p: Exponential, q: Normal) -> Tensor:
    variance, square = q.scale.pow(2), p.rate.pow(2)
    distance = square.reciprocal() - q.loc / p.rate + q.loc.pow(2) * 0.5
    return 0.5 * (square * variance * 2 * math.pi).log() - 1 + distance / variance


@register_kl(Gamma, Normal)
def gamma_normal(p: Gamma, q: Normal) -> Tensor:
    variance, square, shape = q.scale.pow(2), p.rate.pow(2), p.concentration
    volume = 0.5 * (square * variance * 2 * math.pi).log() - shape - shape.lgamma()
    distance = 0.5 * (shape.pow(2) + shape) / square - q.loc * shape / p.rate
    distance = distance + 0.5 * q.loc.pow(2)
    return volume + (shape - 1) * shape.digamma() + distance / variance


def mean_logarithm(low: Tensor, high: Tensor) -> Tensor:
    """The mean of log x, for x uniformly distributed on [low, high)."""
    width = high - low
    return (xlogy(high, high) - xlogy(low, low) - width) / width


@register_kl(Uniform, Beta)
def uniform_beta(p: Uniform, q: Beta) -> Tensor:
    one, zero = q.concentration1, q.concentration0
    volume = one.lgamma() + zero.lgamma() - (one + zero).lgamma()
    powers = (one - 1) * mean_logarithm(p.low, p.high)
    powers = powers + (zero - 1) * mean_logarithm(1 - p.high, 1 - p.low)
    result = volume - (p.high - p.low).log() - powers
    return result.masked_fill((p.high > 1) | (p.low < 0), math.inf)


@register_kl(Uniform, Exponential)
def uniform_exponential(p: Uniform, q: Exponential) -> Tensor:
    result = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    return result.masked_fill(p.low < 0, math.inf)


@register_kl(Uniform, Gamma)
def uniform_gamma(p: Uniform, q: Gamma) -> Tensor:
    volume = q.concentration.lgamma() - q.concentration * q.rate.log()
    powers = (1 - q.concentration) * mean_logarithm(p.low, p.high)
    result = -(p.high - p.low).log() + volume + powers + q.rate * (p.high + p.low) / 2
    return result.masked_fill(p.low < 0, math.inf)


@register_kl(Uniform, Normal)
def uniform_normal(p: Uniform, q: Normal) -> Tensor:
    width = p.high - p.low
    volume = (math.sqrt(math.pi * 2) * q.scale / width).log()
    squares = width.pow(2) / 12 + ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return volume + 0.5 * squares / q.scale.pow(2)
