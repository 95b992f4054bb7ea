"""Printed text equals PyTorch's: recorded cases everywhere, random ones in the oracle run.

`python tests/words/test_printing.py 5000 1` compares 5000 random tensors (seed 1) with PyTorch, and
asks it again about the recorded ones.
"""

from __future__ import annotations

import json
import math
import runpy
import sys
import warnings
from pathlib import Path

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
        ml_dtypes = pytest.importorskip("ml_dtypes", reason="bfloat16 arrays need ml_dtypes")
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
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="bfloat16 arrays need ml_dtypes")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bits = np.array([0x7F81, 0x3F80], np.uint16).view(ml_dtypes.bfloat16)
        assert tensor_text(bits, "torch.float32") == "tensor([nan, 1.])"


# ---- random tensors, next to PyTorch ----------------------------------------

DTYPES = (
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128"
).split()


def random_floats(rng: np.random.Generator, size: int) -> np.ndarray:
    """Floats of one temper: whole, tame, wide-ranging or tiny, perhaps with special values."""
    scale = 10.0 ** rng.integers(-6, 7)
    values = rng.standard_normal(size) * scale
    temper = rng.integers(6)
    if temper == 0:
        values = np.round(values)
    elif temper == 1:
        values = values * 10.0 ** rng.uniform(-rng.integers(1, 310), rng.integers(1, 300), size)
    elif temper == 2:
        values = np.abs(values)
    elif temper == 3:
        values = rng.choice([0.0, -0.0, 1.0, -1.0, 9.99995, 99.99995, 1e8, 1e-4, 1e3], size)
    if rng.random() < 0.3:
        special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, 1e-45, 65504.0, 9.99996e99]
        chosen = rng.random(size) < rng.choice([0.05, 0.5, 1.0])
        values = np.where(chosen, rng.choice(rng.choice(special, 3), size), values)
    return values


def random_array(rng: np.random.Generator, dtype: str) -> np.ndarray:
    """An array of any shape and layout; a third of the larger ones ask for a summary."""
    dims = int(rng.integers(0, 5))
    longest = [1, 60, 20, 8, 5][dims] if rng.random() < 0.7 else [1, 3000, 80, 16, 9][dims]
    shape = tuple(int(n) for n in rng.integers(0 if rng.random() < 0.1 else 1, longest + 1, dims))
    size = math.prod(shape)
    if dtype == "bool":
        values = rng.random(size) < rng.random()
    elif "int" in dtype:
        info = np.iinfo(dtype)
        bound = min(info.max, 10 ** int(rng.integers(1, 19)))
        values = rng.integers(max(info.min, -bound - 1), bound, size, endpoint=True)
    elif "complex" in dtype:
        values = np.empty(size, complex)
        values.real, values.imag = random_floats(rng, size), random_floats(rng, size)
    else:
        values = random_floats(rng, size)
    with np.errstate(all="ignore"):
        return of_dtype(values.reshape(shape).transpose(rng.permutation(dims)), dtype)


def random_options(rng: np.random.Generator) -> dict:
    """Print options, half of the time the ones everybody has."""
    if rng.random() < 0.5:
        return {"profile": "default"}
    options = {
        "precision": int(rng.integers(0, 9)),
        "threshold": float(rng.choice([0, 5, 100, 1000, math.inf])),
        "edgeitems": int(rng.integers(0, 6)),
        "linewidth": int(rng.choice([1, 20, 40, 79, 80, 81, 120, 200])),
        "sci_mode": [None, True, False][rng.integers(3)],
        "profile": str(rng.choice(["default", "short", "full"])),
    }
    return {name: value for name, value in options.items() if rng.random() < 0.6}


def torch_text(torch, array, dtype: str, options: dict, tracking: str) -> str:
    """What PyTorch prints for the same tensor."""
    bits = array.view(np.int16) if dtype == "bfloat16" else array
    tensor = torch.from_numpy(bits)
    tensor = tensor.view(torch.bfloat16) if dtype == "bfloat16" else tensor
    if tracking != "none":
        tensor.requires_grad_()
    tensor = tensor.clone() if tracking == "clone" else tensor
    with torch._tensor_str.printoptions(**options):
        return repr(tensor)


def mismatches(torch, count: int, seed: int) -> list[str]:
    """Both texts of those among `count` random tensors where they differ."""
    found = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        dtype = DTYPES[number % len(DTYPES)]
        array, options = random_array(rng, dtype), random_options(rng)
        float_like = "float" in dtype or "complex" in dtype
        tracking = str(rng.choice(["none", "leaf", "clone"])) if float_like else "none"
        default = str(rng.choice(["float32", "float64"]))
        torch.set_default_dtype(getattr(torch, default))
        try:
            expected = torch_text(torch, array, dtype, options, tracking)
        finally:
            torch.set_default_dtype(torch.float32)
        set_printoptions(profile="default")
        set_printoptions(**options)
        text = tensor_text(
            array,
            f"torch.{dtype}",
            default_dtype=f"torch.{default}",
            requires_grad=tracking != "none",
            grad_fn="CloneBackward0" if tracking == "clone" else None,
        )
        if text != expected:
            found.append(f"case {number}: {dtype} {options}\n{expected}\n{text}")
    return found


@pytest.mark.oracle
def test_random_and_recorded_tensors_print_as_in_pytorch(ask):
    ask(__file__, 600, 1)


if __name__ == "__main__":
    import torch

    found = mismatches(torch, int(sys.argv[1]), int(sys.argv[2]))
    recorder = runpy.run_path(str(RECORDED.with_name("record_printing.py")))
    found += [
        f"not so any more: {case}" for case in CASES if recorder["answer"](case) != case["text"]
    ]
    print(*found, sep="\n")
    sys.exit(bool(found))
