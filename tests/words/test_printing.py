"""Printed text equals PyTorch's, which the oracle run asks again."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from course_lib.words.formatting import OPTIONS, PrintOptions, set_printoptions
from course_lib.words.printing import tensor_text

RECORDED = Path(__file__).parents[1] / "oracle" / "printing.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def default_options():
    """Print options are global: every test starts and ends with PyTorch's own."""
    set_printoptions(profile="default")
    yield
    set_printoptions(profile="default")


def of_dtype(array, dtype: str) -> np.ndarray:
    """The array in a dtype of that name, bfloat16 included."""
    if dtype == "bfloat16":
        return np.asarray(array, np.float32).astype(ml_dtypes.bfloat16)
    return np.asarray(array).astype(dtype)


def case_name(case: dict) -> str:
    return " ".join(str(value) for key, value in case.items() if key != "text")


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_the_text_is_the_one_that_pytorch_was_seen_to_print(case):
    with np.errstate(all="ignore"):  # the recorded values include casts that overflow to inf
        array = of_dtype(eval(case["array"], {"np": np}), case["dtype"])
    set_printoptions(**case.get("options", {}))
    text = tensor_text(array, f"torch.{case['dtype']}", **case.get("properties", {}))
    assert text.split("\n") == case["text"]


@pytest.mark.oracle
def test_the_recorded_texts_are_still_what_pytorch_prints(tmp_path, ask):
    ask(RECORDED.with_name("record_printing.py"), tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text(encoding="utf-8")) == CASES


# ---- options ----------------------------------------------------------------


def test_a_profile_sets_four_options_and_explicit_ones_win():
    set_printoptions(profile="short", edgeitems=5)
    assert OPTIONS == PrintOptions(precision=2, edgeitems=5)
    set_printoptions(profile="nope")  # changes nothing
    assert OPTIONS == PrintOptions(precision=2, edgeitems=5)
    set_printoptions(profile="full")  # never summarises
    assert OPTIONS.threshold == math.inf
    assert "..." not in tensor_text(np.zeros(1001), "torch.float64")


def test_a_call_that_does_not_name_sci_mode_gives_the_choice_back_to_the_values():
    set_printoptions(sci_mode=True)
    set_printoptions(precision=3)
    assert OPTIONS == PrintOptions(precision=3)


@pytest.mark.parametrize(
    ("precision", "message"),
    [
        (-1, "Format specifier missing precision"),
        (2.5, "Invalid format specifier '.2.5f' for object of type 'float'"),
    ],
)
def test_an_impossible_precision_fails_when_printing_with_the_same_words(precision, message):
    set_printoptions(precision=precision)
    with pytest.raises(ValueError) as raised:
        tensor_text(np.array([1.5, 2.5]), "torch.float64")
    assert str(raised.value) == message


# ---- what is looked at ------------------------------------------------------


def test_numbers_of_numpy_and_of_a_range_too_wide_for_a_ratio():
    assert tensor_text(np.float32(1.5), "torch.float32") == "tensor(1.5000)"
    assert "e+308" in tensor_text(np.array([5e-324, 1.5e308]), "torch.float64")


def test_on_the_meta_device_only_the_shape_is_looked_at():
    class ShapeOnly:
        shape = (2, 3)

    text = tensor_text(ShapeOnly(), "torch.float32", device="meta")
    assert text == "tensor(..., device='meta', size=(2, 3))"


def test_a_summary_touches_only_the_edges():
    # 8 TB of elements, all of them the same byte: reading every one would never end.
    endless = np.broadcast_to(np.float64(0.5), (10**6, 10**6))
    text = tensor_text(endless, "torch.float64", default_dtype="torch.float64")
    row = "[0.5000, 0.5000, 0.5000,  ..., 0.5000, 0.5000, 0.5000]"
    rows = ["        " + row] * 5
    rows = [row, *rows[:2], "        ...", *rows[2:]]
    assert text == "tensor([" + ",\n".join(rows) + "])"


def test_printing_a_signalling_nan_warns_nobody():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bits = np.array([0x7F81, 0x3F80], np.uint16).view(ml_dtypes.bfloat16)
        assert tensor_text(bits, "torch.float32") == "tensor([nan, 1.])"
