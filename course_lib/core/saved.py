"""The nodes of declared operations: what they save, and how they run their formulas.

A formula says what one input's gradient is: ``lambda grad, other: grad * other``.  Its parameters
name what the node has to save.  A backward pass calls `run` with an array: the formulas, each
paired with a reader that takes its value out of the node and checks its version.  Whatever is less
common, such as tensors whose gradients get a history of their own (`create_graph`), goes through
`apply`, which calls the same formulas.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from course_lib.calls.arguments import parameters
from course_lib.core.graph import Node, is_tensor
from course_lib.dtypes.dtypes import FLOATING


class _Freed:
    """Replaces a freed saved tensor: every version check fails on it."""

    _view = None

    class _cell:
        value = -2


FREED = _Freed()
NUMBER = -1  # the "version" of a number, or of nothing
PACKED = -3  # the "version" of a value that `saved_tensors_hooks` have replaced


class OpNode(Node):
    """A node of a declared operation; `Op` makes a subclass for each (`MulBackward0`).

    It has a slot ``<name>_`` for each saved name, and ``<name>_version`` if that is a tensor.
    A saved input is the tensor itself.  A saved `result` is only the array: the result holds this
    node, so holding the tensor here would be a reference cycle.  Its version cell is in `cell`.
    """

    __slots__ = ()
    op: Any  # the declaration
    needs: dict[str, tuple[str, ...]] = {}  # per formula, the names it needs
    _tensors: tuple[str, ...] = ()  # the saved names that are tensors
    returned: dict[str, int] = {}  # the names of several results, and which these are

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        op = self.op
        gives_tensors = is_tensor(grad)
        # Note [Complex gradients]: PyTorch's gradient of a complex z is the conjugate of df/dz.
        # So for a holomorphic operation the formula for real numbers is right if it is applied
        # to the conjugates of what was saved; `abs`, `real` and the like have their own formulas.
        results: list[Any] = []
        values = {name: self.unpack(name, gives_tensors) for name in self.saved}
        if op.holomorphic and self._dtype.category > FLOATING:
            values = {name: conjugate(value) for name, value in values.items()}
        for index, (name, names) in enumerate(self.needs.items()):
            if name not in op.lists and self.nodes[index] is None:
                results.append(None)
                continue
            given = {n: values[n] for n in names}
            for word in op.gradients[name]:
                given[word] = grad[0] if word == "grad" and isinstance(grad, list) else grad
            result = op.formulas[name](**given)
            results.extend(result) if name in op.lists else results.append(result)
        if not keep:
            self.release()
        return tuple(results)

    unpack: Any  # a saved value, checked, as a tensor or an array: `declare/rare.py`
    maker: Any  # the node that the result has, perhaps a view's: likewise
    release: Any  # forgets the saved tensors, so that reading them is an error: `releasing`


def conjugate(value: Any) -> Any:
    """The conjugate of a tensor, an array or a complex number; any other value itself."""
    if isinstance(value, complex):
        return value.conjugate()
    return value.conj() if hasattr(value, "conj") else value


# ---- the formulas on arrays ----------------------------------------------------------------------


def backward(op: Any, Node: Any) -> Callable | None:
    """The `run` of an operation's nodes; None if they need `apply`: lists, several outputs."""
    if not op.formulas or op.lists or op.several or set(op.gradients.values()) != {("grad",)}:
        return None
    formulas = [pair_formula(formula, Node) for formula in op.formulas.values()]
    release = Node.release

    def run_all(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
        results = [
            None if to is None else formula(grad) if read is None else formula(grad, read(node))
            for (formula, read), to in zip(formulas, node.nodes)
        ]
        if not keep:
            release(node)
        return tuple(results)

    if len(formulas) != 2:
        return of_one_formula(*formulas[0], release) if len(formulas) == 1 else run_all
    (one, read_one), (two, read_two) = formulas

    def run(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
        to_one, to_two = node.nodes
        first = second = None
        if to_one is not None:
            first = one(grad) if read_one is None else one(grad, read_one(node))
        if to_two is not None:
            second = two(grad) if read_two is None else two(grad, read_two(node))
        elif to_one is None:
            recheck(node)
        if not keep:
            release(node)
        return first, second

    return run


def of_one_formula(formula: Callable, read: Callable | None, release: Callable) -> Callable:
    """`backward` for an operation with a single formula."""

    def run(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
        found = None
        if node.nodes[0] is not None:
            found = formula(grad) if read is None else formula(grad, read(node))
        if not keep:
            release(node)
        return (found,)

    return run


def pair_formula(formula: Callable, Node: Any) -> tuple[Callable, Callable | None]:
    """A formula as a function of the gradient and of one value that a reader takes from a node."""
    words = parameters(formula)[1:]
    reads = [reader(Node, word) for word in words]
    if len(reads) < 2:
        return formula, reads[0] if reads else None
    if not set(words) & set(Node._tensors):
        return lambda grad, found: formula(grad, *found), attrgetter(*[f"{w}_" for w in words])
    if len(reads) == 2:
        one, two = reads
        return lambda grad, node: formula(grad, one(node), two(node)), itself
    if not set(words[1:]) & set(Node._tensors):
        one, rest = reads[0], attrgetter(*[f"{w}_" for w in words[1:]])
        return lambda grad, node: formula(grad, one(node), *rest(node)), itself
    return lambda grad, node: formula(grad, *[read(node) for read in reads]), itself


def itself(node: Any) -> Any:
    """The node, for a formula that reads several values from it."""
    return node


def reader(Node: Any, name: str) -> Callable:
    """A function that takes a saved value out of a node, its version checked: an array."""
    get, seen = attrgetter(f"{name}_"), attrgetter(f"{name}_version")
    if name not in Node._tensors or name == "result":
        return read_result if name == "result" else get

    def read(node: Any) -> Any:
        value, version = get(node), seen(node)
        if version < 0:
            return value if version == NUMBER else node.unpack(name, False)
        cell = value._cell
        if cell is not None and (cell.value != version or cell.detached):
            recheck(node)
        return value._array

    return read


def read_result(node: Any) -> Any:
    """The array of the result."""
    cell = node.cell
    if cell is not None and cell.value != node.result_version:
        recheck(node)
    return node.result_


def recheck(node: Any) -> None:
    """Raise PyTorch's error for the first saved value that is stale."""
    for name in node.saved:
        node.unpack(name, False)


def releasing(Node: Any) -> Callable:
    """How nodes of a class forget the saved tensors."""
    names = Node._tensors
    saves_self, saves_other, saves_result = [n in names for n in ("self", "other", "result")]
    rest = [(f"{n}_", f"{n}_version") for n in names if n not in ("self", "other", "result")]

    def release(node: Any) -> None:
        if saves_self and node.self_ is not None:
            node.self_ = FREED
            node.self_version = 0
        if saves_other and node.other_ is not None:
            node.other_ = FREED
            node.other_version = 0
        if saves_result:
            node.result_ = None
            node.cell = FREED._cell
        for slot, version in rest:
            if getattr(node, slot) is not None:
                setattr(node, slot, FREED)
                setattr(node, version, 0)

    return release
