"""Special functions: gamma's family, the inverse of erf, logit, sinc, a Bessel function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, gamma
from course_lib.forms.declare import op
from course_lib.forms.methods import attach_as
from course_lib.forms.refusal import as_method
from course_lib.ops.masks import chosen, masked
from course_lib.ops.powers import exp
from course_lib.ops.trigonometry import cos, sin

__all__ = ["digamma", "erfinv", "i0", "lgamma", "logit", "polygamma", "sinc"]


@op(
    kind="float",
    operands=("self",),
    inplace=False,
    method=False,
    check=errors.unless("polygamma", "complex"),
    self=lambda grad, n, self: polygamma(n + 1, self) * grad,
)
def polygamma(n: int, self: Any) -> Any:
    """The `n`-th derivative of `digamma`.

    >>> torch.polygamma(1, torch.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
    return gamma.polygamma(n, self)


def _polygamma(self: Tensor, n: int) -> Tensor:
    """The `n`-th derivative of `digamma`."""
    found: Tensor = polygamma(n, self)
    return found


attach_as("polygamma", as_method(_polygamma, "polygamma"))


@op(
    kind="float",
    check=errors.unless("digamma", "complex"),
    self=lambda grad, self: grad * polygamma(1, self),
)
def digamma(self: Any) -> Any:
    """The derivative of `lgamma`.

    >>> torch.digamma(torch.tensor([1., 0.5]))
    tensor([-0.5772, -1.9635])
    """
    return gamma.each(gamma.digamma, self)


@op(
    kind="float",
    check=errors.unless("lgamma_vml_cpu", "complex"),
    self=lambda grad, self: grad * digamma(self),
)
def lgamma(self: Any) -> Any:
    """The logarithm of the gamma function: of (x - 1)!, for whole x.

    >>> torch.lgamma(torch.tensor([1., 3., 0.5]))
    tensor([0.0000, 0.6931, 0.5724])
    """
    return gamma.each(gamma.lgamma, self)


@op(
    kind="float",
    check=errors.unless("erfinv_vml_cpu", "complex"),
    self=lambda grad, self: 0.5 * math.sqrt(math.pi) * exp(erfinv(self) * erfinv(self)) * grad,
)
def erfinv(self: Any) -> Any:
    """The number whose error function is `self`.

    >>> torch.erfinv(torch.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.4769,    inf])
    """
    return gamma.erfinv_of(self)


# ---- logit and sinc ------------------------------------------------------------------------------


@op(kind="same", method=False, inplace=False)
def within(self: Any, low: float, high: float) -> Any:
    """Where elements lie in [low, high]."""
    return np.logical_and(self >= low, self <= high)


def logit_gradient(grad: Any, self: Any, eps: float | None) -> Any:
    """Outside of the range the gradient is 0, or nan where there is no logit at all."""
    slope = grad / (self * (1 - self))
    if eps is None:
        return chosen(slope, nans(slope), within(self, 0, 1))
    return masked(slope, within(self, eps, 1 - eps))


@op(kind="same", method=False, inplace=False)
def nans(self: Any) -> Any:
    """As many nan."""
    return np.full_like(self, np.nan)[()]


@op(
    kind="float",
    operands=("self",),
    check=errors.unless("logit_cpu", "complex"),
    self=lambda grad, self, eps: logit_gradient(grad, self, eps),
)
def logit(self: Any, eps: float | None = None) -> Any:
    """The inverse of `sigmoid`, of `self` kept within [eps, 1 - eps].

    >>> torch.logit(torch.tensor([0.5, 0.9]))
    tensor([0.0000, 2.1972])
    """
    x = self if eps is None else np.clip(self, self.dtype.type(eps), self.dtype.type(1 - eps))
    return np.log(x / (1 - x))


@op(kind="same", method=False, inplace=False)
def nonzero_square(self: Any) -> Any:
    """Where the square of an element is not 0."""
    return np.not_equal(self * self * self.dtype.type(np.pi), 0)


def sinc_gradient(grad: Any, self: Any) -> Any:
    """The slope of `sinc`, which is 0 at 0."""
    angle, square = self * math.pi, self * self * math.pi
    return masked(grad * ((angle * cos(angle) - sin(angle)) / square), nonzero_square(self))


@op(kind="float", holomorphic=True, self=lambda grad, self: sinc_gradient(grad, self))
def sinc(self: Any) -> Any:
    """``sin(pi x) / (pi x)``, and 1 at 0.

    >>> torch.sinc(torch.tensor([0., 0.5]))
    tensor([1.0000, 0.6366])
    """
    angle = self * self.dtype.type(np.pi)
    return np.where(self == 0, self.dtype.type(1), np.sin(angle) / angle)[()]


# ---- Bessel functions ----------------------------------------------------------------------------


@op(
    kind="float",
    method=False,
    inplace=False,
    name="special_i1",
    self=lambda grad, self, result: grad * (i0(self) - i1_over(self, result)),
)
def i1(self: Any) -> Any:
    """The modified Bessel function of order 1, the derivative of `i0`."""
    return gamma.i1_of(self)


@op(kind="same", method=False, inplace=False)
def half_at_zero(self: Any) -> Any:
    """1/2 where an element is 0, elsewhere 0."""
    return (np.equal(self, 0) * 0.5).astype(self.dtype)[()]


def i1_over(self: Any, result: Any) -> Any:
    """``i1(x) / x``, and its limit 1/2 at 0."""
    return masked(result / self, nonzero_square(self)) + half_at_zero(self)


@op(
    kind="float",
    check=errors.unless("i0_vml_cpu", "complex"),
    self=lambda grad, self: grad * i1(self),
)
def i0(self: Any) -> Any:
    """The modified Bessel function of the first kind and order 0.

    >>> torch.i0(torch.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
    return gamma.i0_of(self)
