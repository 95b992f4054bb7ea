"""Other dtypes and devices: identity, strides, gradients, what is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch
from course_lib.dtypes import dtypes

NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32"]
NAMES += ["float64", "complex64", "complex128"]
KINDS = [getattr(torch, name) for name in NAMES]


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_nothing_to_change_gives_the_same_object(kind):
    x = torch.ones(2, dtype=kind)
    assert x.to(kind) is x
    assert x.to("cpu") is x
    assert x.to(x) is x
    assert x.type(kind) is x
    assert x.cpu() is x


@pytest.mark.parametrize("kind", KINDS, ids=NAMES)
def test_a_copy_that_is_asked_for_is_made(kind):
    x = torch.ones(2, dtype=kind)
    y = x.to(kind, copy=True)
    y[0] = 0
    assert x[0].item() == 1


@given(st.sampled_from(KINDS[:10]), st.permutations(range(3)))
def test_a_conversion_keeps_the_strides_of_dense_memory(kind, order):
    x = torch.zeros(2, 3, 4, dtype=torch.int64).permute(*order)
    assert x.to(kind).stride() == x.stride()


@given(st.sampled_from(KINDS), st.sampled_from(KINDS))
def test_a_wider_type_gives_every_value_back(narrow, wide):
    if dtypes.promote(narrow, wide) is not wide:
        return
    x = torch.tensor([0, 1, 1, 0]).to(narrow)
    back = x.to(wide)
    if wide.is_complex and not narrow.is_complex:
        back = back.real
    assert torch.equal(back.to(narrow), x)


@given(st.sampled_from(KINDS), st.sampled_from(KINDS), st.sampled_from(KINDS))
def test_promotion_is_associative(a, b, c):
    left = dtypes.promote(dtypes.promote(a, b), c)
    assert left is dtypes.promote(a, dtypes.promote(b, c))
