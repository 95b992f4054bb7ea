"""User-defined operations: `torch.autograd.Function`."""

import inspect
import weakref
from typing import Any

import numpy as np

from course_lib.autograd.saving import Keeper, make_saved_tensor
from course_lib.calls.missing import complete_module as _completed
from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.graph import Node, Version, edge
from course_lib.core.tensor import Tensor
from course_lib.dtypes.dtypes import FLOATING
from course_lib.memory import layout
from course_lib.modes import modes, switched
from course_lib.words import errors

# What every node of PyTorch's has: a `ctx` is a node there.
OF_NODES = "_forward_cls _input_metadata _raw_saved_tensors _sequence_nr apply metadata".split()
OF_NODES += "name next_functions register_hook register_prehook requires_grad".split()


class FunctionCtx:
    """The `ctx` that `forward` and `backward` share: saved tensors, and attributes the user sets.

    It is not the node itself, so an attribute such as ``ctx.shape = x.shape`` cannot clash with the
    node's own.  The node holds it; it holds the node weakly.
    """

    def __init__(self, node: Any, needs_input_grad: tuple[bool, ...]):
        self._node = weakref.ref(node)
        self.needs_input_grad = needs_input_grad

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors given to `save_for_backward`; RuntimeError if freed or overwritten."""
        node = self._node()
        refuse(node is None, errors.BACKWARD_TWICE)
        return node.saved_tensors

    def __getattr__(self, name: str) -> Any:
        refuse(name == "materialize_grads", errors.not_readable, name, error=AttributeError)
        if name in OF_NODES and (node := self._node()) is not None:
            return getattr(node, name)
        raise AttributeError(errors.no_attribute(type(self).__name__, name))

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save tensors for `backward`; if they are written to, backward raises an error."""
        self.to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Always an error: in the course, a Function gives new tensors."""
        raise NotImplementedError(errors.absent("ctx.mark_dirty"))

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare which outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether `backward` gets zeros (default) or None for an unused output."""
        self._materialize_grads = value

    def __repr__(self) -> str:
        node = self._node()  # in PyTorch, the two are one object
        return FunctionNode.__repr__(self if node is None else node)

    to_save: tuple[Tensor | None, ...] = ()
    non_differentiable: tuple[Tensor, ...] = ()
    _materialize_grads = True
    materialize_grads = property(None, set_materialize_grads)  # it can only be set


class FunctionNode(Node, Keeper):
    """The node of one call of a Function."""

    _forward_cls: Any  # the Function, by PyTorch's name
    ctx: FunctionCtx  # what forward and backward see
    inputs: tuple[bool, ...]  # for each argument, whether it was a tensor
    like: list[tuple]  # shape and dtype of each output, for zeros
    runs_on_nothing = True

    def __getattr__(self, name: str) -> Any:
        if name != "ctx" and (name in vars(self.ctx) or name in vars(FunctionCtx)):
            return getattr(self.ctx, name)
        raise AttributeError(errors.no_attribute(self.label, name))

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors given to `save_for_backward`; RuntimeError if freed or overwritten."""
        return tuple([saved.unpack() for saved in self._raw_saved_tensors])

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        """The saved tensors as objects that accept hooks."""
        refuse(self._tensors is None, errors.BACKWARD_TWICE)
        return tuple([make_saved_tensor(name, self) for name in self._tensors])

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"

    def keep_chosen(self) -> None:
        """Save the tensors that forward chose, and clear its marks on tensors."""
        ctx = self.ctx
        for position, value in enumerate(ctx.to_save):
            refuse_type(
                not isinstance(value, Tensor | None), errors.saved_no_tensor, position, value
            )
        self.keep({str(position): value for position, value in enumerate(ctx.to_save)})
        ctx.to_save = ctx.non_differentiable = ()

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        grads = grad if isinstance(grad, list) else [grad] * len(self.like)
        if self.ctx._materialize_grads:
            pairs = zip(grads, self.like, strict=True)
            grads = [zeros(*like) if g is None and like else g for g, like in pairs]
        results = self._forward_cls.backward(self.ctx, *grads)
        results = results if isinstance(results, tuple) else (results,)
        count = len(self.inputs)
        if any(result is not None for result in results[count:]) or len(results) < count:
            while results[count:] and results[-1] is None:
                results = results[:-1]
            raise RuntimeError(errors.gradient_count(self.label, count, len(results)))
        chosen: list[Any] = []
        for position, (is_input, result) in enumerate(zip(self.inputs, results), 1):
            if is_input:
                check_kind(result, self.nodes[len(chosen)], self.numbers[len(chosen)])
                chosen.append(result)
            elif result is not None:
                raise RuntimeError(errors.gradient_of_constant(self.label, position))
        if not keep:
            self.release()
        return tuple(chosen)


def check_kind(grad: Any, nxt: Node | None, number: int) -> None:
    """Raise if backward gave something else than a tensor, a complex gradient for a real input, or
    integers for a complex one."""
    refuse(grad is not None and not isinstance(grad, Tensor), errors.gradient_not_tensor, grad)
    if grad is None or nxt is None or grad._dtype.category == FLOATING:
        return
    shape = nxt._shape[number] if isinstance(nxt._shape, list) else nxt._shape
    fits = layout.expandable(shape, grad._array.shape)  # if not: the engine raises
    refuse(fits and grad._dtype.is_complex != nxt._dtype.is_complex, errors.GRADIENT_KIND)


def zeros(shape: tuple, dtype: Any) -> Tensor:
    """What an output without a gradient counts as."""
    out = Tensor._make(np.zeros(shape, dtype.numpy), dtype)
    out._cell = Version(1)  # PyTorch fills new memory, which counts as a write
    return out


class FunctionMeta(type):
    """Gives each Function its node class: `Square` makes nodes called `SquareBackward`."""

    def __init__(cls, name: str, bases: tuple, body: dict):
        super().__init__(name, bases, body)
        label = name + "Backward"
        cls._backward_cls = type(label, (FunctionNode,), {"label": label, "_forward_cls": cls})
        cls._ctx_class = type(label, (FunctionCtx,), {})


class Function(metaclass=FunctionMeta):
    """An operation with a backward of your own.

    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> x = torch.tensor(3., requires_grad=True)
    >>> Square.apply(x).backward()
    >>> x.grad
    tensor(6.)
    """

    def __init__(self, *args: Any, **kwargs: Any):
        errors.warn(errors.function_made(type(self)), DeprecationWarning)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Always an error: a Function is used through `apply`."""
        raise RuntimeError(errors.FUNCTION_CALLED)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; the first argument is `ctx` unless there is a `setup_context`."""
        raise NotImplementedError(errors.FORWARD_MISSING)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> Any:
        """Save the values that backward needs, separately from `forward`."""
        raise NotImplementedError(errors.SETUP_CONTEXT_MISSING)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient of each argument of `forward`; None for an argument that is not a tensor."""
        raise NotImplementedError(errors.BACKWARD_MISSING)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call `forward` and record the call."""
        apart = cls.setup_context is not Function.setup_context
        if apart:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        elif kwargs:
            raise TypeError("apply() takes no keyword arguments")
        tensors = [a for a in args if isinstance(a, Tensor)]
        node = cls._backward_cls()
        node.inputs = tuple(isinstance(a, Tensor) for a in args)
        needs = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        ctx = node.ctx = cls._ctx_class(node, needs)
        nodes = [edge(one) for one in tensors]
        numbers = [one._output_nr if to else 0 for to, one in zip(nodes, tensors, strict=True)]
        node.enter(tuple(nodes), tuple(numbers), (), None)
        recorded = modes.grad and any(needs)
        with switched(grad=False):
            if apart:
                answer = cls.forward(*args)
                cls.setup_context(ctx, args, answer)
            else:
                answer = cls.forward(ctx, *args)
            values = list(answer) if isinstance(answer, tuple) else [answer]
            cut_constants(ctx, tensors, values, recorded)
            own_views(ctx, tensors, values, apart)
        if recorded:
            record_outputs(node, values)
        return tuple(values) if isinstance(answer, tuple) else values[0]


def among(value: Any, tensors: Any) -> bool:
    """Whether `value` is one of `tensors`, compared by identity."""
    return any(value is tensor for tensor in tensors)


def cut_constants(ctx: FunctionCtx, inputs: list, values: list[Any], recorded: bool) -> None:
    """Replace each input that is returned without a gradient by a detached one."""
    for constant in ctx.non_differentiable:
        refuse(not isinstance(constant, Tensor), errors.CONSTANT_NO_TENSOR)
    for position, value in enumerate(values):
        constant = not recorded or among(value, ctx.non_differentiable)
        if constant and among(value, inputs) and value.requires_grad:
            values[position] = value.detach()
            ctx.non_differentiable = (*ctx.non_differentiable, values[position])


def has_gradient(ctx: FunctionCtx, value: Any) -> bool:
    """Whether a value that forward returned gets a gradient."""
    numbers = isinstance(value, Tensor) and value._dtype.category >= FLOATING
    return numbers and not among(value, ctx.non_differentiable)


def own_views(ctx: FunctionCtx, inputs: list[Tensor], values: list[Any], apart: bool) -> None:
    """Forbid writes through the views that forward returns: they would bypass its backward.

    An input that is returned is replaced by a view of it.
    """
    several = sum(has_gradient(ctx, value) for value in values) > 1
    for position, value in enumerate(values):
        if among(value, inputs):
            refuse(apart and among(value, ctx.to_save), errors.INPUT_RETURNED)
            value = values[position] = value.view(value.shape)
        if isinstance(value, Tensor) and value._view is not None and value._view.base is not None:
            value._view.origin = "many" if several else "custom"


def record_outputs(node: FunctionNode, values: list[Any]) -> None:
    """Make the tensors that forward returned the outputs of `node`."""
    node.like = [(v._array.shape, v._dtype) if isinstance(v, Tensor) else () for v in values]
    shapes = [like[0] if like else () for like in node.like]
    node._shape = shapes if len(values) > 1 else shapes[0]
    node._dtype = next((like[1] for like in node.like if like), None)
    node.more().mixed = True
    if modes.anomaly:
        node.more().remember()
    for number, value in enumerate(values):
        if has_gradient(node.ctx, value):
            value._node, value._output_nr, value._requires_grad = node, number, True
            if value._view is not None and value._view.base is not None:
                value._view.seen = value._version
    node.keep_chosen()


__all__ = ["Function", "FunctionCtx", "FunctionMeta", "FunctionNode"]

__getattr__, __dir__ = _completed(globals(), "autograd.function")
