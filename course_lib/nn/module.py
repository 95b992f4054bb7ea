"""`Module`: a function with parameters, made of others like it.

    class Net(nn.Module):                      Net
        def __init__(self):                     ├─ hidden: Linear ── weight, bias
            super().__init__()                  └─ out:    Linear ── weight, bias
            self.hidden = nn.Linear(2, 16)
            self.out = nn.Linear(16, 1)        what is assigned is known by its attribute's name

Registering, walking and showing are here; the rest of `Module` is in `contents.py` (saving,
loading, dtypes, devices, modes) and `hooks.py`.
"""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from course_lib.calls.missing import no_name
from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.nn import hooks
from course_lib.nn.contents import Contents
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__ = ["Module"]

REGISTRIES = ("_parameters", "_buffers", "_modules")


def own_copy(cls: type, name: str) -> None:
    """Give a class a copy of an inherited method, so that Python's messages name this class."""
    shared = getattr(cls, name)
    parts = shared.__code__, shared.__globals__, name, shared.__defaults__, shared.__closure__
    copy = FunctionType(*parts)
    copy.__doc__, copy.__annotations__ = shared.__doc__, shared.__annotations__
    copy.__qualname__ = f"{cls.__name__}.{name}"
    setattr(cls, name, copy)


class Module(hooks.Hooked, Contents):
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
    _modules: "dict[str, Module | None]"

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if "_function" in vars(cls):  # a layer that is one function, which `forward` calls
            own_copy(cls, "__init__")
            own_copy(cls, "forward")

    def __init__(self, *args: Any, **kwargs: Any):
        if kwargs:
            raise TypeError(errors.module_keyword(type(self).__name__, [*kwargs][0]))
        refuse_type(args, errors.module_positions, type(self).__name__, len(args) + 1)
        own = self.__dict__
        own["training"] = True
        for name in REGISTRIES:
            own[name] = {}
        own["_non_persistent_buffers_set"] = set()
        hooks.add_tables(self)

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
        refuse(table not in self.__dict__, errors.before_init, what, error=AttributeError)
        refuse_type(not isinstance(name, str), errors.name_not_string, what, name)
        taken = hasattr(self, name) and name not in self.__dict__[table]
        refuse(taken and what == "module", errors.attribute_exists, name, error=KeyError)
        if "." in name:
            got = f", got: {name}" if what == "module" else ""
            raise KeyError(errors.name_with_dot(what, got))
        refuse(not name, errors.name_empty, what, error=KeyError)
        refuse(taken, errors.attribute_exists, name, error=KeyError)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Register `param` as the parameter `name`; None means that this layer has none."""
        self._check_name("parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            wanted = "torch.nn.Parameter or None"
            raise TypeError(errors.cannot_register(param, "parameter", name, wanted))
        if param is not None and param.grad_fn is not None:
            raise ValueError(errors.non_leaf_parameter(name))
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Register `tensor` as the buffer `name`: moved with the module, saved if `persistent`."""
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(errors.cannot_register(tensor, "buffer", name, "torch Tensor or None"))
        self._buffers[name] = tensor
        self._non_persistent_buffers_set.discard(name)
        if not persistent:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: "Module | None") -> None:
        """Register `module` as the child `name`."""
        refuse_type(not isinstance(module, Module | None), errors.not_a_module, module)
        self._check_name("module", name, "_modules")
        self._modules[name] = module

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        for table, kind, what, wanted in KINDS:
            if isinstance(value, kind) and kind is not Tensor:
                self._make_room(name, table)
                if table == "_parameters":
                    self.register_parameter(name, value)
                else:
                    self._modules[name] = value
                return
            if name in own.get(table, ()):
                if value is not None and not isinstance(value, kind):
                    raise TypeError(errors.cannot_assign(value, what, name, wanted))
                own[table][name] = value
                return
        super().__setattr__(name, value)

    def _make_room(self, name: str, table: str) -> None:
        """Forget what had the name of a parameter or child, unless it is in the same table."""
        own = self.__dict__
        if "_parameters" not in own:
            raise AttributeError(errors.before_init(table[1:].replace("modules", "module")))
        for other in REGISTRIES:
            if other != table:
                own[other].pop(name, None)
        self._non_persistent_buffers_set.discard(name)
        own.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in REGISTRIES:
            if name in own.get(table, ()):
                return own[table][name]
        raise no_name("torch.nn.Module", name, type(self).__name__)

    def __delattr__(self, name: str) -> None:
        for table in REGISTRIES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        hooks.add_tables(self)

    # ---- walking ---------------------------------------------------------------------------------

    def named_modules(
        self, memo: "set[Module] | None" = None, prefix: str = "", remove_duplicate: bool = True
    ) -> "Iterator[tuple[str, Module]]":
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

    def modules(self, remove_duplicate: bool = True) -> "Iterator[Module]":
        """This module, then all modules inside it."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> "Iterator[tuple[str, Module]]":
        """The direct children of this module, with their names; each once."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> "Iterator[Module]":
        """The direct children of this module."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen = set()
        inside: Any = [(prefix, self)]
        if recurse:
            inside = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for where, module in inside:
            for name, value in getattr(module, table).items():
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield (f"{where}.{name}" if where else name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Pairs of dotted name and parameter, here and (with `recurse`) inside; each once."""
        yield from self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters here and (with `recurse`) inside: pass them to an optimizer."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Pairs of dotted name and buffer, here and (with `recurse`) inside; each once."""
        yield from self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers here and (with `recurse`) in all modules inside."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    # ---- showing ---------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    _shown = ""  # the text of `extra_repr`, with gaps for attributes and for whether it has a bias

    def extra_repr(self) -> str:
        """What `repr` shows of this module itself: subclasses return their options as text."""
        return self._shown.format(self, bias=getattr(self, "bias", None) is not None)

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


KINDS: Any = (  # of what is registered when it is assigned; buffers keep their names only
    ("_parameters", Parameter, "parameter", "torch.nn.Parameter or None"),
    ("_modules", Module, "child module", "torch.nn.Module or None"),
    ("_buffers", Tensor, "buffer", "torch.nn.Buffer, torch.Tensor or None"),
)

for _part in (hooks.Hooked, Contents):  # printed, or called wrongly, a method is Module's
    for _method in vars(_part).values():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"Module.{_method.__name__}"
