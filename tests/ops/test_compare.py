"""Comparisons and logic: what the recorded facts cannot express."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch

TRIPLES = st.lists(st.booleans(), min_size=3, max_size=3)
NUMBERS = st.one_of(st.floats(allow_nan=True), st.integers(-3, 3).map(float))


@given(st.lists(NUMBERS, min_size=1, max_size=6), NUMBERS)
def test_exactly_one_of_less_equal_greater_holds_unless_nan(values, other):
    x = torch.tensor(values, dtype=torch.float64)
    count = (x < other).long() + (x == other).long() + (x > other).long()
    nan = torch.isnan(x) | math.isnan(other)
    assert torch.equal(count, (~nan).long())


@given(TRIPLES, TRIPLES)
def test_de_morgan(a, b):
    x, y = torch.tensor(a), torch.tensor(b)
    assert torch.equal(~(x & y), ~x | ~y)
    assert torch.equal(~(x | y), ~x & ~y)
