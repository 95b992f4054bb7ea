"""The common case of a call, written straight; everything else goes to `call` in `op.py`.

At its declaration an operation knows nearly all there is to know about its calls: how many tensors
it takes, what its node has to save, whether it broadcasts.  So a function is made for it here whose
first lines ask whether this call is common: tensors of one floating dtype (the second may be a
number), no unusual mode.  If it is, the four steps of `op.py` are a few lines each.  If it is not,
or if the kernel refuses, `slow` makes the whole call.  Nothing has happened by then, so there is one
place that knows the rules, and one that raises errors.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from course_lib.calls import arguments
from course_lib.core.graph import FREED, cut, edge, next_order, stale
from course_lib.core.op import by_position, fact, laid_out
from course_lib.core.tensor import Tensor, new
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.modes import modes

ndarray, bool_ = np.ndarray, dtypes.bool_
ARRAYS = frozenset({np.ndarray, *np.sctypeDict.values()})
ONE, TWO = (0,), (0, 0)  # shared by most nodes: which output of the next node an input was
# Rules that give floating numbers their own dtype, or (compare) bools.
KINDS = {"promote", "float", "power", "sum", "mean", "spread", "norm", "compare", "number", "first"}
KINDS |= {"limits", "same"}
PLAIN = {int, float, bool, str, type(None), dtypes.dtype}


# ---- a call --------------------------------------------------------------------------------------


def made_over(array: Any, dtype: Any) -> Tensor:
    """`Tensor._make` without a choice of class."""
    out: Tensor = new(Tensor)
    out._array = array
    out._dtype = dtype
    out._cell = out._view = out._extras = out._node = None
    out._output_nr = 0
    out._requires_grad = False
    return out


NOTHING: Any = object()  # an argument that was not given


def quick(op: Any, slow: Callable) -> Callable:
    """The function to call for `op`: `slow`, with the common case in front of it."""
    elementwise = op.layout == "inputs" and op.kind_name in ("promote", "float", "compare")
    if op.lists or not op.operands or op.kind_name not in KINDS:
        return slow
    if not set(op.formulas) <= set(op.operands):
        return slow
    if not op.several and op.operands == op.params[:1] == ("self",):
        if set(op.params[op.signature.positional:]) <= set(op.signature.defaults):
            return of_one(op, slow, elementwise)
    if elementwise and not op.several and op.operands == ("self", "other") and op.signature.positional == 2:
        if "other" not in op.tensors_only and (op.kind_name == "compare" or len(op.formulas) == 2):
            return of_two(op, slow)
    return slow


def front(op: Any, run: Callable, slow: Callable, formulas: bool = False) -> Callable:
    """`run` for any arguments: with keywords, or too many or too few, `slow` makes the call.

    `formulas`: arrays may come, too, and go to the kernel: Note [One formula, two ways to run].
    """
    if op.signature.varargs or op.lists or (run is slow and not formulas):
        return slow
    kernel = op.plain or op.kernel
    arrays = ARRAYS if formulas else frozenset()
    least, most = op.signature.least, op.signature.positional
    if len(op.params) == 1:
        if not arrays:
            return run

        def one(self: Any = NOTHING, /, *rest: Any, **named: Any) -> Any:
            if self.__class__ in arrays and not rest and not named:
                return kernel(self)
            return run(*(() if self is NOTHING else (self,)), *rest, **named)

        return one
    if least == most == 2:

        def two(self: Any = NOTHING, other: Any = NOTHING, /, *rest: Any, **named: Any) -> Any:
            if other is NOTHING or rest or named:
                given = [value for value in (self, other) if value is not NOTHING]
                return slow(*given, *rest, **named)
            if self.__class__ in arrays and not isinstance(other, Tensor):
                return kernel(self, other)
            return run(self, other)

        return two

    def some(*args: Any, **kwargs: Any) -> Any:
        if kwargs or not least <= len(args) <= most:
            return slow(*args, **kwargs)
        if arrays and args[0].__class__ in arrays and not (
            len(args) > 1 and isinstance(args[1], Tensor)
        ):
            return (getattr(op, "on_arrays", None) or kernel)(*args)
        return run(*args)

    return some


def whole_numbers(op: Any) -> Callable:
    """A test of operands that are not floating: whether the kernel takes them as they are."""
    kinds_of = {"promote": (dtypes.int64, dtypes.int32), "compare": (dtypes.int64, dtypes.int32, bool_)}
    allowed = kinds_of.get(op.kind_name, (dtypes.int64,) if op.kind_name == "sum" else ())
    allowed = frozenset(allowed if op.layout == "inputs" or op.kind_name == "sum" else ())
    check, defaults, limit = op.check, op.signature.defaults, 1 << 31
    trusted = op.layout == "inputs"

    def fits(self: Any, other: Any = NOTHING) -> bool:
        if self._dtype not in allowed:
            return False
        if other is not NOTHING and not isinstance(other, Tensor):
            if other.__class__ is not int or not -limit < other < limit or self._dtype is bool_:
                return False
        if check is not None and trusted:
            check(**{**defaults, "self": self, **({} if other is NOTHING else {"other": other})})
        return True

    return fits


def of_one(op: Any, slow: Callable, elementwise: bool) -> Callable:
    """The call of an operation on one tensor, and perhaps plain values: `sin`, `sum`, `pow`."""
    kernel, Node, compares = op.plain or op.kernel, op.Node, op.kind_name == "compare"
    saves_self, saves_result = "self" in Node.saved, "result" in Node.saved
    saves_shape, recorded, check = "self_shape" in Node.saved, bool(op.formulas), op.check
    params, fits = op.params, whole_numbers(op)
    most = op.signature.positional  # what may come after these has to be named
    count, named_only = most - 1, op.signature.defaults
    named_only = {n: named_only[n] for n in params[most:]}
    tails = {n - 1: tuple(tail.values())[: most - n] for n, tail in op.signature.tails.items()}
    places = [(f"{n}_", params.index(n) - 1) for n in Node.saved if n in params[1:most]]
    constants = [(f"{n}_", v) for n, v in named_only.items() if n in Node.saved]
    if named_only and check is not None:
        check = (lambda by_name: lambda *values: by_name(**dict(zip(params, values)), **named_only))(check)
    else:
        check = None if elementwise and not count else by_position(check, params)
    facts = [n for n in Node.saved if n not in params and n not in ("self_shape", "result")]
    anything = op.kind_name == "same"
    alike = compares or (not anything and recorded)

    def run(self: Any = NOTHING, /, *rest: Any, **named: Any) -> Any:
        now = modes.now
        if named or now.special or now.inference or not isinstance(self, Tensor):
            return slow(*(() if self is NOTHING else (self,)), *rest, **named)
        dtype = self._dtype
        if not (dtype.plain or anything or fits(self)):
            return slow(self, *rest)
        given = self._array
        if not count:
            if rest:
                return slow(self, *rest)
            if check is not None:
                check(self)
            try:
                array = now.quiet(kernel, given)
            except Exception:
                array = None
        else:
            args = rest
            if len(args) != count:
                if len(args) not in tails:
                    return slow(self, *rest)
                args += tails[len(args)]
            for value in args:
                if value.__class__ not in PLAIN and not is_plain(value):
                    return slow(self, *rest)
            if check is not None:
                check(self, *args)
            try:
                array = now.quiet(kernel, given, *args)
            except Exception:
                array = None
        if array is None:  # after the handler, so that NumPy's error is forgotten
            return slow(self, *rest)
        if array.__class__ is ndarray and (
            not elementwise or array.ndim != 1 or array.base is not None or not array.size
        ):
            array = laid_out(op, array, (given,))
        kind = dtypes.of_numpy(array.dtype) if not alike else bool_ if compares else dtype
        out = made_over(array, kind)
        if recorded and now.grad and (self._requires_grad if self._view is None else self.requires_grad):
            if self._extras is not None and self._extras.inference:
                return slow(self, *rest)
            node: Any = new(Node)
            node.nodes = (edge(self),)
            node.numbers = (self._output_nr,) if self._output_nr else ONE
            node.order = next_order()
            node.shape = array.shape
            node.dtype = kind
            node.extras = None
            if saves_self:
                node.self_ = self
                node.self_version = 0 if self._cell is None else self._cell.value
            if saves_result:
                node.result_ = array
                node.cell = None
                node.result_version = 0
            if saves_shape:
                node.self_shape_ = given.shape
            for slot, at in places:
                setattr(node, slot, args[at])
            for slot, value in constants:
                setattr(node, slot, value)
            for name in facts:
                setattr(node, f"{name}_", fact(name, {"self": self}))
            out._node = node
            out._requires_grad = True
        return out

    return run


def of_two(op: Any, slow: Callable) -> Callable:
    """The call of an elementwise operation on two tensors, or a tensor and a number: `mul`."""
    kernel, Node, compares = op.plain or op.kernel, op.Node, op.kind_name == "compare"
    saves_self, saves_other, saves_result = [n in Node.saved for n in ("self", "other", "result")]
    # Whether the gradient of the first operand needs the first, the second; likewise the second's.
    (self_self, self_other), (other_self, other_other) = [
        [n in op.always or n in op.needs.get(of, ()) for n in ("self", "other")]
        for of in ("self", "other")
    ]
    to_self, to_other = "self" in op.formulas, "other" in op.formulas
    constants, fits = constants_of(op), whole_numbers(op)

    def run(self: Any, other: Any) -> Any:
        now = modes.now
        if now.special or now.inference or not isinstance(self, Tensor):
            return slow(self, other)
        dtype = self._dtype
        if isinstance(other, Tensor):
            right, number = other._array, False
            if other._dtype is not dtype:
                return slow(self, other)
        elif other.__class__ is float or other.__class__ is int:
            right, number = other, True
        else:
            return slow(self, other)
        if not dtype.plain and not fits(self, other):
            return slow(self, other)
        left = self._array
        try:
            array = now.quiet(kernel, left, right)
        except ValueError:
            array = None
        if array is None:  # after the handler: `slow` raises PyTorch's error, and NumPy's is forgotten
            return slow(self, other)
        if array.__class__ is ndarray and (array.ndim != 1 or array.base is not None or not array.size):
            array = layout.elementwise(array, (left, right))
        out = made_over(array, bool_ if compares else dtype)
        if not now.grad:
            return out
        one = to_self and (self._requires_grad if self._view is None else self.requires_grad)
        two = (to_other and not number) and (
            other._requires_grad if other._view is None else other.requires_grad
        )
        if one or two:
            if (self._extras is not None and self._extras.inference) or (
                not number and other._extras is not None and other._extras.inference
            ):
                return slow(self, other)
            node: Any = new(Node)
            first = edge(self) if one else None
            second = edge(other) if two else None
            node.nodes = (first, second)
            if (one and self._output_nr) or (two and other._output_nr):
                node.numbers = (self._output_nr if one else 0, other._output_nr if two else 0)
            else:
                node.numbers = TWO
            node.order = next_order()
            node.shape = array.shape
            node.dtype = dtype
            node.extras = None
            if saves_self:
                if (one and self_self) or (two and other_self):
                    node.self_ = self
                    node.self_version = 0 if self._cell is None else self._cell.value
                else:
                    node.self_ = None
            if saves_other:
                if number:
                    node.other_ = other if self_other else None
                    node.other_version = -1
                elif (one and self_other) or (two and other_other):
                    node.other_ = other
                    node.other_version = 0 if other._cell is None else other._cell.value
                else:
                    node.other_ = None
            if saves_result:
                node.result_ = array
                node.cell = None
                node.result_version = 0
            for name, value in constants:
                setattr(node, name, value)
            out._node = node
            out._requires_grad = True
        return out

    return run


def constants_of(op: Any) -> list[tuple[str, Any]]:
    """What a node saves of the other arguments, if they are not given."""
    return [(f"{n}_", v) for n, v in op.signature.defaults.items() if n in op.Node.saved]


def is_plain(value: Any) -> bool:
    """Whether an argument is a tuple or list of plain values."""
    return value.__class__ in (tuple, list) and all([v.__class__ in PLAIN for v in value])


# ---- backward ------------------------------------------------------------------------------------


def read_self(node: Any) -> Any:
    """The array of the first operand, or the number, if it is still what was saved."""
    value, version = node.self_, node.self_version
    if version < 0:
        return node.unpack("self", False)
    cell = value._cell
    if cell is not None and (cell.value != version or cell.detached):
        recheck(node)
    return value._array


def read_other(node: Any) -> Any:
    """The array of the second operand, or the number, if it is still what was saved."""
    value, version = node.other_, node.other_version
    if version < 0:
        return node.unpack("other", False)
    cell = value._cell
    if cell is not None and (cell.value != version or cell.detached):
        recheck(node)
    return value._array


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


READ = {"self": read_self, "other": read_other, "result": read_result}


def reader(op: Any, name: str) -> Callable:
    """A function that takes a saved value out of a node."""
    if name in op.Node.tensors:
        if name in READ:
            return READ[name]
        return lambda node: node.unpack(name, False)
    return attrgetter(f"{name}_")


def formula_of(op: Any, name: str) -> tuple[Callable, Callable | None]:
    """A formula as a function of the gradient and of at most one value read from the node."""
    formula = op.formulas[name]
    reads = [reader(op, word) for word in arguments.parameters(formula)[1:]]
    if not reads:
        return formula, None
    if len(reads) == 1:
        return formula, reads[0]
    if len(reads) == 2:
        one, two = reads
        return lambda grad, node: formula(grad, one(node), two(node)), itself
    return lambda grad, node: formula(grad, *[read(node) for read in reads]), itself


def itself(node: Any) -> Any:
    """The node, for a formula that reads several values from it."""
    return node


def backward(op: Any) -> Callable | None:
    """What a node of the operation does with an array: the gradients, one per edge."""
    if not op.formulas or op.lists or op.several or set(op.gradients.values()) != {("grad",)}:
        return None
    formulas = [formula_of(op, name) for name in op.formulas]
    release = releasing(op)
    if len(formulas) == 1:
        ((formula, read),) = formulas

        def run(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
            if node.nodes[0] is None:
                found = None
            else:
                found = formula(grad) if read is None else formula(grad, read(node))
            if not keep and release is not None:
                release(node)
            return (found,)

        return run
    if len(formulas) == 2:
        (one, read_one), (two, read_two) = formulas

        def run_two(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
            to_one, to_two = node.nodes
            first = second = None
            if to_one is not None:
                first = one(grad) if read_one is None else one(grad, read_one(node))
            if to_two is not None:
                second = two(grad) if read_two is None else two(grad, read_two(node))
            elif to_one is None:
                recheck(node)
            if not keep and release is not None:
                release(node)
            return first, second

        return run_two

    def run_all(node: Any, grad: Any, keep: bool) -> tuple[Any, ...]:
        results = tuple([
            None if to is None else f(grad) if read is None else f(grad, read(node))
            for (f, read), to in zip(formulas, node.nodes)
        ])
        if not keep and release is not None:
            release(node)
        return results

    return run_all


def releasing(op: Any) -> Callable | None:
    """`OpNode.release` for the tensors that this operation saves; None if there are none."""
    tensors = op.Node.tensors
    if not tensors:
        return None
    if not set(tensors) <= {"self", "other", "result"}:
        return op.Node.release
    saves_self, saves_other, saves_result = [n in tensors for n in ("self", "other", "result")]

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

    return release
