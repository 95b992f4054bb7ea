"""The call of an operation, unrolled.

`core.op.call` loops over arguments, operands, formulas and saved values.  Instead, this file
composes, and Python compiles, the function that you would write by hand for `sin` (it takes half
the time):

    def run(self):
        now = modes.now
        if now.special or not isinstance(self, Tensor) or not (common := self._dtype).plain:
            return unusual(self)
        array = now.quiet(op_kernel, self._array)
        …
        out = new(Tensor)
        out._array, out._dtype = array, common
        …
        if not now.grad or not self._requires_grad:
            return out
        node = op_node()
        node.nodes = (self._node or edge(self),)
        …

It handles operands of one floating dtype, of int64, int32 or bool where these stay what they are
(or of any dtype, for an operation that converts nothing), of which the second may be a number, with
plain values as the other arguments.  All other calls, and those that the kernel refuses, go to
`unusual`: to `call`, or to the operator's checks before it.
Any other error is a bug in this text, and is not hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_lib.core.graph import edge, next_order
from course_lib.core.op import Op, attach, call, fact, kept, widest
from course_lib.core.tensor import Tensor, new
from course_lib.declare.fronts import NOTHING, Doubt
from course_lib.declare.switch import faster
from course_lib.dtypes import dtypes, kinds
from course_lib.memory import layout
from course_lib.modes import modes
from course_lib.speed.becoming import becoming, first_of_one, first_of_two
from course_lib.speed.lists import compose_list, takes_list
from course_lib.speed.mixed import in_int64, of_one_dtype

PLAIN = {int, float, bool, str, type(None), dtypes.dtype}
# Rules that keep the dtype of floating numbers, or (compare) give bools.
KINDS = {"promote", "float", "power", "sum", "mean", "spread", "norm", "compare", "number", "first"}
KINDS |= {"limits"}
WHOLE = {"promote", "compare", "sum"}  # rules that keep int64; but for sums, int32 too
UNSURE = " and (array.ndim != 1 or array.base is not None or not array.size)"
LAID_OUT = {
    "inputs": "elementwise({one}, [{inputs}])",
    "contiguous": "owned({one})",
    "kernel": "kept({one})",
}
NUMBER = """\
    if isinstance(other, Tensor):
        if other._dtype is not common:
            {leave}
        a_other = other._array
    elif other.__class__ is float or other.__class__ is int:
        a_other = other
    else:
        {leave}
"""
RESULT = """\
    out = new(Tensor)
    out._array = array
    out._dtype = {dtype}
    out._cell = out._view = out._extras = out._node = None
    out._output_nr = 0
    out._requires_grad = False
"""
RECORDED = """\
    node = op_node()
    node.nodes = ({nodes})
    node.numbers = {numbers}
    node.order = next_order()
    node.shape = {shape}
    node.dtype = {dtype}
    node.extras = None
"""
ALWAYS_SLOW = """\
def run(*args, **kwargs):
    return slow(*args, **kwargs)
"""
TRACKED = "({n}._requires_grad if {n}._view is None else {n}.requires_grad)"
INFERENCE = "{n}._extras is not None and {n}._extras.inference"
SAVED = """\
        node.{name}_ = {name}
        cell = {name}._cell
        node.{name}_version = 0 if cell is None else cell.value
"""
PERHAPS_SAVED = """\
        node.{name}_ = {name}
        node.{name}_version = -1
        if {is_tensor}:
            cell = {name}._cell
            node.{name}_version = 0 if cell is None else cell.value
"""


def unroll(op: Any) -> None:
    """Unroll the two calls of an operation, `run` and `quick`; see `declare/faster.py`.

    If there is an `op.product`, which gives the result of plain operands or None, `quick` takes the
    operands only.
    """
    signature = op.signature

    def unusual(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and are_arrays(args, op.lists) and signature.in_order(args) is args:
            return op.kernel(*args)  # in a formula: Note [One formula, two ways to run]
        return call(op, *args, **kwargs)

    if takes_two(op):
        unusual = of_one_dtype(op, unusual)
    if op.name in ("sum_all", "sum"):
        unusual = in_int64(op, unusual)
    faster(op, run=signature.binding(unrolled(op, unusual, op.params)))
    least, most = op.reach
    if least <= most:
        faster(op, quick=unrolled(op, unusual, op.params[:most]))


def unrolled_operator(op: Op, slow: Callable) -> Any:
    """The fast path of an operator, whose arguments are positional and not checked yet."""
    operands = op.params[: op.signature.positional]
    slow = of_one_dtype(op, slow) if takes_two(op) else slow
    return unrolled(op, slow, operands, first_of_two if len(operands) == 2 else first_of_one)


def are_arrays(args: tuple, lists: Any) -> bool:
    """Whether the first argument is an array, or a list that begins with one, and none a tensor."""
    first = args[0] if args else None
    if lists and first.__class__ in (list, tuple) and first:
        first = first[0]
    return first.__class__ is np.ndarray and not any([isinstance(one, Tensor) for one in args])


def takes_two(op: Any) -> bool:
    """Whether an operation computes element by element with two operands of one dtype."""
    two = op.operands == ("self", "other") and op.signature.positional == 2
    kinds = ("promote", "float", "compare")
    two = two and op.layout == "inputs" and "other" not in op.tensors_only
    return two and op.kind_name in kinds


def is_exact(op: Any) -> bool:
    """Whether the operation takes only its operands, and any floating numbers in them.

    Then even the public functions are generated, with no layer in between.
    """
    text = Text(op, op.params[: op.reach[1]], True)
    return op.reach[0] == op.reach[1] and text.trusted and text.alike and not op.several


def unrolled(op: Op, slow: Callable, names: Any = None, first: Any = None) -> Any:
    """The fast path of `slow`, for the parameters `names`; without `names`, for any call."""
    return becoming(op.name, partial(composed, op, slow, names), slow, first)


def composed(op: Any, slow: Callable, names: Any) -> tuple[str, dict[str, Any]]:
    """The text of one function, and the names in it."""
    text = Text(op, names or op.params[: op.reach[1]], names is None)
    strange = (op.lists and (op.several or not takes_list(op))) or not op.operands
    strange = strange or not (op.kind_name in KINDS or op.kind_name == "same")
    if strange or (op.kind_name != "same" and not set(op.formulas) <= set(op.operands)):
        return ALWAYS_SLOW, {"slow": slow}
    return compose_list(op, names) if op.lists else text.compose(), {
        "op": op,
        "op_kernel": (text.product and op.product) or (text.trusted and op.plain) or op.kernel,
        "op_check": op.check,
        "op_node": op.Node,
        "unusual": slow if names else partial(without_nothing, slow),
        "edge": edge,
        "fact": fact,
        "integral": integral,
        "let_pass": let_pass,
        "modes": modes,
        "made": made,
        "new": new,
        "named": kinds.named,
        "attach": attach,
        "next_order": next_order,
        "elementwise": layout.elementwise,
        "owned": layout.owned,
        "kept": layout.kept,
        "kept_output": kept,
        "widest": widest,
        "holds_tensor": holds_tensor,
        "ndarray": np.ndarray,
        "bool_": dtypes.bool_,
        "Tensor": Tensor,
        "PLAIN": PLAIN,
        "NUMBERS": (int, float),
        "NOTHING": NOTHING,
        "Doubt": Doubt,
        "LISTS": (list, tuple),
        "ZEROS": (0,) * len(op.formulas),
        **{f"default_{name}": value for name, value in op.signature.defaults.items()},
    }


def without_nothing(slow: Callable, *args: Any, **kwargs: Any) -> Any:
    """Call `slow` with only the arguments that were given."""
    return slow(*[value for value in args if value is not NOTHING], **kwargs)


def holds_tensor(value: Any) -> bool:
    """Whether an argument is a tensor, or a list with one in it."""
    if value.__class__ in (list, tuple):
        return any([isinstance(one, Tensor) for one in value])
    return isinstance(value, Tensor)


def integral(op: Any, common: Any, *operands: Any) -> bool:
    """Whether the kernel takes operands, of which the first has the dtype `common`, as they are.

    They are whole numbers or bools then.
    """
    limit = LIMITS.get(common, 0)
    if common is dtypes.int32:
        if op.kind_name == "sum":
            return False
    elif common is not dtypes.int64:
        if common is not dtypes.bool_ or (op.kind_name != "compare" and op.formulas):
            return False
    for value in operands:
        if isinstance(value, Tensor):
            if value._dtype is not common:
                return False
        elif value.__class__ is not int or not -limit < value < limit:
            return False
    return True


def let_pass(op: Any, *operands: Any) -> bool:
    """True, after the checks that texts for floating numbers leave out."""
    if op.check is not None:
        op.check(**{**op.signature.defaults, **dict(zip(op.operands, operands))})
    return True


LIMITS = {dtypes.int64: 1 << 62, dtypes.int32: 1 << 31}


def made(array: Any) -> Tensor:
    """A tensor without history over a result."""
    return Tensor._make(array, dtypes.of_numpy(array.dtype))


# ---- the text ------------------------------------------------------------------------------------


class Text:
    """The text of one function: an operation with some of its parameters."""

    def __init__(self, op: Any, names: Any, anyhow: bool):
        self.op, self.names, self.anyhow = op, names, anyhow  # anyhow: it must accept any arguments
        # What must be a tensor, or may be a number: also what only has a gradient, as `src`.
        self.operands = (*op.operands, *[n for n in op.formulas if n not in op.operands])
        self.product = product = op.product is not None and names == op.operands
        self.defaults, self.most = op.signature.defaults, op.signature.positional
        self.unusual = f"unusual({self.listed(names)}{', *rest, **more' if anyhow else ''})"
        self.leave = "raise Doubt from None" if anyhow else f"return {self.unusual}"
        # Whether the dtype of the result is known in advance.
        self.alike = op.kind_name == "compare" or (op.kind_name in KINDS and bool(op.formulas))
        # Whether any floating numbers are fine: the checks concern integers or other arguments.
        elementwise = op.layout == "inputs" and self.alike and "other" not in op.tensors_only
        self.trusted = product or (elementwise and len(names) <= 2)
        # Whether int64 and bool need no conversion.
        self.whole = op.kind_name in WHOLE and not product
        self.whole = self.whole and (op.kind_name != "promote" or op.layout == "inputs")
        # Whether the second operand may be a number.
        self.number = elementwise and names == ("self", "other") and set(op.operands) == set(names)

    def compose(self) -> str:
        """The text of `run`."""
        doubtful = f"    if {' or '.join(self.doubts())}:\n        return {self.unusual}\n"
        if not self.anyhow:
            given = [f"{n}=default_{n}" if n in self.defaults else n for n in self.names]
            return f"def run({', '.join(given)}):\n    now = modes.now\n{doubtful}{self.body()}"
        given = [f"{n}=NOTHING" for n in self.names]
        text = f"def run({', '.join(given)}, /, *rest, **more):\n    now = modes.now\n{doubtful}"
        body = "".join(f"    {line}" for line in self.body().splitlines(True))
        text += f"    try:\n{body}    except Doubt:\n        pass\n"
        return text + f"    return {self.unusual}\n"

    def body(self) -> str:
        """The lines of `run` that compute and record."""
        op, text = self.op, ""
        if self.number:
            text += NUMBER.format(leave=self.leave)
        if op.check is not None and not self.trusted:
            values = [f"{n}={n if n in self.names else f'default_{n}'}" for n in op.params]
            text += f"    op_check({', '.join(values)})\n"
        text += self.computing()
        arrays = ", ".join(self.array_of(n) for n in self.operands)
        out, end = "out", "return out\n"
        if op.several:
            laid_out = LAID_OUT[op.layout].format(one="one", inputs=arrays)
            text += f"    outs = [made({laid_out}) for one in array]\n"
            out, end = "outs[0]", f"return {'named(op, outs)' if op.returns else 'tuple(outs)'}\n"
        else:
            if not self.product:
                unsure = UNSURE if op.layout == "inputs" else ""
                text += f"    if array.__class__ is ndarray{unsure}:\n"
                laid_out = LAID_OUT[op.layout].format(one="array", inputs=arrays)
                text += f"        array = {laid_out}\n"
            dtype = "bool_" if op.kind_name == "compare" else "common"
            text += RESULT.format(dtype=dtype) if self.alike else "    out = made(array)\n"
        tracked = [self.where(n, TRACKED.format(n=n)) for n in op.formulas]
        text += f"    if not now.grad or not ({' or '.join(tracked) or False}):\n"
        if not op.several:
            text += "        if now.inference:\n            out._more().inference = True\n"
        return text + f"        {end}" + (f"{self.recording(out)}    {end}" if op.formulas else "")

    def listed(self, words: Any) -> str:
        """The arguments of a call: positional ones first, then keyword-only ones by name."""
        pairs = enumerate(zip(self.names, words, strict=True))
        return ", ".join(word if i < self.most else f"{name}={word}" for i, (name, word) in pairs)

    def computing(self) -> str:
        """The lines that run the kernel."""
        words = self.listed([self.array_of(n) for n in self.names])
        line = f"array = now.quiet(op_kernel, {words})\n"
        leave = f"    if array is None:\n        {self.leave}\n"
        if self.product:
            return f"    {line}{leave}"
        # The slow path repeats a refusal, with PyTorch's message: after the handler, so that no
        # traceback shows NumPy's error, too.
        if self.anyhow:
            return f"    try:\n        {line}    except Exception:\n        {self.leave}\n"
        if self.op.layout == "inputs" and len(self.op.operands) > 1:  # it broadcasts
            refused = "    except ValueError:\n        array = None\n"
            return f"    try:\n        {line}{refused}{leave}"
        return f"    {line}"

    def array_of(self, name: str) -> str:
        """The value that the kernel gets for an argument: a tensor's array, or the value itself."""
        op = self.op
        if name == "other" and self.number:
            return "a_other"
        if name in self.operands and name not in self.defaults and not self.loose(name):
            return f"{name}._array"
        if name in self.operands or name in op.saves:
            return f"({name}._array if isinstance({name}, Tensor) else {name})"
        return name

    def certain(self, name: str) -> bool:
        """Whether an operand is certainly a tensor, not None or a number."""
        sure = name not in self.defaults and not (name == "other" and self.number)
        return sure and not self.loose(name)

    def loose(self, name: str) -> bool:
        """Whether an operand may be a number, which the kernel takes as it is."""
        op = self.op
        loose = op.kind_name == "same" and name in op.operands[1:] and name not in self.defaults
        return loose and name not in op.tensors_only

    def where(self, name: str, condition: str) -> str:
        """A condition on an operand, false unless it is a tensor."""
        if self.certain(name):
            return condition
        there = "a_other is not other" if name == "other" and self.number else f"{name} is not None"
        there = f"isinstance({name}, Tensor)" if self.loose(name) else there
        return f"({there} and {condition})"

    def doubts(self) -> list[str]:
        """The conditions under which a call is left to `unusual`."""
        op = self.op
        found = ["rest or more or now.special"] if self.anyhow else ["now.special"]
        found += ["now.inference"] if op.several else []
        first = "self" if "self" in op.operands else op.operands[0]
        for name in sorted(self.operands, key=lambda name: name != first):
            wrong = f"not isinstance({name}, Tensor)"
            if op.kind_name in KINDS and name == first:
                given = ", ".join(op.operands)
                whole = f" or integral(op, common, {given})" * self.whole
                whole += f" and let_pass(op, {given})" * (self.whole and self.trusted)
                wrong += f" or not ((common := {name}._dtype).plain{whole})"
            elif op.kind_name in KINDS:
                wrong += f" or {name}._dtype is not common"
            if self.product:
                wrong += f" or {name}._array.__class__ is not ndarray"
            if self.loose(name):
                found.append(
                    f"(not isinstance({name}, Tensor) and {name}.__class__ not in NUMBERS)"
                )
            elif name != "other" or not self.number:
                found.append(wrong if self.certain(name) else self.where(name, f"({wrong})"))
        for name in op.saves:
            inference = INFERENCE.format(n=name)
            found.append(f"(isinstance({name}, Tensor) and {inference})")
        for name in self.names:
            if name == "dtype" and op.kind_name in ("sum", "mean", "norm"):
                found.append("dtype is not None")
            elif op.kind_name in ("power", "limits") and name not in self.operands:
                none = f"{name} is not None and " * (op.kind_name == "limits")
                found.append(f"({none}{name}.__class__ not in NUMBERS)")
            elif name not in self.operands and name not in op.saves:
                found += [f"{name} is NOTHING"] * self.anyhow
                found.append(f"({name}.__class__ not in PLAIN and holds_tensor({name}))")
        return found

    def recording(self, out: str) -> str:
        """The lines that make the node; see `core.op.record`."""
        op = self.op
        strange = [self.where(n, f"({INFERENCE.format(n=n)})") for n in self.operands]
        text = f"    if {' or '.join(strange)}:\n        {self.leave}\n"
        edges = ""
        for n in op.formulas:
            wanted = self.where(n, f"({n}._requires_grad or {n}._view is not None)")
            otherwise = f" if {wanted} else None" if len(op.formulas) > 1 else ""
            edges += f"    n_{n} = (({n}._view is None and {n}._node) or edge({n})){otherwise}\n"
        if self.anyhow:  # a view may have lost its history: the front reports that
            lines = "".join(f"    {line}" for line in edges.splitlines(True))
            edges = f"    try:\n{lines}    except RuntimeError:\n        {self.leave}\n"
        text += edges
        places = "".join(f"(n_{n} is not None and {n}._output_nr) or 0, " for n in op.formulas)
        moved = " or ".join(self.where(n, f"{n}._output_nr") for n in op.formulas)
        text += RECORDED.format(
            nodes="".join(f"n_{n}, " for n in op.formulas),
            numbers=f"({places}) if {moved} else ZEROS",
            shape="[o._array.shape for o in outs]" if op.several else "array.shape",
            dtype="widest(outs)" if op.several else "common" if self.alike else f"{out}._dtype",
        )
        if op.holomorphic and op.kind_name == "same":
            text += f"    if {out}._dtype.is_complex:\n        node.more().mixed = True\n"
        text += "".join(self.saving(name) for name in op.Node.saved)
        if op.several:
            return text + "    attach(node, outs)\n"
        if op.kind_name == "same":
            text += f"    if out._dtype.category < {dtypes.FLOATING}:\n        return out\n"
        return text + "    out._node = node\n    out._requires_grad = True\n"

    def saving(self, name: str) -> str:
        """The lines that put one value into the node; see `core.op.save`."""
        op = self.op
        if name == "result":
            return "    node.result_ = array\n    node.cell = None\n    node.result_version = 0\n"
        users = [f"n_{n} is not None" for n, names in op.needs.items() if name in names]
        wanted = "True" if name in op.always else f"({' or '.join(users)})"
        if name in op.returns:
            saved = f"kept_output(outs[{op.returns.index(name)}]) if {wanted} else None"
            return f"    node.{name}_ = {saved}\n    node.{name}_version = 0 if {wanted} else -1\n"
        if name not in op.Node.tensors:
            return f"    node.{name}_ = {self.told(name)}\n"
        if name in self.operands and self.certain(name):
            text = SAVED.format(name=name)
        else:
            number = name == "other" and self.number
            is_tensor = "a_other is not other" if number else f"isinstance({name}, Tensor)"
            text = PERHAPS_SAVED.format(name=name, is_tensor=is_tensor)
        if name in op.always:
            return "".join(line[4:] for line in text.splitlines(True))
        return f"    node.{name}_ = None\n    if {wanted}:\n{text}"

    def told(self, name: str) -> str:
        """A saved value that is not a tensor: an argument, or a fact about one; see `fact`."""
        if name in self.op.params:
            return name if name in self.names else f"default_{name}"
        argument, _, what = name.rpartition("_")
        if argument in self.op.operands and self.certain(argument) and what in ("shape", "strides"):
            return f"{argument}._array.{what}"
        return f"fact('{name}', {{'{argument}': {argument}}})"


__all__ = ["is_exact", "unroll", "unrolled", "unrolled_operator"]
