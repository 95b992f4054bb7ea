"""Gradients of many elements are written over when nobody needs them any more, and only then."""

import numpy as np
import pytest

import course_lib as torch
from course_lib.speed import backward as compiled

MANY = compiled.MANY + 1


def leaf(value=2.0):
    return torch.full((MANY,), value, requires_grad=True)


def test_a_dead_gradient_is_written_over():
    grad = np.ones(MANY, np.float32)
    place = grad.__array_interface__["data"]
    times = compiled.times(grad, 3.0)
    assert times is grad and times.__array_interface__["data"] == place
    assert times[0] == 3


@pytest.mark.parametrize(
    "other", [1j, True, np.float64(2), np.ones(MANY), np.ones((2, MANY), np.float32)[:, ::2][0]]
)
def test_what_would_not_be_like_the_gradient_is_not_written_over_it(other):
    grad = np.ones(MANY, np.float32)
    assert not compiled.alike(grad, other)


def test_a_gradient_that_a_hook_keeps_stays():
    x = leaf()
    kept = []
    y = x * 3
    y.register_hook(kept.append)
    (y * x).sum().backward()
    assert kept[0][0] == 2 and x.grad[0] == 12


def test_a_gradient_that_was_given_stays():
    x, given = leaf(), torch.ones(MANY)
    (-(x * 3)).backward(given)
    assert given[0] == 1 and given._version == 0 and x.grad[0] == -3


def test_a_retained_gradient_stays():
    x = leaf()
    y = x * 3
    y.retain_grad()
    (y * 5).relu().sum().backward()
    assert y.grad[0] == 5 and x.grad[0] == 15


def test_a_captured_gradient_stays():
    x = leaf()
    y = x * 3
    z = -(y * 5)
    gy, gz, gx = torch.autograd.grad(z.sum(), (y, z, x))
    assert (gz[0], gy[0], gx[0]) == (1, -5, -15)


def test_a_gradient_that_goes_two_ways_stays():
    x, y = leaf(), leaf()
    ((x * 3) + (y * 5)).mul(7).sum().backward()
    assert x.grad[0] == 21 and y.grad[0] == 35


def test_both_factors_get_their_gradients():
    x, y = leaf(2.0), leaf(3.0)
    (-(x * y)).sum().backward()
    assert x.grad[0] == -3 and y.grad[0] == -2


def test_versions_count_sums_and_not_what_was_written_over():
    x = leaf()
    y = x * 2
    (y * 3 + y * 4).sum().backward()
    assert x.grad[0] == 14 and x.grad._version == 0
    x = leaf()
    (x * 3 + x * 4).sum().backward()
    assert x.grad[0] == 7 and x.grad._version == 1


def test_relu_drops_what_is_below_and_passes_nan():
    x = torch.tensor([-1.0, 0.0, 2.0, float("nan")]).repeat(MANY).requires_grad_()
    (x.relu() * 3).sum().backward()
    assert x.grad[:4].tolist() == [0, 0, 3, 3]
