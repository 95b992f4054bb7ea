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

__all__ = ["functional_call", "grad", "grad_and_value", "hessian", "jacrev", "vjp"]


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
            given, trees = _tracked(args, argnums)
            out, aux = _outputs(func(*given, **kwargs), has_aux, "grad_and_value(f)(*args)")
            if not isinstance(out, Tensor):
                raise RuntimeError(errors.func_output_type(type(out)))
            if out.dim():  # type: ignore[attr-defined]
                raise RuntimeError(errors.func_output_shape(out.shape))
            wanted = _tensors(trees)
            answer = _rebuilt(trees, _gradients(out, wanted, None))
        value, answer = _plain(out, wanted), _plain(answer, wanted)
        answer = answer[0] if isinstance(argnums, int) else tuple(answer)
        return answer, ((value, _plain(aux, wanted)) if has_aux else value)

    return both


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """``func(*primals)`` and the function that multiplies a vector with its Jacobian.

    >>> value, pull_back = torch.func.vjp(lambda x: x * x, torch.tensor([1., 2.]))
    >>> pull_back(torch.tensor([1., 1.]))
    (tensor([2., 4.]),)
    """
    with enable_grad():
        given, trees = _tracked(primals, tuple(range(len(primals))))
        out, aux = _outputs(func(*given), has_aux, "vjp(f, *primals)")
    wanted = _tensors(trees)

    def pull_back(vector: Any, retain_graph: bool = True, create_graph: bool = True) -> tuple:
        found: tuple = _plain(_rebuilt(tuple(trees), _gradients(out, wanted, vector)), wanted)
        return found

    value = _plain(out, wanted)
    return (value, pull_back, _plain(aux, wanted)) if has_aux else (value, pull_back)


def jacrev(func: Callable, argnums: Any = 0, has_aux: bool = False) -> Callable:
    """The function that gives the Jacobian of `func`, computed by backward passes.

    >>> torch.func.jacrev(torch.sin)(torch.tensor([0., 0.]))
    tensor([[1., 0.],
            [0., 1.]])
    """

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            given, wanted = _tracked(args, argnums)
        places = (argnums,) if isinstance(argnums, int) else argnums
        beside: list[Any] = []

        def of_wanted(*values: Tensor) -> Any:
            for place, value in zip(places, values, strict=True):
                given[place] = value
            out, aux = _outputs(func(*given, **kwargs), has_aux, "jacrev(f)(*args)")
            beside.append(aux)
            return out

        inputs = wanted[0] if isinstance(argnums, int) else tuple(wanted)
        found = _plain(functional.jacobian(of_wanted, inputs, create_graph=True), wanted)
        return (found, _plain(beside[0], [*wanted, *given])) if has_aux else found

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


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """``module(*args)`` with other tensors in the place of its parameters and buffers.

    The module itself is as before afterwards.  A parameter that the module knows under several
    names is replaced under all of them with `tie_weights`; with `strict`, every name has to be
    given, and no other.

    >>> layer = torch.nn.Linear(1, 1, bias=False)
    >>> weights = {"weight": torch.tensor([[3.]])}
    >>> torch.func.functional_call(layer, weights, (torch.tensor([2.]),))
    tensor([6.])
    """
    given = parameter_and_buffer_dicts
    others: dict[str, Tensor] = {}
    for some in (given,) if isinstance(given, dict) else given:
        others.update(some)
    slots = _slots(module)
    unexpected = [name for name in others if name not in slots]
    missing = [name for name in slots if name not in others]
    if strict and (unexpected or missing):
        kind = type(module).__name__
        raise RuntimeError(errors.functional_call_keys(kind, unexpected, missing))
    known = {name: others[name] for name in others if name in slots}
    if tie_weights:
        tied = {id(_held(slots[name])): new for name, new in known.items()}
        same = {name: tied.get(id(_held(slots[name]))) for name in missing}
        known |= {name: new for name, new in same.items() if new is not None}
    before = {name: _held(slots[name]) for name in known}
    inputs = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        _put(slots, known)
        return module(*inputs, **(kwargs or {}))
    finally:
        _put(slots, before)


def _held(slot: tuple[dict, str]) -> Any:
    """The tensor in a slot of a module, or None."""
    home, key = slot
    return home[key]


def _put(slots: dict[str, tuple[dict, str]], tensors: dict[str, Any]) -> None:
    """Put tensors into the slots of their names."""
    for name, tensor in tensors.items():
        home, key = slots[name]
        home[key] = tensor


def _slots(module: Any) -> dict[str, tuple[dict, str]]:
    """Where each parameter and buffer is kept: a dictionary and a key, by full name."""
    return {
        f"{prefix}.{key}" if prefix else key: (home, key)
        for prefix, part in module.named_modules(remove_duplicate=False)
        for home in (part._parameters, part._buffers)
        for key in home
    }


# ---- fresh inputs, plain answers -----------------------------------------------------------------


def _map(function: Callable, tree: Any) -> Any:
    """Tuples, lists and dictionaries as they are, with ``function`` of what is inside."""
    if isinstance(tree, dict):
        return {key: _map(function, value) for key, value in tree.items()}
    if isinstance(tree, (tuple, list)):
        values = [_map(function, value) for value in tree]
        return type(tree)(*values) if hasattr(tree, "_fields") else type(tree)(values)
    return function(tree)


def _tensors(tree: Any) -> list[Any]:
    """What is inside tuples, lists and dictionaries, in order."""
    found: list[Any] = []
    _map(found.append, tree)
    return found


def _rebuilt(tree: Any, values: Any) -> Any:
    """A tree like `tree`, of other values."""
    remaining = iter(values)
    return _map(lambda _: next(remaining), tree)


def _outputs(found: Any, has_aux: bool, call: str) -> tuple[Any, Any]:
    """What the user's function returned, and what it returned beside that."""
    if not has_aux:
        return found, None
    if not (isinstance(found, tuple) and len(found) == 2):
        raise RuntimeError(errors.func_aux(call))
    return found


def _tracked(args: tuple, argnums: Any) -> tuple[list[Any], list[Any]]:
    """The arguments, those at `argnums` made tensors of their own that track; and these alone."""
    places = (argnums,) if isinstance(argnums, int) else argnums
    given = list(args)
    for place in places:
        if not -len(given) <= place < len(given):
            raise RuntimeError(errors.func_argnum(place, len(given)))
        given[place] = _map(_fresh, given[place])
    return given, [given[place] for place in places]


def _fresh(value: Any) -> Tensor:
    """A tensor of its own that tracks, with the values of another."""
    if not isinstance(value, Tensor):
        raise ValueError(errors.func_input_type(type(value)))
    fresh: Tensor = (
        value.view_as(value)  # type: ignore[attr-defined]
        if value.requires_grad
        else value.detach().requires_grad_()  # type: ignore[attr-defined]
    )
    return fresh


def _gradients(out: Any, wanted: list[Tensor], vector: Any) -> tuple:
    """The gradients of `wanted`, zeros for what was not used."""
    outs = _tensors(out)
    vectors = [None] * len(outs) if vector is None else _tensors(vector)
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
    return _map(lambda one: _without(one, wanted), value)


def _without(value: Any, wanted: list[Tensor]) -> Any:
    """The same for one tensor, or for anything else, which stays."""
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
