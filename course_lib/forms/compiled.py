"""The backward of an operation, unrolled.

`OpNode.apply` is a loop over formulas and names.  For `mul` this file composes, and Python
compiles, what one would write by hand instead (a third of the time):

    def run(node, grad, keep):
        nodes = node.nodes
        other = node.other_
        …check the version…
        g0 = None
        if nodes[0] is not None:
            g0 = formula_self(grad, other)
        …
        return (g0, g1)

`compose` gives that text, and `on_arrays` the formulas: with kernels in the place of operations,
which would run nothing else on arrays.  With tensors as gradients, `OpNode.apply` does the work.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

from course_lib.core.graph import FREED, cut, stale
from course_lib.core.op import Op
from course_lib.facts import arguments

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


def compile_run(op: Op) -> None:
    """Give the operation's node class a compiled `run`, made when it is first needed."""
    if not op.formulas or op.lists or op.several:
        return

    def first(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
        source = compose(op)
        file = f"<backward of {op.name}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        names: dict[str, Any] = {f"formula_{n}": on_arrays(f) for n, f in op.formulas.items()}
        names.update(stale=stale, cut=cut, FREED=FREED, __name__=__name__)
        exec(compile(source, file, "exec"), names)
        op.Node.run = names["run"]
        return names["run"](node, grad, keep)

    op.Node.run = first


def on_arrays(formula: Any) -> Callable:
    """A formula for arrays alone: the names of operations in it stand for their kernels."""
    names = formula.__globals__
    known = {n: kernel_of(names[n]) for n in formula.__code__.co_names if n in names}
    swapped = {n: kernel for n, kernel in known.items() if kernel is not None}
    if not swapped:
        return formula
    own = FunctionType(formula.__code__, {**names, **swapped}, closure=formula.__closure__)
    own.__defaults__, own.__kwdefaults__ = formula.__defaults__, formula.__kwdefaults__
    return own


def kernel_of(value: Any) -> Callable | None:
    """What an operation does to arrays, called as the operation is; None for anything else."""
    op = getattr(value, "op", None) or getattr(value, "bare", value)
    found: Callable | None = getattr(op, "plain", None) or getattr(op, "on_arrays", None)
    return found


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
    for index, (name, formula) in enumerate(op.formulas.items()):
        words = ", ".join(arguments.parameters(formula))
        text += f"    g{index} = None\n    if nodes[{index}] is not None:\n"
        text += f"        g{index} = formula_{name}({words})\n"
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
