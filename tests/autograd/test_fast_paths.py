"""Every generated text serves: a sample call goes through it and is not left to the core.

A text that always gives way does no harm, and no good either: nobody would notice. So each is
called with the arguments that its operation gets in the sample calls, and what it would fall back
to is taken away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from samples import UNRECORDED
from test_formulas import ALL, function, inputs

import course_lib as torch
from course_lib.core.op import any_tensor
from course_lib.declare import switch
from course_lib.declare.faster import call_inplace

pytestmark = [
    pytest.mark.filterwarnings("ignore:index_reduce.. is in beta"),
    pytest.mark.skipif(switch.PLAIN, reason="with COURSE_PLAIN=1 there are no fast paths"),
]
CALLS = [*ALL, *(c.strip() for line in UNRECORDED.split("\n") for c in line.split("   ") if c)]

# Operations whose texts serve no call, and why that is right.
IDLE = {
    "view_as_real view_as_complex": "they read memory as another dtype, which the texts leave",
    "rsub": "one of its declarations takes a number in the place of a tensor, as few texts do",
}


class FellBack(Exception):
    """Raised in the place of what a fast path falls back to."""


def fall_back(*args: Any, **kwargs: Any) -> None:
    raise FellBack


def arguments_seen() -> dict[Any, list[dict[str, Any]]]:
    """The arguments that each operation gets in the sample calls, by the names of parameters."""
    seen: dict[Any, list[dict[str, Any]]] = defaultdict(list)

    def watch(op: Any) -> None:
        bind = op.signature.bind

        def watched(args: tuple, kwargs: dict) -> dict[str, Any]:
            values = bind(args, kwargs)
            if any_tensor(values):  # the kernels of some call others, on arrays
                seen[op].append(dict(values))
            return values

        op.signature.bind, op.signature.in_order = watched, lambda args: None

    ops = {op for _, op, _ in texts()}
    for op in ops:
        watch(op)
    try:
        with torch.plain():
            for call in CALLS:
                run, operands = function(call, inputs())
                run(*operands)
                with suppress(RuntimeError):  # some constants in the calls are float64
                    run(*(x if x.is_complex() else x.detach().float() for x in operands))
    finally:
        for op in ops:
            del op.signature.bind, op.signature.in_order
    return seen


def texts() -> Iterator[tuple[Any, Any, Any]]:
    """Each function with a text of its own: with its operation, and the parameters it takes."""
    for owner, _ in switch._others:
        compose = isinstance(owner, FunctionType) and owner.__globals__.get("compose")
        if compose:
            op, _, names, *_ = compose.args
            yield owner, op, names if isinstance(names, tuple) else None


def served(run: Any, op: Any, names: Any, values: dict[str, Any]) -> bool:
    """Whether a call with these arguments goes through the text."""
    scope = run.__globals__
    kept = {name: scope[name] for name in ("unusual", "slow") if name in scope}
    scope |= dict.fromkeys(kept, fall_back)
    try:
        if names is None:
            run(*list(values.values())[: op.reach[1] if hasattr(op, "reach") else None])
        else:
            run(**{name: values[name] for name in names})
    except FellBack:
        return False
    finally:
        scope |= kept
    return True


def others(owner: Any) -> list[Any]:
    """Numbers, and tensors that fit a place of shape (2, 2), of those that a quick write serves."""
    fits, tensors = owner.__globals__["fits"], [torch.ones(2, 2), torch.tensor(2.0)]
    place = np.empty((2, 2))
    return [2, 2.0, *tensors] if fits is None else [t for t in tensors if fits(place, t.numpy())]


WITHOUT_NODE = [
    lambda x, y: x.relu_(),
    lambda x, y: x.clamp_(-1, 1),
    lambda x, y: x.lerp_(y, 0.1),
    lambda x, y: x.add_(y, alpha=2),
    lambda x, y: x.addcmul_(y, y, value=0.5),
]


@pytest.mark.parametrize("write", WITHOUT_NODE)
def test_writes_that_make_no_node_are_quick(write: Any, monkeypatch: Any) -> None:
    x, y = torch.tensor([[-2.0, 0.5], [3.0, -0.25]]), torch.ones(2, 2)
    with torch.plain():
        wanted = write(x.clone(), y)
    monkeypatch.setitem(call_inplace.__globals__, "slow", fall_back)
    assert write(x, y) is x
    assert torch.equal(x, wanted)
    assert x._version == 1
    recorded = torch.ones(2, 2, requires_grad=True) * 1
    for other in (recorded, x.t(), torch.ones(2)[:, None].expand(2, 2).double()):
        with pytest.raises(FellBack):
            torch.Tensor.add_(x, other, alpha=2)


def test_every_quick_write_serves() -> None:
    idle, count = [], 0
    for owner, _ in switch._others:
        if isinstance(owner, FunctionType) and "write" in owner.__globals__:
            x = torch.ones(2, 2, requires_grad=True) * 3
            part = (x * 1)[:]
            kept, owner.__globals__["slow"] = owner.__globals__["slow"], fall_back
            count += 1
            try:
                for other in others(owner):
                    assert owner(x, other) is x
                    assert owner(part, other) is part
            except FellBack:
                idle.append(owner.__name__)
            finally:
                owner.__globals__["slow"] = kept
    assert idle == []
    assert count > 10
