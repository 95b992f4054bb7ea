"""Derivatives as functions of functions: ``torch.func.grad(f)`` is the function f′.

Made of `autograd.grad` with history, so that they nest: ``grad(grad(f))`` is f″.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from course_lib.autograd.backward import grad as gradients_of
from course_lib.autograd.grad_mode import enable_grad
from course_lib.beyond import functional
from course_lib.beyond.trees import leaves, mapped, rebuilt, structure
from course_lib.core.graph import AccumulateGrad, edge
from course_lib.core.tensor import Tensor
from course_lib.words import errors

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "vjp",
]


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
            if out.dim():
                raise RuntimeError(errors.func_output_shape(out.shape))
            wanted = leaves(trees)
            answer = rebuilt(trees, _gradients(out, wanted, None))
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
        _only_tensors(out, "vjp(f, *primals)")
    wanted = leaves(trees)

    def pull_back(vector: Any, retain_graph: bool = True, create_graph: bool = True) -> tuple:
        return _plain(rebuilt(tuple(trees), _gradients(out, wanted, vector)), wanted)

    value = _plain(out, wanted)
    return (value, pull_back, _plain(aux, wanted)) if has_aux else (value, pull_back)


def jvp(
    func: Callable, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> tuple:
    """``func(*primals)`` and the product of its Jacobian with `tangents`, shaped as the outputs.

    This library has no forward mode: the product is that of `autograd.functional.jvp`.

    >>> torch.func.jvp(lambda x: x * x, (torch.tensor([1., 2.]),), (torch.tensor([1., 0.]),))
    (tensor([1., 4.]), tensor([2., 0.]))
    """
    for trees, what in ((primals, "primals"), (tangents, "tangents")):
        if what == "tangents" and structure(primals) != structure(tangents):
            raise RuntimeError(errors.jvp_structure(structure(primals), structure(tangents)))
        _check_jvp(trees, what)
    with enable_grad():
        given, trees = _tracked(primals, tuple(range(len(primals))))
        wanted, directions = leaves(trees), leaves(tangents)
        for one, direction in zip(wanted, directions, strict=True):
            if one.shape != direction.shape:
                raise RuntimeError(errors.tangent_size(one.shape, direction.shape))
        out, aux = _outputs(func(*given), has_aux, "jvp(f, primals, tangents)")
        outs = _only_tensors(out, "jvp(f, primals, tangents)")
        if strict and not all(one.requires_grad for one in outs):
            raise RuntimeError(errors.JVP_STRICT)
        vectors = [one.detach().new_zeros(one.shape) for one in outs]
        for one, vector in zip(outs, vectors, strict=True):
            vector.requires_grad_(one.requires_grad)
        back = _gradients(outs, wanted, vectors)
        pushed = rebuilt(out, _gradients(back, vectors, directions))
    made = [*wanted, *vectors]
    answer = _plain(out, made), _plain(pushed, made)
    return (*answer, _plain(aux, made)) if has_aux else answer


def _check_jvp(trees: Any, what: str) -> None:
    """Raise PyTorch's error unless these are tuples with tensors in them."""
    if not isinstance(trees, tuple):
        raise RuntimeError(errors.JVP_TUPLE.format(what, what))
    if not leaves(trees):
        raise RuntimeError(errors.JVP_EMPTY.format(what))
    for one in leaves(trees):
        if not isinstance(one, Tensor):
            raise RuntimeError(errors.JVP_INPUT.format(what, type(one)))


def jacrev(
    func: Callable,
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable:
    """The function that gives the Jacobian of `func`, computed by backward passes.

    There is one pass for each element of the output, whatever `chunk_size` is.

    >>> torch.func.jacrev(torch.sin)(torch.tensor([0., 0.]))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return _jacobian(func, argnums, has_aux, "jacrev(f)(*args)", "vjp(f, *primals)")


def jacfwd(
    func: Callable, argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable:
    """The function that gives the Jacobian of `func`.

    This library has no forward mode, so it is computed by the backward passes of `jacrev`.

    >>> torch.func.jacfwd(torch.cos)(torch.tensor([0., 0.]))
    tensor([[-0., -0.],
            [-0., -0.]])
    """
    call = "jvp(f, primals, tangents)"
    return _jacobian(func, argnums, has_aux, call, call)


def _jacobian(func: Callable, argnums: Any, has_aux: bool, aux_call: str, call: str) -> Callable:
    """The function that gives a block for each tensor of the output and each of the input."""

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        with enable_grad():
            given, trees = _tracked(args, argnums)
        places = (argnums,) if isinstance(argnums, int) else argnums
        wanted, beside = leaves(trees), []

        def of_wanted(*values: Tensor) -> tuple[Tensor, ...]:
            for place, tree in zip(places, rebuilt(trees, values), strict=True):
                given[place] = tree
            out, aux = _outputs(func(*given, **kwargs), has_aux, aux_call)
            beside.extend([out, aux])
            return tuple(_only_tensors(out, call))

        blocks = functional.jacobian(of_wanted, tuple(wanted), create_graph=True)
        out, aux = beside
        rows = [rebuilt(trees, row) for row in blocks]
        rows = [row[0] if isinstance(argnums, int) else tuple(row) for row in rows]
        found = _plain(rebuilt(out, rows), wanted)
        return (found, _plain(aux, [*wanted, *leaves(given)])) if has_aux else found

    return jacobian


def hessian(func: Callable, argnums: Any = 0) -> Callable:
    """The function that gives the second derivatives of `func`.

    >>> torch.func.hessian(lambda x: (x ** 3).sum())(torch.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


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


def _outputs(found: Any, has_aux: bool, call: str) -> tuple[Any, Any]:
    """What the user's function returned, and what it returned beside that."""
    if not has_aux:
        return found, None
    if not (isinstance(found, tuple) and len(found) == 2):
        raise RuntimeError(errors.func_aux(call))
    return found


def _only_tensors(found: Any, call: str) -> list[Tensor]:
    """The tensors that the user's function returned."""
    tensors = leaves(found)
    for one in tensors:
        if not isinstance(one, Tensor):
            raise RuntimeError(errors.only_tensors(call, type(one)))
    return tensors


def _tracked(args: tuple, argnums: Any) -> tuple[list[Any], list[Any]]:
    """The arguments, those at `argnums` made tensors of their own that track; and these alone."""
    places = (argnums,) if isinstance(argnums, int) else argnums
    given = list(args)
    for place in places:
        if not -len(given) <= place < len(given):
            raise RuntimeError(errors.func_argnum(place, len(given)))
        given[place] = mapped(_fresh, given[place])
    return given, [given[place] for place in places]


def _fresh(value: Any) -> Tensor:
    """A tensor of its own that tracks, with the values of another."""
    if not isinstance(value, Tensor):
        raise ValueError(errors.func_input_type(type(value)))
    return value.view_as(value) if value.requires_grad else value.detach().requires_grad_()


def _gradients(out: Any, wanted: list[Tensor], vector: Any) -> tuple:
    """The gradients of `wanted`, zeros for what was not used."""
    outs = leaves(out)
    vectors = [None] * len(outs) if vector is None else leaves(vector)
    pairs = [(o, v) for o, v in zip(outs, vectors, strict=True) if o.requires_grad]
    if not pairs:
        return tuple(one.new_zeros(one.shape) for one in wanted)
    starts, given = zip(*pairs, strict=True)
    return gradients_of(starts, wanted, given, create_graph=True, materialize_grads=True)


def _plain(value: Any, wanted: list[Tensor]) -> Any:
    """`value`, without its history if that leads to nothing but the tensors made here.

    If it leads elsewhere, to what `func` captured or to the inputs of a derivative around this
    one, somebody may ask for a gradient there.
    """
    return mapped(lambda one: _without(one, wanted), value)


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
