"""Operations of the user's own: `torch.autograd.Function`."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from course_lib.core.graph import FREED, Node, edge, next_order
from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.facts.dtypes import FLOATING
from course_lib.facts.modes import modes
from course_lib.forms.inplace import rebase


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
    values: list[tuple[Any, int, Any]] = []  # saved: (tensor or array, version, …); see `keep`

    def __getattr__(self, name: str) -> Any:
        if name != "ctx" and name in vars(self.ctx):
            return vars(self.ctx)[name]
        raise AttributeError(errors.no_attribute(self.label, name))

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """The tensors given to `save_for_backward`; RuntimeError if freed or overwritten."""
        found = []
        for value, version, output in self.values:
            if value is FREED:
                raise RuntimeError(errors.BACKWARD_TWICE)
            if value is None:
                found.append(None)
            elif output is None:
                if value._version != version:
                    raise self.overwritten(value, value._version, version, value.grad_fn)
                found.append(value)
            else:
                cell, dtype, number = output
                if cell is not None and cell.value != version:
                    again = Tensor._make(value, dtype)
                    raise self.overwritten(again, cell.value, version, self, number)
                again = Tensor._make(value, dtype)
                again._cell, again._node, again._output_nr = cell, self, number
                again._requires_grad = True
                found.append(again)
        return tuple(found)

    def overwritten(
        self, value: Tensor, now: int, version: int, maker: Any, number: int | None = None
    ) -> RuntimeError:
        """The error for a saved tensor that was written to."""
        name = maker.name() if maker is not None else None
        output = value._output_nr if number is None else number
        text = errors.stale_value(
            value._dtype.legacy, value._array.shape, name, output, now, version, modes.anomaly
        )
        return RuntimeError(text)

    def keep(self, outputs: list[Tensor]) -> None:
        """Save what forward asked for.  An output is saved as memory only: it holds this node."""
        self.values = []
        for value in self.ctx.to_save:
            number = next((i for i, out in enumerate(outputs) if out is value), None)
            if value is None or number is None:
                self.values.append((value, 0 if value is None else value._version, None))
            else:
                cell = value._share()
                output = (cell, value._dtype, number)
                self.values.append((value._array, cell.value, output))
        self.ctx.to_save = ()

    def apply(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        grads = grad if isinstance(grad, list) else [grad]
        if self.ctx.materialize_grads:
            grads = [
                like.zeros() if g is None and like is not None else g
                for g, like in zip(grads, self.like)
            ]
        results = self.function.backward(self.ctx, *grads)
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
            self.values = [(None if v is None else FREED, 0, None) for v, _, _ in self.values]
        return tuple(chosen)


class _Blank:
    """Shape, dtype and device of an output, to make zeros of."""

    def __init__(self, out: Tensor):
        self.array, self.dtype = out._meta(), out._dtype

    def zeros(self) -> Tensor:
        import numpy as np

        return Tensor._make(np.zeros(self.array.shape, self.array.dtype), self.dtype)


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

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Call `forward` and record the call."""
        tensors = [a for a in args if isinstance(a, Tensor)]
        recorded = modes.grad and any(t.requires_grad for t in tensors)
        node = cls._node_class()  # type: ignore[attr-defined]
        node.inputs = tuple(isinstance(a, Tensor) for a in args)
        needs = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)
        ctx = node.ctx = cls._ctx_class(node, needs)  # type: ignore[attr-defined]
        node.nodes = tuple(edge(t) for t in tensors)
        node.numbers = tuple(0 if edge(t) is None else t._output_nr for t in tensors)
        node.order, node.extras = next_order(), None
        versions = [t._version for t in tensors] if recorded else []
        previous, modes.grad = modes.grad, False
        try:
            if cls.setup_context is Function.setup_context:
                answer = cls.forward(ctx, *args)
            else:
                answer = cls.forward(*args)
                cls.setup_context(ctx, args, answer)
        finally:
            modes.grad = previous
        values = list(answer) if isinstance(answer, tuple) else [answer]
        if recorded:
            del versions
            values = record_outputs(node, tensors, values)
        return tuple(values) if isinstance(answer, tuple) else values[0]


def record_outputs(node: FunctionNode, inputs: list[Tensor], values: list[Any]) -> list[Any]:
    """Make the tensors that forward returned the outputs of `node`."""
    dirty, constant = node.ctx.dirty_tensors, node.ctx.non_differentiable
    for position, value in enumerate(values):
        if isinstance(value, Tensor) and any(value is t for t in inputs):
            if not any(value is t for t in dirty):
                values[position] = _alias(value)  # an input, given back: a view of it
    outputs = [v for v in values if isinstance(v, Tensor)]
    node.like = [_Blank(v) if isinstance(v, Tensor) else None for v in values]
    node.shape = [v._array.shape if isinstance(v, Tensor) else () for v in values]
    node.dtype = next((v._dtype for v in outputs), None)
    if len(values) == 1:
        node.shape = node.shape[0]
    node.more().mixed = True
    for number, value in enumerate(values):
        if not isinstance(value, Tensor) or value._dtype.category < FLOATING:
            continue
        if any(value is t for t in constant):
            continue
        if any(value is t for t in dirty):
            if value.grad_fn is None and value._requires_grad:
                raise RuntimeError(errors.LEAF_MARKED_DIRTY)
            if len(outputs) > 1 and value._view is not None and value._view.base is not None:
                raise RuntimeError(errors.DIRTY_VIEW)
            value._share().value += 1
            rebase(value, node)
            value._output_nr = number
        else:
            value._node, value._output_nr, value._requires_grad = node, number, True
            if value._view is not None and value._cell is not None:
                value._view.seen = value._cell.value
    node.keep(values)
    return values


def _alias(value: Tensor) -> Tensor:
    """A view of the whole tensor, outside recording."""
    previous, modes.grad = modes.grad, False
    try:
        other = value.view(value.shape)  # type: ignore[attr-defined]
    finally:
        modes.grad = previous
    other._view.origin = ""
    return other


def once_differentiable(backward: Callable) -> Callable:
    """Mark a `backward` that cannot be differentiated itself: its results have no history."""

    @functools.wraps(backward)
    def wrapped(ctx: Any, *grads: Any) -> Any:
        previous, modes.grad = modes.grad, False
        try:
            results = backward(ctx, *grads)
        finally:
            modes.grad = previous
        if not (previous and any(isinstance(g, Tensor) and g.requires_grad for g in grads)):
            return results
        alone = not isinstance(results, tuple)
        failed = [
            _Once.apply(r) if isinstance(r, Tensor) else r
            for r in ((results,) if alone else results)
        ]
        return failed[0] if alone else tuple(failed)

    return wrapped


class _Once(Function):
    """Gives its input back; asking for its gradient is an error."""

    @staticmethod
    def forward(ctx: Any, value: Tensor) -> Tensor:
        return value.detach().requires_grad_()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError(errors.ONCE_DIFFERENTIABLE)
