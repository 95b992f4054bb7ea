"""Elementwise functions: what the recorded facts cannot express."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import course_lib as torch

FLOATS = st.floats(-1e3, 1e3, width=32)
ARRAYS = hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=4), elements=FLOATS)
INTEGERS = hnp.arrays(np.int64, 5, elements=st.integers(-50, 50))


def tensor(array):
    return torch.tensor(array.tolist(), dtype=torch.float64)


@given(ARRAYS)
def test_operators_compute_what_numpy_computes(array):
    x = tensor(array)
    wide = array.astype(np.float64)
    np.testing.assert_array_equal((x * 3 - 1).numpy(), wide * 3 - 1)
    np.testing.assert_array_equal((2 - x).numpy(), 2 - wide)


@given(INTEGERS, st.integers(-9, 9).filter(bool))
def test_quotient_and_remainder_of_integers_make_up_the_number(array, divisor):
    x = torch.tensor(array.tolist())
    assert torch.equal(x // divisor * divisor + x % divisor, x)


@given(INTEGERS, st.integers(-4, 4))
def test_integer_powers_are_pythons_rounded_towards_zero(array, exponent):
    x = torch.tensor(array.tolist())
    n = torch.full((5,), exponent)
    wanted = [math.trunc(v**exponent) if v else int(exponent == 0) for v in array.tolist()]
    if exponent < 0:
        wanted = [w if v else 0 for v, w in zip(array.tolist(), wanted, strict=True)]
    assert (x**n).tolist() == wanted


@pytest.mark.parametrize("exponent", [2, 3, 0.5, -1, -2, -0.5, 2.5, 0])
def test_power_with_a_number_is_power_with_a_tensor(exponent):
    x = torch.tensor([0.5, 1.0, 3.0], dtype=torch.float64)
    wanted = x ** torch.full((3,), exponent, dtype=torch.float64)
    assert torch.allclose(x**exponent, wanted, rtol=1e-14)


def test_operators_leave_foreign_objects_to_their_own_methods():
    class Foreign:
        def __radd__(self, other):
            return "mine"

        __rpow__ = __rmod__ = __radd__

    x = torch.ones(2)
    assert (x + Foreign(), x ** Foreign(), x % Foreign()) == ("mine",) * 3
    x += Foreign()
    assert x == "mine"
