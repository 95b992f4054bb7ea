"""Special functions and quantiles, against what the standard library and NumPy know of them."""

from __future__ import annotations

import course_lib as torch


def values(*numbers: float) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def test_the_sign_of_a_remainder_that_is_zero_is_that_of_the_dividend():
    assert torch.remainder(values(-4.0, 4.0), 2).signbit().tolist() == [True, False]
