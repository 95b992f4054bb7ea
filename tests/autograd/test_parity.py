"""What is faster is a copy of the core: the same program both ways gives the same tensors.

Every sample call runs with operands of several kinds, close together and scattered in memory.
Compared is all that can be seen of the results: value, dtype, strides, version, the node with its
edges, and what it saved; then the gradients.  Random programs compare the two engines: with hooks,
writes, views, and graphs that are kept.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import pytest
from random_programs import outcome as outcome_of_program
from samples import UNRECORDED
from test_formulas import ALL, IN_PLACE, function, inputs, outputs_of

import course_lib as torch
from course_lib.declare import switch

pytestmark = [
    pytest.mark.filterwarnings("ignore:index_reduce.. is in beta"),
    pytest.mark.skipif(switch.PLAIN, reason="with COURSE_PLAIN=1 there is nothing to compare"),
]

KINDS: dict[str, Callable[[Any], Any]] = {
    "leaf": lambda value: value,
    "float32": lambda value: value.detach().to(torch.float32).requires_grad_(),
    "half": lambda value: value.detach().to(torch.float16).requires_grad_(),
    "long": lambda value: (value.detach() * 9).to(torch.int64),
    "untracked": lambda value: value.detach(),
    "view": lambda value: (value * 1).view(value.shape),
    "view of a leaf": lambda value: value.view(value.shape),
    "result": lambda value: value * 1,
}
REFUSED = ["x + m", "x * n", "x.detach().requires_grad_().mul_(2)", "torch.sin(2)", "torch.mul(x)"]
REFUSED += ["(x * 1)[0:1].mul_(m)", "x.view(4)", "x[5]", "x.permute(0)", "x.add()", "x.mul_('a')"]
# Every kind close together, and those that lie in memory as they were given also scattered.
CASES = [(kind, False) for kind in KINDS] + [(kind, True) for kind in ("leaf", "float32", "view")]
REAL = ("float32", "half", "long")
UNRECORDED_CALLS = [call.strip() for line in UNRECORDED.split("\n") for call in line.split("   ")]
UNRECORDED_CALLS = [call for call in UNRECORDED_CALLS if call]


def described(answer: Any) -> list[Any]:
    """All that can be seen of the tensors that a call gives."""
    outs = answer if isinstance(answer, (tuple, list)) else (answer,)
    return [type(answer).__name__, *map(of_tensor, outs)]


def of_tensor(out: Any) -> Any:
    """Value, layout, version and history of a tensor."""
    if not isinstance(out, torch.Tensor):
        return repr(out)
    memory = (str(out.dtype), str(out._array.dtype), type(out._array), out.stride(), out._version)
    place = (out.requires_grad, out.output_nr, out.storage_offset(), out._view is not None)
    return out.tolist(), memory, place, of_node(out.grad_fn)


def of_node(node: Any) -> Any:
    """Name, shape and edges of a node, and what it saved."""
    if node is None:
        return None
    edges = [(nxt and nxt.name(), number) for nxt, number in node.next_functions]
    mixed = node.extras is not None and node.extras.mixed
    saved = {name: of_saved(node, name) for name in node.saved}
    return node.name(), edges, node.shape, str(node.dtype), mixed, saved


def of_saved(node: Any, name: str) -> Any:
    """A saved value and the version that was noted next to it."""
    value, version = getattr(node, name + "_"), getattr(node, name + "_version", None)
    if hasattr(value, "tolist"):
        value = (type(value), value.tolist(), str(value.dtype))
    return repr(value), None if value is None else version


@functools.cache
def operands_of(kind: str, scattered: bool) -> dict[str, Any]:
    """The operands of all calls, which none of them changes; complex ones stay complex."""
    return {
        name: value if value.is_complex() and kind in REAL else KINDS[kind](value)
        for name, value in inputs(scattered).items()
    }


def outcome(call: str, kind: str, scattered: bool) -> Any:
    """What a call gives, or the error that it raises."""
    torch.manual_seed(0)
    run, operands = function(call, operands_of(kind, scattered))
    try:
        return described(run(*operands))
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize(("kind", "scattered"), CASES)
def test_the_fast_path_does_what_the_core_does(kind: str, scattered: bool) -> None:
    calls = [*ALL, *UNRECORDED_CALLS, *in_place(), *REFUSED]
    assert differing(outcome, [(call, kind, scattered) for call in calls]) == {}


def differing(run: Callable, cases: list[tuple]) -> dict[tuple, tuple]:
    """The cases in which plain mode gives something else."""
    found = {}
    for case in cases:
        fast = run(*case)
        with torch.plain():
            plain = run(*case)
        if repr(fast) != repr(plain):
            found[case] = (fast, plain)
    return found


def in_place() -> list[str]:
    """The calls in their in-place form, on something that may be written to."""
    return [f"(x * 1).{call[2:].partition('(')[0]}_({call.partition('(')[2]}" for call in IN_PLACE]


# ---- operands of two kinds --------------------------------------------------------------------

MIXED = ["add", "sub", "mul", "div", "eq", "lt", "fmod", "maximum", "atan2", "logical_and", "pow"]
DTYPES = [torch.bool, torch.uint8, torch.int64, torch.float16, torch.float32, torch.float64]
SHAPES = [((2, 3), (2, 3)), ((3,), (2, 3)), ((1, 3), (2, 3)), ((), (3,)), ((2, 3), ())]


def of_two_kinds(name: str, one: Any, other: Any, shapes: Any, turned: bool) -> Any:
    """What an operation of two operands gives, and their gradients, or the error that it raises."""
    operands: list[Any] = []
    for dtype, shape in zip((one, other), shapes, strict=True):
        made = (torch.arange(torch.zeros(shape).numel()) * 0.75 + 0.75).reshape(shape).to(dtype)
        made = made.t().contiguous().t() if turned and len(shape) == 2 else made
        operands.append(made.requires_grad_() if dtype.is_floating_point else made)
    try:
        out = getattr(torch, name)(*operands)
        tracked = [operand for operand in operands if operand.requires_grad]
        found = described(out)
        if not out.requires_grad:
            return found
        return found, described(torch.autograd.grad(out.sum(), tracked, allow_unused=True))
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("name", MIXED)
def test_operands_of_two_kinds_do_the_same_on_the_fast_path(name: str) -> None:
    pairs = [(one, other) for one in DTYPES for other in DTYPES if one is not other]
    ways = [(shapes, turned) for shapes in SHAPES for turned in (False, True)]
    cases = [(name, *pair, *way) for pair in pairs for way in ways]
    assert differing(of_two_kinds, cases) == {}


def test_whole_numbers_beside_floating_ones_stay_on_the_fast_path() -> None:
    x, k = torch.ones(3, requires_grad=True), torch.arange(3)
    seen = set()

    def note(frame: Any, event: str, argument: Any) -> None:
        seen.add((event, frame.f_code.co_name, frame.f_code.co_filename.rpartition("/")[2]))

    sys.setprofile(note)
    try:
        product = k * x
    finally:
        sys.setprofile(None)
    assert not [place for place in seen if place[2] == "op.py" and place[1] == "compute"]
    assert product.grad_fn._saved_self is k


# ---- backward ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "scattered"), [("float32", False), ("leaf", True)])
def test_the_gradients_are_the_same(kind: str, scattered: bool) -> None:
    assert differing(gradients, [(call, kind, scattered) for call in ALL]) == {}


def gradients(call: str, kind: str, scattered: bool) -> Any:
    """The gradients of a call's operands, or the error on the way."""
    torch.manual_seed(0)
    run, operands = function(call, operands_of(kind, scattered))
    try:
        outs = outputs_of(run(*operands))
        starts = [torch.full_like(out, 0.75).detach() for out in outs]
        return described(torch.autograd.grad(outs, operands, starts, allow_unused=True))
    except Exception as error:
        return type(error).__name__, str(error)


def test_random_programs_do_the_same_with_both_engines() -> None:
    assert differing(outcome_of_program, [(seed, torch) for seed in range(5000, 5080)]) == {}
