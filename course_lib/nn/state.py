"""The state of a module as a dictionary, and back: `state_dict` and `load_state_dict`."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.core.tensor import Tensor
from course_lib.memory.meta import MetaArray
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__: list[str] = []


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The keys that `load_state_dict` did not find, and those it did not need."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class State:
    """The part of `Module` that saves and loads."""

    _version: int = 1

    # ---- saving ----------------------------------------------------------------------------------

    def _persistent(self) -> dict[str, Any]:
        """The parameters and the buffers that are saved, by name."""
        own: Any = self
        found = {name: value for name, value in own._parameters.items() if value is not None}
        for name, value in own._buffers.items():
            if value is not None and name not in own._non_persistent_buffers_set:
                found[name] = value
        return found

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """A dictionary of all parameters and persistent buffers, by their dotted names.

        The tensors share memory with the module's: training changes them here, too.

        >>> list(torch.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        own: Any = self
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = {"version": self._version}
        for name, value in self._persistent().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        for name, module in own._modules.items():
            if module is not None:
                inner = f"{prefix}{name}."
                module.state_dict(destination=destination, prefix=inner, keep_vars=keep_vars)
        return destination

    # ---- loading ---------------------------------------------------------------------------------

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy the tensors of a `state_dict` into the module's own; returns the keys that differ.

        With `strict`, any difference is an error; with `assign`, the tensors themselves are taken.

        >>> layer = torch.nn.Linear(2, 1)
        >>> layer.load_state_dict(torch.nn.Linear(2, 1).state_dict())
        <All keys matched successfully>
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(errors.state_not_a_dict(state_dict))
        keys = _IncompatibleKeys([], [])
        texts: list[str] = []
        self._load(OrderedDict(state_dict), "", assign, keys, texts)
        if strict and keys.unexpected_keys:
            texts.insert(0, errors.state_keys("Unexpected", keys.unexpected_keys))
        if strict and keys.missing_keys:
            texts.insert(0, errors.state_keys("Missing", keys.missing_keys))
        if texts:
            raise RuntimeError(errors.state_errors(self, texts))
        return keys

    def _load(
        self, state: Any, prefix: str, assign: bool, keys: _IncompatibleKeys, texts: list[str]
    ) -> None:
        """Load this module, then those inside; each gets its own part of the state."""
        own: Any = self
        local = self._persistent()
        for name, value in local.items():
            key = prefix + name
            if key in state:
                text = self._take(name, value, key, state[key], assign)
                texts += [text] if text else []
            else:
                keys.missing_keys.append(key)
        for key in state:
            first, dot, _ = key[len(prefix) :].partition(".")
            if first not in (own._modules if dot else local):
                keys.unexpected_keys.append(key)
        for name, module in own._modules.items():
            if module is not None:
                inner = f"{prefix}{name}."
                part = {key: value for key, value in state.items() if key.startswith(inner)}
                module._load(part, inner, assign, keys, texts)

    def _take(self, name: str, value: Any, key: str, given: Any, assign: bool) -> str:
        """Load one tensor of a state; returns the error message, or an empty text."""
        if not isinstance(given, Tensor):
            return errors.state_not_a_tensor(key, given)
        source: Any = given
        if not value.shape and tuple(source.shape) == (1,):
            source = source[0]
        if source.shape != value.shape:
            return errors.state_shape(key, source.shape, value.shape)
        meta = value._array.__class__ is MetaArray
        if meta and source._array.__class__ is not MetaArray and not assign:
            errors.warn(errors.state_to_meta(key))
        try:
            with no_grad():
                if not assign:
                    value.copy_(source)
                elif isinstance(value, Parameter) and not isinstance(source, Parameter):
                    setattr(self, name, Parameter(source, value.requires_grad))
                else:
                    if isinstance(value, Parameter):
                        source.requires_grad_(value.requires_grad)
                    setattr(self, name, source)
        except Exception as error:
            return errors.state_not_copied(key, value.size(), source.size(), error)
        return ""
