"""What may grow: operations, elements, views, writes, layers, boxes of a picture."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.workload import Step


@dataclass(frozen=True)
class Growth:
    """A row of the table of growth: `make` prepares the step for a size.

    It is made for `course_lib`, and for PyTorch unless that has nothing of the kind.
    """

    name: str
    title: str
    sizes: tuple[int, ...]
    make: Callable[[Any, int], Step]
    only_ours: bool = False

    def quick_sizes(self) -> tuple[int, ...]:
        """The smaller half: enough to see that something is not linear."""
        return self.sizes[: (len(self.sizes) + 1) // 2]


# ---- what grows ----------------------------------------------------------------------------------


def graph(torch: Any, size: int) -> Step:
    def step() -> Any:
        x = torch.tensor(0.5, requires_grad=True)
        y = x
        for _ in range(size):
            y = y * x
        y.backward()
        return y, x.grad

    return step


def fan_out(torch: Any, size: int) -> Step:
    """One tensor used so many times, and all results used by one operation."""

    def step() -> Any:
        x = torch.tensor([0.5, 1.5], requires_grad=True)
        loss = torch.stack([x * number for number in range(size)]).sum()
        loss.backward()
        return loss, x.grad

    return step


def elements(torch: Any, size: int) -> Step:
    x = torch.ones(size, requires_grad=True)

    def step() -> Any:
        x.grad = None
        y = (x * 2 + 1).relu() * x
        loss = y.sum()
        loss.backward()
        return loss, x.grad

    return step


def views(torch: Any, size: int) -> Step:
    """So many views of one base; then a write into the base, which all of them see."""

    def step() -> Any:
        x = torch.ones(size, requires_grad=True)
        base = x * 2
        parts = [base[number] for number in range(size)]
        base.mul_(3)
        loss = torch.stack(parts).sum()
        loss.backward()
        return loss, x.grad

    return step


def writes(torch: Any, size: int) -> Step:
    """So many writes into one base of fixed size, each through a view of its own."""

    def step() -> Any:
        x = torch.ones(10, requires_grad=True)
        base = x * 2
        for number in range(size):
            base[number % 10] = x[(number + 1) % 10]
        loss = base.sum()
        loss.backward()
        return loss, x.grad

    return step


def inplace(torch: Any, size: int) -> Step:
    def step() -> Any:
        x = torch.ones(10, requires_grad=True)
        y = x * 2
        for _ in range(size):
            y.mul_(0.5).add_(1.0)
        loss = y.sum()
        loss.backward()
        return loss, x.grad

    return step


def view_of_view(torch: Any, size: int) -> Step:
    """A view of a view of a view …, so deep; then a write into the last one."""

    def step() -> Any:
        x = torch.ones(2, 3, requires_grad=True)
        base = x * 2
        seen = base
        for _ in range(size):
            seen = seen.t()
        seen.mul_(3)
        loss = base.sum()
        loss.backward()
        return loss, x.grad

    return step


def layers(torch: Any, size: int) -> Step:
    """A training step of a network of so many layers."""
    nn = torch.nn
    model = nn.Sequential(*(nn.Linear(4, 4) for _ in range(size)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.ones(2, 4)

    def step() -> Any:
        optimizer.zero_grad()
        loss = model(x).sum()
        loss.backward()
        optimizer.step()
        return (loss,)

    return step


def picture(torch: Any, size: int) -> Step:
    """The picture of a network: so many functions, each second one with a weight of its own."""
    from course_lib.viz import draw_graph

    y = torch.ones(1, 2)
    for _ in range(size // 2):
        y = torch.tanh(y @ torch.ones(2, 2, requires_grad=True))
    return lambda: (draw_graph(y, max_nodes=size).svg,)


def picture_of_one_leaf(torch: Any, size: int) -> Step:
    """The picture of a chain in which every function uses the same leaf: its arrows are long."""
    from course_lib.viz import draw_graph

    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(size):
        y = y * x
    return lambda: (draw_graph(y, max_nodes=size).svg,)


def sizes(first: int, count: int) -> tuple[int, ...]:
    """
    >>> sizes(10, 3)
    (10, 20, 40)
    """
    return tuple(first * 2**number for number in range(count))


MILLIONS = (1_000_000, 1_500_000, 2_000_000, 3_000_000, 4_000_000)
GROWTHS = {
    growth.name: growth
    for growth in (
        Growth("grow-graph", "chain of operations", sizes(1000, 6), graph),
        Growth("grow-fan-out", "uses of one tensor", sizes(500, 5), fan_out),
        Growth("grow-elements", "elements of a tensor", MILLIONS, elements),
        Growth("grow-views", "views of one base, then a write", sizes(250, 5), views),
        Growth("grow-writes", "writes through views of one base", sizes(250, 5), writes),
        Growth("grow-inplace", "in-place operations", sizes(250, 6), inplace),
        Growth("grow-deep", "views of views, then a write", sizes(250, 5), view_of_view),
        Growth("grow-layers", "layers trained", sizes(25, 5), layers),
        Growth("grow-picture", "functions drawn", sizes(8, 5), picture, only_ours=True),
        Growth(
            "grow-picture-leaf",
            "functions drawn that use one leaf",
            (10, 20, 40, 60),
            picture_of_one_leaf,
            only_ours=True,
        ),
    )
}
