"""Derivatives as functions of functions: ``torch.func.grad(f)`` is the function f′.

Made of `autograd.grad` with history, so that they nest: ``grad(grad(f))`` is f″.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from course_lib.autograd import functional
from course_lib.autograd.backward import grad as gradients_of
from course_lib.autograd.grad_mode import enable_grad
from course_lib.core.graph import AccumulateGrad, edge
from course_lib.core.tensor import Tensor
from course_lib.facts import errors

__all__ = ["grad", "grad_and_value", "hessian", "jacrev", "vjp"]


def grad(func: Callable, argnums: Any = 0, has_aux: bool = False) -> Callable:
    """The function that gives the gradient of `func` with respect to argument `argnums`.

    `func` returns one number; with `has_aux`, that and something else, which is handed on.

    >>> torch.func.grad(torch.sin)(torch.tensor(0.))
    tensor(1.)
    >>> torch.func.grad(torch.func.grad(lambda x: x ** 3))(torch.tensor(2.))
    tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(func: Callable, argnums: Any = 0, has_aux: bool = False) -> Callable:
    """The same, but the function gives the gradient and the value of `func`.

    >>> torch.func.grad_and_value(lambda x: x * x)(torch.tensor(3.))
    (tensor(6.), tensor(9.))
    """

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            given, wanted = _tracked(args, argnums)
            out = func(*given, **kwargs)
            out, aux = out if has_aux else (out, None)
            if not isinstance(out, Tensor):
                raise RuntimeError(errors.func_output_type(type(out)))
            if out.dim():  # type: ignore[attr-defined]
                raise RuntimeError(errors.func_output_shape(out.shape))
            found = _gradients(out, wanted, None)
        value = _plain(out, wanted)
        answer = _plain(found, wanted)
        answer = answer[0] if isinstance(argnums, int) else answer
        return answer, ((value, _plain(aux, wanted)) if has_aux else value)

    return both


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """``func(*primals)`` and the function that multiplies a vector with its Jacobian.

    >>> value, pull_back = torch.func.vjp(lambda x: x * x, torch.tensor([1., 2.]))
    >>> pull_back(torch.tensor([1., 1.]))
    (tensor([2., 4.]),)
    """
    with enable_grad():
        given, wanted = _tracked(primals, tuple(range(len(primals))))
        out = func(*given)
        out, aux = out if has_aux else (out, None)

    def pull_back(vector: Any, retain_graph: bool = True, create_graph: bool = True) -> tuple:
        return _plain(_gradients(out, wanted, vector), wanted)

    value = _plain(out, wanted)
    return (value, pull_back, _plain(aux, wanted)) if has_aux else (value, pull_back)


def jacrev(func: Callable, argnums: int = 0, has_aux: bool = False) -> Callable:
    """The function that gives the Jacobian of `func`, computed by backward passes.

    >>> torch.func.jacrev(torch.sin)(torch.tensor([0., 0.]))
    tensor([[1., 0.],
            [0., 1.]])
    """
    if has_aux or not isinstance(argnums, int):
        raise NotImplementedError("func.jacrev(has_aux=True), func.jacrev(argnums=(…))")

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            given, wanted = _tracked(args, argnums)

        def of_one(value: Tensor) -> Any:
            return func(*given[:argnums], value, *given[argnums + 1 :], **kwargs)

        found = functional.jacobian(of_one, wanted[0], create_graph=True)
        return _plain(found, wanted)

    return jacobian


def hessian(func: Callable, argnums: int = 0) -> Callable:
    """The function that gives the second derivatives of `func`.

    >>> torch.func.hessian(lambda x: (x ** 3).sum())(torch.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacrev(jacrev(func, argnums), argnums)


def vmap(*args: Any, **kwargs: Any) -> Any:
    """Not here: a function that runs another one on a batch; write the batch dimension instead."""
    raise NotImplementedError("func.vmap")


def jvp(*args: Any, **kwargs: Any) -> Any:
    """Not here; see `torch.autograd.functional.jvp`."""
    raise NotImplementedError("func.jvp")


def jacfwd(*args: Any, **kwargs: Any) -> Any:
    """Not here; see `jacrev`, which gives the same."""
    raise NotImplementedError("func.jacfwd")


# ---- fresh inputs, plain answers -----------------------------------------------------------------


def _tracked(args: tuple, argnums: Any) -> tuple[list[Any], list[Tensor]]:
    """The arguments, those at `argnums` made tensors of their own that track; and these alone."""
    places = (argnums,) if isinstance(argnums, int) else argnums
    given = list(args)
    for place in places:
        value = given[place]
        if not isinstance(value, Tensor):
            raise ValueError(errors.func_input_type(type(value)))
        given[place] = (
            value.view_as(value)  # type: ignore[attr-defined]
            if value.requires_grad
            else value.detach().requires_grad_()
        )
    return given, [given[place] for place in places]


def _gradients(out: Any, wanted: list[Tensor], vector: Any) -> tuple:
    outs = out if isinstance(out, tuple) else (out,)
    vectors = vector if isinstance(vector, tuple) else (vector,)
    pairs = [(o, v) for o, v in zip(outs, vectors, strict=True) if o.requires_grad]
    if not pairs:
        return tuple(one.new_zeros(one.shape) for one in wanted)  # type: ignore[attr-defined]
    starts, given = zip(*pairs, strict=True)
    return gradients_of(starts, wanted, given, create_graph=True, materialize_grads=True)


def _plain(value: Any, wanted: list[Tensor]) -> Any:
    """`value`, without its history if that leads to nothing but the tensors made here.

    If it leads elsewhere, to what `func` captured or to the inputs of a derivative around this
    one, somebody may ask for a gradient there.
    """
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(v, wanted) for v in value)
    if not isinstance(value, Tensor) or not value.requires_grad:
        return value
    ours = {id(one) for one in wanted}
    stack = [edge(value)]
    seen = set(stack)
    while stack:
        node = stack.pop()
        if isinstance(node, AccumulateGrad) and id(node.variable) not in ours:
            return value
        for nxt, _ in node.next_functions:
            if nxt is not None and nxt not in seen:
                seen.add(nxt)
                stack.append(nxt)
    return value.detach()
