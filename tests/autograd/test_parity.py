"""The fast path is a copy of `core.op.call`: the same call both ways gives the same tensors.

Every sample call runs with operands of several kinds, close together and scattered in memory.
Compared is all that can be seen of the results: value, dtype, strides, version, the node with its
edges, and what it saved.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from samples import UNRECORDED
from test_formulas import ALL, IN_PLACE, function, inputs

import course_lib as torch
from course_lib.facts.modes import modes

pytestmark = pytest.mark.filterwarnings("ignore:index_reduce.. is in beta")

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
REAL = ("float32", "half", "long")
UNRECORDED_CALLS = [call.strip() for line in UNRECORDED.split("\n") for call in line.split("   ")]
UNRECORDED_CALLS = [call for call in UNRECORDED_CALLS if call]


@contextmanager
def the_long_way() -> Iterator[None]:
    """Every call is left to `core.op.call`."""
    modes.special = True
    try:
        yield
    finally:
        modes.special = False


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


@pytest.mark.parametrize("scattered", [False, True], ids=["dense", "scattered"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_fast_path_does_what_the_core_does(kind: str, scattered: bool) -> None:
    calls = [*ALL, *UNRECORDED_CALLS, *in_place()]
    differing = {}
    for call in calls:
        fast = outcome(call, kind, scattered)
        with the_long_way():
            plain = outcome(call, kind, scattered)
        if repr(fast) != repr(plain):
            differing[call] = (fast, plain)
    assert differing == {}


def in_place() -> list[str]:
    """The calls in their in-place form, on something that may be written to."""
    return [f"(x * 1).{call[2:].partition('(')[0]}_({call.partition('(')[2]}" for call in IN_PLACE]
