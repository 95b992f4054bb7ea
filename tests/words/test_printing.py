"""Printed text equals PyTorch's, which the oracle run asks again."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from course_lib.words.formatting import set_printoptions
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
