"""Long chains, no cycles, flat memory, threads, what an anomaly shows."""

import gc
import sys
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import course_lib as torch

LONG = 100_000


def chain(length: int, step: Callable[[Any], Any] = lambda y: y + 1) -> tuple[Any, Any]:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(length):
        y = step(y)
    return x, y


# ---- long chains at the default recursion limit --------------------------------------------------


def test_the_recursion_limit_is_the_default_one() -> None:
    assert sys.getrecursionlimit() <= 1100


def test_backward_through_a_long_chain() -> None:
    x, y = chain(LONG)
    y.backward()
    assert x.grad.item() == 1


def test_a_long_chain_whose_nodes_save_tensors_is_freed() -> None:
    _, y = chain(LONG, lambda y: y * y)
    del y


def test_a_long_chain_is_freed_after_a_retained_backward() -> None:
    x, y = chain(LONG, lambda y: y * 1.0)
    y.backward(retain_graph=True)
    y.backward()
    del y
    assert x.grad.item() == 2


def test_a_long_chain_can_be_differentiated_twice() -> None:
    x, y = chain(LONG // 20, lambda y: y * y)
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert first.item() == second.item() == float("inf")  # 2 ** 5000 and more


CHANGES = {
    "writes in place": ("y.mul_(1.0)", 25_000),
    "views": ("y = y.view(2)", 25_000),
    "writes through views": ("y[0] *= 1.0", 10_000),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_long_chain_of_views_and_writes(kind: str) -> None:
    change, times = CHANGES[kind]
    x = torch.ones(2, requires_grad=True)
    names = {"y": x.clone()}
    exec(f"for _ in range({times}):\n    {change}", names)
    names["y"].sum().backward()
    assert x.grad.tolist() == [1, 1]


def test_the_end_of_a_long_chain_is_printed() -> None:
    assert repr(chain(LONG)[1]) == "tensor(100001., grad_fn=<AddBackward0>)"


# ---- cycles and memory ---------------------------------------------------------------------------


def train(steps: int) -> None:
    """A small training loop: views, writes in place, saved results, hooks."""
    w = torch.ones(3, 2, requires_grad=True)
    x = torch.ones(4, 3)
    for _ in range(steps):
        hidden = (x @ w).tanh()
        hidden = hidden * 1.0
        hidden[0] *= 2
        hidden.retain_grad()
        handle = hidden.register_hook(lambda g: g * 1.0)
        loss = (hidden.exp() - hidden.sigmoid()).square().mean()
        loss.backward()
        handle.remove()
        with torch.no_grad():
            w -= 0.01 * w.grad
        w.grad = None


def leftovers(work: Callable[[], Any]) -> int:
    """How many objects only the garbage collector can free after `work`."""
    work()  # what is made once and kept, say compiled formulas
    gc.collect()
    gc.disable()
    try:
        work()
        return gc.collect()
    finally:
        gc.enable()


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        out = x * 2
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, out = ctx.saved_tensors
        return grad * 2


def views_of_each_other() -> None:
    x = torch.ones(2, 2, requires_grad=True).clone()
    row, column = x[0], x[:, 0]
    row.mul_(2)
    column.exp_()
    row.grad_fn, column.grad_fn
    x.sum().backward()


def gradients_with_history() -> None:
    x, y = chain(5, lambda y: y.sin() * y)
    torch.autograd.grad(y, x, create_graph=True)[0].backward()


WORKS = {
    "a training loop": lambda: train(20),
    "a graph that never ran backward": lambda: chain(100, lambda y: y.exp().tanh()),
    "gradients with history": gradients_with_history,
    "views of each other": views_of_each_other,
    "a function of one's own": lambda: Double.apply(Double.apply(chain(1)[1])).backward(),
}


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_nothing_is_left_for_the_collector(work: Callable[[], Any]) -> None:
    assert leftovers(work) == 0


def short_steps(count: int) -> None:
    """Steps as small as they come: a view, a saved result, a write, an update."""
    w = torch.ones(2, requires_grad=True)
    for _ in range(count):
        y = w.sigmoid() * 1.0
        y[0] = 2.0
        y.sum().backward()
        w.data -= w.grad
        w.grad = None


def traced() -> int:
    """Bytes in use; a full collection also empties Python's own free lists."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_memory_is_flat_over_two_thousand_steps() -> None:
    short_steps(50)
    tracemalloc.start()
    try:
        short_steps(500)
        before = traced()
        short_steps(2_000)
        after = traced()
    finally:
        tracemalloc.stop()
    assert after - before < 4_000  # one reference kept per step would be 16 000 bytes; 72 here


# ---- threads -------------------------------------------------------------------------------------


def in_threads(work: Callable[[], Any], count: int = 4) -> list[Any]:
    """What `work` gives in each of several threads; raises what one of them raised."""
    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(work) for _ in range(count)]]


def test_a_mode_holds_for_its_own_thread_only() -> None:
    with torch.no_grad():
        assert in_threads(torch.is_grad_enabled, 2) == [True, True]


def test_graphs_of_several_threads_are_independent() -> None:
    def work() -> float:
        x, y = chain(300, lambda y: y * 1.0 + 0.0)
        y.backward()
        return x.grad.item()

    assert in_threads(work) == [1.0] * 4


def test_threads_that_share_a_leaf_add_to_the_same_gradient() -> None:
    x = torch.zeros(3, requires_grad=True)
    x.grad = torch.zeros(3)
    lock = threading.Barrier(4)

    def work() -> None:
        lock.wait()
        for _ in range(50):
            (x * 2).sum().backward()

    in_threads(work)
    assert x.grad.tolist() == [400, 400, 400]


def test_anomaly_mode_shows_the_readers_line(capsys):
    x = torch.tensor([-1.0], requires_grad=True)
    with torch.autograd.set_detect_anomaly(True), pytest.warns(UserWarning) as caught:
        root = x.sqrt()  # the line to show
        with pytest.raises(RuntimeError, match="nan"):
            root.sum().backward()
    shown = "".join(str(warning.message) for warning in caught) + capsys.readouterr().err
    assert shown.rstrip().endswith("root = x.sqrt()  # the line to show")


@pytest.mark.filterwarnings("error")
def test_where_warnings_are_errors_the_anomaly_is_still_the_error(capsys: Any) -> None:
    with torch.autograd.set_detect_anomaly(True):
        y = torch.tensor(-1.0, requires_grad=True).sqrt()
        with pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan values"):
            y.backward()
    assert "UserWarning: Error detected in SqrtBackward0" in capsys.readouterr().err
