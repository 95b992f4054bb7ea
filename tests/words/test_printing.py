"""What is looked at to print; the texts themselves are recorded: oracle/cases/printing.txt."""

import warnings

import ml_dtypes
import numpy as np

from course_lib.words.printing import tensor_text


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
