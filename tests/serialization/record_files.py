"""Writes the files that PyTorch makes of `values.py`; needs a Python that has torch 2.13.

python tests/serialization/record_files.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))

from values import PROGRAMS, made

FILES = Path(__file__).parent / "files"


def main() -> None:
    FILES.mkdir(exist_ok=True)
    for name in PROGRAMS:
        torch.save(
            made(torch, name),
            FILES / f"{name}.pt",
            _use_new_zipfile_serialization=name != "legacy",
        )
    torch.save(torch.nn.Linear(1, 1), FILES / "module.pt")
    conjugated = [torch.tensor([1 + 2j]).conj(), torch.tensor([1 + 2j]).conj().imag]
    torch.save(conjugated, FILES / "conjugated.pt")


if __name__ == "__main__":
    main()
