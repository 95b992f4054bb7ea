"""Records what PyTorch's layers are and give: run it with a Python that has torch 2.13.

python tests/nn/record_layers.py
"""

from __future__ import annotations

import json
from pathlib import Path

RECORD = Path(__file__).with_name("layers.json")
CASES = [
    ("nn.Linear(3, 2)", (4, 3)),
    ("nn.Linear(3, 2, bias=False)", (2, 4, 3)),
    ("nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2)", (2, 4, 7)),
    ("nn.Conv2d(2, 3, (3, 2), dilation=(1, 2), bias=False)", (2, 2, 5, 6)),
    ("nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1, output_padding=1)", (2, 2, 4, 5)),
    ("nn.MaxPool2d(3, 2, padding=1)", (2, 3, 6, 7)),
    ("nn.AvgPool2d((2, 3), padding=1)", (2, 3, 6, 7)),
    ("nn.AdaptiveAvgPool2d((2, 3))", (2, 3, 5, 7)),
    ("nn.BatchNorm1d(3)", (5, 3)),
    ("nn.BatchNorm2d(3, momentum=None, affine=False)", (2, 3, 4, 4)),
    ("nn.BatchNorm3d(2, track_running_stats=False)", (2, 2, 2, 3, 2)),
    ("nn.LayerNorm((3, 4), bias=False)", (2, 3, 4)),
    ("nn.GroupNorm(2, 4, eps=0.1)", (2, 4, 3)),
    ("nn.GELU(approximate='tanh')", (2, 3)),
    ("nn.Softmax(dim=1)", (2, 3)),
    ("nn.Dropout(0.5)", (4, 5)),
    ("nn.RNN(3, 4, nonlinearity='relu')", (5, 2, 3)),
    ("nn.RNN(3, 4, bias=False, bidirectional=True)", (5, 2, 3)),
    ("nn.GRU(3, 4, num_layers=2, batch_first=True)", (2, 5, 3)),
    ("nn.LSTM(3, 4, num_layers=2, bidirectional=True, dropout=0.5)", (5, 2, 3)),
    ("nn.RNNCell(3, 4)", (2, 3)),
    ("nn.GRUCell(3, 4, bias=False)", (2, 3)),
    ("nn.LSTMCell(3, 4)", (3,)),
    ("nn.Dropout2d(0.3)", (4, 3, 2, 2)),
    ("nn.Upsample(scale_factor=2, mode='bilinear')", (1, 2, 3, 3)),
    ("nn.UpsamplingNearest2d(size=5)", (1, 2, 3, 3)),
]


def observe(torch, text: str, shape: tuple[int, ...]) -> dict:
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

    record = [[text, list(shape), observe(torch, text, shape)] for text, shape in CASES]
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
