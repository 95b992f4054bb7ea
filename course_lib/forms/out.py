"""The `out=` form: a result put into a tensor that is there already."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from course_lib.core.op import Op, compute, wants_grad
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, layout, parser
from course_lib.facts.modes import modes
from course_lib.facts.return_types import return_type
from course_lib.forms.inplace import check_inplace, check_memory

# These write what they compute as it is, without a change of dtype.
SAME_DTYPE = frozenset("neg abs floor ceil trunc round frac sign sgn bitwise_not".split())


def call_out(op: Op, args: tuple, kwargs: dict, out: Any) -> Any:
    """Call `op(…, out=out)`: gives `out`, resized first if it has another shape."""
    if not accepts_out(op.name):
        raise TypeError(op.name)  # the sentence is made where the call came in
    values = op.signature.bind(args, kwargs)
    targets = out if isinstance(out, (tuple, list)) else (out,)
    for target in targets:
        if not isinstance(target, Tensor):
            raise TypeError(errors.argument_type(op, "out", target))
        if modes.grad and op.formulas and (target.requires_grad or wants_grad(op, values)):
            raise RuntimeError(errors.out_with_grad(op))
    array, _ = compute(op, values)
    arrays = array if isinstance(array, (tuple, list)) else (array,)
    for target, result in zip(targets, arrays, strict=True):
        made = dtypes.of_numpy(result.dtype)
        if op.name in SAME_DTYPE and made is not target._dtype:
            raise RuntimeError(errors.out_as_computed(made, target._dtype))
        if made.category > target._dtype.category:
            raise RuntimeError(errors.cannot_cast(made, target._dtype))
        if target._array.shape == result.shape:
            check_memory(target, values.values())
        put(target, result)
    return return_type(op.name + "_out", op.returns)(targets) if op.returns else out


@cache
def accepts_out(name: str) -> bool:
    """Whether PyTorch's function of this name takes `out`, as far as its signatures are known."""
    lines = parser.recorded("torch", name)
    return not lines or any("out=" in line for line in lines)


def put(target: Tensor, result: Any) -> None:
    """Write `result` into `target`, giving it the shape of `result` if it has another."""
    check_inplace(target, recorded=False)
    if target._array.shape != result.shape:
        if target._array.size:
            errors.warn(errors.resized_out(target._array.shape, result.shape))
        target._share()
        target._array = layout.empty(result.shape, target._dtype.numpy)
    target._share().value += 1
    np.copyto(target._array, result, casting="unsafe")
