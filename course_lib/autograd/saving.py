"""The values that nodes saved, as objects that users can inspect and put hooks on.

A node has an attribute for each saved value, `<name>_`, and one for its version.  Those of a user's
own Function are numbered (`Keeper`).  Users see them as `SavedTensor`s: ``node._raw_saved_self``,
``node._raw_saved_tensors``.
"""

import weakref
from collections.abc import Callable
from typing import Any

from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.graph import AccumulateGrad, edge
from course_lib.core.op import detach_output
from course_lib.core.saved import FREED, NUMBER, PACKED, OpNode
from course_lib.core.tensor import Tensor
from course_lib.declare.rare import is_output, unpack
from course_lib.modes import modes, switched
from course_lib.words import errors


class SavedTensor:
    """A value that a node saved under a name; hooks can replace it."""

    _node: Any
    _name: str

    def __new__(cls, *args: Any, **kwargs: Any) -> "SavedTensor":
        raise RuntimeError(errors.SAVED_TENSOR_MADE)

    def __repr__(self) -> str:
        return f"<torch._C._autograd.SavedTensor object at {id(self):#x}>"

    @property
    def _stored(self) -> Any:
        """What the node holds: tensor, array, pair (packed, Unpack), FREED."""
        value = getattr(self._node, self._name + "_")
        return FREED if value is None and self._name == "result" else value

    @property
    def data(self) -> Any:
        """The object that the node holds: the tensor, or the result of the pack hook."""
        stored = self._stored
        if stored is FREED:
            return None
        if self.unpack_hook is not None:
            return stored[0]
        return self.unpack().detach() if is_output(self._node, self._name, stored) else stored

    def unpack(self) -> Any:
        """The value as backward will see it; RuntimeError if it was freed or overwritten."""
        return self._node.unpack(self._name)

    @property
    def unpack_hook(self) -> Callable | None:
        """The hook that will restore the value; None if there is none."""
        stored = self._stored
        packed = isinstance(stored, tuple) and isinstance(stored[-1], Unpack)  # not several indices
        return stored[1].hook if packed else None

    def _pack(self, pack: Callable, unpack: Callable) -> None:
        """Store ``pack(value)``, together with the value's place in the graph."""
        node, name = self._node, self._name
        value = self.unpack()
        before = value._version
        with switched(grad=False):
            packed = pack(value)
        refuse(value._version != before, errors.PACK_WRITES)
        place = None if is_output(node, name, self._stored) else value
        setattr(node, name + "_", (packed, Unpack(unpack, place)))
        setattr(node, name + "_version", PACKED)
        if name == "result":
            node.cell = FREED._cell  # not None: `Tensor._share` must not restore the array
        if isinstance(node, OpNode):
            node.more().mixed = True


class Unpack:
    """The user's unpack hook; its result gets the saved tensor's place in the graph."""

    __slots__ = ("hook", "node", "number")

    def __init__(self, hook: Callable, saved: Tensor | None):
        self.hook = hook
        self.node = None if saved is None else edge(saved)
        self.number = 0 if saved is None else saved._output_nr

    def __call__(self, packed: Any) -> Tensor:
        value = self.hook(packed)
        refuse_type(not isinstance(value, Tensor), errors.unpacked_not_tensor, value)
        return value if self.node is None else output_of(value, self.node, self.number)


def output_of(value: Tensor, node: Any, number: int) -> Tensor:
    """A tensor over the memory of `value`, placed in the graph as output `number` of `node`."""
    out = value.detach()
    out._requires_grad = True
    if isinstance(node, AccumulateGrad):
        out._more().accumulator = weakref.ref(node)
    else:
        out._node, out._output_nr = node, number
    return out


def saved_tensor(name: str, node: Any) -> SavedTensor:
    """A new SavedTensor, made here because users may not call the class."""
    saved = object.__new__(SavedTensor)
    saved._node, saved._name = node, name
    return saved


def list_saved(node: Any) -> list[SavedTensor]:
    """Every tensor that a node has just saved."""
    saved = [saved_tensor(name, node) for name in node._tensors]
    return [one for one in saved if isinstance(one.unpack(), Tensor)]


class Keeper:
    """What keeps tensors as a node of a declared operation does, but under numbers."""

    _tensors: Any = ()  # their names; None after they were freed
    returned: dict[str, int] = {}  # those that are outputs of the node, and which
    needs: dict = {}
    nodes: tuple = ()
    unpack = unpack

    def keep(self, values: dict[str, Tensor | None]) -> None:
        """Save these tensors; of an output, which holds this node, its memory only."""
        self._tensors, self.returned = tuple(values), {}
        for name, value in values.items():
            version = NUMBER if value is None else value._version
            if value is not None and value._node is self:
                self.returned[name], value = value._output_nr, detach_output(value)
            setattr(self, f"{name}_", value)
            setattr(self, f"{name}_version", version)
        if modes.packing:
            modes.packing[-1](self)

    def release(self) -> None:
        """Forget the tensors, so that reading them is an error."""
        for name in self._tensors or ():
            setattr(self, f"{name}_", FREED)
        self._tensors = None
