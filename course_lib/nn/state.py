"""The state of a module as a dictionary, and back: `state_dict` and `load_state_dict`."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.autograd.handles import RemovableHandle
from course_lib.core.tensor import Tensor
from course_lib.memory.meta import MetaArray
from course_lib.nn.hooks import BoundHook, Handle
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__: list[str] = []

EXTRA = "_extra_state"  # the key of what `get_extra_state` returns


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

    def get_extra_state(self) -> Any:
        """Whatever else belongs to the state, for subclasses to define."""
        raise RuntimeError(errors.extra_state("get"))

    def set_extra_state(self, state: Any) -> None:
        """Restore what `get_extra_state` returned."""
        raise RuntimeError(errors.extra_state("set"))

    def _has_extra(self, name: str) -> bool:
        return getattr(type(self), name) is not getattr(State, name)

    def _persistent(self) -> dict[str, Any]:
        """The parameters and the buffers that are saved, by name."""
        own: Any = self
        found = {name: value for name, value in own._parameters.items() if value is not None}
        for name, value in own._buffers.items():
            if value is not None and name not in own._non_persistent_buffers_set:
                found[name] = value
        return found

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, value in self._persistent().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        if self._has_extra("get_extra_state"):
            destination[prefix + EXTRA] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """A dictionary of all parameters and persistent buffers, by their dotted names.

        The tensors share memory with the module's: training changes them here, too.

        >>> list(torch.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        own: Any = self
        if args:
            errors.warn(errors.STATE_DICT_POSITIONAL, FutureWarning)
            given = (*args, None, None, None)
            destination = given[0] if destination is None else destination
            prefix = given[1] if given[1] is not None and prefix == "" else prefix
            keep_vars = bool(given[2]) or keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in own._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in own._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in own._state_dict_hooks.values():
            result = hook(self, destination, prefix, metadata)
            if result is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError(errors.STATE_HOOK_RESULT)
            destination = result
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
        metadata = getattr(state_dict, "_metadata", None)
        copied: Any = OrderedDict(state_dict)
        if metadata is not None:
            copied._metadata = metadata
        keys = _IncompatibleKeys([], [])
        texts: list[str] = []
        self._load(copied, "", metadata or {}, assign, keys, texts)
        if strict and keys.unexpected_keys:
            texts.insert(0, errors.state_keys("Unexpected", keys.unexpected_keys))
        if strict and keys.missing_keys:
            texts.insert(0, errors.state_keys("Missing", keys.missing_keys))
        if texts:
            raise RuntimeError(errors.state_errors(self, texts))
        return keys

    def _load(
        self,
        state: Any,
        prefix: str,
        metadata: dict,
        assign: bool,
        keys: _IncompatibleKeys,
        texts: list[str],
    ) -> None:
        """Load this module, then those inside; each gets its own part of the state."""
        own: Any = self
        local = metadata.get(prefix[:-1], {})
        if assign:
            local["assign_to_params_buffers"] = True
        own._load_from_state_dict(state, prefix, local, True, *keys, texts)
        for name, module in own._modules.items():
            if module is not None:
                inner = f"{prefix}{name}."
                part = {key: value for key, value in state.items() if key.startswith(inner)}
                module._load(part, inner, metadata, assign, keys, texts)
        for hook in own._load_state_dict_post_hooks.values():
            if hook(self, keys) is not None:
                raise AssertionError(errors.LOAD_HOOK_RESULT)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: dict,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load the tensors of this module alone; problems are added to the three lists."""
        own: Any = self
        for hook in own._load_state_dict_pre_hooks.values():
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        assign = local_metadata.get("assign_to_params_buffers", False)
        local = self._persistent()
        for name, value in local.items():
            key = prefix + name
            if key in state_dict:
                text = self._take(name, value, key, state_dict[key], assign)
                error_msgs += [text] if text else []
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA
        wants_extra = self._has_extra("set_extra_state")
        if wants_extra and extra in state_dict:
            self.set_extra_state(state_dict[extra])
        elif strict and wants_extra:
            missing_keys.append(extra)
        if not strict:
            return
        if not wants_extra and extra in state_dict:
            unexpected_keys.append(extra)
        for key in state_dict:
            if key.startswith(prefix) and key != extra:
                first, dot, _ = key[len(prefix) :].partition(".")
                if first not in (own._modules if dot else local):
                    unexpected_keys.append(key)

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

    # ---- hooks -----------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before the state is gathered."""
        own: Any = self
        return Handle(own._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after it was gathered."""
        own: Any = self
        hook._from_public_api = True  # type: ignore[attr-defined]
        return Handle(own._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable) -> RemovableHandle:
        own: Any = self
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(errors.STATE_HOOK_TWICE)
        return Handle(own._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, …)`` before this module is loaded."""
        return self._register_load_state_dict_pre_hook(hook, True)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable, with_module: bool = False
    ) -> RemovableHandle:
        own: Any = self
        bound = BoundHook(hook, self) if with_module else hook
        return Handle(own._load_state_dict_pre_hooks, bound)

    def register_load_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` after this module was loaded."""
        own: Any = self
        return Handle(own._load_state_dict_post_hooks, hook)
