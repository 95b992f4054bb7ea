"""From the formulas of an operation to its node class.

For `mul` this file composes, and Python compiles, what one would write by hand:

    def apply(node, grad, keep):
        nodes = node.nodes
        if nodes[0] is not None:
            other = node.other_
            if node.other_version >= 0: …check the version…; other = other._array
            gself = formula_self(grad, other)
        …
        return (gself, gother)

`MulBackward0.source` holds that text.  `call_formulas` does the same on tensors, by a loop.
"""

from __future__ import annotations

import inspect
import linecache
from typing import TYPE_CHECKING, Any

from course_lib.core.graph import FREED, Node, stale
from course_lib.core.tensor import Tensor, new

if TYPE_CHECKING:
    from course_lib.core.op import Op

GRADS = ("grad", "grads", "wanted")


def node_class(op: Op) -> Any:
    """The node class of an operation: slots for what is saved, and a compiled `apply`."""
    needs = {
        name: tuple(p for p in inspect.signature(formula).parameters if p not in GRADS)
        for name, formula in op.formulas.items()
    }
    names = list(dict.fromkeys(n for group in needs.values() for n in group))
    tensors = [n for n in names if is_tensor(op, n)]
    slots = [f"{n}_" for n in names] + [f"{n}_version" for n in tensors]
    if "result" in names:
        slots.append("cell")
    body: dict[str, Any] = {
        "__slots__": tuple(slots),
        "op": op,
        "label": op.label,
        "needs": needs,
        "saved": tuple(names),
        "tensors": tuple(tensors),
        "saves_self": op.params[0] in names and op.params[0] in op.formulas,
        "outputs": len(op.returns) or 1,
    }
    cls: Any = type(op.label, (OpNode,), body)
    if op.formulas:
        cls.source = compose(op, needs, tensors)
        namespace = {f"formula_{n}": f for n, f in op.formulas.items()}
        namespace.update(stale=stale, FREED=FREED)
        file = f"<node of {op.name}>"
        linecache.cache[file] = (len(cls.source), None, cls.source.splitlines(True), file)
        exec(compile(cls.source, file, "exec"), namespace)
        cls.apply = namespace["apply"]
    return cls


def is_tensor(op: Op, name: str) -> bool:
    """Whether a saved name is a tensor, whose version has to be watched."""
    return name == "result" or name in op.returns or name in op.operands or name in op.formulas


def compose(op: Op, needs: dict[str, tuple[str, ...]], tensors: list[str]) -> str:
    """The text of `apply`."""
    lines = ["def apply(node, grad, keep):"]
    if len(needs) > 1 and not op.lists:
        lines.append("    nodes = node.nodes")
    results = []
    for index, (name, names) in enumerate(needs.items()):
        indent = "    "
        if len(needs) > 1 and not op.lists:
            lines.append(f"    g{index} = None")
            lines.append(f"    if nodes[{index}] is not None:")
            indent *= 2
        for n in names:
            lines.append(f"{indent}{n} = node.{n}_")
            if n == "result":
                lines.append(f"{indent}cell = node.cell")
                lines.append(f"{indent}if cell is not None and cell.value != node.result_version:")
                lines.append(f"{indent}    raise stale(node, 'result')")
            elif n in tensors:
                lines.append(f"{indent}if node.{n}_version >= 0:")
                lines.append(f"{indent}    cell = {n}._cell")
                lines.append(
                    f"{indent}    if (0 if cell is None else cell.value) != node.{n}_version:"
                )
                lines.append(f"{indent}        raise stale(node, '{n}')")
                lines.append(f"{indent}    {n} = {n}._array")
        first = inspect.signature(op.formulas[name]).parameters
        given = [p for p in first if p in GRADS]
        words = [
            "wanted" if p == "wanted" else ("grad[0]" if p == "grad" and op.returns else "grad")
            for p in given
        ]
        call = ", ".join(
            [f"{p}={w}" for p, w in zip(given, words, strict=True)] + [f"{n}={n}" for n in names]
        )
        lines.append(f"{indent}g{index} = formula_{name}({call})")
        results.append(f"*g{index}" if name in op.lists else f"g{index}")
    if tensors:
        lines.append("    if not keep:")
        for n in tensors:
            if n == "result":
                lines.append("        node.result_, node.cell = None, FREED._cell")
            else:
                lines.append(f"        node.{n}_, node.{n}_version = FREED, 0")
    lines.append(f"    return ({', '.join(results)},)")
    return "\n".join(lines) + "\n"


class OpNode(Node):
    """A node of a declared operation."""

    __slots__ = ()
    op: Any
    needs: dict[str, tuple[str, ...]] = {}
    tensors: tuple[str, ...] = ()
    saves_self = False
    source = ""

    def readable(self) -> tuple[str, ...]:
        return tuple(n for n in self.saved if not n.endswith(("_shape", "_dtype")))

    def read_saved(self, name: str) -> Any:
        if name not in self.readable():
            return Ellipsis
        value = unpack(self, name)
        if name in self.tensors and isinstance(value, (bool, int, float, complex)):
            from course_lib.facts import kinds

            dtype = kinds.of_number(value)
            return Tensor._make(kinds.scalar(value, dtype.numpy), dtype)
        return value

    def call_formulas(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        """`apply` on tensors: the gradients have a history if grad mode is on."""
        op = self.op
        results: list[Any] = []
        for index, (name, names) in enumerate(self.needs.items()):
            if not op.lists and self.nodes[index] is None:
                results.append(None)
                continue
            given: dict[str, Any] = {n: unpack(self, n) for n in names}
            for p in inspect.signature(op.formulas[name]).parameters:
                if p in GRADS:
                    given[p] = grad[0] if p == "grad" and op.returns else grad
            result = op.formulas[name](**given)
            results.extend(result) if name in op.lists else results.append(result)
        if not keep:
            release(self)
        return tuple(results)


def unpack(node: Any, name: str) -> Any:
    """A saved value as the user sees it: a tensor with its history; checked as in `apply`."""
    value = getattr(node, name + "_")
    if name not in node.tensors:
        return value
    if name == "result":
        cell = node.cell
        if value is None or (cell is not None and cell.value != node.result_version):
            raise stale(node, "result")
        out: Any = Tensor._make(value, node.dtype)
        out._cell, out._node, out._requires_grad = cell, node, True
        return out
    if value is None or node.__class__ is None:
        return None
    version = getattr(node, name + "_version")
    if version >= 0:
        cell = value._cell
        if (0 if cell is None else cell.value) != version:
            raise stale(node, name)
    return value


def release(node: Any) -> None:
    """Forget the saved tensors; reading them is an error from now on."""
    for name in node.tensors:
        if name == "result":
            node.result_, node.cell = None, FREED._cell
        else:
            setattr(node, name + "_", FREED)
            setattr(node, name + "_version", 0)


def save(node: Any, op: Op, values: dict, outputs: list[Tensor], needed: set[str]) -> None:
    """Put what the formulas in use will need into the node."""
    for name in node.saved:
        if name == "result":
            out = outputs[0]
            node.result_, node.cell, node.result_version = out._array, out._cell, out._version
        elif name in node.tensors:
            value = values.get(name)
            if name in op.returns:
                value = outputs[op.returns.index(name)]
            if name not in needed:
                value = None
            setattr(node, name + "_", value)
            if isinstance(value, Tensor):
                setattr(node, name + "_version", value._version)
            else:
                setattr(node, name + "_version", -1)
        else:
            setattr(node, name + "_", fact(name, values))


def fact(name: str, values: dict) -> Any:
    """A saved value that is no tensor: an argument, or `<argument>_shape`, `<argument>_dtype`."""
    if name in values:
        return values[name]
    argument, _, what = name.rpartition("_")
    value = values[argument]
    if isinstance(value, (list, tuple)):
        return [attribute(v, what) for v in value]
    return attribute(value, what)


def attribute(value: Any, what: str) -> Any:
    """The shape, dtype or strides of an argument; a number counts as 0-dim."""
    if isinstance(value, Tensor):
        return value._dtype if what == "dtype" else getattr(value._array, what)
    return getattr(value, what, ())


def replace_self(node: Any, op: Op, original: Tensor) -> None:
    """For an in-place call: save the value that is about to be overwritten, not the tensor."""
    name = op.params[0]
    if getattr(node, name + "_") is not None:
        setattr(node, name + "_", original)
        setattr(node, name + "_version", 0)


__all__ = ["new", "node_class"]
