"""Records what PyTorch's layers are and give: run it with a Python that has torch 2.13.

python tests/nn/record_layers.py

A new case is a layer's text and the shape of its input, written into the file without an answer.
"""

import json
from pathlib import Path

RECORD = Path(__file__).with_name("layers.json")


def observe(torch, text: str, shape: list[int]) -> dict:
    """What a layer is, and what it gives for random input, with gradients."""
    torch.manual_seed(0)
    layer = eval(text, {"nn": torch.nn, "torch": torch})
    x = torch.randn(*shape, requires_grad=True)
    result = layer(x)
    while isinstance(result, tuple):
        result = result[0]
    (result * result).sum().backward()
    state = {name: total(value) for name, value in layer.state_dict().items()}
    grads = [total(p.grad) for p in layer.parameters() if p.grad is not None]
    return {
        "repr": repr(layer),
        "state": state,
        "shape": list(result.shape),
        "output": total(result),
        "gradients": [total(x.grad), *grads],
    }


def total(tensor) -> float:
    """A number that differs where elements differ, or their order."""
    flat = tensor.detach().double().reshape(-1).tolist()
    return round(sum(value * (1 + i % 7) for i, value in enumerate(flat)), 6)


if __name__ == "__main__":
    import torch

    asked = [case[:2] for case in json.loads(RECORD.read_text(encoding="utf-8"))]
    record = [[text, shape, observe(torch, text, shape)] for text, shape in asked]
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
