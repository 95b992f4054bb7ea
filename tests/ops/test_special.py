"""Special functions and quantiles, against what the standard library and NumPy know of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import course_lib as torch


def values(*numbers: float) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def test_lgamma_is_the_logarithm_of_a_factorial():
    x = values(*range(1, 30))
    expected = [math.log(math.factorial(n - 1)) for n in range(1, 30)]
    assert torch.lgamma(x).tolist() == pytest.approx(expected, rel=1e-14, abs=1e-14)


def test_erfinv_undoes_erf():
    x = values(-2.5, -0.4, 0.0, 0.1, 0.9, 3.0)
    assert torch.erfinv(torch.erf(x)).tolist() == pytest.approx(x.tolist(), rel=1e-9)


def test_digamma_grows_by_one_over_x():
    x = values(-2.3, -0.5, 0.2, 1.0, 7.5, 40.0)
    assert (x + 1).digamma().tolist() == pytest.approx((x.digamma() + 1 / x).tolist(), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_polygamma_loses_a_power_of_x_at_each_step(n: int):
    x = values(0.2, 1.0, 7.5, 40.0)
    step = (-1) ** n * math.factorial(n) / x ** (n + 1)
    moved = torch.polygamma(n, x + 1) - torch.polygamma(n, x)
    assert moved.tolist() == pytest.approx(step.tolist(), rel=1e-7)


def test_the_slope_of_i0_is_that_of_finite_differences_also_far_out():
    x = values(-3.0, 0.0, 0.5, 20.0, 300.0).requires_grad_()
    (slope,) = torch.autograd.grad(torch.i0(x).sum(), x)
    about = (np.i0(x.detach().numpy() + 1e-5) - np.i0(x.detach().numpy() - 1e-5)) / 2e-5
    assert slope.tolist() == pytest.approx(about.tolist(), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("how", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("dim", [None, 0, 1, -1])
def test_quantiles_are_those_of_numpy(how: str, dim: int | None):
    x = np.random.default_rng(1).normal(size=(4, 6, 5))
    parts = [0.0, 0.1, 0.55, 1.0]
    ours = torch.quantile(torch.tensor(x), values(*parts), dim, interpolation=how)
    assert np.allclose(ours.numpy(), np.quantile(x, parts, axis=dim, method=how))


def test_nanquantile_leaves_nan_out_and_quantile_does_not():
    x = values(3.0, math.nan, 1.0)
    assert torch.nanquantile(x, 0.5).item() == 2.0
    assert math.isnan(torch.quantile(x, 0.5).item())


def test_the_sign_of_a_remainder_that_is_zero_is_that_of_the_dividend():
    assert torch.remainder(values(-4.0, 4.0), 2).signbit().tolist() == [True, False]
