"""Large arrays: what counts is how often memory is read and written, and the matrix product."""

from typing import Any

import numpy as np

from benchmarks.perceptrons import NO_MATRICES
from benchmarks.workload import Step, Workload

elementwise = Workload(
    "elementwise",
    "elementwise chain, 1e6 float32 (mul, add, relu, mul, sum)",
    goal=0.95,
    goal_by_hand=2.0,
    lacks=NO_MATRICES,
)
matmul = Workload("matmul", "matmul 512 × 512", goal=1.05, goal_by_hand=1.1, lacks=NO_MATRICES)


def numbers() -> np.ndarray:
    return np.random.default_rng(3).standard_normal(1_000_000).astype(np.float32)


def matrices() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    return tuple(rng.standard_normal((512, 512)).astype(np.float32) for _ in range(2))


# ---- elementwise ---------------------------------------------------------------------------------


@elementwise.written_for("torch")
def _(torch: Any) -> Step:
    x = torch.from_numpy(numbers()).requires_grad_()

    def step() -> Any:
        x.grad = None
        y = x * 2
        y = y + 1
        y = y.relu()
        y = y * x
        loss = y.sum()
        loss.backward()
        return loss, x.grad

    return step


@elementwise.written_for("mygrad")
def _(mg: Any) -> Step:
    from mygrad.nnet.activations import relu

    x = mg.tensor(numbers())
    two, one = np.float32(2), np.float32(1)

    def step() -> Any:
        y = x * two
        y = y + one
        y = relu(y)
        y = y * x
        loss = y.sum()
        loss.backward()
        return loss, x.grad

    return step


@elementwise.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    def chain(x: Any) -> Any:
        y = x * 2
        y = y + 1
        y = anp.maximum(y, 0)
        y = y * x
        return anp.sum(y)

    both, x = autograd.value_and_grad(chain), numbers()
    return lambda: both(x)


@elementwise.written_for("numpy")
def _(_: Any) -> Step:
    x = numbers()

    def step() -> Any:
        y = x * np.float32(2)
        y += np.float32(1)
        np.maximum(y, 0, out=y)
        loss = np.dot(y, x)
        grad = x * (y > 0)
        grad *= np.float32(2)
        grad += y
        return loss, grad

    return step


# ---- matrix product ------------------------------------------------------------------------------


@matmul.written_for("torch")
def _(torch: Any) -> Step:
    a, b = (torch.from_numpy(array).requires_grad_() for array in matrices())

    def step() -> Any:
        a.grad = b.grad = None
        loss = (a @ b).sum()
        loss.backward()
        return loss, a.grad, b.grad

    return step


@matmul.written_for("mygrad")
def _(mg: Any) -> Step:
    a, b = (mg.tensor(array) for array in matrices())

    def step() -> Any:
        loss = (a @ b).sum()
        loss.backward()
        return loss, a.grad, b.grad

    return step


@matmul.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    both = autograd.value_and_grad(lambda both: anp.sum(anp.matmul(both[0], both[1])))
    pair = matrices()

    def step() -> Any:
        loss, grads = both(pair)
        return loss, *grads

    return step


@matmul.written_for("numpy")
def _(_: Any) -> Step:
    a, b = matrices()

    def step() -> Any:
        product = np.dot(a, b)
        loss = product.sum()
        grad = np.ones_like(product)
        return loss, np.dot(grad, b.T), np.dot(a.T, grad)

    return step
