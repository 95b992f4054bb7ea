"""What the functions of a graph gave out, as far as it can still be known.

A value is known where it has a name, where its function or one that used it saved it, and where it
can be computed once more from what is known: `a + b` saves nothing, but `a` and `b` may be there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import Saved, saved_by, value_of
from course_lib.viz.reading.walk import Walk, is_leaf_node, name_of

# function: (its operands, how to write it, how to compute it). The number behind the name is
# PyTorch's: SumBackward1 is the sum over dimensions.
FUNCTIONS: dict[str, tuple[tuple[str, ...], str, Callable[..., Any]]] = {
    "Abs0": (("self",), "abs({})", lambda node, x: x.abs()),
    "Acos0": (("self",), "acos({})", lambda node, x: x.acos()),
    "Add0": (("self", "other"), "{} + {}", lambda node, a, b: a + node._saved_alpha * b),
    "Asin0": (("self",), "asin({})", lambda node, x: x.asin()),
    "Bmm0": (("self", "mat2"), "matrix product", lambda node, a, b: a @ b),
    "Div0": (("self", "other"), "{} / {}", lambda node, a, b: a / b),
    "Exp0": (("self",), "exp({})", lambda node, x: x.exp()),
    "Log0": (("self",), "log({})", lambda node, x: x.log()),
    "Log100": (("self",), "log10({})", lambda node, x: x.log10()),
    "Log1P0": (("self",), "log1p({})", lambda node, x: x.log1p()),
    "Log20": (("self",), "log2({})", lambda node, x: x.log2()),
    "Mean0": (("self",), "mean", lambda node, x: x.mean()),
    "Mean1": (("self",), "mean", lambda node, x: x.mean(_dims(node), node._saved_keepdim)),
    "Mm0": (("self", "mat2"), "matrix product", lambda node, a, b: a @ b),
    "Mul0": (("self", "other"), "{} * {}", lambda node, a, b: a * b),
    "Neg0": (("self",), "-{}", lambda node, x: -x),
    "Pow0": (("self", "exponent"), "({}) ** {}", lambda node, x, p: x**p),
    "Pow1": (("self", "exponent"), "({}) ** {}", lambda node, x, p: x**p),
    "Reciprocal0": (("self",), "1 / {}", lambda node, x: x.reciprocal()),
    "Relu0": (("self",), "relu({})", lambda node, x: x.relu()),
    "Rsqrt0": (("self",), "rsqrt({})", lambda node, x: x.rsqrt()),
    "Sqrt0": (("self",), "sqrt({})", lambda node, x: x.sqrt()),
    "Sub0": (("self", "other"), "{} - {}", lambda node, a, b: a - node._saved_alpha * b),
    "Sum0": (("self",), "sum", lambda node, x: x.sum()),
    "Sum1": (("self",), "sum", lambda node, x: x.sum(_dims(node), node._saved_keepdim)),
}
# These give out the numbers that they receive, in another order or shape: whether all of them are
# finite is known, which of them meets which in a later function is not.
SAME_NUMBERS = {
    "Alias0", "Clone0", "Expand0", "Permute0", "ReshapeAlias0", "Squeeze0", "Squeeze1", "T0",
    "Transpose0", "UnsafeView0", "Unsqueeze0", "View0",
}  # fmt: skip


def _dims(node: Any) -> tuple[int, ...]:
    """The dimensions of a sum or mean; PyTorch tells -1 as an unsigned number."""
    return tuple(d - 2**64 if d >= 2**63 else d for d in node._saved_dim)


def key_of(node: Any) -> str:
    """The name of a function without the word that all of them have: `Log0`.

    >>> class Log:
    ...     def name(self): return "LogBackward0"
    >>> key_of(Log())
    'Log0'
    """
    return name_of(node).replace("Backward", "")


@dataclass
class Results:
    """The known values of a graph, by function and output number, and what functions saved."""

    walk: Walk
    values: dict[tuple[int, int], Any] = field(default_factory=dict)
    saved: dict[int, list[Saved]] = field(default_factory=dict)
    loose: set[tuple[int, int]] = field(default_factory=set)  # known up to order and shape

    def of(self, i: int) -> list[Any]:
        """The known results of a function; the tensor of a leaf."""
        node = self.walk.nodes[i]
        if is_leaf_node(node):
            return [node.variable]
        return [value for (k, _), value in self.values.items() if k == i]

    def input(self, i: int, slot: int) -> Any:
        """What went into a function at a place, None where it is not known."""
        if slot >= len(self.walk.edges[i]):
            return None
        target, output_nr = self.walk.edges[i][slot]
        if target is None:
            return None
        node = self.walk.nodes[target]
        return node.variable if is_leaf_node(node) else self.values.get((target, output_nr))

    def operand(self, i: int, name: str, slot: int) -> Any:
        """An operand by its name: as it was saved, else what came along its edge."""
        for item in self.saved.get(i, ()):
            if item.name == name:
                return item.tensor if item.state == "good" else None
        number = value_of(self.walk.nodes[i], name)
        if number is not None:
            return number
        edges = self.walk.edges[i]
        return None if slot < len(edges) and edges[slot] in self.loose else self.input(i, slot)

    def operands(self, i: int) -> list[Any] | None:
        """All operands of one of the `FUNCTIONS`; None where one is not known."""
        if key_of(self.walk.nodes[i]) not in FUNCTIONS:
            return None
        names = FUNCTIONS[key_of(self.walk.nodes[i])][0]
        found = [self.operand(i, name, slot) for slot, name in enumerate(names)]
        return None if any(value is None for value in found) else found


def results_of(walk: Walk, names: Names, outputs: tuple[Any, ...]) -> Results:
    """Everything that is known, and then what follows from it."""
    found = Results(walk)
    functions = [i for i, node in enumerate(walk.nodes) if not is_leaf_node(node)]
    functions.sort(key=lambda i: getattr(walk.nodes[i], "_sequence_nr", lambda: 0)())
    met = [*outputs, *names.tensors]
    for i in functions:
        found.saved[i] = saved_by(walk.nodes[i])
        met += [item.tensor for item in found.saved[i] if item.state == "good"]
    for tensor in met:
        maker = None if tensor.grad_fn is None else walk.find(tensor.grad_fn)
        if maker is not None:
            found.values.setdefault((maker, getattr(tensor, "output_nr", 0)), tensor.detach())
    for i in functions:
        if (i, 0) not in found.values:
            value = _computed(found, i)
            if value is not None:
                found.values[i, 0] = value
    return found


def _computed(found: Results, i: int) -> Any:
    node = found.walk.nodes[i]
    if key_of(node) in SAME_NUMBERS:
        value = found.input(i, 0)
        found.loose.add((i, 0))
        return None if value is None else value.detach()
    operands = found.operands(i)
    if operands is None or not getattr(node, "_saved_dim", True):
        return None
    plain = [o.detach() if hasattr(o, "detach") else o for o in operands]
    return FUNCTIONS[key_of(node)][2](node, *plain)
