"""Other dtypes and devices: identity, strides, gradients, what is lost."""

from __future__ import annotations

import copy
import pickle
import warnings

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


def test_a_gradient_comes_back_in_the_dtype_of_the_leaf():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x.double() * 3).sum().backward()
    assert x.grad.dtype is torch.float32
    assert x.grad.tolist() == [3, 3]


def test_a_gradient_through_a_complex_number_is_real_again():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x.to(torch.complex64) * (2 + 1j)).real.sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_conversion_to_integers_leaves_the_graph():
    x = torch.tensor([1.5], requires_grad=True)
    assert not x.long().requires_grad


def test_losing_an_imaginary_part_is_said_once_per_conversion():
    with pytest.warns(UserWarning, match="discards the imaginary part") as caught:
        torch.tensor([1 + 2j]).float()
    assert len(caught) == 1


def test_asking_whether_a_complex_number_is_zero_loses_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch.tensor([2j, 0]).bool().tolist() == [True, False]


def test_a_tensor_without_memory_cannot_be_brought_back():
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data!"):
        torch.empty(2, device="meta").cpu()


def test_dtypes_and_devices_stay_themselves_in_pickles_and_copies():
    for value in [*KINDS, torch.strided]:
        assert pickle.loads(pickle.dumps(value)) is value
        assert copy.deepcopy(value) is value
    device = torch.device("cuda:1")
    assert pickle.loads(pickle.dumps(device)) == device


def test_a_device_cannot_be_changed():
    with pytest.raises(AttributeError, match="attribute 'type' of 'torch.device' objects"):
        torch.device("cpu").type = "cuda"


def test_the_usual_line_about_devices_chooses_the_cpu():
    assert torch.device("cuda" if torch.cuda.is_available() else "cpu").type == "cpu"
