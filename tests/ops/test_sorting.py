"""Sorting, searching and counting: what the recorded facts cannot express."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch

LISTS = st.lists(st.integers(0, 6), min_size=1, max_size=12)


@given(LISTS, st.booleans())
def test_sorting_is_stable_in_both_directions(values, descending):
    result = torch.tensor(values).sort(descending=descending, stable=True)
    wanted = sorted(range(len(values)), key=lambda i: values[i], reverse=descending)
    assert result.indices.tolist() == wanted
    assert result.values.tolist() == sorted(values, reverse=descending)


@given(LISTS, st.data())
def test_topk_gives_the_largest_in_order(values, data):
    k = data.draw(st.integers(0, len(values)))
    result = torch.tensor(values).topk(k)
    assert result.values.tolist() == sorted(values, reverse=True)[:k]
    assert [values[i] for i in result.indices.tolist()] == result.values.tolist()


@given(LISTS)
def test_bincount_counts_every_number(values):
    counts = torch.bincount(torch.tensor(values)).tolist()
    assert counts == [values.count(n) for n in range(max(values) + 1)]


@given(LISTS, st.data())
def test_the_gradient_of_sorting_goes_back_where_the_value_came_from(values, data):
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    result = x.sort()
    weights = torch.arange(float(len(values)), dtype=torch.float64)
    (result.values * weights).sum().backward()
    wanted = np.empty(len(values))
    wanted[result.indices.numpy()] = np.arange(len(values))
    assert x.grad.tolist() == wanted.tolist()
