"""Asks PyTorch how tensors print, and keeps the answers in `printing.json`.

Run where PyTorch 2.13 is installed: `python tests/oracle/record_printing.py`, with the name of
another file to write that one. A case names its
elements as a NumPy expression, a dtype, print options and properties; the answer is its lines, its
`text`. A new case is a new line in the file, without `text`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

ANSWERS = Path(__file__).with_name("printing.json")


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
    cases = json.loads(ANSWERS.read_text(encoding="utf-8"))
    records = [json.dumps({**case, "text": answer(case)}) for case in cases]
    written = Path(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS
    written.write_text("[\n" + ",\n".join(records) + "\n]\n", encoding="utf-8")
    print(f"{len(records)} answers in {written.name}")
