"""Allowing writes into saved tensors: the old values are copied before they are overwritten."""

from __future__ import annotations

import weakref
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.autograd.saving_hooks import saved_tensors_hooks
from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.words import errors


class Handle:
    """A reference to a saved tensor at one version; lives as long as a node holds it."""

    __slots__ = ("__weakref__",)


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """Inside, a write into a saved tensor copies the old values for backward first.

    Backward has to run inside too.

    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x.clone()
    ...     z = (y * y).sum()
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([2., 2.])
    """

    def __init__(self) -> None:
        super().__init__(self.handle, self.saved)
        self.original: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.cloned: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.known: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self.sharing: dict[Any, weakref.WeakSet] = {}  # by version cell and number

    def handle(self, tensor: Tensor) -> Handle:
        """The handle that a node keeps instead of a tensor."""
        moment = (tensor._share(), tensor._version)
        handle = self.known.get((id(tensor), moment))
        if handle is None:
            handle = self.known[id(tensor), moment] = Handle()
            self.original[handle] = tensor
            self.sharing.setdefault(moment, weakref.WeakSet()).add(handle)
        return handle

    def saved(self, handle: Handle) -> Tensor:
        """The tensor that a node saved, with its old values."""
        if modes.before_write is None or not (handle in self.cloned or handle in self.original):
            raise AssertionError(errors.MUTATION_OUTSIDE)
        tensor: Tensor = self.cloned.get(handle)
        return self.original[handle] if tensor is None else tensor

    def keep(self, tensor: Tensor) -> None:
        """Copy the values that nodes saved and that are about to be overwritten."""
        for handle in self.sharing.pop((tensor._share(), tensor._version), ()):
            with no_grad():
                self.cloned[handle] = self.original.pop(handle).clone()

    def __enter__(self) -> Any:
        super().__enter__()
        if modes.before_write is not None:
            super().__exit__()
            raise RuntimeError(errors.MUTATION_NESTED)
        modes.before_write = self.keep
        return self

    def __exit__(self, *error: Any) -> None:
        modes.before_write = None
        super().__exit__(*error)
        self.clear()

    def clear(self) -> None:
        """Forget the tensors that nodes saved, and the copies."""
        for found in (self.original, self.cloned, self.known, self.sharing):
            found.clear()


__all__ = ["allow_mutation_on_saved_tensors"]
