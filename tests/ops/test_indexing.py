"""Square brackets: what they read and write, checked against NumPy and against the memory."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch

SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


def counted(shape: tuple[int, ...]) -> Any:
    """A tensor of this shape that holds 0, 1, 2 …"""
    return torch.arange(int(np.prod(shape))).view(shape)


def basic_items(size: int) -> Any:
    """An integer or a slice with a positive step, for a dimension of this size."""
    ends = st.none() | st.integers(-size - 1, size + 1)
    slices = st.builds(slice, ends, ends, st.none() | st.integers(1, 3))
    return st.integers(-size, size - 1) | slices


@st.composite
def basic(draw: Any) -> Any:
    """A shape and a basic index into it, with None and `...` among the items."""
    shape = draw(SIZES)
    items: list[Any] = []
    for size in shape[: draw(st.integers(0, len(shape)))]:
        if draw(st.booleans()):
            items.append(None)
        items.append(draw(basic_items(size)))
    if draw(st.booleans()):
        items.append(Ellipsis)
    return shape, tuple(items)


@st.composite
def advanced(draw: Any) -> Any:
    """A shape and an index with index arrays, numbers and slices."""
    shape = draw(SIZES)
    places = draw(st.sampled_from([(), (1,), (2,), (3, 2)]))
    items: list[Any] = []
    for size in shape:
        kind = draw(st.sampled_from(["array", "slice", "mask"]))
        if kind == "array":
            flat = draw(st.lists(st.integers(-size, size - 1), min_size=6, max_size=6))
            count = int(np.prod(places))
            items.append(np.array(flat[:count], np.int64).reshape(places))
        elif kind == "mask" and not any(isinstance(i, np.ndarray) for i in items):
            items.append(np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size))))
            places = ()
        else:
            items.append(draw(st.builds(slice, st.none() | st.integers(0, size))))
    return shape, tuple(items)


def as_tensors(items: tuple) -> tuple:
    """The same index with tensors in place of arrays."""
    return tuple(torch.tensor(i) if isinstance(i, np.ndarray) else i for i in items)


@given(basic())
def test_a_basic_index_reads_what_numpy_reads(case: Any) -> None:
    shape, items = case
    x = counted(shape)
    assert x[items].tolist() == np.arange(x.numel()).reshape(shape)[items].tolist()


@given(basic())
def test_a_basic_index_is_a_view_of_the_same_memory(case: Any) -> None:
    shape, items = case
    x = counted(shape)
    window = x[items]
    window.fill_(-1)
    assert x._version == window._version == 1
    assert int((x == -1).sum()) == window.numel()


@given(advanced())
def test_an_advanced_index_reads_what_numpy_reads(case: Any) -> None:
    shape, items = case
    x = counted(shape)
    assert x[as_tensors(items)].tolist() == np.arange(x.numel()).reshape(shape)[items].tolist()


@given(advanced(), st.booleans())
def test_writing_changes_what_reading_shows_and_nothing_else(case: Any, several: bool) -> None:
    shape, items = case
    x, expected = counted(shape), np.arange(int(np.prod(shape))).reshape(shape)
    size = x[as_tensors(items)].shape
    value = np.arange(100, 100 + int(np.prod(size))).reshape(size) if several else np.array(-7)
    x[as_tensors(items)] = torch.tensor(value)
    expected[items] = value
    assert x.tolist() == expected.tolist()


@given(advanced())
def test_the_gradient_of_reading_counts_how_often_each_element_was_read(case: Any) -> None:
    shape, items = case
    x = torch.zeros(shape, requires_grad=True)
    x[as_tensors(items)].sum().backward()
    counts = np.zeros(shape)
    np.add.at(counts, items, 1)
    assert x.grad.tolist() == counts.tolist()


@given(advanced())
def test_a_part_that_was_overwritten_gets_no_gradient(case: Any) -> None:
    shape, items = case
    x = torch.ones(shape, requires_grad=True)
    y = x * 1
    y[as_tensors(items)] = 5.0
    y.sum().backward()
    untouched = np.ones(shape)
    untouched[items] = 0
    assert x.grad.tolist() == untouched.tolist()


def test_a_mask_may_be_an_array_and_may_cover_several_dimensions() -> None:
    x = torch.arange(24).view(2, 3, 4)
    assert x[torch.tensor([True, False])].shape == (1, 3, 4)
    assert x[np.array([[True, False, True], [False, True, False]]), 1].tolist() == [1, 9, 17]


@pytest.mark.parametrize("place", [([0, 1, 9],), ([0, 1], [1, 9]), (slice(None), [0, 9])])
def test_an_index_out_of_range_is_refused_before_anything_is_written(place: Any) -> None:
    x = torch.zeros(3, 3)
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        x[tuple(torch.tensor(p) if isinstance(p, list) else p for p in place)] = 1.0
    assert x.sum() == 0 and x._version == 0
