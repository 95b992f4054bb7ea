"""Where what is only faster comes in: the one file that imports it, unless Python started plain.

Each function here takes what does the work, and gives what does the same faster; see Note [Plain]
in `forms/switch.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.core import engine
from course_lib.core.op import Op, call
from course_lib.forms import switch

if not switch.PLAIN:
    from course_lib.forms import compiled, fast, unrolled, unrolled_view
    from course_lib.speed import engine as quick_engine

    switch.faster(engine, walk=quick_engine.walk, evaluate=quick_engine.evaluate)


def calls(op: Any, product: Callable | None = None, plain: Callable | None = None) -> None:
    """Give the operation its two calls: `run(args, kwargs)`, and `quick(*args)` without keywords.

    `op.reach` says how many arguments `quick` takes at least and at most.
    """
    signature = op.signature
    most = signature.positional if not signature.varargs else 0  # whose arguments may be gathered
    op.run, op.quick = partial(call, op), partial(call_in_order, op)
    op.reach = (signature.least, most)
    if product is not None:
        op.reach = (len(op.operands), len(op.operands))
    if not switch.PLAIN:
        op.product, op.plain = product, plain
        unrolled.unroll(op)


def call_in_order(op: Op, *args: Any) -> Any:
    """The call of an operation without keywords."""
    return call(op, args, {})


def backward(op: Op) -> None:
    """Give the operation's nodes a compiled backward."""
    if not switch.PLAIN:
        compiled.compile_run(op)


def is_exact(op: Op) -> bool:
    """Whether the operation's functions have generated text of their own."""
    return not switch.PLAIN and unrolled.is_exact(op)


def function(op: Op, slow: Callable) -> Any:
    """A function or a front of an operation."""
    return slow if switch.PLAIN else unrolled.unrolled(op, slow)


def operator(op: Op, slow: Callable) -> Any:
    """A Python operator."""
    return slow if switch.PLAIN else unrolled.unrolled_operator(op, slow)


def written(op: Op, slow: Callable) -> Any:
    """An in-place form of an operation of two operands."""
    return slow if switch.PLAIN else fast.fast_inplace(op, slow)


def view(op: Any, slow: Callable, native_only: bool = False) -> Any:
    """A view operation; `native_only`: where NumPy has no way of its own, `slow` is asked."""
    return slow if switch.PLAIN else unrolled_view.unroll_view(op, slow, native_only)


__all__ = ["backward", "calls", "function", "is_exact", "operator", "view", "written"]
