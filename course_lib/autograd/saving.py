"""The values that nodes saved, as objects that users can inspect and put hooks on.

A node of a declared operation has a slot for each saved value, a node of a user's own Function a
list of `Kept`.  Users see both as `SavedTensor`s: ``node._raw_saved_self``,
``node._raw_saved_tensors``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from course_lib.calls.rules import refuse
from course_lib.core.graph import AccumulateGrad, edge
from course_lib.core.saved import FREED, PACKED, OpNode
from course_lib.core.tensor import Tensor
from course_lib.declare.rare import is_output, overwritten_error, reattach_output
from course_lib.modes import switched
from course_lib.words import errors


class SavedTensor:
    """A saved value, which hooks can replace."""

    _node: Any
    _stored: Any  # () → the object that the node holds: tensor, array, pair (packed, Unpack), FREED
    _is_output: Any  # () → whether the value is a result of the node itself, kept as memory only
    _store: Any  # (pair) → replaces the value by the pair that hooks made of it
    unpack: Any  # () → the value as backward will see it; RuntimeError if freed or overwritten

    def __new__(cls, *args: Any, **kwargs: Any) -> SavedTensor:
        raise RuntimeError(errors.SAVED_TENSOR_MADE)

    def __repr__(self) -> str:
        return f"<torch._C._autograd.SavedTensor object at {id(self):#x}>"

    @property
    def data(self) -> Any:
        """The object that the node holds: the tensor, or the result of the pack hook."""
        stored = self._stored()
        if stored is FREED:
            return None
        if self.unpack_hook is not None:
            return stored[0]
        return self.unpack().detach() if self._is_output() else stored

    @property
    def unpack_hook(self) -> Callable | None:
        """The hook that will restore the value; None if there is none."""
        stored = self._stored()
        packed = isinstance(stored, tuple) and isinstance(stored[-1], Unpack)  # not several indices
        return stored[1].hook if packed else None

    def _pack(self, pack: Callable, unpack: Callable) -> None:
        """Store ``pack(value)``, together with the value's place in the graph."""
        value = self.unpack()
        before = value._version
        with switched(grad=False):
            packed = pack(value)
        refuse(value._version != before, errors.PACK_WRITES)
        self._store((packed, Unpack(unpack, None if self._is_output() else value)))


class Unpack:
    """The user's unpack hook; its result gets the saved tensor's place in the graph."""

    __slots__ = ("hook", "node", "number")

    def __init__(self, hook: Callable, saved: Tensor | None):
        self.hook = hook
        self.node = None if saved is None else edge(saved)
        self.number = 0 if saved is None else saved._output_nr

    def __call__(self, packed: Any) -> Tensor:
        value = self.hook(packed)
        refuse(not isinstance(value, Tensor), errors.unpacked_not_tensor, value, error=TypeError)
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


def make(kind: type, **attributes: Any) -> Any:
    """A new SavedTensor, made here because users may not call the class."""
    saved = object.__new__(kind)
    vars(saved).update(attributes)
    return saved


class Slot(SavedTensor):
    """A value that a node of a declared operation saved under a name."""

    _name: str

    def _stored(self) -> Any:
        value = getattr(self._node, self._name + "_")
        return FREED if value is None and self._name == "result" else value

    def _is_output(self) -> bool:
        return is_output(self._node, self._name, self._stored())

    def _store(self, pair: tuple[Any, Any]) -> None:
        setattr(self._node, self._name + "_", pair)
        setattr(self._node, self._name + "_version", PACKED)
        if self._name == "result":
            self._node.cell = FREED._cell  # not None: `Tensor._share` must not restore the array
        self._node.more().mixed = True

    def unpack(self) -> Tensor | None:
        return self._node.unpack(self._name)


class Kept:
    """One of the tensors that a Function gave to `save_for_backward`.

    For an output of the Function, only the array is kept (`output` has its cell, dtype and number):
    the tensor holds its node, which holds this, so keeping it would be a reference cycle.
    """

    __slots__ = ("value", "version", "output")

    def __init__(self, value: Any, outputs: list[Any]):
        self.value, self.version, self.output = value, 0, None
        if value is not None:
            self.version = value._version
            if value._node is not None and any(out is value for out in outputs):
                self.output = (value._share(), value._dtype, value._output_nr)
                self.value = value._array


class Item(SavedTensor):
    """A value that a user's own Function saved."""

    _kept: Kept

    def _stored(self) -> Any:
        return self._kept.value

    def _is_output(self) -> bool:
        return self._kept.output is not None

    def _store(self, pair: tuple[Any, Any]) -> None:
        self._kept.value, self._kept.version = pair, PACKED

    def unpack(self) -> Tensor | None:
        kept, node = self._kept, self._node
        value: Any = kept.value
        if kept.version == PACKED:
            packed, unhook = value
            value = unhook(packed)
            return value if kept.output is None else output_of(value, node, kept.output[2])
        if kept.output is not None:
            cell, dtype, number = kept.output
            value = reattach_output(node, value, cell, dtype, number)
        if value is not None and value._version != kept.version:
            raise overwritten_error(value, kept.version)
        return value


def list_saved(node: Any) -> list[SavedTensor]:
    """Every tensor that a node has just saved."""
    if isinstance(node, OpNode):
        slots = (make(Slot, _node=node, _name=name) for name in node.tensors)
        return [slot for slot in slots if isinstance(slot.unpack(), Tensor)]
    return [make(Item, _node=node, _kept=kept) for kept in node.values if kept.value is not None]
