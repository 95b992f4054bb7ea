"""Asks PyTorch how tensors print, and keeps the answers in `printing.json`.

Run where PyTorch 2.13 is installed: `python tests/oracle/record_printing.py`. A case names its
elements as a NumPy expression, a dtype, print options and properties; the answer is its lines.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

ANSWERS = Path(__file__).with_name("printing.json")

INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
REAL = ("bool", *INTEGERS, *FLOATS)

# Elements of every dtype: shapes, strides, line breaks, blocks, summaries.
ANY = [
    "np.array(1)",
    "np.arange(3)",
    "np.zeros(0)",
    "np.zeros((2, 0, 3))",
    "np.arange(60) - 3",
    "np.arange(12).reshape(3, 4)[:, ::2].T",
    "np.arange(24).reshape(2, 3, 2, 2) % 7",
    "np.arange(1000) % 90",
    "np.arange(1001) % 90",
    "np.arange(1200).reshape(30, 40) % 100",
]

# Which style: whole, fixed or scientific, and the edges between them.
FLOAT_STYLES = [
    "np.array([1.5, -2.25, 100])",
    "np.array([0.1, 0.02, 0.003])",
    "np.array([-0.5, -12.0])",
    "np.array([-0.0, 0.5])",
    "np.array([-0.0, 1.0])",
    "np.array([0.0, 0.0])",
    "np.array([1.0, 1000.0])",
    "np.array([1.0, 1001.0])",
    "np.array([1e8])",
    "np.array([1.1e8, 2e8])",
    "np.array([1e-4, 1e-3])",
    "np.array([9e-5, 1e-3])",
    "np.array([9.99995, 99.99995])",
    "np.array([0.99999, -0.99999])",
    "np.array([np.nan, 1.0])",
    "np.array([np.nan, 1.5])",
    "np.array([np.inf, -np.inf, np.nan])",
    "np.array([np.inf, -np.inf, 0.0, -0.0, 3.0, 12.0])",
    "np.array([np.inf, 1e-7, -2e4, 0.0])",
    "np.array([[1.0, np.nan], [-np.inf, 20.0]])",
    "np.array(np.nan)",
    "np.array(-0.0)",
    "np.array(2.0)",
    "np.array(2.5)",
    "np.array(1e-10)",
    "np.array(6.0e4)",
    "np.array([5.9e-8, 1.0])",
    "np.random.RandomState(0).uniform(-3, 3, (4, 5))",
    "np.random.RandomState(1).uniform(-3, 3, 40) ** 9",
    "np.random.RandomState(2).uniform(-3, 3, (50, 30))",
]

# What only the wide formats can hold.
WIDE = [
    ("np.array([3e38, 1e-45])", "float32"),
    ("np.array([1e-45])", "float32"),
    ("np.array([16777216.0, 16777215.0])", "float32"),
    ("np.array([1e300, -1e-300])", "float64"),
    ("np.array([-1e-300, 1.0, 5.0])", "float64"),
    ("np.array([1e-300, 1.0])", "float64"),
    ("np.array([-1e300, -1.0])", "float64"),
    ("np.array([9.99996e99, 1.0])", "float64"),
    ("np.array([-9.99996e-100, 1.0])", "float64"),
    ("np.array([5e-324, 1.7976931348623157e308])", "float64"),
    ("np.array([123456789.0, 987654321.0])", "float64"),
    ("np.array([2**63 - 1, -2**63])", "int64"),
    ("np.array([-128, 127, 0])", "int8"),
    ("np.array([True, False])", "bool"),
    ("np.array([True, True])", "bool"),
    ("np.array(False)", "bool"),
]

COMPLEX_STYLES = [
    "np.array(1 - 2j)",
    "np.array(0.5 + 0.25j)",
    "np.array([1 + 2j, -3 - 4j])",
    "np.array([1.5 + 2j, 30 - 4j])",
    "np.array([1 + 2.5j, 30 - 400.5j])",
    "np.array([complex(0.0, -0.0), complex(-0.0, 0.0)])",
    "np.array([complex(np.nan, np.nan), complex(np.inf, -np.inf), 1 + 2j])",
    "np.array([complex(np.nan, 0.5), complex(0.5, np.nan), complex(-0.5, -np.inf)])",
    "np.array([complex(1, np.inf), 1 + 2j, 1 + 300j])",
    "np.array([1e-7 + 1j, 2 - 3e5j])",
    "np.array([1e10 + 1j, 2 - 3j])",
    "np.zeros((0, 2))",
    "np.arange(30) * (1 - 0.5j)",
    "(np.arange(1200) * (1 - 2j)).reshape(20, 60)",
    "np.arange(8).reshape(2, 2, 2) * 1j",
]

OPTIONS = [
    {"precision": 0},
    {"precision": 2},
    {"precision": 8},
    {"sci_mode": True},
    {"sci_mode": False},
    {"linewidth": 1},
    {"linewidth": 40},
    {"linewidth": 200},
    {"threshold": 5},
    {"threshold": 5, "edgeitems": 1},
    {"threshold": 5, "edgeitems": 0},
    {"threshold": 0, "edgeitems": 0},
    {"edgeitems": 0},
    {"profile": "default"},
    {"profile": "short"},
    {"profile": "full"},
    {"profile": "short", "precision": 6, "threshold": 5, "sci_mode": True},
]

UNDER_OPTIONS = [
    ("np.array(0.125)", "float32"),
    ("np.array([0.5, -1e5, 3.0, 1e-9])", "float32"),
    ("(np.arange(56).reshape(7, 8) - 20) / 8", "float64"),
    ("np.arange(1002).reshape(2, 3, 167)", "int64"),
    ("np.arange(14).reshape(7, 2) * (0.5 - 1j)", "complex64"),
    ("np.arange(9) % 3 == 0", "bool"),
]

PROPERTIES = [
    {"requires_grad": True},
    {"grad_fn": "CloneBackward0"},
    {"grad_fn": "MulBackward0", "requires_grad": True},
    {"default_dtype": "torch.float64"},
    {"default_dtype": "torch.float16"},
    {"device": "meta"},
    {"device": "meta", "requires_grad": True},
    {"name": "Sub"},
    {"contents": "[as you like]"},
]

WITH_PROPERTIES = [
    ("np.array(1.0)", "float32"),
    ("np.zeros(0)", "float32"),
    ("np.zeros((3, 0))", "float64"),
    ("np.ones((2, 3))", "float64"),
    ("np.ones(2)", "complex64"),
    ("np.ones(2)", "complex128"),
    ("np.ones((1, 2))", "float16"),
    ("np.ones(2)", "bfloat16"),
    ("np.zeros(0)", "complex64"),
]

# Rows that break after one element more or less, as the line grows.
BROKEN = [("np.arange(40) / 8", "float32"), ("np.arange(16) * (0.5 - 1j)", "complex64")]

# Tracked rows of growing length: where does the suffix go to a line of its own?
SUFFIXED = [(f"np.ones({n}) / 2", dtype) for n in range(4, 11) for dtype in ("float32", "float64")]

# Which dtypes go without saying, whatever the default dtype is.
PLAIN = [(array, dtype) for array in ("np.ones(2)", "np.zeros(0)") for dtype in ("int64", "bool")]


def cases() -> list[dict[str, Any]]:
    """All questions, in the order of the file."""

    def case(array: str, dtype: str, **more: Any) -> dict[str, Any]:
        return {"array": array, "dtype": dtype, **more}

    asked = [case(array, dtype) for array in ANY for dtype in REAL]
    asked += [case(array, dtype) for array in FLOAT_STYLES for dtype in FLOATS]
    asked += [case(*wide) for wide in WIDE]
    asked += [case(array, dtype) for array in COMPLEX_STYLES for dtype in COMPLEX]
    asked += [case(*under, options=options) for under in UNDER_OPTIONS for options in OPTIONS]
    widths = [{"linewidth": width} for width in range(72, 84)]
    asked += [case(*row, options=options) for row in BROKEN for options in widths]
    asked += [case(*with_, properties=given) for with_ in WITH_PROPERTIES for given in PROPERTIES]
    asked += [case(*row, properties=given) for row in SUFFIXED for given in PROPERTIES[:2]]
    asked += [case(*plain, properties=given) for plain in PLAIN for given in PROPERTIES[3:6]]
    return asked


class Sub(torch.Tensor):
    """A subclass prints its own name, and later lines move with it."""


def build(case: dict[str, Any]) -> torch.Tensor:
    """The tensor that a case describes."""
    array = np.asarray(eval(case["array"], {"np": np}))
    bfloat16 = case["dtype"] == "bfloat16"
    with np.errstate(all="ignore"):
        array = array.astype("float32" if bfloat16 else case["dtype"])
    tensor = torch.from_numpy(np.array(array, order="C"))
    tensor = tensor.to(torch.bfloat16) if bfloat16 else tensor
    given = case.get("properties", {})
    tensor = tensor.to(given.get("device", "cpu"))
    tensor = tensor.as_subclass(Sub) if "name" in given else tensor
    if "requires_grad" in given or "grad_fn" in given:
        tensor.requires_grad_()
    if "grad_fn" in given:
        tensor = tensor.clone() if given["grad_fn"] == "CloneBackward0" else tensor * 1
        assert type(tensor.grad_fn).__name__ == given["grad_fn"]
    return tensor


def answer(case: dict[str, Any]) -> list[str]:
    """The lines that PyTorch prints."""
    given = case.get("properties", {})
    tensor = build(case)
    torch.set_default_dtype(getattr(torch, given.get("default_dtype", "torch.float32")[6:]))
    try:
        with torch._tensor_str.printoptions(**case.get("options", {})):
            return tensor.__repr__(tensor_contents=given.get("contents")).split("\n")
    finally:
        torch.set_default_dtype(torch.float32)


if __name__ == "__main__":
    assert torch.__version__.startswith("2.13."), "record from PyTorch 2.13"
    records = [json.dumps({**case, "text": answer(case)}) for case in cases()]
    ANSWERS.write_text("[\n" + ",\n".join(records) + "\n]\n", encoding="utf-8")
    print(f"{len(records)} answers in {ANSWERS.name}")
