"""Joining and rearranging, checked against NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch

SHAPES = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple)
MATRICES = st.tuples(st.integers(0, 4), st.integers(0, 4))


def pair(shape: tuple[int, ...]) -> tuple[Any, np.ndarray]:
    """The same numbers as a tensor and as an array."""
    a = np.arange(math.prod(shape)).reshape(shape)
    return torch.tensor(a), a


@given(SHAPES, st.data())
def test_cat_is_numpys_concatenate(shape: tuple[int, ...], data: Any) -> None:
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    x, a = pair(shape)
    assert torch.cat([x, x], dim).tolist() == np.concatenate([a, a], dim).tolist()


@given(SHAPES, st.data())
def test_stack_is_numpys_stack(shape: tuple[int, ...], data: Any) -> None:
    dim = data.draw(st.integers(-len(shape) - 1, len(shape)))
    x, a = pair(shape)
    assert torch.stack([x, x], dim).tolist() == np.stack([a, a], dim).tolist()


@given(SHAPES, st.data())
def test_roll_is_numpys_roll(shape: tuple[int, ...], data: Any) -> None:
    dim = data.draw(st.integers(0, len(shape) - 1))
    shift = data.draw(st.integers(-5, 5))
    x, a = pair(shape)
    assert torch.roll(x, shift, dim).tolist() == np.roll(a, shift, dim).tolist()


@given(SHAPES, st.data())
def test_flip_is_numpys_flip(shape: tuple[int, ...], data: Any) -> None:
    dims = data.draw(st.sets(st.integers(0, len(shape) - 1)))
    x, a = pair(shape)
    assert x.flip(tuple(dims)).tolist() == np.flip(a, tuple(dims)).tolist()


@given(SHAPES, st.lists(st.integers(0, 3), min_size=3, max_size=4))
def test_repeat_is_numpys_tile(shape: tuple[int, ...], repeats: list[int]) -> None:
    x, a = pair(shape)
    assert x.repeat(repeats).tolist() == np.tile(a, repeats).tolist()


@given(MATRICES, st.integers(-5, 5))
def test_lower_and_upper_triangle_are_the_whole(shape: tuple[int, int], diagonal: int) -> None:
    x, a = pair(shape)
    assert (x.tril(diagonal) + x.triu(diagonal + 1)).tolist() == a.tolist()


@given(st.integers(0, 4), st.integers(-3, 3))
def test_diagonal_undoes_diag_embed(size: int, offset: int) -> None:
    x, a = pair((2, size))
    assert torch.diag_embed(x, offset).diagonal(offset, 1, 2).tolist() == a.tolist()


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4))
def test_repeat_interleave_is_numpys_repeat(counts: list[int]) -> None:
    x, a = pair((len(counts),))
    wanted = np.repeat(a, counts).tolist()
    assert torch.repeat_interleave(x, torch.tensor(counts)).tolist() == wanted


@given(st.lists(st.integers(0, 3), min_size=1, max_size=3), st.sampled_from(["ij", "xy"]))
def test_meshgrid_is_numpys_meshgrid(sizes: list[int], indexing: Any) -> None:
    grids = torch.meshgrid(*(torch.arange(n) for n in sizes), indexing=indexing)
    wanted = np.meshgrid(*(np.arange(n) for n in sizes), indexing=indexing)
    assert [g.tolist() for g in grids] == [w.tolist() for w in wanted]


def test_cat_of_images_with_channels_last_keeps_them_last() -> None:
    x = torch.zeros(2, 4, 5, 3).permute(0, 3, 1, 2)
    assert torch.cat([x, x]).stride() == x.stride()


def test_an_empty_vector_joins_anything() -> None:
    assert torch.cat([torch.zeros(0), torch.ones(1, 2)]).tolist() == [[1.0, 1.0]]


def test_joined_dtypes_are_promoted() -> None:
    assert torch.cat([torch.tensor([1]), torch.tensor([0.5])]).dtype is torch.float32


def test_copies_of_a_repeated_element_add_up_their_gradients() -> None:
    x = torch.ones(2, requires_grad=True)
    x.repeat(3, 2).sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_tensors_of_other_shapes_do_not_stack() -> None:
    with pytest.raises(RuntimeError, match="stack expects each tensor to be equal size"):
        torch.stack([torch.zeros(1), torch.zeros(2)])


def test_flip_of_a_number_is_a_copy() -> None:
    x = torch.tensor([1.0])[0]
    x.flip(()).zero_()
    assert x.item() == 1.0
