"""`Module`: a function with parameters, made of others like it.

    class Net(nn.Module):                      Net
        def __init__(self):                     ├─ hidden: Linear ── weight, bias
            super().__init__()                  └─ out:    Linear ── weight, bias
            self.hidden = nn.Linear(2, 16)
            self.out = nn.Linear(16, 1)        what is assigned is known by its attribute's name

Registering, walking and showing are here; the rest of `Module` is in `state.py` (saving and
loading), `moving.py` (dtypes, devices, modes) and `hooks.py`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import hooks
from course_lib.nn.moving import Moving
from course_lib.nn.parameter import Parameter
from course_lib.nn.registry import Registry
from course_lib.nn.state import State
from course_lib.words import errors
from course_lib.words.missing import no_name_of_module

__all__ = ["Module"]

HOOK_TABLES = (
    "_backward_hooks",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
)
REGISTRIES = ("_parameters", "_buffers", "_modules")


class Module(Moving, State):
    """The base of all layers and models: subclass it, and write `__init__` and `forward`.

    >>> class Doubled(torch.nn.Module):
    ...     def forward(self, x):
    ...         return 2 * x
    >>> Doubled()(torch.tensor(3.))
    tensor(6.)
    """

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]

    def __init__(self, *args: Any, **kwargs: Any):
        if args or kwargs:
            raise TypeError(errors.module_arguments(self, args, kwargs))
        own = self.__dict__
        own["training"] = True
        for name in REGISTRIES:
            own[name] = Registry(self)
        own["_non_persistent_buffers_set"] = set()
        for name in HOOK_TABLES:
            own[name] = OrderedDict()

    # ---- calling ---------------------------------------------------------------------------------

    def forward(self, *args: Any) -> Any:
        """Compute the module's output: every subclass defines its own."""
        raise NotImplementedError(errors.without_forward(self))

    def _call_impl(self, *args: Any, **kwargs: Any) -> Any:
        if self._backward_hooks or self._forward_hooks or self._forward_pre_hooks:
            return hooks.call(self, args, kwargs)
        return self.forward(*args, **kwargs)

    __call__: Callable[..., Any] = _call_impl

    # ---- registering -----------------------------------------------------------------------------

    def _check_name(self, what: str, name: Any, table: str) -> None:
        if table not in self.__dict__:
            raise AttributeError(errors.before_init(what))
        if not isinstance(name, str):
            raise TypeError(errors.name_not_string(what, name))
        taken = hasattr(self, name) and name not in self.__dict__[table]
        if taken and what == "module":
            raise KeyError(errors.attribute_exists(name))
        if "." in name:
            raise KeyError(errors.name_with_dot(what, name))
        if not name:
            raise KeyError(errors.name_empty(what))
        if taken:
            raise KeyError(errors.attribute_exists(name))

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register `param` as the parameter `name`; None means that this layer has none."""
        self._check_name("parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(errors.cannot_register(param, "parameter", name))
        if param is not None and param.grad_fn is not None:
            raise ValueError(errors.non_leaf_parameter(name))
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register `tensor` as the buffer `name`: moved with the module, saved if `persistent`."""
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(errors.cannot_register(tensor, "buffer", name))
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Register `module` as the child `name`."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(errors.not_a_module(module))
        self._check_name("module", name, "_modules")
        self._modules[name] = module

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            self._forget(name, "parameters", "_buffers", "_modules")
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            if value is not None:
                wanted = "torch.nn.Parameter or None"
                raise TypeError(errors.cannot_assign(value, "parameter", name, wanted))
            self._parameters[name] = None
        elif isinstance(value, Module):
            self._forget(name, "module", "_parameters", "_buffers")
            self._modules[name] = value
        elif name in own.get("_modules", ()):
            if value is not None:
                wanted = "torch.nn.Module or None"
                raise TypeError(errors.cannot_assign(value, "child module", name, wanted))
            self._modules[name] = None
        elif name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                wanted = "torch.nn.Buffer, torch.Tensor or None"
                raise TypeError(errors.cannot_assign(value, "buffer", name, wanted))
            self._buffers[name] = value
        elif name in REGISTRIES:
            own.get(name, {}).clear()
            own[name] = Registry(self, value)
        else:
            super().__setattr__(name, value)

    def _forget(self, name: str, what: str, *tables: str) -> None:
        """Make room for a parameter or child of this name."""
        own = self.__dict__
        if "_parameters" not in own:
            raise AttributeError(errors.before_init(what))
        for table in tables:
            own[table].pop(name, None)
        self._non_persistent_buffers_set.discard(name)
        if not any(name in own[table] for table in REGISTRIES):
            own.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        # What is registered is found before this runs: Note [Attributes of modules].
        for table in REGISTRIES:
            entries = self.__dict__.get(table, ())
            if name in entries:
                return entries[name]
        raise no_name_of_module(type(self).__name__, name)

    def __delattr__(self, name: str) -> None:
        for table in REGISTRIES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __getstate__(self) -> dict[str, Any]:
        registered = {name for table in REGISTRIES for name in self.__dict__.get(table, ())}
        return {name: value for name, value in self.__dict__.items() if name not in registered}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in REGISTRIES:
            self.__dict__[name] = Registry(self, state.get(name, {}))
        for name in HOOK_TABLES:
            self.__dict__.setdefault(name, OrderedDict())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    # ---- walking ---------------------------------------------------------------------------------

    def named_modules(
        self, memo: set[Module] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """Pairs of dotted name and module: this module, then all inside it; each once."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                inner = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, inner, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module, then all modules inside it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The direct children of this module, with their names; each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The direct children of this module."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self,
        get_members_fn: Callable,
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        seen = set()
        inside: Any = [(prefix, self)]
        if recurse:
            inside = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for where, module in inside:
            for name, value in get_members_fn(module):
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield (f"{where}.{name}" if where else name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Pairs of dotted name and parameter, here and (with `recurse`) inside; each once."""
        members = self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )
        yield from members

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters here and (with `recurse`) inside: pass them to an optimizer."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Pairs of dotted name and buffer, here and (with `recurse`) inside; each once."""
        members = self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )
        yield from members

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers here and (with `recurse`) in all modules inside."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    # ---- showing ---------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What `repr` shows of this module itself: subclasses return their options as text."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr()
        lines = own.split("\n") if own else []
        if len(lines) == 1 and not self._modules:
            return f"{self._get_name()}({own})"
        for name, module in self._modules.items():
            lines += f"({name}): {module!r}".split("\n")
        inside = "".join(f"\n  {line}" for line in lines)
        return f"{self._get_name()}({inside}\n)" if lines else f"{self._get_name()}()"

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__]
        for table in REGISTRIES:
            names += self.__dict__.get(table, ())
        return sorted(name for name in set(names) if not name[0].isdigit())


for _part in (Moving, State):  # printed, or called with too few arguments, a method is Module's
    for _method in vars(_part).values():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"Module.{_method.__name__}"
