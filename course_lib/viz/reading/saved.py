"""What a function keeps for backward: its `_saved_*` attributes, and whether they are still good.

PyTorch checks versions when a saved tensor is read and says both numbers in its error; that error
is where a picture learns them. Which tensor it is, `_raw_saved_*` tells: it does not check. A graph
that backward has run through answers with another error.

Reading a value that `saved_tensors_hooks` have packed calls a function of the reader: that of a
checkpoint computes everything again. No picture does so: `_raw_saved_*` tells that there is a hook.

From what is saved follows more: which bytes a graph keeps alive, and what its functions gave out.
A result is known where it has a name, where its function or one that used it saved it, and where it
can be computed once more from what is known: `a + b` saves nothing, but `a` and `b` may be there.
"""

import math
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.models import tensors_in
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import is_tensor
from course_lib.viz.reading.walk import Walk, in_turn, name_of, read

# where the hooks of checkpoints come from
_CHECKPOINTS = ("torch.utils.checkpoint", "course_lib.utils.checkpoint")
# states of what a hook has packed, in words
BEHIND = {"recomputed": "recomputed by backward, not kept", "packed": "behind a hook"}


@dataclass
class Saved:
    """One saved tensor: `state` is "good", "stale" (overwritten since), "freed", or, where a hook
    has packed it, one of `BEHIND`.

    Of a stale one, `tensor` is None where the function saved its own result: for that it keeps only
    the memory. `held` is what the graph keeps alive for it.
    """

    name: str
    state: str
    tensor: Any = None
    version: int | None = None
    now: int | None = None
    message: str = ""  # PyTorch's, when it cannot be read
    packed: tuple[Any, ...] = ()  # the tensors in what a hook made of it

    @property
    def held(self) -> tuple[Any, ...]:
        return self.packed if self.tensor is None else (self.tensor,)


def list_saved(node: Any) -> list[Saved]:
    """All saved tensors of a node, in alphabetical order of their names; numbers are left out."""
    # `saved_tensors` is what a Function has that the reader wrote
    names = [n for n in sorted(set(dir(node))) if n.startswith("_saved_") or n == "saved_tensors"]
    return [one for name in names for one in _read(node, name, name.removeprefix("_saved_"))]


def value_of(node: Any, name: str) -> Any:
    """`node._saved_<name>`; None where there is no such value, or a hook has packed it.

    >>> import course_lib as torch
    >>> value_of((torch.ones(2, requires_grad=True) ** 3).grad_fn, "exponent")
    3
    """
    hooked = any(one.unpack_hook for _, one in _raw(node, f"_saved_{name}"))
    return None if hooked else getattr(node, f"_saved_{name}", None)


def as_signed(n: int) -> int:
    """PyTorch tells a saved -1 as the largest number of 64 bits."""
    return n - 2**64 if n >= 2**63 else n


def _raw(node: Any, attribute: str) -> list[tuple[str, Any]]:
    """`(place, SavedTensor)` for what was saved under a name: reading that calls no hook."""
    try:
        raw = getattr(node, f"_raw_{attribute.lstrip('_')}", None)
    except RuntimeError:  # it is freed
        return []
    places = [(f"[{i}]", one) for i, one in enumerate(raw)] if isinstance(raw, tuple) else None
    return places or ([("", raw)] if hasattr(raw, "unpack_hook") else [])


def _read(node: Any, attribute: str, name: str) -> list[Saved]:
    raws = _raw(node, attribute)
    if any(one.unpack_hook for _, one in raws):
        return [saved for place, one in raws for saved in _unpack(one, name + place)]
    try:
        value = getattr(node, attribute)
    except Exception as error:
        return _unreadable(raws, name, str(error))
    return [
        Saved(name + place, "good", tensor, tensor._version, tensor._version)
        for place, tensor in tensors_in(value)
    ]


def _unreadable(raws: list[tuple[str, Any]], name: str, message: str) -> list[Saved]:
    if read(message) is None:
        return [Saved(name, "freed", message=message)] if "freed" in message else []
    found = [saved for place, one in raws for saved in _unpack(one, name + place)]
    return [saved for saved in found if saved.state == "stale"] or [_stale(name, message, None)]


def _unpack(raw: Any, name: str) -> list[Saved]:
    """One of several tensors that were saved together, or one that a hook has packed."""
    if raw.unpack_hook is not None:
        again = getattr(raw.unpack_hook, "__module__", "") in _CHECKPOINTS
        packed = tuple(tensor for _, tensor in tensors_in(raw.data))
        return [Saved(name, "recomputed" if again else "packed", packed=packed)]
    try:
        value = raw.unpack()
    except Exception as error:
        return [_stale(name, str(error), raw)] if read(str(error)) else []
    return [Saved(name, "good", value, value._version, value._version)] if is_tensor(value) else []


def _stale(name: str, message: str, raw: Any) -> Saved:
    said = read(message)
    assert said is not None
    try:
        tensor = raw.data
    except (AttributeError, RuntimeError):  # nothing to look at, or a result of the function
        tensor = None
    known = is_tensor(tensor) and (tensor.grad_fn is not None or not said.maker)
    return Saved(name, "stale", tensor if known else None, said.saved, said.now, message)


# ---- which bytes are kept alive and by whom ----

UNITS = ("KiB", "MiB", "GiB", "TiB")
Storages = dict[tuple[str, int], int]  # device and address of a storage: its bytes
# the parts of a sparse tensor, by the last letters of its layout
SPARSE = {"coo": ("_indices", "_values"), "csr": ("crow_indices", "col_indices", "values")}


def storages_of(tensors: Iterable[Any]) -> Storages:
    """The storages of some tensors. A view keeps the whole storage; meta tensors have no bytes."""
    found: Storages = {}
    for tensor in tensors:
        parts = SPARSE.get(str(getattr(tensor, "layout", ""))[-3:], ())
        if parts:
            found |= storages_of(getattr(tensor, part)() for part in parts)
        elif tensor.device.type != "meta":
            storage = tensor.untyped_storage()
            if storage.nbytes():
                found[str(tensor.device), storage.data_ptr()] = storage.nbytes()
    return found


def total(storages: Storages, without: Storages | None = None) -> int:
    """Bytes of storages, without those that are counted elsewhere.

    >>> total({("cpu", 1): 8, ("cpu", 2): 4}, {("cpu", 1): 8})
    4
    """
    return sum(size for key, size in storages.items() if key not in (without or {}))


def in_bytes(size: int) -> str:
    """A number of bytes in words.

    >>> in_bytes(1), in_bytes(2000), in_bytes(3 * 1024**2)
    ('1 byte', '2.0 KiB', '3.0 MiB')
    """
    if size < 1024:
        return f"{size} byte" + "s" * (size != 1)
    power = min(int(math.log(size, 1024)), len(UNITS))
    return f"{size / 1024**power:.1f} {UNITS[power - 1]}"


# ---- which inputs are saved that want no gradient ----

# saved under this name: the input with this number
_PLACES = {
    "self": 0, "input": 0, "mat1": 0, "query": 0,
    "other": 1, "weight": 1, "vec": 1, "tensor": 1, "exponent": 1, "end": 1, "key": 1,
    "value": 2, "bias": 2, "mat2": 1, "batch1": 1, "batch2": 2, "tensor1": 1, "tensor2": 2,
}  # fmt: skip
# Functions that saved something else under such a name, or whose inputs come in another order.
_OTHERWISE = {
    "Addmm": {"mat1": 1, "mat2": 2}, "Addmv": {"self": 1, "mat": 1, "vec": 2},
    "MseLoss": {"target": 1}, "L1Loss": {"target": 1}, "SmoothL1Loss": {"target": 1},
    "HuberLoss": {"target": 1}, "KlDiv": {"target": 1}, "NllLoss": {}, "NllLoss2D": {},
    "BinaryCrossEntropy": {"target": 1}, "BinaryCrossEntropyWithLogits": {"target": 1},
    "EmbeddingBag": {},
}  # fmt: skip
# Inputs that a caller may leave out: without them there is nothing to draw.
_OPTIONAL = {
    "Convolution": (2,), "NativeLayerNorm": (1, 2), "NativeBatchNorm": (1, 2),
    "NativeGroupNorm": (1, 2), "MkldnnRnnLayer": (3, 4),
}  # fmt: skip


def may_be_absent(node: Any, slot: int) -> bool:
    """Whether the caller may have given nothing for that input, such as a bias."""
    return slot in _OPTIONAL.get(name_of(node).partition("Backward")[0], ())


def constants(node: Any, missing: list[int], saved: list[Saved]) -> dict[int, Any]:
    """For each input in `missing` that the function saved: the tensor."""
    places = _OTHERWISE.get(name_of(node).partition("Backward")[0], _PLACES)
    found: dict[int, Any] = {}
    for item in saved:
        slot = places.get(item.name)
        if slot in missing and item.tensor is not None and not item.tensor.requires_grad:
            found.setdefault(slot, item.tensor)
    return found


# ---- what functions gave out ----

# function: (its operands, how to write it, how to compute it). The number behind the name is
# PyTorch's: SumBackward1 is the sum over dimensions.
FUNCTIONS: dict[str, tuple[tuple[str, ...], str, Callable[..., Any]]] = {
    "Add0": (("self", "other"), "{} + {}", lambda node, a, b: a + node._saved_alpha * b),
    "Bmm0": (("self", "mat2"), "matrix product", lambda node, a, b: a @ b),
    "Div0": (("self", "other"), "{} / {}", lambda node, a, b: a / b),
    "Mean0": (("self",), "mean", lambda node, x: x.mean()),
    "Mean1": (("self",), "mean", lambda node, x: x.mean(*_dims(node))),
    "Mm0": (("self", "mat2"), "matrix product", lambda node, a, b: a @ b),
    "Mul0": (("self", "other"), "{} * {}", lambda node, a, b: a * b),
    "Neg0": (("self",), "-{}", lambda node, x: -x),
    "Pow0": (("self", "exponent"), "({}) ** {}", lambda node, x, p: x**p),
    "Pow1": (("self", "exponent"), "({}) ** {}", lambda node, x, p: x**p),
    "Reciprocal0": (("self",), "1 / {}", lambda node, x: x.reciprocal()),
    "Sub0": (("self", "other"), "{} - {}", lambda node, a, b: a - node._saved_alpha * b),
    "Sum0": (("self",), "sum", lambda node, x: x.sum()),
    "Sum1": (("self",), "sum", lambda node, x: x.sum(*_dims(node))),
}
for _name in "abs acos asin exp log log10 log1p log2 relu rsqrt sqrt".split():
    _method = operator.methodcaller(_name)
    FUNCTIONS[f"{_name.title()}0"] = (("self",), _name + "({})", lambda node, x, f=_method: f(x))
# These give out the numbers that they receive, in another order or shape: whether all of them are
# finite is known, which of them meets which in a later function is not.
SAME_NUMBERS = {
    "Alias0", "Clone0", "Expand0", "Permute0", "ReshapeAlias0", "Squeeze0", "Squeeze1", "T0",
    "Transpose0", "UnsafeView0", "Unsqueeze0", "View0",
}  # fmt: skip


def _dims(node: Any) -> tuple[tuple[int, ...], bool]:
    return tuple(map(as_signed, node._saved_dim)), node._saved_keepdim


def key_of(node: Any) -> str:
    """The name of a function without the word that all of them have: `Log0`."""
    return name_of(node).replace("Backward", "")


@dataclass
class Results:
    """The known values of a graph, by function and output number, and what functions saved."""

    walk: Walk
    values: dict[tuple[int | None, int], Any] = field(default_factory=dict)
    saved: dict[int, list[Saved]] = field(default_factory=dict)
    loose: set[tuple[int, int]] = field(default_factory=set)  # known up to order and shape

    def of(self, i: int) -> list[Any]:
        """The known results of a function; the tensor of a leaf."""
        return [value for (k, _), value in self.values.items() if k == i]

    def input(self, i: int, slot: int) -> Any:
        """What went into a function at a place, None where it is not known."""
        edges = self.walk.edges[i]
        return self.values.get(edges[slot]) if slot < len(edges) else None

    def operand(self, i: int, name: str) -> Any:
        """An operand by its name: as it was saved, else what came along its edge."""
        for item in self.saved.get(i, ()):
            if item.name == name:
                return item.tensor if item.state == "good" else None
        number = value_of(self.walk.nodes[i], name)
        if number is not None:
            return number
        slot, edges = _PLACES[name], self.walk.edges[i]
        return None if slot < len(edges) and edges[slot] in self.loose else self.input(i, slot)

    def operands(self, i: int) -> list[Any] | None:
        """All operands of one of the `FUNCTIONS`; None where one is not known."""
        if key_of(self.walk.nodes[i]) not in FUNCTIONS:
            return None
        found = [self.operand(i, name) for name in FUNCTIONS[key_of(self.walk.nodes[i])][0]]
        return None if any(value is None for value in found) else found


def results_of(walk: Walk, names: Names, outputs: tuple[Any, ...]) -> Results:
    """Everything that is known, and then what follows from it."""
    found = Results(walk, {(i, 0): leaf for i, leaf in walk.leaves.items()})
    functions = in_turn(walk)
    met = [*outputs, *names.tensors]
    for i in functions:
        found.saved[i] = list_saved(walk.nodes[i])
        met += [item.tensor for item in found.saved[i] if item.state == "good"]
    for tensor in met:
        maker = None if tensor.grad_fn is None else walk.find(tensor.grad_fn)
        if maker is not None:
            found.values.setdefault((maker, getattr(tensor, "output_nr", 0)), tensor.detach())
    for i in functions:
        if (i, 0) not in found.values:
            value = _compute(found, i)
            if value is not None:
                found.values[i, 0] = value
    return found


def _compute(found: Results, i: int) -> Any:
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
