"""`torch.nn.utils.parametrize`: a parameter that is computed from another one whenever it is read.

    register_parametrization(layer, "weight", Symmetric())

    layer.weight                                 a property: Symmetric()(the original)
    layer.parametrizations.weight                the modules that compute it, in order
    layer.parametrizations.weight.original       the parameter that an optimizer changes

The property is put into a class of the module's own, made for it: a `Linear` becomes a
`ParametrizedLinear`.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.core.tensor import Tensor
from course_lib.nn.containers import ModuleDict, ModuleList
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.words import errors

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


class memory:
    """The values that are kept inside of `cached`, by module and name."""

    depth = 0
    values: dict[tuple[int, str], Any] = {}


@contextlib.contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized tensor only once in the block: for weights that are read often.

    >>> parametrize = torch.nn.utils.parametrize
    >>> layer = torch.nn.Linear(2, 2)
    >>> layer = parametrize.register_parametrization(layer, "weight", torch.nn.Tanh())
    >>> with parametrize.cached():
    ...     layer.weight is layer.weight
    True
    """
    memory.depth += 1
    try:
        yield
    finally:
        memory.depth -= 1
        if not memory.depth:
            memory.values = {}


class ParametrizationList(ModuleList):
    """The modules that compute one tensor, and the original that they compute it from.

    If the first module is a function of several tensors, these are ``original0``, ``original1`` …
    """

    original: Any

    def __init__(self, modules: Sequence[Module], original: Any, unsafe: bool = False):
        if not modules:
            raise ValueError(errors.NO_PARAMETRIZATION)
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype, new = original.shape, original.dtype, original
        with no_grad():
            for module in reversed(modules):
                if hasattr(module, "right_inverse"):
                    with contextlib.suppress(NotImplementedError):
                        new = module.right_inverse(new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(errors.inverse_type(new))
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if isinstance(new, Tensor):
            errors.check_inverse_dtype(dtype, new.dtype)
            with no_grad():
                original.set_(new)
            register(self, "original", original)
        else:
            for i, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise ValueError(errors.inverse_element(i, part))
                if isinstance(original, Parameter):
                    part = Parameter(part, original.requires_grad)
                register(self, f"original{i}", part.requires_grad_(original.requires_grad))
        if not unsafe:
            errors.check_parametrized(self(), dtype, shape)

    def right_inverse(self, value: Any) -> None:
        """Change the originals so that `value` is computed from them, as far as it can be."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(errors.no_inverse(module))
                value = module.right_inverse(value)
            if self.is_tensor:
                errors.check_value(value, self.original)
                self.original.set_(value)
                return
            originals = self.originals()
            errors.check_values(value, originals)
            for original, part in zip(originals, value, strict=True):
                original.set_(part)

    def originals(self) -> list[Any]:
        """The tensors that the first module gets."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{i}") for i in range(self.ntensors)]

    def forward(self) -> Any:
        """The tensor."""
        first, *others = self
        value = first(*self.originals())
        for module in others:
            value = module(value)
        return value


def register(module: Module, name: str, tensor: Any) -> None:
    """Give a module a parameter, or a buffer if that is what the tensor was."""
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


# ---- the class of a parametrized module ----------------------------------------------------------


def own_class(module: Any) -> None:
    """Give the module a class of its own, which can have properties."""
    base = type(module)
    body: dict[str, Any] = {"__getstate__": refuse_state}
    if not hasattr(base, "__deepcopy__"):
        body["__deepcopy__"] = deep_copy
    module.__class__ = type(f"Parametrized{base.__name__}", (base,), body)


def refuse_state(module: Any) -> Any:
    """The class cannot be imported by its name, so the module cannot be pickled."""
    raise RuntimeError(errors.PARAMETRIZED_STATE)


def deep_copy(module: Any, memo: dict[int, Any]) -> Any:
    """A copy with tensors of its own, and the same class."""
    replica = memo[id(module)] = module.__new__(type(module))
    replica.__setstate__(copy.deepcopy(Module.__getstate__(module), memo))
    return replica


def computed(name: str) -> property:
    """The attribute that reads a tensor through its parametrizations, and writes through them."""

    def get(module: Any) -> Any:
        compute = module.parametrizations[name]
        if not memory.depth:
            return compute()
        key = id(module), name
        if key not in memory.values:
            memory.values[key] = compute()
        return memory.values[key]

    def put(module: Any, value: Any) -> None:
        module.parametrizations[name].right_inverse(value)

    return property(get, put)


# ---- registering and removing --------------------------------------------------------------------


def register_parametrization(
    module: Any, tensor_name: str, parametrization: Any, *, unsafe: bool = False
) -> Any:
    """The module itself, its tensor now computed by one more module each time it is read.

    If the new module has a `right_inverse`, the tensor can be assigned to, and keeps its value now.
    With `unsafe`, nobody checks that dtype and shape stay the same.

    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).T
    >>> layer = torch.nn.Linear(3, 3)
    >>> torch.nn.utils.parametrize.register_parametrization(layer, "weight", Symmetric())
    ParametrizedLinear(
      in_features=3, out_features=3, bias=True
      (parametrizations): ModuleDict(
        (weight): ParametrizationList(
          (0): Symmetric()
        )
      )
    )
    >>> torch.equal(layer.weight, layer.weight.T)
    True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            check_next(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._parameters or tensor_name in module._buffers:
        original = getattr(module, tensor_name)
        modules = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            own_class(module)
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, computed(tensor_name))
        module.parametrizations[tensor_name] = modules
    else:
        raise ValueError(errors.nothing_to_parametrize(module, tensor_name))
    return module


def check_next(module: Any, name: str, parametrization: Any) -> None:
    """Raise if one more module would change the dtype or the shape of a tensor."""
    before = getattr(module, name)
    after = parametrization(before)
    errors.check_next(name, before, after)
    if hasattr(parametrization, "right_inverse"):
        with contextlib.suppress(NotImplementedError):
            errors.check_next_inverse(name, before, parametrization.right_inverse(after))


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Whether a tensor of the module (one of them, without `tensor_name`) is parametrized."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """The module itself, its tensor an ordinary one again: with the value that was computed.

    Without `leave_parametrized`, it is the original.

    >>> parametrize = torch.nn.utils.parametrize
    >>> layer = torch.nn.Linear(2, 1)
    >>> layer = parametrize.register_parametrization(layer, "bias", torch.nn.Sigmoid())
    >>> parametrize.remove_parametrizations(layer, "bias")
    Linear(in_features=2, out_features=1, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(errors.not_parametrized(module, tensor_name))
    modules = module.parametrizations[tensor_name]
    if modules.is_tensor:
        kept = modules.original
        if leave_parametrized:
            with no_grad():
                keep_value(kept, getattr(module, tensor_name))
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        kept = Parameter(value) if value.requires_grad else value
    else:
        raise ValueError(errors.SEVERAL_ORIGINALS)
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    register(module, tensor_name, kept)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def keep_value(original: Any, value: Any) -> None:
    """Make the original what was computed from it."""
    try:
        original.set_(value)
    except RuntimeError as error:
        if type(original) is Tensor:
            raise
        raise RuntimeError(errors.CANNOT_LEAVE_PARAMETRIZED) from error


def type_before_parametrizations(module: Any) -> type:
    """The class of the module, as if nothing were parametrized."""
    kind: type = type(module)
    return kind.__bases__[0] if is_parametrized(module) else kind


def transfer_parametrizations_and_params(
    from_module: Any, to_module: Any, tensor_name: str | None = None
) -> Any:
    """The module `to_module`, parametrized by the modules and originals of another one."""
    if not is_parametrized(from_module):
        return to_module
    for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
        source = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for module in source:
            register_parametrization(to_module, name, module)
        target = to_module.parametrizations[name]
        for key, original in (*source._parameters.items(), *source._buffers.items()):
            setattr(target, key, original)
    return to_module
