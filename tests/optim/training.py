"""Small models to train; run with a Python that has torch, this records PyTorch's losses.

    python tests/optim/training.py

Each model gives its parameters and a function that computes the loss of a step.  All data and all
initial values are drawn from the default generator, so a run depends on its seed alone.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

RECORD = Path(__file__).with_suffix(".json")
STEPS = 20

Model = tuple[list[Any], Callable[[], Any]]


def perceptron(torch: Any) -> Model:
    """Two layers, fed by a loader that shuffles."""
    nn, loading = torch.nn, torch.utils.data
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    x = torch.randn(40, 4)
    data = loading.TensorDataset(x, (x[:, 0] > 0).long() + (x[:, 1] > 0))
    loader = loading.DataLoader(data, batch_size=8, shuffle=True)
    state = {"pass": iter(loader)}

    def loss() -> Any:
        batch = next(state["pass"], None)
        if batch is None:
            state["pass"] = iter(loader)
            batch = next(state["pass"])
        return nn.functional.cross_entropy(net(batch[0]), batch[1])

    return list(net.parameters()), loss


def recurrence(torch: Any) -> Model:
    """A recurrent network over the whole sequence, its gradients clipped."""
    nn = torch.nn
    inner, last = nn.Linear(2 + 6, 6), nn.Linear(6, 1)
    x = torch.randn(7, 5, 2)
    target = x.sum((0, 2)).tanh()

    def loss() -> Any:
        hidden = torch.zeros(5, 6)
        for row in x:
            hidden = torch.tanh(inner(torch.cat([row, hidden], 1)))
        return ((last(hidden).squeeze(1) - target) ** 2).mean()

    return [*inner.parameters(), *last.parameters()], loss


def attention(torch: Any) -> Model:
    """A block of attention with two heads, added to its input, and a layer for each position."""
    nn = torch.nn
    # Without a bias: that of the keys would have no gradient but noise, which some rules amplify.
    mixed, joined, last = nn.Linear(8, 24, bias=False), nn.Linear(8, 8), nn.Linear(8, 4)
    tokens, labels = torch.randn(3, 5, 8), torch.randint(4, (3, 5))

    def loss() -> Any:
        q, k, v = mixed(tokens).reshape(3, 5, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(4), -1)
        heads = (weights @ v).transpose(1, 2).reshape(3, 5, 8)
        out = last(tokens + joined(heads))
        return nn.functional.cross_entropy(out.reshape(15, 4), labels.reshape(15))

    return [p for layer in (mixed, joined, last) for p in layer.parameters()], loss


# ---- the same kinds, of modules ------------------------------------------------------------------


def cnn(torch: Any) -> Model:
    """Convolution, normalization over the batch, pooling, a layer."""
    nn = torch.nn
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(36, 3),
    )
    # What is normalized afterwards has no gradient for its shift but noise, see `attention`.
    net[0].bias.requires_grad_(False)
    x, labels = torch.randn(8, 1, 6, 6), torch.randint(3, (8,))
    params = [p for p in net.parameters() if p.requires_grad]
    return params, lambda: nn.functional.cross_entropy(net(x), labels)


def rnn(torch: Any) -> Model:
    """A recurrent network in both directions, two layers deep."""
    nn = torch.nn
    inner = nn.RNN(2, 4, num_layers=2, bidirectional=True, batch_first=True)
    last = nn.Linear(8, 1)
    x = torch.randn(5, 7, 2)
    target = x.sum((1, 2)).tanh()

    def loss() -> Any:
        return nn.functional.mse_loss(last(inner(x)[0][:, -1]).squeeze(1), target)

    return [*inner.parameters(), *last.parameters()], loss


def lstm(torch: Any) -> Model:
    """An LSTM whose state goes from step to step while the graph is cut: truncation."""
    nn = torch.nn
    inner, last = nn.LSTM(1, 5), nn.Linear(5, 1)
    wave = torch.sin(torch.arange(381.0) / 3).reshape(381, 1)
    state: dict[str, Any] = {"at": 0, "kept": None}

    def loss() -> Any:
        at = state["at"]
        kept = state["kept"] and tuple(one.detach() for one in state["kept"])
        out, state["kept"] = inner(wave[at : at + 19], kept)
        state["at"] = at + 19
        return nn.functional.mse_loss(last(out), wave[at + 1 : at + 20])

    return [*inner.parameters(), *last.parameters()], loss


MODELS: dict[str, Callable[[Any], Model]] = {
    "perceptron": perceptron,
    "recurrence": recurrence,
    "attention": attention,
    "CNN": cnn,
    "RNN": rnn,
    "LSTM": lstm,
}
OPTIMIZERS: dict[str, Callable[[Any, list], Any]] = {
    "SGD": lambda optim, p: optim.SGD(p, 0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "Adam": lambda optim, p: optim.Adam(p, 0.01, weight_decay=0.01),
    "AdamW": lambda optim, p: optim.AdamW(p, 0.01, amsgrad=True),
    "RMSprop": lambda optim, p: optim.RMSprop(p, 0.003, momentum=0.5, centered=True),
}


def train(torch: Any, model: str, kind: str) -> dict[str, Any]:
    """The losses of all steps, and of each parameter at the end its first values and its size."""
    torch.manual_seed(5)
    params, loss = MODELS[model](torch)
    optimizer = OPTIMIZERS[kind](torch.optim, params)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        value = loss()
        value.backward()
        if model == "recurrence":
            torch.nn.utils.clip_grad_norm_(params, 0.5)
        optimizer.step()
        scheduler.step()
        losses.append(value.item())
    ends = [p.detach().flatten() for p in params]
    return {
        "losses": losses,
        "parameters": [[*end[:4].tolist(), end.square().sum().item()] for end in ends],
    }


def main() -> None:
    import torch

    runs = {f"{model} {kind}": train(torch, model, kind) for model in MODELS for kind in OPTIMIZERS}
    lines = [f"{json.dumps(name)}: {json.dumps(fact)}" for name, fact in runs.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
