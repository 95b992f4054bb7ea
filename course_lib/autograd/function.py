"""Operations of the user's own: `torch.autograd.Function`."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable
from typing import Any

from course_lib.autograd.once import once_differentiable
from course_lib.autograd.saving import Item, Kept, made
from course_lib.core.graph import Node, Version, edge, next_order
from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.dtypes import FLOATING
from course_lib.facts.modes import modes
from course_lib.forms.inplace import check_inplace, rebase

ONCE = object()  # stands for values that could be read once, and were


class FunctionCtx:
    """What `forward` and `backward` share: saved tensors, and whatever attributes one sets.

    It is no node, so that ``ctx.shape = x.shape`` is nobody's business but the user's.  The node
    holds it; it finds the node, weakly.
    """

    def __init__(self, node: Any, needs_input_grad: tuple[bool, ...]):
        self._node = weakref.ref(node)
        self.needs_input_grad = needs_input_grad

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors given to `save_for_backward`; RuntimeError if freed or overwritten."""
        saved: tuple[Tensor | None, ...] = self._node().saved_tensors
        return saved

    @property
    def saved_variables(self) -> tuple[Tensor | None, ...]:
        """The old name of `saved_tensors`, with PyTorch's warning."""
        errors.warn(errors.SAVED_VARIABLES, DeprecationWarning)
        return self.saved_tensors

    def __getattr__(self, name: str) -> Any:
        node = None if name.startswith("__") else self._node()
        if node is not None and hasattr(type(node), name):
            return getattr(node, name)
        raise AttributeError(errors.no_attribute(type(self).__name__, name))

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `backward`; writes into them are noticed, as for any saved value."""
        self.to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs `forward` changed in place."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros (default) or None for an output that was not used."""
        self.materialize_grads = value

    to_save: tuple[Tensor | None, ...] = ()
    dirty_tensors: tuple[Tensor, ...] = ()
    non_differentiable: tuple[Tensor, ...] = ()
    materialize_grads = True


class FunctionNode(Node):
    """The node of one call of a Function."""

    function: Any
    ctx: FunctionCtx  # what forward and backward see
    inputs: tuple[bool, ...]  # for each argument, whether it was a tensor
    like: list[Any]  # shape and dtype of each output, for zeros
    runs_on_nothing = True
    values: Any = ()  # what was saved, a list of Kept; None when it is gone

    def __getattr__(self, name: str) -> Any:
        if name != "ctx" and name in vars(self.ctx):
            return vars(self.ctx)[name]
        raise AttributeError(errors.no_attribute(self.label, name))

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors given to `save_for_backward`; RuntimeError if freed or overwritten."""
        found = tuple(saved.unpack() for saved in self._raw_saved_tensors)
        if self.function.clear_saved_tensors_on_access:
            self.values = ONCE
        return found

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        """The saved tensors as what hooks can be put on."""
        if self.values is None:
            raise RuntimeError(errors.BACKWARD_TWICE)
        if self.values is ONCE:
            raise RuntimeError(errors.SAVED_ONCE)
        return tuple(made(Item, _node=self, _kept=kept) for kept in self.values)

    def keep(self, outputs: list[Tensor]) -> None:
        """Save what forward asked for, and forget what it said about its arguments."""
        ctx = self.ctx
        for position, value in enumerate(ctx.to_save):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(errors.saved_no_tensor(position, value))
        self.values = [Kept(value, outputs) for value in ctx.to_save]
        ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ()
        if modes.packing:
            modes.packing[-1](self)

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        grads = grad if isinstance(grad, list) else [grad] * len(self.like)
        if self.ctx.materialize_grads:
            grads = [
                like.zeros() if g is None and like is not None else g
                for g, like in zip(grads, self.like)
            ]
        results = backward_of(self.function)(self.ctx, *grads)
        results = results if isinstance(results, tuple) else (results,)
        while len(results) > len(self.inputs) and results[-1] is None:
            results = results[:-1]
        if len(results) != len(self.inputs):
            raise RuntimeError(errors.gradient_count(self.label, len(self.inputs), len(results)))
        chosen = []
        for position, (is_input, result) in enumerate(zip(self.inputs, results, strict=True), 1):
            if is_input:
                if result is not None and not isinstance(result, Tensor):
                    raise RuntimeError(errors.gradient_not_tensor(result))
                chosen.append(result)
            elif result is not None:
                raise RuntimeError(errors.gradient_of_constant(self.label, position))
        if not keep:
            self.values = None
        return tuple(chosen)


def backward_of(function: Any) -> Callable:
    """A Function's backward, whichever of its two names it has."""
    own: Callable = function.backward
    if function.vjp is Function.vjp:
        return own
    if own is not Function.backward:
        raise RuntimeError(errors.BACKWARD_AND_VJP)
    other: Callable = function.vjp
    return other


class _Blank:
    """Shape, dtype and device of an output, to make zeros of."""

    def __init__(self, out: Tensor):
        self.array, self.dtype = out._meta(), out._dtype

    def zeros(self) -> Tensor:
        import numpy as np

        out = Tensor._make(np.zeros(self.array.shape, self.array.dtype), self.dtype)
        out._cell = Version(1)  # PyTorch fills what it has made
        return out


class _FunctionMeta(type):
    """Gives each Function its node class: `Square` makes nodes called `SquareBackward`."""

    def __init__(cls, name: str, bases: tuple, body: dict):
        super().__init__(name, bases, body)
        label = name + "Backward"
        cls._node_class = type(label, (FunctionNode,), {"label": label, "function": cls})  # type: ignore[attr-defined]
        cls._ctx_class = type(label, (FunctionCtx,), {})  # type: ignore[attr-defined]


class Function(metaclass=_FunctionMeta):
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
        """Always an error: a Function is not called but applied."""
        raise RuntimeError(errors.FUNCTION_CALLED)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; the first argument is `ctx` unless there is a `setup_context`."""
        raise NotImplementedError(errors.FORWARD_MISSING)

    generate_vmap_rule = False
    clear_saved_tensors_on_access = False  # True: `saved_tensors` can be read once, and is gone

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """A rule for `vmap`, which there is none of here."""
        raise NotImplementedError("autograd.Function.vmap")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> Any:
        """Save what backward needs, apart from `forward`."""
        raise NotImplementedError(errors.SETUP_CONTEXT_MISSING)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient of each argument of `forward`, None for what is no tensor."""
        raise NotImplementedError(errors.BACKWARD_MISSING)

    @staticmethod
    def vjp(ctx: Any, *grads: Any) -> Any:
        """Another name for `backward`; a Function has one of the two."""
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
        recorded = modes.grad and any(t.requires_grad for t in tensors)
        node = cls._node_class()  # type: ignore[attr-defined]
        node.inputs = tuple(isinstance(a, Tensor) for a in args)
        needs = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        ctx = node.ctx = cls._ctx_class(node, needs)  # type: ignore[attr-defined]
        node.nodes = tuple(edge(t) for t in tensors)
        node.numbers = tuple(0 if edge(t) is None else t._output_nr for t in tensors)
        node.order, node.extras = next_order(), None
        previous, modes.grad = modes.grad, False
        try:
            if apart:
                answer = cls.forward(*args)
                cls.setup_context(ctx, args, answer)
            else:
                answer = cls.forward(ctx, *args)
        finally:
            modes.grad = previous
        values = list(answer) if isinstance(answer, tuple) else [answer]
        check_dirty(ctx.dirty_tensors, tensors, values)
        own_views(values, tensors, ctx.dirty_tensors)
        if recorded:
            values = record_outputs(node, tensors, values)
        return tuple(values) if isinstance(answer, tuple) else values[0]


class InplaceFunction(Function):
    """A Function that knows whether it works in place; from before `mark_dirty`."""

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


def among(value: Any, tensors: Any) -> bool:
    """Whether `value` is one of `tensors`: itself, not an equal one."""
    return any(value is tensor for tensor in tensors)


def check_dirty(dirty: Any, inputs: list[Tensor], values: list[Any]) -> None:
    """What forward marked as dirty has to be an input, and has to be returned."""
    for value in dirty:
        if not among(value, values):
            raise RuntimeError(errors.DIRTY_NOT_RETURNED)
        if not among(value, inputs):
            if value._view is not None and value._view.base is not None:
                raise RuntimeError(errors.DIRTY_NO_INPUT)
            errors.warn(errors.DIRTY_NO_INPUT)


def own_views(values: list[Any], inputs: list[Tensor], dirty: Any) -> None:
    """Views that forward returns: a write through one would go around the Function's backward.

    An input that is given back becomes a view of itself.
    """
    several = sum(isinstance(v, Tensor) for v in values) > 1
    for position, value in enumerate(values):
        if not isinstance(value, Tensor) or among(value, dirty):
            continue
        if among(value, inputs):
            value = values[position] = _alias(value)
        if value._view is not None and value._view.base is not None:
            value._view.origin = "many" if several else "custom"


def record_outputs(node: FunctionNode, inputs: list[Tensor], values: list[Any]) -> list[Any]:
    """Make the tensors that forward returned the outputs of `node`."""
    dirty, constant = node.ctx.dirty_tensors, node.ctx.non_differentiable
    outputs = [v for v in values if isinstance(v, Tensor)]
    node.like = [_Blank(v) if isinstance(v, Tensor) else None for v in values]
    node.shape = [v._array.shape if isinstance(v, Tensor) else () for v in values]
    node.dtype = next((v._dtype for v in outputs), None)
    if len(values) == 1:
        node.shape = node.shape[0]
    node.more().mixed = True
    if modes.anomaly:
        node.more().remember()
    for number, value in enumerate(values):
        if not isinstance(value, Tensor) or value._dtype.category < FLOATING:
            continue
        if among(value, constant):
            continue
        if among(value, dirty) and among(value, inputs):
            written(value, node, number, len(outputs))
        else:
            value._node, value._output_nr, value._requires_grad = node, number, True
            if value._view is not None and value._cell is not None:
                value._view.seen = value._cell.value
    node.keep(values)
    return values


def written(value: Tensor, node: FunctionNode, number: int, outputs: int) -> None:
    """Make an input that forward wrote to an output of `node`."""
    if value.grad_fn is None and value._requires_grad:
        if value._view is None or value._view.base is None or value._view.origin:
            raise RuntimeError(errors.LEAF_MARKED_DIRTY)
    check_inplace(value, recorded=True)
    if outputs > 1 and value._view is not None and value._view.base is not None:
        raise RuntimeError(errors.DIRTY_VIEW)
    value._share().value += 1
    rebase(value, node)
    value._output_nr = number


def _alias(value: Tensor) -> Tensor:
    """A view of the whole tensor, outside recording."""
    previous, modes.grad = modes.grad, False
    try:
        other: Tensor = value.view(value.shape)  # type: ignore[attr-defined]
    finally:
        modes.grad = previous
    other._requires_grad = False
    return other


__all__ = ["Function", "FunctionCtx", "FunctionNode", "InplaceFunction", "once_differentiable"]
