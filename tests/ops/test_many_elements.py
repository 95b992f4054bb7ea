"""Kernels that go another way for many elements give what they give for few."""

import numpy as np
import pytest

import course_lib as torch
from course_lib.memory.adding import MANY, add_along
from course_lib.memory.places import along, flat_places, take_along

rng = np.random.default_rng(11)


def with_ties(shape: tuple[int, ...], dtype: type = np.float32) -> np.ndarray:
    return rng.integers(-9, 9, shape).astype(dtype)


# ---- sums ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [MANY, MANY + 1, 3 * MANY + 17, 256 * 100])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_long_sums_are_as_accurate_as_pairwise_ones(n, kind):
    for array in (np.full(n, 0.1, kind), rng.random(n).astype(kind)):
        exact = array.astype(np.longdouble).sum()
        assert abs(add_along(array) - exact) <= 4 * np.finfo(kind).eps * exact


@pytest.mark.parametrize(("shape", "over"), [((64, 1000), (1,)), ((50, 7, 113), (1, 2))])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_of_rows_have_their_shapes(shape, over, keepdims):
    array = with_ties(shape)  # whole numbers, whose sums are exact in any order
    found, expected = add_along(array, over, keepdims), array.sum(over, keepdims=keepdims)
    assert found.dtype == np.float32 and np.array_equal(found, expected)
    other = array.swapaxes(0, 1)
    assert np.array_equal(add_along(other, (0,)), other.sum(0))


# ---- places --------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_flat_places_are_those_of_an_index_for_each_dimension(axis):
    array = rng.random((4, 5, 6))
    index = rng.integers(0, array.shape[axis], (3, 5, 2))
    expected = array[along(index, axis)]
    assert np.array_equal(array.reshape(-1)[flat_places(index, axis, array.shape)], expected)
    turned = np.asfortranarray(array)
    assert np.array_equal(take_along(turned, index, axis), expected)


# ---- products, running sums ----------------------------------------------------------------------


def test_products_of_whole_numbers_wrap_around_as_before():
    a = rng.integers(-(2**20), 2**20, (40, 40))
    b = rng.integers(-(2**62), 2**62, (40, 40))
    for one, two in ((a, a), (a, b), (b, b)):
        found = torch.from_numpy(one) @ torch.from_numpy(two)
        assert np.array_equal(found.numpy(), one @ two)


# ---- numbers written -----------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 7, 500, 70_000])
def test_a_shuffle_swaps_one_place_after_the_other(n):
    from course_lib.rng.rng import Generator
    from course_lib.rng.samplers import permutation

    words, expected = Generator(n)._words(n - 1), list(range(n))
    for place, word in enumerate(words.tolist()):
        other = place + word % (n - place)
        expected[place], expected[other] = expected[other], expected[place]
    assert permutation(Generator(n), n).tolist() == expected


def test_multinomial_takes_the_winners_of_a_sort():
    weights = torch.rand(30, 400)
    drawn = [torch.manual_seed(4) and torch.multinomial(weights, count) for count in (1, 6, 400)]
    assert torch.equal(drawn[0], drawn[1][:, :1]) and torch.equal(drawn[1], drawn[2][:, :6])


# ---- layers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [3, 90])  # with 90 examples, runs are long and come in portions
@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("stride", [1, 2])
def test_a_convolution_of_many_examples_is_that_of_each(size, groups, stride):
    numbers = np.random.default_rng(size)  # small whole numbers, whose sums are exact
    layer = torch.nn.Conv2d(6, 12, 3, stride, 1, 1, groups, dtype=torch.float64)
    with torch.no_grad():
        for weight in layer.parameters():
            weight.copy_(torch.from_numpy(numbers.integers(-4, 5, tuple(weight.shape))))
    x = torch.from_numpy(numbers.integers(-4, 5, (size, 6, 9, 9)) * 1.0).requires_grad_()
    one_by_one = torch.cat([layer(x[i : i + 1]) for i in range(size)])
    grad = torch.ones_like(one_by_one)
    inputs = [x, *layer.parameters()]
    assert torch.equal(layer(x), one_by_one)
    pairs = zip(
        torch.autograd.grad(layer(x), inputs, grad), torch.autograd.grad(one_by_one, inputs, grad)
    )
    assert all(torch.equal(one, other) for one, other in pairs)


def test_a_batch_that_lies_across_is_normalized_as_one_that_lies_row_by_row():
    x = torch.randn(8, 4, 5, dtype=torch.float64)
    layer = torch.nn.BatchNorm1d(4, dtype=torch.float64)
    across = x.transpose(1, 2).contiguous().transpose(1, 2)
    assert not across.is_contiguous() and torch.allclose(layer(across), layer(x), rtol=1e-12)
