"""Special functions: gamma's family, the inverse of erf, logit, sinc, a Bessel function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.beyond.ops import gamma
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.faster import call_inplace
from course_lib.declare.fronts import of_runner
from course_lib.declare.op import op, present_inplace
from course_lib.ops.elementwise.exponentials import exp
from course_lib.ops.elementwise.trigonometry import cos, sin
from course_lib.ops.elementwise.zeroing import chosen, masked
from course_lib.words import errors

__all__ = ["digamma", "erfinv", "i0", "lgamma", "logit", "polygamma", "sinc"]


@op(
    kind="float",
    name="polygamma",
    operands=("self",),
    inplace=False,
    check=errors.unless("polygamma", "complex"),
    self=lambda grad, n, self: polygamma_of(self, n + 1) * grad,
)
def polygamma_of(self, n):
    """The `n`-th derivative of `digamma`."""
    if n < 0:
        raise RuntimeError(errors.POLYGAMMA_ORDER)
    return gamma.polygamma(n, self)


@op(
    kind="float",
    name="polygamma_in_place",
    node="PolygammaBackward1",
    operands=("self",),
    inplace=False,
    method=False,
    check=errors.unless("polygamma", "complex"),
    self=lambda grad, n, self: polygamma_of(self, n + 1) * grad,
)
def polygamma_over(self, n):
    """`polygamma_`."""
    return polygamma_of.op.kernel(self, n)


present_inplace(
    of_runner(call_inplace, polygamma_over.op, "Tensor", "polygamma_"),
    polygamma_of.op.kernel,
    polygamma_of.op,
)


@composite(method=False)
def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The `n`-th derivative of `digamma`.

    >>> torch.polygamma(1, torch.tensor([1., 0.5]))
    tensor([1.6449, 4.9348])
    """
    return polygamma_of(input, n, out=out)


@op(
    kind="float",
    check=errors.unless("digamma", "complex"),
    self=lambda grad, self: grad * polygamma_of(self, 1),
)
def digamma(self):
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
def lgamma(self):
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
def erfinv(self):
    """The number whose error function is `self`.

    >>> torch.erfinv(torch.tensor([0., 0.5, 1.]))
    tensor([0.0000, 0.4769,    inf])
    """
    return gamma.erfinv_of(self)


# ---- logit and sinc ------------------------------------------------------------------------------


@op(kind="same", method=False, inplace=False)
def within(self, low, high):
    """Where elements lie in [low, high]."""
    return np.logical_and(self >= low, self <= high)


def logit_gradient(grad: Any, self: Any, eps: float | None) -> Any:
    """Outside of the range the gradient is 0, or nan where there is no logit at all."""
    slope = grad / (self * (1 - self))
    if eps is None:
        return chosen(slope, nans(slope), within(self, 0, 1))
    return masked(slope, within(self, eps, 1 - eps))


@op(kind="same", method=False, inplace=False)
def nans(self):
    """As many nan."""
    return np.full_like(self, np.nan)[()]


@op(
    kind="float",
    operands=("self",),
    check=errors.unless("logit_cpu", "complex"),
    self=lambda grad, self, eps: logit_gradient(grad, self, eps),
)
def logit(self, eps=None):
    """The inverse of `sigmoid`, of `self` kept within [eps, 1 - eps].

    >>> torch.logit(torch.tensor([0.5, 0.9]))
    tensor([0.0000, 2.1972])
    """
    x = self if eps is None else np.clip(self, self.dtype.type(eps), self.dtype.type(1 - eps))
    return np.log(x / (1 - x))


@op(kind="same", method=False, inplace=False)
def nonzero_square(self):
    """Where the square of an element is not 0."""
    return np.not_equal(self * self * self.dtype.type(np.pi), 0)


def sinc_gradient(grad: Any, self: Any) -> Any:
    """The slope of `sinc`, which is 0 at 0."""
    angle, square = self * math.pi, self * self * math.pi
    return masked(grad * ((angle * cos(angle) - sin(angle)) / square), nonzero_square(self))


@op(kind="float", holomorphic=True, self=lambda grad, self: sinc_gradient(grad, self))
def sinc(self):
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
def i1(self):
    """The modified Bessel function of order 1, the derivative of `i0`."""
    return gamma.i1_of(self)


@op(kind="same", method=False, inplace=False)
def half_at_zero(self):
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
def i0(self):
    """The modified Bessel function of the first kind and order 0.

    >>> torch.i0(torch.tensor([0., 1.]))
    tensor([1.0000, 1.2661])
    """
    return gamma.i0_of(self)
