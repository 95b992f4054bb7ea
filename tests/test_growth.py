"""What an operation costs in steps and bytes, and that twice as much costs twice as much.

Nothing here is a time: lines that run, calls, objects and bytes are counted, which are the same on
every machine. The numbers are what there is, and may only shrink; benchmarks/ has the times.
"""

import contextlib
import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import course_lib as torch
from benchmarks.growth import GROWTHS

ROOT = Path(__file__).resolve().parents[1]
OURS = str(ROOT / "course_lib")

# of one recorded operation on numbers: tensor, array, node, edges; Python 3.14's tuples are larger
BYTES = 380 if sys.version_info < (3, 14) else 450
CONTAINERS = 3  # of those, what the garbage collector has to visit: tensor, node, edges
BLOCKS = 6  # pieces of memory of any kind
BYTES_OF_AN_ELEMENT = 22  # at the peak of a chain of four: five float32 and a bit
MODULES = 62  # that `import course_lib` loads, after NumPy's

ZEROS = torch.zeros(2, 2, dtype=torch.int64)
# Calls of Python functions for one operation, forward and backward.
CALLS = {
    "mul": (lambda y, x: y * x, (6, 7)),
    "mul by keyword": (lambda y, x: torch.mul(y, other=x), (13, 7)),
    "sum by keyword": (lambda y, x: y.sum(dim=0, keepdim=True), (20, 21)),
    "add a number": (lambda y, x: y + 1.0, (5, 3)),
    "square": (lambda y, x: y**2, (10, 7)),
    "sin": (lambda y, x: torch.sin(y), (6, 5)),
    "matmul": (lambda y, x: y @ x, (16, 15)),
    "transpose": (lambda y, x: y.t(), (5, 4)),
    "view": (lambda y, x: y.view(2, 2), (5, 6)),
    "index": (lambda y, x: y[0:2], (6, 7)),
    "mul_": (lambda y, x: y.mul_(0.5), (8, 4)),
    "add_": (lambda y, x: y.add_(x), (10, 5)),
    "stack": (lambda y, x: torch.stack([y, x])[0], (47, 26)),
    "gather": (lambda y, x: y.gather(1, ZEROS), (40, 20)),
}
SIZES = {"grow-layers": (24, 48, 96), "grow-picture": (9, 18, 36)}  # its memory has a step at 8
LINEAR = [
    name
    for name in GROWTHS
    if name != "grow-elements"  # one step, whatever the size
    and name != "grow-picture-leaf"  # Graphviz draws long arrows, which are not linear
]


def lines(step: Callable[[], Any]) -> int:
    """How many lines and calls run."""
    seen = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal seen
        seen += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        step()
    finally:
        sys.settrace(before)
    return seen


def called(step: Callable[[], Any]) -> list[str]:
    """The files of the functions of the library that are called, one for each call."""
    seen = []

    def profile(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            seen.append(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        step()
    finally:
        sys.setprofile(before)
    return seen


def peak(step: Callable[[], Any]) -> int:
    """The most bytes that are allocated while the step runs."""
    gc.collect()  # also empties the lists of small objects that Python keeps for reuse
    tracemalloc.start()
    try:
        step()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def at_sizes(name: str, sizes: tuple[int, ...], count: Callable) -> list[int]:
    """What is counted in the step of a growth at each size, after a first one that warms up."""
    found = []
    for size in sizes:
        step = GROWTHS[name].make(torch, size)
        step()
        found.append(count(step))
    return found


def chain(length: int) -> Any:
    y = x = torch.tensor(0.5, requires_grad=True)
    for _ in range(length):
        y = y * x
    return y


# ---- twice as much is twice as much --------------------------------------------------------------


@pytest.mark.parametrize("name", LINEAR)
def test_steps_grow_with_size_and_not_faster(name):
    small, middle, large = at_sizes(name, SIZES.get(name, (24, 48, 96)), lines)
    assert large - middle <= 2.02 * (middle - small), (small, middle, large)


@pytest.mark.parametrize("name", LINEAR)
def test_memory_grows_with_size_and_not_faster(name):
    small, middle, large = at_sizes(name, SIZES.get(name, (200, 400, 800)), peak)
    # Twice as much, and a little for what earlier tests left in caches; a square would be 4 times.
    assert large - middle <= 2.5 * (middle - small), (small, middle, large)


def test_steps_do_not_depend_on_the_number_of_elements():
    sizes = (500, 1_000, 4_000, 16_000, 32_000, 64_000)
    found = at_sizes("grow-elements", sizes, lines)
    few, some, many = found[::2]  # there are other ways beyond 1 000 and 20 000 elements
    assert found == [few, few, some, some, many, many]
    assert many - few <= 50  # a sum in blocks has most of them; see `memory/adding.py`


def test_steps_do_not_depend_on_the_number_of_rows_without_equal_elements():
    few, many = (torch.arange(16.0 * rows).view(rows, 16) for rows in (4, 64))
    few.topk(3)  # the first call reads files
    assert lines(lambda: few.topk(3)) == lines(lambda: many.topk(3))


def test_a_quadratic_step_would_be_noticed():
    def quadratic(size: int) -> Callable[[], Any]:
        return lambda: [chain(number) for number in range(size)]

    small, middle, large = (lines(quadratic(size)) for size in (4, 8, 16))
    assert large - middle > 3 * (middle - small)


# ---- what one operation costs --------------------------------------------------------------------


def test_a_recorded_operation_is_small():
    chain(10)
    gc.collect()
    objects, blocks = len(gc.get_objects()), sys.getallocatedblocks()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    y = chain(1000)
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert y.requires_grad
    assert used / 1000 <= BYTES
    assert (len(gc.get_objects()) - objects) / 1000 <= CONTAINERS + 0.05
    assert (sys.getallocatedblocks() - blocks) / 1000 <= BLOCKS + 0.2


def test_a_graph_goes_without_the_garbage_collector():
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(3):
            chain(300).backward()
        left = len(gc.get_objects()) - before
    finally:
        gc.enable()
    assert left < 30  # of 2 700


def test_few_arrays_are_alive_at_the_peak_of_backward():
    size = 100_000
    (found,) = at_sizes("grow-elements", (size,), peak)
    assert found / size <= BYTES_OF_AN_ELEMENT


@pytest.mark.parametrize("name", CALLS)
def test_an_operation_is_few_calls(name):
    function, limits = CALLS[name]

    def counted(length: int) -> tuple[int, int]:
        x, made = torch.ones(2, 2, requires_grad=True), []

        def forward() -> None:
            y = x * 1.0
            for _ in range(length):
                y = function(y, x)
            made.append(y.sum())

        return len(called(forward)), len(called(lambda: made[0].backward()))

    counted(1)
    for half, whole, most in zip(counted(50), counted(100), limits, strict=True):
        assert (whole - half) / 50 <= most + 0.1


def test_backward_of_two_functions_is_few_calls():
    q, r = (torch.ones(3, requires_grad=True) for _ in range(2))
    (q * r).sum().backward()
    q.grad = r.grad = None
    assert len(called((q * r).sum().backward)) <= 28


OTHER = torch.ones(7)


def write_through_a_view(x: Any, y: Any) -> None:
    y[1:] += 1


@pytest.mark.parametrize(
    ("step", "files", "most"),
    [
        (lambda x, y: torch.mul(x, y), 4, 7),
        (write_through_a_view, 8, 59),
        (lambda x, y: y.sum().backward(), 16, 50),
        (lambda x, y: x + OTHER, 6, 12),  # up to the sentence; the course's note comes after it
    ],
    ids=["mul", "a write through a view", "sum and backward", "an error of shapes"],
)
def test_a_debugger_walks_a_short_way(step: Callable, files: int, most: int) -> None:
    def walk() -> None:
        with contextlib.suppress(RuntimeError):
            step(x, y)

    for _ in range(2):  # the first reads files
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        seen = [name for name in called(walk) if not name.endswith("notes.py")]
    assert len(set(seen)) <= files and len(seen) <= most, (len(set(seen)), len(seen))


# ---- import --------------------------------------------------------------------------------------


def test_import_is_lean():
    script = (
        "import sys, numpy; before = set(sys.modules); import course_lib; "
        "print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    modules = done.stdout.split()
    assert len(modules) <= MODULES
    unwanted = {"IPython", "asyncio", "course_lib.nn", "graphviz", "matplotlib", "wasmtime"}
    assert unwanted.isdisjoint(modules)
