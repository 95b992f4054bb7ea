"""Checking gradients by finite differences: does backward match the function?"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.autograd.backward import grad
from course_lib.autograd.function import Function
from course_lib.calls.rules import refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.declare.extras import as_tensor
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.words import errors

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` and `gradgradcheck` if a gradient is wrong."""


def gradcheck(
    func: Callable,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    fast_mode: bool = False,
    **others: Any,
) -> bool:
    """True if backward through `func` agrees with finite differences.

    `inputs` should be float64 (or complex128): in float32 the differences are mostly rounding
    errors.  If the gradients differ, raises GradcheckError, or returns False if `raise_exception`
    is False.  `fast_mode` is accepted but ignored: the whole Jacobian is always compared.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(lambda x: x * x, (x,))
    True
    """
    for name in others:
        raise NotImplementedError(errors.absent(f"gradcheck({name}=…)"))
    values = _as_tuple(inputs)
    _check_inputs(values)
    try:
        outputs = _select_tracked(func(*values))
        if not outputs:
            _check_constant(func, values, eps)
        for part in ("imag", "real"):
            if part == "real" or any(out.dtype.is_complex for out in outputs):
                _compare(func, values, outputs, part, eps, (rtol, atol), nondet_tol)
        refuse(outputs and _moves(outputs, values), errors.GRADCHECK_MUL, error=GradcheckError)
        if check_undefined_grad:
            _check_undefined(func, values, len(outputs))
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(func: Callable, inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """True if the second derivatives agree with finite differences of the first ones.

    `grad_outputs` are the vectors that the first backward pass starts with; random ones if None.
    The options are those of `gradcheck`.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(lambda x: x * x * x, (x,))
    True
    """
    values = _as_tuple(inputs)
    if grad_outputs is None:
        starts = tuple(map(_random_like, _select_tracked(func(*values))))
    else:
        starts = _as_tuple(grad_outputs)

    def first(*args: Any) -> tuple:
        given, vectors = args[: len(values)], args[len(values) :]
        wanted = [one for one, value in zip(given, values, strict=True) if _requires_grad(value)]
        outputs = _select_tracked(func(*given))
        found = grad(outputs, wanted, vectors, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(first, values + starts, **options)


def _as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _requires_grad(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def _select_tracked(values: Any) -> tuple[Tensor, ...]:
    """The inputs or outputs that require grad."""
    return tuple(filter(_requires_grad, _as_tuple(values)))


def _check_inputs(values: tuple) -> None:
    """Warn about too little precision; refuse what cannot be checked."""
    refuse_value(not _select_tracked(values), errors.GRADCHECK_NO_INPUT)
    for index, value in enumerate(values):
        if _requires_grad(value) and value.dtype not in (dtypes.float64, dtypes.complex128):
            warnings.warn(errors.gradcheck_precision(index), stacklevel=3)
        if _requires_grad(value) and layout.overlaps_itself(value._array):
            raise RuntimeError(errors.gradcheck_overlap(index))


def _random_like(out: Any) -> Any:
    """Random numbers between -1 and 1 in the shape of `out`, which require grad."""
    from course_lib.ops.shape.complex_views import view_as_real  # Note [Later]

    start = out.detach().new_empty(out.shape)
    (view_as_real(start) if out.dtype.is_complex else start).uniform_(-1, 1)
    return start.requires_grad_()


# ---- Jacobians: as PyTorch prints them, one row per input element --------------------------------


def _compare(
    func: Callable, values: tuple, outputs: tuple, part: str, eps: float, tol: tuple, nondet: float
) -> None:
    """Raise GradcheckError if a Jacobian computed by backward, of one part of complex outputs, is
    not the numerical one."""

    def taken(found: tuple) -> list[Tensor]:
        return [getattr(out, part) if out.dtype.is_complex else out for out in found]

    numerical = _numerical(lambda: taken(_select_tracked(func(*values))), values, eps)
    for number, out in enumerate(taken(outputs)):
        first, second = _analytical(out, values), _analytical(out, values)
        for index, (matrix, again) in enumerate(zip(first, second, strict=True)):
            if not np.allclose(matrix, again, rtol=0, atol=nondet, equal_nan=True):
                raise GradcheckError(errors.gradcheck_nondeterministic(nondet))
            expected = numerical[index][number]
            if not np.allclose(expected, matrix, *tol):
                name = {"imag": "imaginary", "real": "real"}[part]
                name = name if outputs[number].dtype.is_complex else ""
                shown = map(as_tensor, (expected, matrix))
                raise GradcheckError(errors.jacobian_mismatch(number, index, *shown, part=name))


def _numerical(run: Callable, values: tuple, eps: float) -> list[list[np.ndarray]]:
    """For each input that requires grad and each output, the Jacobian by central differences.

    The elements are changed in memory without autograd noticing.  For a complex input, a row is
    the change along the real axis plus i times the change along the imaginary axis: this is how
    PyTorch defines the gradient of a real function of a complex input.
    """
    answers = []
    for value in _select_tracked(values):
        value._share()
        memory, rows = value._array, []
        for where in np.ndindex(memory.shape):
            row = _slope(run, memory, where, eps, eps)
            if value.dtype.is_complex:
                along_i = _slope(run, memory, where, eps * 1j, eps)
                row = [a + 1j * b for a, b in zip(row, along_i, strict=True)]
            rows.append(row)
        found = [np.array(column) for column in zip(*rows)] if rows else [np.array([])] * len(run())
        # of the dtype of the output, unless the input is complex
        answers.append([m.astype(memory.dtype) if value.dtype.is_complex else m for m in found])
    return answers


def _slope(run: Callable, memory: Any, where: tuple, step: Any, eps: float) -> list[np.ndarray]:
    """How fast each output changes with one element, flattened."""
    old, both = memory[where].copy(), []
    for moved in (old - step, old + step):
        memory[where] = moved
        both.append([_array(out) for out in run()])
    memory[where] = old
    for low, high in zip(*both, strict=False):
        if low.shape != high.shape:
            sizes = (f"torch.Size({list(one.shape)})" for one in (low, high))
            raise AssertionError(errors.gradcheck_moved("shape", where, eps, *sizes))
        if low.dtype != high.dtype:
            kinds = dtypes.of_numpy(low.dtype), dtypes.of_numpy(high.dtype)
            raise AssertionError(errors.gradcheck_moved("dtype", where, eps, *kinds))
    return [((high - low) / (2 * eps)).reshape(-1) for low, high in zip(*both, strict=True)]


def _analytical(out: Tensor, values: tuple) -> list[np.ndarray]:
    """The Jacobian of `out` for each input that requires grad, one backward pass per column."""
    wanted, size = _select_tracked(values), out.numel()
    found = [np.zeros((w.numel(), size), w.dtype.numpy) for w in wanted]
    for column in range(size):
        start = np.zeros(size, out.dtype.numpy)
        start[column] = 1
        vector = Tensor._make(start.reshape(out.shape), out.dtype)
        grads = grad(out, wanted, vector, retain_graph=True, allow_unused=True)
        for matrix, one, value in zip(found, grads, wanted, strict=True):
            if one is not None:
                refuse(one.shape != value.shape, errors.GRADCHECK_SIZE, error=GradcheckError)
                matrix[:, column] = _array(one).reshape(-1)
    return found


def _array(tensor: Tensor) -> np.ndarray:
    return np.array(tensor.detach().numpy())


# ---- other requirements for a backward -----------------------------------------------------------


def _check_constant(func: Callable, values: tuple, eps: float) -> None:
    """Raise GradcheckError if an output without history changes with the inputs."""

    def run() -> list[Tensor]:
        return [out for out in _as_tuple(func(*values)) if isinstance(out, Tensor)]

    for jacobians in _numerical(run, values, eps):
        if any(np.count_nonzero(matrix) for matrix in jacobians):
            raise GradcheckError(errors.GRADCHECK_ZERO)


def _moves(outputs: Any, values: tuple) -> bool:
    """Whether backward turns zeros into other numbers, which it may not: it has to be linear."""
    zeros = [out.detach().new_zeros(out.shape) for out in outputs]
    found = grad(outputs, _select_tracked(values), zeros, retain_graph=True, allow_unused=True)
    return any(one is not None and np.count_nonzero(_array(one)) for one in found)


def _check_undefined(func: Callable, values: tuple, count: int) -> None:
    """Check that a missing gradient counts as zeros: for all outputs, then for each one alone."""
    for missing in [range(count), *((n,) for n in range(count) if count > 1)]:
        outputs = [
            _Undefined.apply(out) if number in missing else out
            for number, out in enumerate(_select_tracked(func(*values)))
        ]
        if not outputs:
            return
        try:
            moved = _moves(outputs, values)
        except RuntimeError as error:
            errors.warn(errors.GRADCHECK_UNDEFINED_NEW)
            raise GradcheckError(errors.GRADCHECK_UNDEFINED) from error
        if moved:
            errors.warn(errors.GRADCHECK_UNDEFINED_NEW)
            raise GradcheckError(errors.GRADCHECK_UNDEFINED_GRADS)


class _Undefined(Function):
    """Returns a copy of its input; sends no gradient back."""

    @staticmethod
    def forward(ctx: Any, value: Tensor) -> Tensor:
        return value.detach().clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return None
