"""Gathering, scattering and masks: loops in plain Python say what should come out."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch


@st.composite
def along_a_dimension(draw: Any) -> Any:
    """A tensor, a dimension, indices along it and values for them."""
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple))
    dim = draw(st.integers(0, len(shape) - 1))
    sizes = [draw(st.integers(1, n)) for n in shape]
    sizes[dim] = draw(st.integers(1, 4))
    count = int(np.prod(sizes))
    numbers = st.lists(st.integers(0, shape[dim] - 1), min_size=count, max_size=count)
    index = torch.tensor(draw(numbers)).view(sizes)
    values = torch.arange(1.0, count + 1.0).view(sizes)
    return torch.arange(float(np.prod(shape))).view(shape), dim, index, values


def places(index: Any, dim: int) -> Any:
    """Pairs of the place in `index` and the place in the tensor that it names."""
    for place in itertools.product(*(range(n) for n in index.shape)):
        named = list(place)
        named[dim] = int(index[place])
        yield place, tuple(named)


@given(along_a_dimension())
def test_gather_reads_each_named_place(case: Any) -> None:
    x, dim, index, _ = case
    out = x.gather(dim, index)
    assert all(out[place] == x[named] for place, named in places(index, dim))


@given(along_a_dimension())
def test_gather_and_scatter_add_are_each_other_s_gradient(case: Any) -> None:
    x, dim, index, values = case
    x.requires_grad_()
    (grad,) = torch.autograd.grad(x.gather(dim, index), x, values)
    assert grad.tolist() == torch.zeros(x.shape).scatter_add(dim, index, values).tolist()


@given(st.lists(st.booleans(), min_size=6, max_size=6))
def test_nonzero_names_the_places_that_a_mask_selects(bits: list[bool]) -> None:
    mask = torch.tensor(bits).view(2, 3)
    x = torch.arange(6).view(2, 3)
    assert x[torch.where(mask)].tolist() == x[mask].tolist()
    assert mask.nonzero().tolist() == np.argwhere(mask.numpy()).tolist()
