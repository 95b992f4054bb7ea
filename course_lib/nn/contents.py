"""What a module holds, all at once: `state_dict`, `load_state_dict`, dtypes, devices and modes."""

from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.autograd.leaf import clear_grad
from course_lib.calls.overloads import accepts
from course_lib.calls.rules import refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory.meta import MetaArray
from course_lib.nn.parameter import Parameter
from course_lib.ops.make.convert import model
from course_lib.words import errors


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The keys that `load_state_dict` did not find, and those it did not need."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class Contents:
    """The part of `Module` that saves, loads and changes its tensors."""

    training: bool
    _version: int = 1

    # ---- saving ----------------------------------------------------------------------------------

    def _persistent(self: Any) -> dict[str, Any]:
        """The parameters and the buffers that are saved, by name."""
        found = {name: value for name, value in self._parameters.items() if value is not None}
        for name, value in self._buffers.items():
            if value is not None and name not in self._non_persistent_buffers_set:
                found[name] = value
        return found

    def state_dict(
        self: Any, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """A dictionary of all parameters and persistent buffers, by their dotted names.

        The tensors share memory with the module's: training changes them here, too.

        >>> list(torch.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = {"version": self._version}
        for name, value in self._persistent().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        for name, module in self._modules.items():
            if module is not None:
                inner = f"{prefix}{name}."
                module.state_dict(destination=destination, prefix=inner, keep_vars=keep_vars)
        return destination

    # ---- loading ---------------------------------------------------------------------------------

    def load_state_dict(
        self: Any, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> _IncompatibleKeys:
        """Copy the tensors of a `state_dict` into the module's own; returns the keys that differ.

        With `strict`, any difference is an error; with `assign`, the tensors themselves are taken.

        >>> layer = torch.nn.Linear(2, 1)
        >>> layer.load_state_dict(torch.nn.Linear(2, 1).state_dict())
        <All keys matched successfully>
        """
        refuse_type(not isinstance(state_dict, Mapping), errors.state_not_a_dict, type(state_dict))
        keys = _IncompatibleKeys([], [])
        texts: list[str] = []
        self._load(OrderedDict(state_dict), "", assign, keys, texts)
        for what, found in (("Unexpected", keys.unexpected_keys), ("Missing", keys.missing_keys)):
            if strict and found:
                listed = ", ".join(f'"{key}"' for key in found)
                texts.insert(0, errors.state_keys(what, listed))
        refuse(texts, errors.state_errors, self, "".join(f"\n\t{text}" for text in texts))
        return keys

    def _load(
        self: Any, state: Any, prefix: str, assign: bool, keys: _IncompatibleKeys, texts: list[str]
    ) -> None:
        """Load this module, then those inside; each gets its own part of the state."""
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
            if first not in (self._modules if dot else local):
                keys.unexpected_keys.append(key)
        for name, module in self._modules.items():
            if module is not None:
                inner = f"{prefix}{name}."
                part = {key: value for key, value in state.items() if key.startswith(inner)}
                module._load(part, inner, assign, keys, texts)

    def _take(self: Any, name: str, value: Any, key: str, given: Any, assign: bool) -> str:
        """Load one tensor of a state; returns the error message, or an empty text."""
        if not isinstance(given, Tensor):
            return errors.state_not_a_tensor(key, type(given))
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

    # ---- dtypes and devices ----------------------------------------------------------------------

    def _apply(self: Any, fn: Callable, recurse: bool = True) -> Any:
        """Replace the memory of each parameter, gradient and buffer with the result of `fn`.

        The parameters stay the same objects: an optimizer holds them.
        """
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, param in self._parameters.items():
            if param is None:
                continue
            with no_grad():
                made = fn(param)
            grad = param.grad
            if made.device == param.device:
                param.data = made
            else:  # another device: another object
                param = self._parameters[name] = Parameter(made, param.requires_grad)
            if grad is not None:
                with no_grad():
                    moved = fn(grad)
                if moved.device == grad.device:
                    grad.data = moved
                    param.grad = grad
                else:
                    param.grad = moved.requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    @accepts("Tensor")
    def to(
        self: Any,
        device: Any = None,
        dtype: DType | None = None,
        non_blocking: bool = False,
        copy: bool = False,
        tensor: Any = None,
    ) -> Any:
        """Move all tensors to a device, floating-point ones to a dtype; returns the module itself.

        >>> torch.nn.Linear(1, 1).to(torch.float64).weight.dtype
        torch.float64
        """
        refuse(copy, errors.MODULE_COPY)
        if tensor is not None:
            device, dtype = model(tensor)
        if dtype is not None and dtype.category < dtypes.FLOATING:
            raise TypeError(errors.module_dtype(dtype))
        if dtype is not None and dtype.is_complex:
            errors.warn(errors.COMPLEX_MODULES)

        def convert(value: Any) -> Any:
            kept = value._dtype.category < dtypes.FLOATING
            try:
                return value.to(device, None if kept else dtype, non_blocking)
            except NotImplementedError as error:
                if str(error) != errors.META_COPY:
                    raise
                raise NotImplementedError(errors.META_MODULE) from None

        return self._apply(convert)

    def _float_to(self: Any, dtype: DType) -> Any:
        return self._apply(lambda value: value.to(dtype) if value.is_floating_point() else value)

    def float(self: Any) -> Any:
        """The module itself, its floating point tensors as float32."""
        return self._float_to(dtypes.float32)

    def double(self: Any) -> Any:
        """The module itself, its floating point tensors as float64."""
        return self._float_to(dtypes.float64)

    def half(self: Any) -> Any:
        """The module itself, its floating point tensors as float16."""
        return self._float_to(dtypes.float16)

    def bfloat16(self: Any) -> Any:
        """The module itself, its floating point tensors as bfloat16."""
        return self._float_to(dtypes.bfloat16)

    def cpu(self: Any) -> Any:
        """The module itself, its tensors in the memory of the CPU."""
        return self._apply(lambda value: value.cpu())

    def cuda(self: Any, device: Any = None) -> Any:
        """The module itself, its tensors on a GPU; an error where there is none."""
        return self._apply(lambda value: value.cuda(device))

    # ---- modes -----------------------------------------------------------------------------------

    def apply(self: Any, fn: Callable) -> Any:
        """Call ``fn(module)`` for every module inside, this one last; returns the module itself."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self: Any, mode: bool = True) -> Any:
        """Switch to training mode: dropout drops, batch norm measures; returns the module."""
        refuse_value(not isinstance(mode, bool), errors.NOT_TRAINING_BOOL)
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: Any) -> Any:
        """Switch to evaluation mode, like ``train(False)``; returns the module itself."""
        return self.train(False)

    def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
        """Let autograd record all parameters, or (False) freeze them; returns the module itself."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self: Any, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or to zeros if `set_to_none` is False."""
        for param in self.parameters():
            clear_grad(param, set_to_none)
