"""`torch.utils.swap_tensors`: two tensors exchange all that they are, but not who they are."""

from __future__ import annotations

import gc
import weakref
from copyreg import _slotnames  # type: ignore[attr-defined]
from typing import Any

from course_lib.autograd.graph import get_gradient_edge
from course_lib.autograd.saving import Kept
from course_lib.core.graph import Node
from course_lib.core.tensor import Tensor, nothing
from course_lib.core.views import View
from course_lib.words import errors

__all__ = ["swap_tensors"]


def refuse(grads: Any) -> Any:
    """The hook of a node whose leaf has become another tensor since."""
    raise RuntimeError(errors.SWAPPED)


def leave_graph(name: str, tensor: Tensor) -> None:
    """No gradient reaches the tensor from an earlier graph; RuntimeError if a value is needed."""
    holders = [one for one in gc.get_referrers(tensor) if isinstance(one, (Node, View, Kept))]
    count = sum(part is tensor for one in holders for part in gc.get_referents(one))
    if count > 1 or (count and not tensor.is_leaf):
        raise RuntimeError(errors.held(name, 1 + count))
    if count:
        get_gradient_edge(tensor).node.register_prehook(refuse)
        tensor._more().accumulator = nothing


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Exchange what two tensors are: elements, type, gradient, attributes.

    Every variable that refers to `t1` sees what `t2` was, and the other way round.

    >>> a, b = torch.ones(2), torch.zeros(3)
    >>> torch.utils.swap_tensors(a, b)
    >>> a
    tensor([0., 0., 0.])
    """
    for name, tensor in (("t1", t1), ("t2", t2)):
        if not isinstance(tensor, Tensor):
            raise AttributeError(errors.no_attribute(type(tensor).__name__, "_use_count"))
        if weakref.getweakrefs(tensor):
            raise RuntimeError(errors.weakly_held(name))
    slots = set(_slotnames(type(t1)))
    if slots != set(_slotnames(type(t2))):
        raise RuntimeError(errors.OTHER_SLOTS)
    leave_graph("t1", t1)
    leave_graph("t2", t2)
    for name in ("__class__", "__dict__", *slots):
        first, second = getattr(t1, name, nothing), getattr(t2, name, nothing)
        for tensor, value in ((t1, second), (t2, first)):
            if value is not nothing:
                setattr(tensor, name, value)
            elif hasattr(tensor, name):
                delattr(tensor, name)
