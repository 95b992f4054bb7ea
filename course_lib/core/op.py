"""An operation: the facts of its declaration.

    @op(kind="promote", self=lambda grad, other: grad * other,
                        other=lambda grad, self: grad * self)
    def mul(self, other):
        return self * other

Read it as: *the gradient for `self`, given `grad` and `other`, is …*.  The names of a formula's
parameters say what has to be saved: an argument, the `result`, or only `<argument>_shape`.  This
one declaration gives the function, the method, the in-place method, `out=`, the node class
(`MulBackward0`) with its `_saved_…` attributes (`declare/op.py`), and test cases of its formulas.
`calls.py` says what happens when the operation is called, `saved.py` what its nodes do.

Note [One formula, two ways to run]: an operation called with no tensor among its arguments runs
its kernel on those arguments.  So a formula written with operators and operations works on arrays
(fast, in an ordinary backward pass) and on tensors (with `create_graph`, the gradient has its own
history).  Arrays follow NumPy's promotion; if dtypes were mixed, or the kernel computes in another
precision, the formula always runs on tensors (`Extras.mixed`).
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from course_lib.calls import arguments, rules
from course_lib.core import saved
from course_lib.core.saved import OpNode
from course_lib.core.tensor import Tensor
from course_lib.dtypes import kinds
from course_lib.dtypes.dtypes import FLOATING
from course_lib.memory import layout
from course_lib.words import errors

GRADS = ("grad", "grads")
LATE = ("result", "total_weight")  # what an operation itself computes comes after its arguments
NOTHING: Any = object()  # an argument that was not given
TABLE: "dict[str, Op]" = {}  # every declared operation, by its name
FACTS: dict[str, Callable] = {"offset": Tensor._offset, "dtype": attrgetter("_dtype")}
FACTS |= {what: attrgetter(f"_array.{what}") for what in ("shape", "strides")}


class Op:
    """One operation: its kernel, its dtype rule, its formulas and the values that they save."""

    call: Callable  # what answers a call: `calls.py`, for a view operation `views.py`

    def __init__(self, kernel: Callable, kind: str, formulas: dict[str, Callable], **facts: Any):
        self.kernel, self.kind_name, self.kind = kernel, kind, kinds.KINDS[kind]
        self.name: str = facts.get("name") or kernel.__name__.rstrip("_")
        self.signature = signature = arguments.Parameters(kernel, facts.get("varargs"))
        self.params = signature.names
        required = tuple(p for p in self.params if p not in signature.defaults)
        likely = tuple(p for p in self.params if p in formulas) or required
        self.operands: tuple[str, ...] = facts.get("operands") or likely
        self.tensors_only: tuple[str, ...] = facts.get("tensors_only", ())  # no numbers here
        self.layout: str = facts.get("layout", "inputs")
        self.returns: tuple[str, ...] = facts.get("returns", ())
        self.several: bool = facts.get("several", bool(self.returns))
        self.label: str = facts.get("node") or camel(self.name) + "Backward0"
        self.saves: tuple[str, ...] = facts.get("saves", ())  # saved tensors that aren't operands
        # What PyTorch lists besides: values, or functions of the node; `...`: it does not list it.
        self.shows: dict[str, Any] = facts.get("shows", {})
        self.check = rules.checking(self.name, facts.get("refuses", ()), self.params)
        self.spares_floats: bool = getattr(self.check, "spares_floats", False)  # of one dtype
        self.holomorphic: bool = facts.get("holomorphic", True)  # Note [Complex gradients]
        self.product: Callable | None = facts.get("product")
        self.plain: Callable = facts.get("plain") or kernel  # on floating operands alone
        self.on_arrays: Callable = facts.get("on_arrays") or self.plain  # in formulas
        self.formulas, self.lists = formulas, tuple(n for n in formulas if n == "tensors")
        words = {name: arguments.parameters(f) for name, f in formulas.items()}
        self.gradients = {n: tuple(w for w in ws if w in GRADS) for n, ws in words.items()}
        self.needs = {n: list_needed(ws) for n, ws in words.items()}
        self.Node = self.node_class()
        self.extra = tuple(map(signature.defaults.get, self.params[len(self.operands) :]))
        self.tails = {} if signature.gathers else signature.tails
        self.find_positions()

    def find_positions(self) -> None:
        """Find the positions of arguments, since calls go by position."""
        at = {name: number for number, name in enumerate(self.params)}
        self.places = tuple(at[name] for name in self.operands)
        self.others = tuple(at[name] for name in self.params if name not in self.operands)
        # Where gradients go, whether to a list, and what their formulas need.
        self.reached = [(at[n], n in self.lists, names) for n, names in self.needs.items()]
        # What `save` puts into which slot: tensors (one of several results is counted from their
        # end), other arguments, facts about arguments.
        at |= {name: number - len(self.returns) for number, name in enumerate(self.returns)}
        names, tensors = [n for n in self.Node.saved if n != "result"], self.Node._tensors
        self.saved_tensors = [(n, f"{n}_", f"{n}_version", at[n]) for n in names if n in tensors]
        self.saved_values = [(f"{n}_", at[n]) for n in names if n in at and n not in tensors]
        facts = [(f"{n}_", *n.rpartition("_")[::2]) for n in names if n not in at]
        self.saved_facts = [
            (slot, at[argument], what, FACTS[what]) for slot, argument, what in facts
        ]

    def node_class(self) -> Any:
        """The class of this operation's nodes, with a slot for each value that formulas need."""
        every = [name for names in self.needs.values() for name in names]
        names = list_needed(every)
        # Saved whichever inputs need a gradient: what several formulas use, or the only formula.
        self.always = tuple(n for n in names if len(self.needs) == 1 or every.count(n) > 1)
        known = {"result", *self.returns, *self.operands, *self.formulas, *self.saves}
        tensors = tuple(n for n in names if n in known)
        slots = [f"{n}_" for n in names] + [f"{n}_version" for n in tensors]
        body = {
            "__slots__": (*slots, "cell") if "result" in names else tuple(slots),
            "op": self,
            "label": self.label,
            "needs": self.needs,
            "saved": names,
            "_tensors": tensors,
            "returned": {name: number for number, name in enumerate(self.returns)},
        }
        Node: Any = type(self.label, (OpNode,), body)
        Node.release = saved.releasing(Node)
        Node.run = saved.backward(self, Node) or Node.run
        return Node


def list_needed(words: Iterable[str]) -> tuple[str, ...]:
    """The values that the formulas need, in the order in which PyTorch unpacks and checks them."""
    return tuple(sorted(set(words) - set(GRADS), key=lambda word: (word.startswith(LATE), word)))


def camel(name: str) -> str:
    """The name in camel case: ``MaskedFill`` for ``masked_fill``."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


# ---- saving values ------------------------------------------------------------------------------


def save(node: Any, values: tuple, outputs: list[Tensor], needed: tuple) -> None:
    """Put what the formulas need into a node: Note [Saved versions].

    Tensors whose names are not among the `needed` are not kept.
    """
    op = node.op
    for slot, at in op.saved_values:
        setattr(node, slot, values[at])
    for slot, at, what, read in op.saved_facts:
        value = values[at]
        setattr(node, slot, read(value) if isinstance(value, Tensor) else fact(what, value))
    for name, slot, version, at in op.saved_tensors:
        value = None
        if name in needed:
            value = values[at] if at >= 0 else detach_output(outputs[at])
        setattr(node, slot, value)
        if not isinstance(value, Tensor):
            setattr(node, version, saved.NUMBER)
            continue
        if value._extras is not None and value._extras.inference:
            raise RuntimeError(errors.INFERENCE_SAVED)
        setattr(node, version, 0 if value._cell is None else value._cell.value)
    if "result" in node.saved:  # its array only, since the tensor holds the node
        out = outputs[0]
        node.result_, node.cell, node.result_version = out._array, out._cell, out._version


def detach_output(output: Tensor) -> Tensor:
    """One of several outputs, to be saved: not the tensor itself if that will hold the node."""
    if output._dtype.category < FLOATING:
        return output
    output._share()
    twin = Tensor._make(output._array, output._dtype)
    twin._cell = output._cell
    return twin


def fact(what: str, value: Any) -> Any:
    """The shape, the strides, the dtype … of an argument: a tensor, an array, or a list of them."""
    if isinstance(value, Tensor):
        return FACTS[what](value)
    if isinstance(value, (list, tuple)):
        return [fact(what, one) for one in value]
    return layout.offset_of(value) if what == "offset" else getattr(value, what, ())
