"""Fast paths: the only file that imports `course_lib.speed`, unless Python was started plain.

Each function here takes a slow path and gives a faster one that does the same; see Note [Plain] in
`declare/switch.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.core import engine
from course_lib.core.op import Op, call
from course_lib.core.views import ViewOp
from course_lib.core.tensor import Tensor
from course_lib.core.writes import call_inplace
from course_lib.declare import switch

import os
if os.environ.get("COURSE_ONE", "1"):
    from course_lib.core import handover, quick as one_quick, quick_views, quick_writes

    engine.walk, engine.evaluate = handover.walk, handover.evaluate
    ViewOp.__call__ = quick_views.on_arrays
elif not switch.PLAIN:
    from course_lib.speed import backward as quick_backward
    from course_lib.speed import calls as quick_calls
    from course_lib.speed import engine as quick_engine
    from course_lib.speed import unrecorded as quick_unrecorded
    from course_lib.speed import views as quick_views
    from course_lib.speed import writes as quick_writes

    switch.faster(engine, walk=quick_engine.walk, evaluate=quick_engine.evaluate)
    switch.faster(ViewOp, __call__=quick_views.on_arrays)
    call_inplace = quick_unrecorded.unrecorded(call_inplace)


def calls(op: Any, product: Callable | None = None, plain: Callable | None = None) -> None:
    """Give the operation its two calls: `run(*args, **kwargs)` and `quick(*args)`.

    `op.reach` holds the least and the greatest number of arguments that `quick` takes.
    """
    signature = op.signature
    most = signature.positional if not signature.varargs else 0  # `varargs` need gathering: `run`
    op.run = op.quick = partial(call, op)
    op.reach = (signature.least, most)
    if product is not None:
        op.reach = (len(op.operands), len(op.operands))
    if not switch.PLAIN:
        op.product, op.plain = product, plain
        quick_calls.unroll(op)


def backward(op: Op) -> None:
    """Give the operation's nodes a compiled backward."""
    if not switch.PLAIN:
        quick_backward.compile_run(op)


ONE = bool(os.environ.get("COURSE_ONE", "1"))
if ONE:
    from course_lib.declare.fronts import marked, named as named_as

    def calls(op: Any, product: Any = None, plain: Any = None) -> None:
        signature = op.signature
        op.product, op.plain = product, plain
        slow = op.careful = partial(call, op)
        run = one_quick.quick(op, slow)
        op.reach = (signature.least, signature.positional if not signature.varargs else 0)
        op.run = one_quick.front(op, run, slow)
        op.quick = one_quick.front(op, run, slow, True)

    def backward(op: Any) -> None:
        run = one_quick.backward(op)
        if run is not None:
            op.Node.run = run

    def is_exact_one(op: Any) -> bool:
        return op.reach[0] == op.reach[1] and not op.several and one_quick.quick(op, None) is not None and op.layout == "inputs" and op.kind_name in ("promote", "float", "compare") and "other" not in op.tensors_only and len(op.params) <= 2

    def function(op: Any, slow: Any) -> Any:
        return one_quick.front(op, one_quick.quick(op, slow), slow, not hasattr(slow, "spoken"))

    def operator(op: Any, slow: Any) -> Any:
        return one_quick.quick(op, slow)

    def written(op: Any, slow: Any) -> Any:
        if os.environ.get("NOWRITES"):
            return slow
        run = quick_writes.writing(op, slow)
        if run is slow:
            return slow
        def front(*args: Any, **kwargs: Any) -> Any:
            return slow(*args, **kwargs) if kwargs or len(args) != 2 else run(*args)
        if not hasattr(slow, "spoken"):
            return run
        return marked(named_as(front, slow), slow.bare, slow.spoken)

    def put(op: Any, slow: Any, fits: Any = None, alone: bool = False) -> Any:
        if os.environ.get("NOWRITES"):
            return slow
        return named_as(quick_writes.writing(op, slow, fits, alone), slow)

    def assignment(op: Any, slow: Any) -> Any:
        return slow

    from course_lib.core import views as core_views

    def view(op: Any, slow: Any, native_only: bool = False, inner: bool = False) -> Any:
        if not hasattr(op, "view"):
            op.view = core_views.viewing(op)
        if op.many:
            return slow
        return op.view if False else core_views.viewing(op, slow, native_only)


def is_exact(op: Op) -> bool:
    if ONE:
        return is_exact_one(op)
    """Whether the operation's functions are generated too."""
    return not switch.PLAIN and quick_calls.is_exact(op)


if not ONE:
    def function(op: Op, slow: Callable) -> Any:
        """A fast path for a function or a front of an operation."""
        return slow if switch.PLAIN else quick_calls.unrolled(op, slow)


    def operator(op: Op, slow: Callable) -> Any:
        """A fast path for a Python operator."""
        return slow if switch.PLAIN else quick_calls.unrolled_operator(op, slow)


    def written(op: Op, slow: Callable) -> Any:
        """A fast path for the in-place form of an operation with two operands."""
        return slow if switch.PLAIN else quick_writes.fast_inplace(op, slow)


    def put(op: Op, slow: Callable, fits: Callable | None = None, alone: bool = False) -> Any:
        """A fast path for writing a number, or a tensor that `fits(memory, array)`, unchanged.

        `alone`: no gradient goes to the value that is written.
        """
        return slow if switch.PLAIN else quick_writes.fast_put(op, slow, fits, alone)


    def assignment(op: Op, slow: Callable) -> Callable:
        """A fast path for ``self[place] = value``; `op` is the operation of `copy_`."""
        if switch.PLAIN:
            return slow
        quick = quick_writes.fast_assignment(op, slow)
        return lambda *given: (slow if switch.is_plain() else quick)(*given)


    def view(op: Any, slow: Callable, native_only: bool = False, inner: bool = False) -> Any:
        """A fast path for a view operation; with `native_only`, `slow` does what NumPy cannot.

        `inner`: for the function that formulas call, with arrays too.
        """
        return slow if switch.PLAIN else quick_views.unroll_view(op, slow, native_only, inner)



__all__ = [
    "assignment",
    "backward",
    "call_inplace",
    "calls",
    "function",
    "is_exact",
    "operator",
    "put",
    "view",
    "written",
]
