"""Kernels that go another way for many elements give what they give for few."""

from __future__ import annotations

import numpy as np
import pytest

import course_lib as torch
from course_lib.memory.adding import MANY, added
from course_lib.memory.order import largest, leading, order, ranked
from course_lib.memory.places import along, flat_places, taken
from course_lib.ops.pick.index_put import add_rows
from course_lib.ops.reduce.extremes import middle, middle_of_many

rng = np.random.default_rng(11)


def with_ties(shape: tuple[int, ...], dtype: type = np.float32) -> np.ndarray:
    return rng.integers(-9, 9, shape).astype(dtype)


def with_nan(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.reshape(-1)[::7] = np.nan
    return array


# ---- sums ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [MANY, MANY + 1, 3 * MANY + 17, 256 * 100])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_long_sums_are_as_accurate_as_pairwise_ones(n, kind):
    for array in (np.full(n, 0.1, kind), rng.random(n).astype(kind)):
        exact = array.astype(np.longdouble).sum()
        assert abs(added(array) - exact) <= 4 * np.finfo(kind).eps * exact


@pytest.mark.parametrize(("shape", "over"), [((64, 1000), (1,)), ((50, 7, 113), (1, 2))])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_of_rows_have_their_shapes(shape, over, keepdims):
    array = with_ties(shape)  # whole numbers, whose sums are exact in any order
    found, expected = added(array, over, keepdims), array.sum(over, keepdims=keepdims)
    assert found.dtype == np.float32 and np.array_equal(found, expected)
    other = array.swapaxes(0, 1)
    assert np.array_equal(added(other, (0,)), other.sum(0))


# ---- order ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("k", [1, 5, 40])
@pytest.mark.parametrize("axis", [0, 1])
def test_the_first_of_many_are_those_of_a_sort(descending, k, axis):
    values = with_ties((40, 170)) if axis else with_ties((170, 40))
    for array in (values, with_nan(values), values.astype(np.int64), rng.random(values.shape)):
        expected = np.take(order(array, axis, descending), np.arange(k), axis)
        assert np.array_equal(leading(array, axis, k, descending), expected)


def test_whole_numbers_are_ranked_by_several_digits():
    values = rng.integers(0, 1 << 40, 500)
    values[:100] = values[100:200]
    assert np.array_equal(ranked(values, 1 << 40), np.argsort(values, kind="stable"))


@pytest.mark.parametrize("shape", [(1501,), (30, 51), (51, 30)])
def test_the_median_of_many_is_that_of_a_sort(shape):
    array, last = with_ties(shape), len(shape) - 1
    found = middle_of_many(array, last)
    assert found is not None and middle_of_many(with_nan(array), last) is None
    k = (shape[-1] - 1) // 2
    indices = np.take(np.argsort(array, -1, kind="stable"), [k], -1)
    assert np.array_equal(found[1], indices)
    assert np.array_equal(found[0], np.take_along_axis(array, indices, -1))
    assert np.isnan(middle(with_nan(array), last, False)[0]).any()


# ---- places --------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_flat_places_are_those_of_an_index_for_each_dimension(axis):
    array = rng.random((4, 5, 6))
    index = rng.integers(0, array.shape[axis], (3, 5, 2))
    expected = array[along(index, axis)]
    assert np.array_equal(array.reshape(-1)[flat_places(index, axis, array.shape)], expected)
    turned = np.asfortranarray(array)
    assert np.array_equal(taken(turned, index, axis), expected)


@pytest.mark.parametrize(("n", "m"), [(50, 300), (3, 40), (7, 1)])
def test_rows_are_added_in_their_order(n, m):
    index, rows = rng.integers(-n, n, m), rng.random((m, 40), np.float32)
    one = rng.random((n, 40), np.float32)
    other = one.copy()
    np.add.at(one, index, rows)
    add_rows(other, index, rows)
    assert np.array_equal(one, other)


# ---- products, running sums ----------------------------------------------------------------------


def test_products_of_whole_numbers_wrap_around_as_before():
    a = rng.integers(-(2**20), 2**20, (40, 40))
    b = rng.integers(-(2**62), 2**62, (40, 40))
    for one, two in ((a, a), (a, b), (b, b)):
        found = torch.from_numpy(one) @ torch.from_numpy(two)
        assert np.array_equal(found.numpy(), one @ two)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "logcumsumexp"])
def test_running_sums_of_wide_rows_go_row_by_row(name):
    x = torch.from_numpy(rng.random((9, 300), np.float32))
    narrow = torch.cat([getattr(part, name)(0) for part in x.split(100, 1)], 1)
    assert torch.equal(getattr(x, name)(0), narrow)


# ---- numbers written -----------------------------------------------------------------------------

PLACES = [1, -1, (1, 2), (0, slice(1, 3)), slice(1, None), (slice(None), -1)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", [torch.float32, torch.int64])
def test_a_number_is_written_as_a_tensor_is(place, kind):
    found = []
    for value in (7, torch.tensor(7, dtype=kind)):
        x = torch.arange(12).to(kind).view(3, 4)
        view = x[:]
        x[place] = value
        found.append((x.tolist(), x._version, view._version))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("place", "value", "error"),
    [
        (3, 1, "index 3 is out of bounds"),
        ((0, 1, 2), 1, "too many indices"),
        (slice(None, None, -1), 1, "step must be greater than zero"),
        (0, 1e39, "cannot be converted"),
    ],
)
def test_what_cannot_be_written_is_refused(place, value, error):
    x = torch.zeros(3, 4)
    with pytest.raises((IndexError, ValueError, RuntimeError), match=error):
        x[place] = value
    assert x.sum() == 0


def test_a_leaf_refuses_a_number():
    x = torch.zeros(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf Variable"):
        x[0] = 1.0


def test_a_number_written_into_a_result_is_recorded():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y[1] = 5.0
    y.sum().backward()
    assert x.grad.tolist() == [2, 0, 2]


@pytest.mark.parametrize("divide", [torch.floor_divide, torch.remainder, torch.fmod])
def test_whole_numbers_are_not_divided_by_zero(divide):
    for other in (0, torch.tensor([0, 1])):
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            divide(torch.tensor([1, 2]), other)


@pytest.mark.parametrize("n", [1, 2, 7, 500, 70_000])
def test_a_shuffle_swaps_one_place_after_the_other(n):
    from course_lib.rng.rng import Generator
    from course_lib.rng.samplers import permutation

    words, expected = Generator(n).words(n - 1), list(range(n))
    for place, word in enumerate(words.tolist()):
        other = place + word % (n - place)
        expected[place], expected[other] = expected[other], expected[place]
    assert permutation(Generator(n), n).tolist() == expected


def test_multinomial_takes_the_winners_of_a_sort():
    weights = torch.rand(30, 400)
    drawn = [torch.manual_seed(4) and torch.multinomial(weights, count) for count in (1, 6, 400)]
    assert torch.equal(drawn[0], drawn[1][:, :1]) and torch.equal(drawn[1], drawn[2][:, :6])


# ---- layers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sigmoid", "silu", "gelu"])
def test_an_activation_in_pieces_is_the_activation(name):
    activation, x = getattr(torch.nn.functional, name), torch.randn(300, 500) * 9
    rows = torch.stack([activation(row) for row in x])
    assert torch.equal(activation(x), rows) and torch.equal(activation(x.t()), rows.t())


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


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(64, 1), (64, 2), (300, 3), (9, 20, 7), (70, 8), (3, 5)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_short_rows_are_added_and_compared_by_columns_exactly(dtype, shape, keepdims):
    array = rng.normal(size=shape).astype(dtype)
    array.reshape(-1)[::11], array.reshape(-1)[::13] = np.inf, np.nan
    axis = len(shape) - 1
    expected = np.add.reduce(array, axis=axis, keepdims=keepdims)
    assert np.array_equal(added(array, (axis,), keepdims), expected, equal_nan=True)
    top = np.maximum.reduce(array, axis=axis, keepdims=True)
    assert np.array_equal(largest(array, axis), top, equal_nan=True)


def test_only_many_short_rows_take_the_columns(monkeypatch):
    rows: list[tuple] = []
    add = np.add.reduce

    class Watched:
        @staticmethod
        def reduce(array, **options):
            rows.append(array.shape)
            return add(array, **options)

    monkeypatch.setattr("course_lib.memory.adding.np.add", Watched)
    added(np.ones((64, 3), np.float32), (1,))
    added(np.ones((63, 3), np.float32), (1,))
    assert rows == [(3, 64), (63, 3)]


@pytest.mark.parametrize("shape", [(2, 3, 5), (1, 2, 4, 3)])
def test_circular_padding_is_the_same_with_and_without_a_graph(shape):
    x = torch.arange(float(np.prod(shape))).view(shape)
    margins = (1, 2) * (len(shape) - 2)
    plain = torch.nn.functional.pad(x, margins, mode="circular")
    recorded = torch.nn.functional.pad(x.clone().requires_grad_(), margins, mode="circular")
    assert torch.equal(plain, recorded) and plain._version == recorded._version
    assert plain.stride() == recorded.stride() and plain.grad_fn is None
