"""Checking gradients by finite differences: does backward match the function?"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.autograd.backward import grad
from course_lib.autograd.function import Function
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.words import errors

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

Matrix = np.ndarray  # a Jacobian as PyTorch prints it: one row per input element


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
        outputs = _tracked(func(*values))
        if not outputs:
            _check_constant(func, values, eps)
        for part in _parts(outputs):
            _compare(func, values, outputs, part, eps, atol, rtol, nondet_tol)
        _check_zero(outputs, values)
        if check_undefined_grad:
            _check_undefined(func, values, len(outputs))
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable,
    inputs: Any,
    grad_outputs: Any = None,
    **options: Any,
) -> bool:
    """True if the second derivatives agree with finite differences of the first ones.

    `grad_outputs` are the vectors that the first backward pass starts with; random ones if None.
    The options are those of `gradcheck`.

    >>> x = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(lambda x: x * x * x, (x,))
    True
    """
    values = _as_tuple(inputs)
    if grad_outputs is None:
        starts = tuple(map(_random_like, _tracked(func(*values))))
    else:
        starts = _as_tuple(grad_outputs)
    wanted = [index for index, v in enumerate(values) if _requires_grad(v)]

    def first(*args: Any) -> tuple:
        given, vectors = args[: len(values)], args[len(values) :]
        found = grad(
            _tracked(func(*given)),
            tuple(given[index] for index in wanted),
            vectors,
            create_graph=True,
            allow_unused=True,
        )
        return tuple(g for g in found if g is not None)

    return gradcheck(first, values + starts, **options)


# ---- inputs and outputs --------------------------------------------------------------------------


def _as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _requires_grad(value: Any) -> bool:
    return isinstance(value, Tensor) and value.requires_grad


def _tracked(outputs: Any) -> tuple[Tensor, ...]:
    """The outputs that require grad."""
    return tuple(out for out in _as_tuple(outputs) if _requires_grad(out))


def _check_inputs(values: tuple) -> None:
    """Warn about too little precision; refuse what cannot be checked."""
    if not any(map(_requires_grad, values)):
        raise ValueError(errors.GRADCHECK_NO_INPUT)
    for index, value in enumerate(values):
        if not _requires_grad(value):
            continue
        if value.dtype not in (dtypes.float64, dtypes.complex128):
            warnings.warn(errors.gradcheck_precision(index), stacklevel=3)
        if any(s == 0 and n > 1 for s, n in zip(value.stride(), value.shape, strict=True)):
            raise RuntimeError(errors.gradcheck_overlap(index))


def _random_like(out: Any) -> Any:
    """Random numbers between -1 and 1 in the shape of `out`, which require grad."""
    from course_lib.ops.shape.complex_views import view_as_real  # Note [Later]

    start = out.detach().new_empty(out.shape)
    (view_as_real(start) if out.dtype.is_complex else start).uniform_(-1, 1)
    return start.requires_grad_()


# ---- Jacobians -----------------------------------------------------------------------------------


def _parts(outputs: tuple) -> list[tuple[str, Callable]]:
    """The rounds of a check: for complex outputs the imaginary parts, then the real ones."""
    if any(out.dtype.is_complex for out in outputs):
        return [("imaginary", lambda out: out.imag), ("real", lambda out: out.real)]
    return [("", lambda out: out)]


def _compare(
    func: Callable,
    values: tuple,
    outputs: tuple,
    part: tuple[str, Callable],
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
) -> None:
    """Raise GradcheckError if a Jacobian computed by backward is not the numerical one."""
    name, take = part

    def taken(found: tuple) -> list[Tensor]:
        return [take(out) if out.dtype.is_complex else out for out in found]

    def run() -> list[Matrix]:
        return [_array(out) for out in taken(_tracked(func(*values)))]

    numerical = _numerical(run, values, eps)
    for number, out in enumerate(taken(outputs)):
        analytical = _analytical(out, values)
        again = _analytical(out, values)
        for index, matrix in enumerate(analytical):
            if not np.allclose(matrix, again[index], rtol=0, atol=nondet_tol, equal_nan=True):
                raise GradcheckError(errors.gradcheck_nondeterministic(nondet_tol))
            expected = numerical[index][number]
            if not np.allclose(expected, matrix, rtol=rtol, atol=atol):
                shown = (Tensor._make(m, dtypes.of_numpy(m.dtype)) for m in (expected, matrix))
                complex_part = name if outputs[number].dtype.is_complex else ""
                raise GradcheckError(
                    errors.jacobian_mismatch(number, index, *shown, part=complex_part)
                )


def _array(tensor: Tensor) -> np.ndarray:
    return np.array(tensor.detach().numpy())


def _numerical(run: Callable, values: tuple, eps: float) -> list[list[Matrix]]:
    """For each input that requires grad and each output, the Jacobian by central differences.

    The elements are changed in memory without autograd noticing.  For a complex input, a row is
    the change along the real axis plus i times the change along the imaginary axis: this is how
    PyTorch defines the gradient of a real function of a complex input.
    """
    answers = []
    for value in filter(_requires_grad, values):
        value._share()
        memory = value._array
        rows: list[list[np.ndarray]] = []
        for where in np.ndindex(memory.shape):
            steps = (eps, eps * 1j) if value.dtype.is_complex else (eps,)
            slopes = [_slope(run, memory, where, step, eps) for step in steps]
            rows.append(
                slopes[0]
                if len(slopes) == 1
                else [a + 1j * b for a, b in zip(*slopes, strict=True)]
            )
        count = len(rows[0]) if rows else len(run())
        found = [np.array([row[n] for row in rows]) for n in range(count)]
        # of the dtype of the output, unless the input is complex
        answers.append([m.astype(memory.dtype) if value.dtype.is_complex else m for m in found])
    return answers


def _slope(run: Callable, memory: Any, where: tuple, step: Any, eps: float) -> list[np.ndarray]:
    """How fast each output changes with one element, flattened."""
    old = memory[where].copy()
    memory[where] = old - step
    below = run()
    memory[where] = old + step
    above = run()
    memory[where] = old
    for low, high in zip(below, above, strict=False):
        if low.shape != high.shape:
            sizes = (f"torch.Size({list(one.shape)})" for one in (low, high))
            raise AssertionError(errors.gradcheck_moved("shape", where, eps, *sizes))
        if low.dtype != high.dtype:
            kinds = dtypes.of_numpy(low.dtype), dtypes.of_numpy(high.dtype)
            raise AssertionError(errors.gradcheck_moved("dtype", where, eps, *kinds))
    return [((a - b) / (2 * eps)).reshape(-1) for a, b in zip(above, below, strict=True)]


def _analytical(out: Tensor, values: tuple) -> list[Matrix]:
    """The Jacobian of `out` for each input that requires grad, one backward pass per column."""
    wanted = [value for value in values if _requires_grad(value)]
    size = out.numel()
    found = [np.zeros((w.numel(), size), w.dtype.numpy) for w in wanted]
    for column in range(size):
        start = np.zeros(size, out.dtype.numpy)
        start[column] = 1
        vector = Tensor._make(start.reshape(out.shape), out.dtype)
        grads = grad(out, wanted, vector, retain_graph=True, allow_unused=True)
        for matrix, one, value in zip(found, grads, wanted, strict=True):
            if one is None:
                continue
            if one.shape != value.shape:
                raise GradcheckError(errors.GRADCHECK_SIZE)
            matrix[:, column] = _array(one).reshape(-1)
    return found


# ---- other requirements for a backward -----------------------------------------------------------


def _check_constant(func: Callable, values: tuple, eps: float) -> None:
    """Raise GradcheckError if an output without history changes with the inputs."""

    def run() -> list[np.ndarray]:
        return [_array(o) for o in _as_tuple(func(*values)) if isinstance(o, Tensor)]

    for jacobians in _numerical(run, values, eps):
        if any(np.count_nonzero(matrix) for matrix in jacobians):
            raise GradcheckError(errors.GRADCHECK_ZERO)


def _check_zero(outputs: tuple, values: tuple) -> None:
    """Raise GradcheckError if backward turns zeros into other numbers: it has to be linear."""
    wanted = [value for value in values if _requires_grad(value)]
    if not outputs:
        return
    zeros = [out.detach().new_zeros(out.shape) for out in outputs]
    for one in grad(outputs, wanted, zeros, retain_graph=True, allow_unused=True):
        if one is not None and np.count_nonzero(_array(one)):
            raise GradcheckError(errors.GRADCHECK_MUL)


def _check_undefined(func: Callable, values: tuple, count: int) -> None:
    """Check that a missing gradient counts as zeros: for all outputs, then for each one alone."""
    wanted = [value for value in values if _requires_grad(value)]
    rounds = [set(range(count)), *({n} for n in range(count) if count > 1)]
    for missing in rounds:
        outputs = [
            _Undefined.apply(out) if number in missing else out
            for number, out in enumerate(_tracked(func(*values)))
        ]
        if not outputs:
            return
        zeros = [out.detach().new_zeros(out.shape) for out in outputs]
        try:
            found = grad(outputs, wanted, zeros, allow_unused=True)
        except RuntimeError as error:
            errors.warn(errors.GRADCHECK_UNDEFINED_NEW)
            raise GradcheckError(errors.GRADCHECK_UNDEFINED) from error
        if any(one is not None and np.count_nonzero(_array(one)) for one in found):
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
