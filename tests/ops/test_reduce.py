"""Reductions and scans: what the recorded facts cannot express."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import course_lib as torch

FLOATS = st.floats(-100, 100, width=32)
ARRAYS = hnp.arrays(
    np.float64, hnp.array_shapes(min_dims=1, max_dims=3, max_side=4), elements=FLOATS
)


@st.composite
def reductions(draw):
    array = draw(ARRAYS)
    dims = draw(st.lists(st.integers(0, array.ndim - 1), min_size=1, unique=True))
    return array, tuple(dims), draw(st.booleans())


@given(reductions())
def test_sums_and_extremes_are_numpys(case):
    array, dims, keep = case
    x = torch.tensor(array.tolist(), dtype=torch.float64)
    for ours, theirs in ((x.sum, np.sum), (x.mean, np.mean), (x.amax, np.max), (x.amin, np.min)):
        got = np.asarray(ours(dims, keep).tolist())
        np.testing.assert_allclose(got, theirs(array, axis=dims, keepdims=keep), atol=1e-12)


@given(reductions(), st.integers(0, 1))
def test_variance_is_numpys(case, correction):
    array, dims, keep = case
    n = math.prod(array.shape[d] for d in dims)
    if n > correction:
        got = torch.tensor(array.tolist(), dtype=torch.float64).var(
            dims, correction=correction, keepdim=keep
        )
        wanted = np.var(array, axis=dims, ddof=correction, keepdims=keep)
        np.testing.assert_allclose(np.asarray(got.tolist()), wanted, atol=1e-9)


@given(hnp.arrays(np.float64, 5, elements=st.integers(-2, 2).map(float)))
def test_the_gradient_of_a_product_is_the_product_of_the_others(array):
    x = torch.tensor(array.tolist(), dtype=torch.float64, requires_grad=True)
    x.prod().backward()
    others = [np.prod(np.delete(array, i)) for i in range(5)]
    np.testing.assert_allclose(x.grad.numpy(), others)


def test_named_results_survive_copying_and_pickling():
    result = torch.max(torch.tensor([[1, 5], [7, 2]]), 1)
    for other in (copy.copy(result), pickle.loads(pickle.dumps(result))):
        assert type(other).__name__ == "max"
        assert other.indices.tolist() == [1, 0]
