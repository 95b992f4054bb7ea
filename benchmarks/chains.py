"""Long chains of operations on single numbers: nothing counts but the cost of one operation."""

import sys
from typing import Any

import numpy as np

from benchmarks.workload import Step, Workload

TURNS = 333  # of three operations each
MANY = 33_333
START, ADDED = 0.49, 0.51  # y → (y·x + 0.51)² comes near 1, where its slope is near 1 as well

arithmetic = Workload(
    "chain",
    "chain of 1 000 operations on 0-d tensors (mul, add, pow)",
    goal=0.33,
    goal_by_hand=23,
)
long = Workload(
    "chain-long",
    "chain of 100 000 operations, default recursion limit",
    goal=0.45,
    goal_by_hand=19,
    slow=True,
)
curves = Workload(
    "chain-curves",
    "chain of 1 000 operations with sin and tanh",
    goal=0.42,
    goal_by_hand=15,
    lacks={"micrograd": "has no sin and no tanh"},
)


# ---- mul, add, pow -------------------------------------------------------------------------------


def with_torch(torch: Any, turns: int) -> Step:
    def step() -> Any:
        x = torch.tensor(START, requires_grad=True)
        y = x
        for _ in range(turns):
            y = y * x
            y = y + ADDED
            y = y**2
        y.backward()
        return y, x.grad

    return step


def with_mygrad(mg: Any, turns: int) -> Step:
    added = np.float32(ADDED)

    def step() -> Any:
        x = mg.tensor(START, dtype=np.float32)
        y = x
        for _ in range(turns):
            y = y * x
            y = y + added
            y = y**2
        y.backward()
        return y, x.grad

    return step


def with_autograd(autograd: Any, turns: int) -> Step:
    def chain(x: Any) -> Any:
        y = x
        for _ in range(turns):
            y = y * x
            y = y + ADDED
            y = y**2
        return y

    both = autograd.value_and_grad(chain)
    return lambda: both(np.float32(START))


def with_micrograd(engine: Any, turns: int) -> Step:
    def step() -> Any:
        x = engine.Value(START)
        y = x
        for _ in range(turns):
            y = y * x
            y = y + ADDED
            y = y**2
        y.backward()
        return y, x.grad

    return step


def by_hand(turns: int) -> Step:
    added, two = np.float32(ADDED), np.float32(2)

    def step() -> Any:
        x = y = np.float32(START)
        saved = []
        for _ in range(turns):
            root = y * x + added
            saved.append((y, root))
            y = root * root
        grad, x_grad = np.float32(1), np.float32(0)
        for before, root in reversed(saved):
            grad = grad * two * root
            x_grad += grad * before
            grad = grad * x
        return y, x_grad + grad

    return step


def micrograd_with_room(engine: Any) -> Step:
    """Its backward recurses along the chain, further than Python allows by default."""
    sys.setrecursionlimit(20 * TURNS)
    return with_micrograd(engine, TURNS)


arithmetic.makers.update(
    torch=lambda torch: with_torch(torch, TURNS),
    mygrad=lambda mg: with_mygrad(mg, TURNS),
    autograd=lambda autograd: with_autograd(autograd, TURNS),
    micrograd=micrograd_with_room,
    numpy=lambda _: by_hand(TURNS),
)
long.makers.update(
    torch=lambda torch: with_torch(torch, MANY),
    mygrad=lambda mg: with_mygrad(mg, MANY),
    autograd=lambda autograd: with_autograd(autograd, MANY),
    micrograd=lambda engine: with_micrograd(engine, MANY),
    numpy=lambda _: by_hand(MANY),
)


# ---- sin, tanh -----------------------------------------------------------------------------------

SHORT = 250  # turns of four operations each


@curves.written_for("torch")
def _(torch: Any) -> Step:
    def step() -> Any:
        x = torch.tensor(0.99, requires_grad=True)
        y = x
        for _ in range(SHORT):
            y = torch.sin(y * x)
            y = torch.tanh(y + 0.01)
        y.backward()
        return y, x.grad

    return step


@curves.written_for("mygrad")
def _(mg: Any) -> Step:
    added = np.float32(0.01)

    def step() -> Any:
        x = mg.tensor(0.99, dtype=np.float32)
        y = x
        for _ in range(SHORT):
            y = mg.sin(y * x)
            y = mg.tanh(y + added)
        y.backward()
        return y, x.grad

    return step


@curves.written_for("autograd")
def _(autograd: Any) -> Step:
    import autograd.numpy as anp

    def chain(x: Any) -> Any:
        y = x
        for _ in range(SHORT):
            y = anp.sin(y * x)
            y = anp.tanh(y + 0.01)
        return y

    both = autograd.value_and_grad(chain)
    return lambda: both(np.float32(0.99))


@curves.written_for("numpy")
def _(_: Any) -> Step:
    added = np.float32(0.01)

    def step() -> Any:
        x = y = np.float32(0.99)
        saved = []
        for _ in range(SHORT):
            angle = y * x
            before, y = y, np.tanh(np.sin(angle) + added)
            saved.append((before, angle, y))
        grad, x_grad = np.float32(1), np.float32(0)
        for before, angle, after in reversed(saved):
            grad = grad * (1 - after * after) * np.cos(angle)
            x_grad += grad * before
            grad = grad * x
        return y, x_grad + grad

    return step
