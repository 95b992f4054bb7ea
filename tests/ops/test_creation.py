"""Tensors from data and from shapes: what is shared, what is copied, what follows from settings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import course_lib as torch
from course_lib.dtypes import dtypes

TYPES = [np.bool_, np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64, np.complex64]
arrays = st.sampled_from(TYPES).flatmap(
    lambda kind: hnp.arrays(kind, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0))
)


@pytest.fixture(autouse=True)
def usual_settings():
    yield
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)


# ---- data ----------------------------------------------------------------------------------------


@given(arrays)
def test_an_array_becomes_a_tensor_of_the_same_values_and_type(array):
    made = torch.tensor(array)
    assert made.dtype is dtypes.of_numpy(array.dtype)
    np.testing.assert_array_equal(made.numpy(), array)


@given(hnp.arrays(np.int64, hnp.array_shapes(max_dims=4, max_side=5)))
def test_nested_lists_become_what_numpy_makes_of_them(array):
    np.testing.assert_array_equal(torch.tensor(array.tolist()).numpy(), array)


@given(st.lists(st.floats(width=32, allow_nan=False)), st.sampled_from(["float32", "float64"]))
def test_floats_keep_their_value_if_the_dtype_holds_them(values, name):
    assert torch.tensor(values, dtype=getattr(torch, name)).tolist() == values


@pytest.mark.parametrize(("value", "name"), [(127.5, "int8"), (-0.5, "uint8"), (256.0, "uint8")])
def test_a_number_that_a_dtype_does_not_hold_is_refused_by_all_that_write_it(value, name):
    kind = getattr(torch, name)
    makers = (
        torch.tensor,
        torch.zeros(1).to(kind).fill_,
        lambda n, **kw: torch.full((1,), n, **kw),
    )
    for make, options in zip(makers, ({"dtype": kind}, {}, {"dtype": kind}), strict=True):
        with pytest.raises(RuntimeError, match=f"cannot be converted to type {name}"):
            make(value, **options)


def test_tensor_copies_an_array_and_from_numpy_shares_it():
    array = np.array([1.0, 2.0])
    copy, shared = torch.tensor(array), torch.from_numpy(array)
    array[0] = 9
    assert copy.tolist() == [1, 2]
    assert shared.tolist() == [9, 2]


def test_a_write_through_a_shared_tensor_reaches_the_array():
    array = np.zeros((2, 3))[:, ::2]
    torch.from_numpy(array).fill_(5)
    assert array.tolist() == [[5, 5], [5, 5]]


def test_numbers_in_place_of_one_element_tensors_make_one_dimension():
    rows = [torch.tensor([[1.5]]), torch.tensor([2.5]), torch.tensor(3.5)]
    assert torch.tensor(rows).shape == (3,)


def test_a_list_that_is_too_long_for_its_level_is_refused_at_any_depth():
    with pytest.raises(ValueError, match="expected sequence of length 2 at dim 2"):
        torch.tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8, 9]]])


def test_a_deep_list_is_read_without_recursion():
    nested = 1.0
    for _ in range(129):
        nested = [nested]
    with pytest.raises(ValueError, match="too many dimensions"):
        torch.tensor(nested)


# ---- shapes --------------------------------------------------------------------------------------

shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


@given(shapes, st.sampled_from(["zeros", "ones", "rand", "empty"]))
def test_new_tensors_are_row_major(shape, name):
    made = getattr(torch, name)(shape)
    assert made.shape == shape
    assert made.is_contiguous()
    assert made.storage_offset() == 0


@given(st.permutations(range(4)), st.sampled_from(["zeros_like", "ones_like", "randn_like"]))
def test_like_keeps_the_order_of_dense_memory(order, name):
    source = torch.zeros(2, 3, 4, 5).permute(*order)
    assert getattr(torch, name)(source).stride() == source.stride()


def test_like_closes_the_gaps_of_memory_that_is_not_dense():
    source = torch.zeros(4, 6).t()[::2]
    assert torch.zeros_like(source).stride() == (1, 3)


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 7))
def test_arange_of_integers_counts_as_range_does(start, end, step):
    low, high = min(start, end), max(start, end)
    assert torch.arange(low, high, step).tolist() == list(range(low, high, step))
    assert torch.arange(high, low, -step).tolist() == list(range(high, low, -step))


@given(st.floats(-1e3, 1e3, width=32), st.floats(-1e3, 1e3, width=32), st.integers(2, 60))
def test_linspace_begins_and_ends_where_it_should(start, end, steps):
    made = torch.linspace(start, end, steps)
    assert made[0].item() == np.float32(start)
    assert made[-1].item() == np.float32(end)
    assert len(made) == steps


def test_linspace_is_its_own_mirror_image():
    values = torch.linspace(-3, 3, 100)
    assert (values + values.flip(0)).abs().max().item() == 0


# ---- settings ------------------------------------------------------------------------------------


def test_the_default_dtype_decides_about_floats_only():
    torch.set_default_dtype(torch.float64)
    assert torch.tensor(1.5).dtype is torch.float64
    assert torch.zeros(1).dtype is torch.float64
    assert torch.tensor(1).dtype is torch.int64


def test_new_tensors_go_to_the_device_of_the_block_around():
    with torch.device("meta"):
        inside = torch.ones(2)
        with torch.device("cpu"):
            nested = torch.ones(2)
    assert (inside.is_meta, nested.is_cpu, torch.ones(2).is_cpu) == (True, True, True)


def test_the_device_of_a_block_ends_with_an_exception():
    with pytest.raises(ZeroDivisionError), torch.device("meta"):
        raise ZeroDivisionError
    assert torch.get_default_device() == torch.device("cpu")


def test_a_tensor_of_astronomical_size_exists_on_meta_only():
    assert torch.zeros(10**6, 10**6, device="meta").nbytes == 4 * 10**12


def test_what_is_computed_on_meta_takes_neither_memory_nor_time():
    huge = torch.empty(10**6, 10**6, device="meta")
    assert (
        torch.nn.functional.linear(huge, huge, huge[0]).shape == (huge @ huge).shape == huge.shape
    )
    assert (huge + huge).shape == (10**6, 10**6)
    assert (huge > 0).all().shape == ()
    assert huge.sum(0).shape == huge.mean(-1).shape == (10**6,)
    assert huge.amax((0, 1), keepdim=True).shape == (1, 1)


def test_a_subclass_is_made_by_the_legacy_constructor():
    class Special(torch.Tensor):
        pass

    assert isinstance(Special([1, 2]), Special)


def test_a_legacy_class_recognises_its_dtype_but_is_no_tensor_class():
    assert isinstance(torch.zeros(1), torch.FloatTensor)
    assert not isinstance(torch.zeros(1), torch.LongTensor)
    assert not issubclass(torch.FloatTensor, torch.Tensor)
