"""The process that draws one model with one tool, and prints the seconds and the bytes.

    python -m benchmarks.drawn LIBRARY TOOL MODEL

The models are of the sizes that people draw. Seconds are on the clock, since some tools start a
program; loading is paid before, by drawing a single layer. Bytes are those of the file that holds
all there is to open: a page of ours and of torchvista, an SVG of the others.
"""

import importlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

Drawn = Callable[[Any, Any], bytes]  # of a model and its input

# ---- the tools -----------------------------------------------------------------------------------


def ours_graph(model: Any, x: Any) -> bytes:
    from course_lib.viz import draw_graph

    return page(draw_graph(model(x).sum(), params=model).save)


def ours_module(model: Any, x: Any) -> bytes:
    from course_lib.viz import draw_module

    return page(draw_module(model, x).save)


def torchviz(model: Any, x: Any) -> bytes:
    from torchviz import make_dot

    return make_dot(model(x).sum(), params=dict(model.named_parameters())).pipe("svg")


def torchview(model: Any, x: Any) -> bytes:
    from torchview import draw_graph

    return draw_graph(model, input_data=x, expand_nested=True).visual_graph.pipe("svg")


def torchvista(model: Any, x: Any) -> bytes:
    from torchvista import trace_model

    return page(lambda path: trace_model(model, x, export_path=str(path)))


def page(save: Callable[[Path], Any]) -> bytes:
    """What a tool writes into a page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        save(path)
        return path.read_bytes()


TOOLS: dict[str, Drawn] = {
    "draw_graph": ours_graph,
    "torchviz": torchviz,
    "draw_module": ours_module,
    "torchview": torchview,
    "torchvista": torchvista,
}
OURS, WITH_DOT = ("draw_graph", "draw_module"), ("torchviz", "torchview")

# ---- the models ----------------------------------------------------------------------------------


def mlp(torch: Any) -> tuple[Any, Any]:
    nn = torch.nn
    layers = [nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10)]
    return nn.Sequential(*layers), torch.randn(8, 64)


def resnet(torch: Any) -> tuple[Any, Any]:
    """The blocks of ResNet-18, narrower."""
    nn = torch.nn

    def conv(a: int, b: int, size: int, stride: int = 1) -> Any:
        made = nn.Conv2d(a, b, size, stride=stride, padding=size // 2, bias=False)
        return nn.Sequential(made, nn.BatchNorm2d(b))

    class Block(nn.Module):
        def __init__(self, a: int, b: int, stride: int) -> None:
            super().__init__()
            self.one, self.two, self.relu = conv(a, b, 3, stride), conv(b, b, 3), nn.ReLU()
            self.shortcut = conv(a, b, 1, stride) if a != b else nn.Sequential()

        def forward(self, x: Any) -> Any:
            return self.relu(self.two(self.relu(self.one(x))) + self.shortcut(x))

    widths = [8, 8, 16, 32, 64]
    blocks = [conv(3, 8, 3), nn.ReLU()]
    for a, b in zip(widths, widths[1:]):
        blocks += [Block(a, b, 1 if a == b else 2), Block(b, b, 1)]
    end = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10)]
    return nn.Sequential(*blocks, *end), torch.randn(2, 3, 32, 32)


def gpt(torch: Any) -> tuple[Any, Any]:
    """Six blocks; the last layer has the weights of the embedding."""
    nn, width, heads, words, length = torch.nn, 48, 4, 65, 16

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.fc, self.out = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
            self.gelu = nn.GELU()

        def forward(self, x: Any) -> Any:
            b, t, c = x.shape
            parts = self.qkv(self.ln1(x)).split(c, dim=2)
            q, k, v = (part.reshape(b, t, heads, c // heads).transpose(1, 2) for part in parts)
            scores = q @ k.transpose(2, 3) / (c // heads) ** 0.5
            hidden = torch.ones(t, t).tril() == 0
            mixed = scores.masked_fill(hidden, float("-inf")).softmax(3) @ v
            x = x + self.proj(mixed.transpose(1, 2).reshape(b, t, c))
            return x + self.out(self.gelu(self.fc(self.ln2(x))))

    class GPT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.wte, self.wpe = nn.Embedding(words, width), nn.Embedding(length, width)
            self.h, self.ln_f = nn.Sequential(*(Block() for _ in range(6))), nn.LayerNorm(width)
            self.lm_head = nn.Linear(width, words, bias=False)
            self.lm_head.weight = self.wte.weight

        def forward(self, x: Any) -> Any:
            there = self.wpe(torch.arange(x.shape[1]))
            return self.lm_head(self.ln_f(self.h(self.wte(x) + there)))

    return GPT(), torch.randint(0, words, (2, length))


def lstm(torch: Any) -> tuple[Any, Any]:
    class Reader(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell, self.head = torch.nn.LSTMCell(8, 16), torch.nn.Linear(16, 1)

        def forward(self, x: Any) -> Any:
            h = c = torch.zeros(x.shape[1], 16)
            for step in x:
                h, c = self.cell(step, (h, c))
            return self.head(h)

    return Reader(), torch.randn(30, 4, 8)


def vae(torch: Any) -> tuple[Any, Any]:
    nn = torch.nn

    class VAE(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body, self.mean, self.logvar = (
                nn.Linear(64, 32),
                nn.Linear(32, 4),
                nn.Linear(32, 4),
            )
            self.decoder = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 64))

        def forward(self, x: Any) -> Any:
            seen = self.body(x).relu()
            mean, logvar = self.mean(seen), self.logvar(seen)
            made = self.decoder(mean + torch.randn_like(mean) * (logvar / 2).exp())
            apart = (mean * mean + logvar.exp() - 1 - logvar).sum() / 2
            return ((made.sigmoid() - x) ** 2).sum() + apart

    return VAE(), torch.rand(8, 64)


MODELS: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "MLP": mlp,
    "ResNet": resnet,
    "GPT": gpt,
    "LSTM × 30": lstm,
    "VAE": vae,
}


def main(library: str, tool: str, name: str) -> None:
    torch = importlib.import_module(library)
    importlib.import_module(f"{library}.nn")
    torch.manual_seed(0)
    TOOLS[tool](torch.nn.Linear(2, 2), torch.ones(1, 2))
    model, x = MODELS[name](torch)
    began = perf_counter()
    drawn = TOOLS[tool](model, x)
    print(json.dumps({"seconds": perf_counter() - began, "bytes": len(drawn)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
