"""Values to save: programs for PyTorch and for `course_lib`, and how results are compared.

`python tests/serialization/values.py` runs them with PyTorch 2.13 and keeps the files.
"""

from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"
DTYPES = """
bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64
complex128
""".split()
TEXT = Path(__file__).with_name("values.txt").read_text(encoding="utf-8")
PROGRAMS = dict(part.split("\n", 1) for part in TEXT.removeprefix("# ").split("\n# "))


def made(torch: Any, name: str) -> Any:
    """The value that a program gives."""
    names = {"torch": torch, "DTYPES": DTYPES, "OrderedDict": OrderedDict, "Counter": Counter}
    exec(PROGRAMS[name], names)
    return names["value"]


def described(torch: Any, value: Any) -> Any:
    """All there is to say of a value, as text and containers that two libraries can compare."""
    if isinstance(value, torch.Tensor):
        kind = type(value).__name__
        facts = [kind, str(value.dtype), tuple(value.shape), value.stride(), str(value.device)]
        facts += [value.storage_offset(), value.requires_grad]
        numbers = value.detach().clone()
        wide = numbers.to(torch.float32) if value.dtype is torch.bfloat16 else numbers
        return [*facts, value.untyped_storage().nbytes(), repr(wide.tolist())]
    if isinstance(value, dict):
        pairs = [(described(torch, k), described(torch, v)) for k, v in value.items()]
        return [type(value).__name__, pairs, described(torch, getattr(value, "_metadata", None))]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [described(torch, v) for v in value]]
    return [type(value).__name__, repr(value)]


if __name__ == "__main__":
    import torch

    for name in PROGRAMS:
        torch.save(made(torch, name), FILES / f"{name}.pt")
    torch.save(torch.nn.Linear(1, 1), FILES / "module.pt")
    torch.save(torch.tensor([1 + 2j]).conj(), FILES / "conjugated.pt")
    torch.save([1], FILES / "legacy.pt", _use_new_zipfile_serialization=False)
