"""Many small operations that share memory: views, indexing, in-place writes, and plain adds."""

from typing import Any

import numpy as np

from benchmarks.perceptrons import NO_MATRICES
from benchmarks.workload import Step, Workload

NO_WRITES = {**NO_MATRICES, "autograd": "has no in-place operations"}

views = Workload(
    "views", "views and indexing, 1 000 small", goal=1.15, goal_by_hand=7, lacks=NO_MATRICES
)
inplace = Workload(
    "inplace", "in-place ops under grad, 1 000 small", goal=0.5, goal_by_hand=10, lacks=NO_WRITES
)
writes = Workload("writes", "writes through views under grad, 250 small", lacks=NO_WRITES)
adds = Workload(
    "no-grad", "small adds under no_grad, 1 000", goal=0.75, goal_by_hand=2.8, lacks=NO_MATRICES
)


def table() -> np.ndarray:
    return np.random.default_rng(5).standard_normal((10, 10)).astype(np.float32)


# ---- views: 250 turns of a row, a reshape, a transpose and a slice -------------------------------


@views.written_for("torch")
def _(torch: Any) -> Step:
    x = torch.from_numpy(table()).requires_grad_()

    def step() -> Any:
        x.grad = None
        total = torch.zeros(2, 2)
        for i in range(250):
            row = x[i % 10]
            box = row.view(2, 5)
            turned = box.t()
            total = total + turned[1:3]
        loss = total.sum()
        loss.backward()
        return loss, x.grad

    return step


@views.written_for("mygrad")
def _(mg: Any) -> Step:
    x = mg.tensor(table())

    def step() -> Any:
        total = mg.zeros((2, 2), dtype=np.float32)
        for i in range(250):
            row = x[i % 10]
            box = row.reshape(2, 5)
            turned = box.T
            total = total + turned[1:3]
        loss = total.sum()
        loss.backward()
        return loss, x.grad

    return step


@views.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    def pieces(x: Any) -> Any:
        total = np.zeros((2, 2), np.float32)
        for i in range(250):
            row = x[i % 10]
            box = anp.reshape(row, (2, 5))
            turned = anp.transpose(box)
            total = total + turned[1:3]
        return anp.sum(total)

    both, x = autograd.value_and_grad(pieces), table()
    return lambda: both(x)


@views.written_for("numpy")
def _(_: Any) -> Step:
    x = table()

    def step() -> Any:
        total = np.zeros((2, 2), np.float32)
        for i in range(250):
            row = x[i % 10]
            box = row.reshape(2, 5)
            turned = box.T
            total = total + turned[1:3]
        grad, x_grad = np.ones((2, 2), np.float32), np.zeros((10, 10), np.float32)
        for i in range(250):
            x_grad[i % 10].reshape(2, 5).T[1:3] += grad
        return total.sum(), x_grad

    return step


# ---- in place: 250 turns of mul, add, sub, div ---------------------------------------------------


@inplace.written_for("torch")
def _(torch: Any) -> Step:
    x = torch.from_numpy(table()).requires_grad_()
    scale = torch.from_numpy(np.abs(table()) + 0.5)

    def step() -> Any:
        x.grad = None
        y = x.clone()
        for _ in range(250):
            y.mul_(scale)
            y.add_(x)
            y.sub_(0.5)
            y.div_(scale)
        loss = y.sum()
        loss.backward()
        return loss, x.grad

    return step


@inplace.written_for("mygrad")
def _(mg: Any) -> Step:
    x, scale, half = mg.tensor(table()), np.abs(table()) + np.float32(0.5), np.float32(0.5)

    def step() -> Any:
        y = +x
        for _ in range(250):
            y *= scale
            y += x
            y -= half
            y /= scale
        loss = y.sum()
        loss.backward()
        return loss, x.grad

    return step


@inplace.written_for("numpy")
def _(_: Any) -> Step:
    x, scale, half = table(), np.abs(table()) + np.float32(0.5), np.float32(0.5)

    def step() -> Any:
        y = x.copy()
        for _ in range(250):
            y *= scale
            y += x
            y -= half
            y /= scale
        grad, x_grad = np.ones_like(x), np.zeros_like(x)
        for _ in range(250):
            grad /= scale
            x_grad += grad
            grad *= scale
        x_grad += grad
        return y.sum(), x_grad

    return step


# ---- writes through views ------------------------------------------------------------------------


@writes.written_for("torch")
def _(torch: Any) -> Step:
    x = torch.from_numpy(table()).requires_grad_()

    def step() -> Any:
        x.grad = None
        y = x.clone()
        for i in range(250):
            y[i % 10] = x[(i + 1) % 10] * 0.5
        loss = (y * y).sum()
        loss.backward()
        return loss, x.grad

    return step


@writes.written_for("mygrad")
def _(mg: Any) -> Step:
    x, half = mg.tensor(table()), np.float32(0.5)

    def step() -> Any:
        y = +x
        for i in range(250):
            y[i % 10] = x[(i + 1) % 10] * half
        loss = (y * y).sum()
        loss.backward()
        return loss, x.grad

    return step


@writes.written_for("numpy")
def _(_: Any) -> Step:
    x, half = table(), np.float32(0.5)

    def step() -> Any:
        y = x.copy()
        for i in range(250):
            y[i % 10] = x[(i + 1) % 10] * half
        grad, x_grad = 2 * y, np.zeros_like(x)
        for i in reversed(range(250)):
            x_grad[(i + 1) % 10] += grad[i % 10] * half
            grad[i % 10] = 0
        x_grad += grad
        return (y * y).sum(), x_grad

    return step


# ---- adds under no_grad --------------------------------------------------------------------------


@adds.written_for("torch")
def _(torch: Any) -> Step:
    x = torch.from_numpy(table()[0].copy()).requires_grad_()

    def step() -> Any:
        y = x
        with torch.no_grad():
            for _ in range(1000):
                y = y + x
        return (y,)

    return step


@adds.written_for("mygrad")
def _(mg: Any) -> Step:
    x = mg.tensor(table()[0].copy())

    def step() -> Any:
        y = x
        with mg.no_autodiff:
            for _ in range(1000):
                y = y + x
        return (y,)

    return step


@adds.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    x = table()[0].copy()

    def step() -> Any:
        y = x
        for _ in range(1000):
            y = anp.add(y, x)
        return (y,)

    return step


@adds.written_for("numpy")
def _(_: Any) -> Step:
    x = table()[0].copy()

    def step() -> Any:
        y = x
        for _ in range(1000):
            y = y + x
        return (y,)

    return step
