"""Values to save: programs for PyTorch and for `course_lib`, and how results are compared.

`python tests/serialization/values.py` runs them with PyTorch 2.13 and keeps the files.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from pathlib import Path
from typing import Any

FILES = Path(__file__).parent / "files"
DTYPES = """
bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64
complex128
"""
PROGRAMS = {
    "dtypes": f"""
value = [torch.tensor([0, 1, 3]).to(getattr(torch, d)) for d in {DTYPES.split()}]
""",
    "views": """
x = torch.arange(12.0)
value = {"x": x, "t": x.view(3, 4).t(), "part": x[4:10:2], "rows": x[:3].expand(2, 3)}
value["none"] = x[5:5]
""",
    "containers": """
value = {
    "numbers": [1, -1, 300, 70000, -70000, 2**40, -(2**70), 0.1, float("inf"), 1 + 2j, True, None],
    "text": ("", "text", "é 日本", ("nested", ("deep",)), ()),
    3: OrderedDict(b=1, a=[2]), (1, "k"): {1, 2}, "counts": Counter("aab"),
    "bytes": b"a\\xff",
    "torch": [torch.Size([2, 3]), torch.Size([]), torch.float32, torch.uint16],
    "devices": [torch.device("cpu"), torch.device("cuda", 1)],
}
""",
    "parameters": """
p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
value = [p, p, torch.nn.Parameter(torch.tensor([3]), requires_grad=False)]
value += [torch.ones(1, requires_grad=True), p.detach(), p.data[1:]]
""",
    "tensors": """
value = [torch.tensor(2.5), torch.empty(0), torch.empty(2, 0, 3), torch.ones(1, 2, 1),
         torch.zeros(2, 2, dtype=torch.bool, requires_grad=False)]
""",
    "state_dict": """
def filled(model):
    for number, parameter in enumerate(model.parameters()):
        torch.nn.init.constant_(parameter, number + 0.5)
    return model

model = filled(torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.BatchNorm1d(3)))
model(torch.tensor([[1.0, 2.0], [3.0, 5.0]]))
value = [model.state_dict()]
value += [filled(torch.nn.Conv2d(1, 2, 3)).state_dict(), filled(torch.nn.LSTM(2, 3)).state_dict()]
""",
    "optimizers": """
w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
value = []
for make in (torch.optim.SGD, torch.optim.Adam):
    options = {"momentum": 0.5} if make is torch.optim.SGD else {}
    optimizer = make([w], lr=0.25, **options)
    w.grad = torch.tensor([4.0, 8.0])
    optimizer.step()
    value.append(optimizer.state_dict())
""",
}


def made(torch: Any, name: str) -> Any:
    """The value that a program gives."""
    names = {"torch": torch, "OrderedDict": OrderedDict, "Counter": Counter}
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
