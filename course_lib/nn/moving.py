"""Changes to all tensors of a module, or to all modules inside it: `to`, `train`, hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.autograd.handles import RemovableHandle
from course_lib.calls.overloads import accepts
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.nn.parameter import Parameter
from course_lib.ops.make.convert import model
from course_lib.words import errors

__all__: list[str] = []


class Moving:
    """The part of `Module` that changes its contents."""

    training: bool

    # ---- dtypes and devices ----------------------------------------------------------------------

    def _apply(self, fn: Callable, recurse: bool = True) -> Any:
        """Replace the memory of each parameter, gradient and buffer with the result of `fn`.

        The parameters stay the same objects: an optimizer holds them.
        """
        own: Any = self
        if recurse:
            for module in own.children():
                module._apply(fn)
        for name, param in own._parameters.items():
            if param is None:
                continue
            with no_grad():
                made = fn(param)
            grad = param.grad
            if made.device == param.device:
                param.data = made
            else:  # another device: another object
                param = own._parameters[name] = Parameter(made, param.requires_grad)
            if grad is not None:
                with no_grad():
                    moved = fn(grad)
                if moved.device == grad.device:
                    grad.data = moved
                    param.grad = grad
                else:
                    param.grad = moved.requires_grad_(grad.requires_grad)
        for name, buffer in own._buffers.items():
            if buffer is not None:
                own._buffers[name] = fn(buffer)
        return self

    @accepts("Tensor")
    def to(
        self,
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
        if copy:
            raise RuntimeError(errors.MODULE_COPY)
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

    def _float_to(self, dtype: DType) -> Any:
        return self._apply(lambda value: value.to(dtype) if value.is_floating_point() else value)

    def float(self) -> Any:
        """The module itself, its floating point tensors as float32."""
        return self._float_to(dtypes.float32)

    def double(self) -> Any:
        """The module itself, its floating point tensors as float64."""
        return self._float_to(dtypes.float64)

    def half(self) -> Any:
        """The module itself, its floating point tensors as float16."""
        return self._float_to(dtypes.float16)

    def bfloat16(self) -> Any:
        """The module itself, its floating point tensors as bfloat16."""
        return self._float_to(dtypes.bfloat16)

    def cpu(self) -> Any:
        """The module itself, its tensors in the memory of the CPU."""
        return self._apply(lambda value: value.cpu())

    def cuda(self, device: Any = None) -> Any:
        """The module itself, its tensors on a GPU; an error where there is none."""
        return self._apply(lambda value: value.cuda(device))

    # ---- modes -----------------------------------------------------------------------------------

    def apply(self, fn: Callable) -> Any:
        """Call ``fn(module)`` for every module inside, this one last; returns the module itself."""
        own: Any = self
        for module in own.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Any:
        """Switch to training mode: dropout drops, batch norm measures; returns the module."""
        if not isinstance(mode, bool):
            raise ValueError(errors.NOT_TRAINING_BOOL)
        own: Any = self
        self.training = mode
        for module in own.children():
            module.train(mode)
        return self

    def eval(self) -> Any:
        """Switch to evaluation mode, like ``train(False)``; returns the module itself."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Let autograd record all parameters, or (False) freeze them; returns the module itself."""
        own: Any = self
        for param in own.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or to zeros if `set_to_none` is False."""
        own: Any = self
        for param in own.parameters():
            if param.grad is None:
                continue
            if set_to_none:
                param.grad = None
                continue
            if param.grad.grad_fn is not None:
                param.grad.detach_()
            else:
                param.grad.requires_grad_(False)
            param.grad.zero_()

    # ---- hooks -----------------------------------------------------------------------------------

    def register_forward_pre_hook(
        self, hook: Callable, *, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before `forward`; it may return other arguments."""
        own: Any = self
        handle = RemovableHandle(own._forward_pre_hooks, hook)
        own._forward_pre_hooks_with_kwargs.update({handle.id: True} if with_kwargs else {})
        return handle

    def register_forward_hook(
        self, hook: Callable, *, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after `forward`; it may return another output."""
        own: Any = self
        handle = RemovableHandle(own._forward_hooks, hook)
        own._forward_hooks_with_kwargs.update({handle.id: True} if with_kwargs else {})
        return handle

    def register_full_backward_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` after backward has passed through."""
        own: Any = self
        return RemovableHandle(own._backward_hooks, hook)
