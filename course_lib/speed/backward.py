"""The backward of an operation, unrolled.

`OpNode.apply` loops over formulas and names.  Instead, this file composes, and Python compiles, the
function that you would write by hand for `mul` (it takes a third of the time):

    def run(node, grad, keep):
        nodes = node.nodes
        other = node.other_
        …check the version…
        g0 = None
        if nodes[0] is not None:
            g0 = grad * other
        …
        return (g0, g1)

`compose` gives that text.  Formulas that are called rather than written out come from `on_arrays`:
they call kernels directly, since that is all an operation would run on arrays.  If the gradients
are tensors, `OpNode.apply` does the work.

Note [Dead gradients]: the memory of a gradient that is no longer needed is the best place for the
next one: it is in the processor's cache, and new memory is not.  So the last formula to run
overwrites `grad` if only the engine and `run` refer to it, and if the result has the same dtype and
layout.  This is possible for operations whose formulas never return `grad` itself, and pays off
only for many elements.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from types import FunctionType
from typing import Any

import numpy as np

from course_lib.calls import arguments
from course_lib.core.graph import FREED, cut, stale
from course_lib.core.op import Op
from course_lib.core.views import ViewOp
from course_lib.speed.becoming import filed

# A tensor without a version cell was never written to; -1 marks a plain number.
CHECK_RESULT = """\
    result = node.result_
    cell = node.cell
    if cell is not None and cell.value != node.result_version:
        raise stale(node, 'result')
"""
CHECK_TENSOR = """\
    {name} = node.{name}_
    if {name} is not None and (version := node.{name}_version) >= 0:
        cell = {name}._cell
        if cell is not None:
            if cell.value != version or (cell.detached and cut(node, '{name}')):
                raise stale(node, '{name}')
        {name} = {name}._array
"""
CHECK_SPARE = """\
    spare = node.shape and grad.size > MANY and getrefcount(grad) <= HELD and overwritable(grad)
"""
MANY = 20_000  # elements


def held() -> int:
    """The reference count of an argument that only one local name of the caller refers to."""

    def called(value: Any) -> int:
        return getrefcount(value)

    value = object()
    return called(value)


HELD = held()


def compile_run(op: Op) -> None:
    """Give the operation's node class a compiled `run`, made when it is first needed."""
    if not op.formulas or op.lists or op.several:
        return

    def first(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
        source = compose(op)
        names: dict[str, Any] = {f"formula_{n}": on_arrays(f) for n, f in op.formulas.items()}
        names.update({f"over_{n}": over(f) for n, f in op.formulas.items()})
        names.update(stale=stale, cut=cut, FREED=FREED, __name__=__name__)
        names.update(MANY=MANY, HELD=HELD, getrefcount=getrefcount, overwritable=overwritable)
        exec(compile(source, filed(f"backward of {op.name}", source), "exec"), names)
        op.Node.run = names["run"]
        return names["run"](node, grad, keep)

    op.Node.run = first


def on_arrays(formula: Any) -> Callable:
    """A formula for arrays only: the names of operations in it mean their kernels."""
    names = formula.__globals__
    known = {n: kernel_of(names[n]) for n in formula.__code__.co_names if n in names}
    swapped = {n: kernel for n, kernel in known.items() if kernel is not None}
    if not swapped:
        return formula
    own = FunctionType(formula.__code__, {**names, **swapped}, closure=formula.__closure__)
    own.__defaults__, own.__kwdefaults__ = formula.__defaults__, formula.__kwdefaults__
    return own


def kernel_of(value: Any) -> Callable | None:
    """The function that an operation runs on arrays, with its parameters; None for other values."""
    op = getattr(value, "op", None) or getattr(value, "bare", value)
    found: Callable | None = getattr(op, "plain", None) or getattr(op, "on_arrays", None)
    if found is None and isinstance(op, ViewOp):
        return op
    if found is None and isinstance(op, Op) and not (op.lists or op.signature.varargs):
        return op.kernel  # it takes the same arguments
    return found


# ---- formulas that need no call, and those that can write over the gradient ----------------------


def code_of(formula: Any) -> tuple:
    """A key that is equal for two short functions that differ only in names after the first."""
    code = formula.__code__
    return code.co_code, code.co_consts, code.co_names, code.co_freevars, code.co_varnames[:1]


def overwritable(grad: Any) -> bool:
    """Whether a gradient owns its memory and is row-major."""
    return grad.base is None and bool(grad.flags.c_contiguous)


def alike(grad: Any, other: Any) -> bool:
    """Whether arithmetic of the two gives the dtype and the layout of `grad`."""
    if other.__class__ is float or other.__class__ is int:
        return True
    return getattr(other, "dtype", None) == grad.dtype and bool(other.flags.c_contiguous)


def times(grad: Any, other: Any) -> Any:
    """`grad * other`, in place if possible."""
    return np.multiply(grad, other, out=grad) if alike(grad, other) else grad * other


def by(grad: Any, other: Any) -> Any:
    """`grad / other`, in place if possible."""
    return np.divide(grad, other, out=grad) if alike(grad, other) else grad / other


def minus(grad: Any) -> Any:
    """`-grad`, in place."""
    return np.negative(grad, out=grad)


# By the code of a formula: its text, and the function that does the same in place.
KNOWN: dict[tuple, tuple[str, Callable | None]] = {
    code_of(lambda grad: grad): ("grad", None),
    code_of(lambda grad: -grad): ("-grad", minus),
    code_of(lambda grad, x: grad * x): ("{0} * {1}", times),
    code_of(lambda grad, x: grad / x): ("{0} / {1}", by),
}


def over(formula: Any) -> Callable | None:
    """The function that computes a formula in the memory of its gradient; None if there is none.

    This covers `KNOWN` formulas, and a call ``kernel(grad, x)`` of a kernel that has an `over`.
    """
    if found := KNOWN.get(code_of(formula)):
        return found[1]
    code, names = formula.__code__, formula.__globals__
    if code.co_code != CALL or code.co_varnames[0] != "grad" or code.co_names[0] not in names:
        return None
    return getattr(kernel_of(names[code.co_names[0]]), "over", None)


CALL = (lambda grad, x: over(grad, x)).__code__.co_code


def compose(op: Op) -> str:
    """The text of `run`."""
    text = "def run(node, grad, keep):\n    nodes = node.nodes\n"
    for name in op.Node.saved:
        if name == "result":
            text += CHECK_RESULT
        elif name in op.Node.tensors:
            text += CHECK_TENSOR.format(name=name)
        else:
            text += f"    {name} = node.{name}_\n"
    spare = all(over(formula) for formula in op.formulas.values())
    if spare:
        op.Node.passes = False
        text += CHECK_SPARE
    for index, (name, formula) in enumerate(op.formulas.items()):
        words = arguments.parameters(formula)
        given = ", ".join(words)
        known = KNOWN.get(code_of(formula))
        result = known[0].format(*words) if known else f"formula_{name}({given})"
        if spare:
            last = "".join(f" and nodes[{i}] is None" for i in range(index + 1, len(op.formulas)))
            result = f"over_{name}({given}) if spare{last} else {result}"
        text += f"    g{index} = None\n    if nodes[{index}] is not None:\n"
        text += f"        g{index} = {result}\n"
    if op.Node.tensors:
        text += "    if not keep:\n"
        for n in op.Node.tensors:
            if n == "result":
                text += "        node.result_, node.cell = None, FREED._cell\n"
            else:
                text += f"        if node.{n}_ is not None:\n"
                text += f"            node.{n}_, node.{n}_version = FREED, 0\n"
    results = ", ".join(f"g{i}" for i in range(len(op.needs)))
    return text + f"    return ({results},)\n"
