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


# name → (ours, NumPy's), of a tensor or array and what is drawn for a dimension and a shift
PAIRS: dict[str, tuple[Any, Any]] = {
    "cat": (
        lambda x, dim, _: torch.cat([x, x], dim),
        lambda a, dim, _: np.concatenate([a, a], dim),
    ),
    "stack": (lambda x, dim, _: torch.stack([x, x], dim), lambda a, dim, _: np.stack([a, a], dim)),
    "roll": (lambda x, dim, by: torch.roll(x, by, dim), lambda a, dim, by: np.roll(a, by, dim)),
    "flip": (lambda x, dim, _: x.flip(dim), lambda a, dim, _: np.flip(a, dim)),
    "repeat": (
        lambda x, _, by: x.repeat([abs(by), 2, 1, 1]),
        lambda a, _, by: np.tile(a, [abs(by), 2, 1, 1]),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@given(SHAPES, st.data())
def test_elements_go_where_numpy_puts_them(name: str, shape: tuple[int, ...], data: Any) -> None:
    dim, shift = data.draw(st.integers(-len(shape), len(shape) - 1)), data.draw(st.integers(-5, 5))
    x, a = pair(shape)
    ours, numpys = PAIRS[name]
    assert ours(x, dim, shift).tolist() == numpys(a, dim, shift).tolist()


@given(MATRICES, st.integers(-5, 5))
def test_lower_and_upper_triangle_are_the_whole(shape: tuple[int, int], diagonal: int) -> None:
    x, a = pair(shape)
    assert (x.tril(diagonal) + x.triu(diagonal + 1)).tolist() == a.tolist()


def test_an_empty_vector_joins_anything() -> None:
    assert torch.cat([torch.zeros(0), torch.ones(1, 2)]).tolist() == [[1.0, 1.0]]


def test_joined_dtypes_are_promoted() -> None:
    assert torch.cat([torch.tensor([1]), torch.tensor([0.5])]).dtype is torch.float32
