"""The call of an operation, unrolled.

`core.op.call` is a set of loops: over arguments, operands, formulas, saved values.  For `softmax`
this file composes, and Python compiles, what one would write by hand instead (half of the time):

    def run(self, dim):
        now = modes.now
        if now.special or now.inference or not isinstance(self, Tensor) or …:
            return call(op, (self, dim), {})
        array = now.quiet(op_kernel, self._array, dim)
        out = made(array)
        if not (now.grad and self.requires_grad): return out
        node = op_node()
        node.nodes, node.numbers = (edge(self),), (self._output_nr,)
        …

It serves operands of one floating dtype (or of any, for an operation that converts nothing) with
plain values as the other arguments.  Whatever is special is left to `call`, which knows all.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.op import Op, any_tensor, attach, call, fact, laid_out
from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, kinds, layout
from course_lib.facts.modes import modes

PLAIN = {int, float, bool, str, type(None), dtypes.dtype}
KINDS = {"promote", "float", "sum", "mean", "spread", "norm"}  # floating numbers stay what they are
LAYOUTS = {
    "inputs": "elementwise(array, [{inputs}])",
    "contiguous": "owned(array)",
    "kernel": "kept(array)",
}
RECORDED = """\
    node = op_node()
    node.nodes, node.numbers = ({nodes},), ({numbers},)
    node.order, node.extras = next_order(), None
    node.shape, node.dtype = {shape}, {out}._dtype
"""


def unroll(op: Op) -> Callable[[tuple, dict], Any]:
    """`call` of this operation, compiled when it is first needed."""
    alike = op.kind_name in KINDS
    strange = (
        op.lists or (op.several and not op.returns) or not set(op.formulas) <= set(op.operands)
    )
    if strange or not op.operands or not (alike or op.kind_name == "same"):
        return lambda args, kwargs: call(op, args, kwargs)
    signature = op.signature
    most = signature.positional
    least = 0 if signature.varargs else len(op.params) - len(signature.defaults)
    bare: Any = None

    def run(args: tuple, kwargs: dict) -> Any:
        nonlocal bare
        if bare is None:
            bare = compiled(op)
        if kwargs or signature.varargs or not least <= len(args) <= most:
            return bare(**signature.bind(args, kwargs))
        return bare(*args)

    return run


def compiled(op: Op) -> Callable:
    """The function that `compose` gives the text of."""
    source = compose(op)
    file = f"<call of {op.name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names: dict[str, Any] = {
        "__name__": __name__,  # warnings and tracebacks ask whose code this is
        "op": op,
        "op_kernel": op.kernel,
        "op_check": op.check,
        "op_node": op.Node,
        "call": call,
        "edge": edge,
        "fact": fact,
        "modes": modes,
        "made": made,
        "laid_out": laid_out,
        "named": kinds.named,
        "attach": attach,
        "next_order": next_order,
        "check_broadcast": errors.check_broadcast,
        "elementwise": layout.elementwise,
        "owned": layout.owned,
        "kept": layout.kept,
        "holds_tensor": holds_tensor,
        "ndarray": np.ndarray,
        "Tensor": Tensor,
        "PLAIN": PLAIN,
        **{f"default_{name}": value for name, value in op.signature.defaults.items()},
    }
    exec(compile(source, file, "exec"), names)
    found: Callable = names["run"]
    return found


def holds_tensor(value: Any) -> bool:
    """Whether an argument is a tensor, or a list with one in it."""
    return any_tensor({"": value})


def made(array: Any) -> Tensor:
    """A tensor without history over a result."""
    return Tensor._make(array, dtypes.of_numpy(array.dtype))


def compose(op: Op) -> str:
    """The text of `run`."""
    defaults = op.signature.defaults
    given = ", ".join(f"{n}=default_{n}" if n in defaults else n for n in op.params)
    named = ", ".join(f"{n}={n}" for n in op.params)
    text = f"def run({given}):\n    now = modes.now\n"
    text += f"    if {' or '.join(doubts(op))}:\n        return call(op, (), dict({named}))\n"
    if op.check is not None:
        text += f"    op_check({named})\n"
    inputs = ", ".join(array_of(n, op) for n in op.operands)
    if op.layout == "inputs" and len(op.operands) > 1:
        text += f"    check_broadcast([{inputs}])\n"
    words = [array_of(n, op) for n in op.params]
    most = op.signature.positional
    words[most:] = [f"{n}={word}" for n, word in zip(op.params[most:], words[most:], strict=True)]
    text += f"    array = now.quiet(op_kernel, {', '.join(words)})\n"
    if op.returns:
        text += f"    outs = [made(a) for a in laid_out(op, array, [{inputs}])]\n"
        out, end = "outs[0]", "    return named(op, outs)\n"
    else:
        text += f"    if array.__class__ is ndarray:\n        array = {LAYOUTS[op.layout]}\n"
        text = text.format(inputs=inputs) + "    out = made(array)\n"
        out, end = "out", "    return out\n"
    if not op.formulas:
        return text + end
    tracked = " or ".join(f"({present(n, op)}{n}.requires_grad)" for n in op.formulas)
    text += f"    if not now.grad or not ({tracked}):\n    {end}"
    for number, name in enumerate(op.formulas):
        given = f" if {name} is not None else None" if present(name, op) else ""
        text += f"    n{number} = edge({name}){given}\n"
    text += RECORDED.format(
        nodes=", ".join(f"n{i}" for i in range(len(op.formulas))),
        numbers=", ".join(f"n{i} and {n}._output_nr or 0" for i, n in enumerate(op.formulas)),
        shape="[o._array.shape for o in outs]" if op.returns else "array.shape",
        out=out,
    )
    if op.holomorphic:
        text += f"    if {out}._dtype.is_complex:\n        node.more().mixed = True\n"
    for name in op.Node.saved:
        text += saving(op, name)
    if op.returns:
        return text + "    attach(node, outs)\n" + end
    text += f"    if out._dtype.category >= {dtypes.FLOATING}:\n"
    return text + "        out._node, out._requires_grad = node, True\n" + end


def array_of(name: str, op: Op) -> str:
    """What the kernel gets for an argument: the array of a tensor, other values as they are."""
    if name in op.operands and name not in op.signature.defaults:
        return f"{name}._array"
    if name in op.operands or name in op.saves:
        return f"({name}._array if isinstance({name}, Tensor) else {name})"
    return name


def present(name: str, op: Op) -> str:
    """The beginning of a condition on an argument that may be None."""
    return f"{name} is not None and " if name in op.signature.defaults else ""


def doubts(op: Op) -> list[str]:
    """The conditions under which a call is left to `core.op.call`."""
    found = ["now.special", "now.inference"]
    first = op.operands[0]
    for name in op.operands:
        wrong = [f"not isinstance({name}, Tensor)"]
        if op.kind_name in KINDS:
            if name == first:
                wrong += [f"{name}._dtype.category != {dtypes.FLOATING}", f"{name}._dtype.reduced"]
            else:
                wrong += [f"{name}._dtype is not {first}._dtype"]
        wrong += [f"({name}._extras is not None and {name}._extras.inference)"]
        told = " or ".join(wrong)
        found.append(f"({present(name, op)}({told}))")
    for name in op.saves:
        inference = f"{name}._extras is not None and {name}._extras.inference"
        found.append(f"(isinstance({name}, Tensor) and {inference})")
    for name in op.params:
        if name not in op.operands and name not in op.saves:
            found.append(f"({name}.__class__ not in PLAIN and holds_tensor({name}))")
    if op.kind_name in ("sum", "mean", "norm"):
        found += ["dtype is not None"] if "dtype" in op.params else []
    return found


def saving(op: Op, name: str) -> str:
    """The lines that put one value into the node; see `core.op.save`."""
    if name == "result":
        return "    node.result_, node.cell, node.result_version = array, None, 0\n"
    users = [f"n{i} is not None" for i, names in enumerate(op.needs.values()) if name in names]
    wanted = "True" if name in op.always else f"({' or '.join(users)})"
    if name in op.returns:
        saved = f"outs[{op.returns.index(name)}] if {wanted} else None"
        return f"    node.{name}_ = {saved}\n    node.{name}_version = 0 if {wanted} else -1\n"
    if name not in op.Node.tensors:
        if name in op.params:
            return f"    node.{name}_ = {name}\n"
        argument, _, what = name.rpartition("_")
        if argument in op.operands and not present(argument, op) and what in ("shape", "strides"):
            return f"    node.{name}_ = {argument}._array.{what}\n"
        return f"    node.{name}_ = fact('{name}', {{'{argument}': {argument}}})\n"
    return (
        f"    node.{name}_, node.{name}_version = ({name} if {wanted} else None), -1\n"
        f"    if {wanted} and isinstance({name}, Tensor):\n"
        f"        cell = {name}._cell\n"
        f"        node.{name}_version = 0 if cell is None else cell.value\n"
    )


__all__ = ["unroll"]
