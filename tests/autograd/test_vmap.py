"""vmap: one example after another, with PyTorch's answers and refusals."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import pytest

import course_lib as torch
from course_lib.func import (
    functional_call,
    grad,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    replace_all_batch_norm_modules_,
    stack_module_state,
    vjp,
    vmap,
)

F = torch.nn.functional
Pair = namedtuple("Pair", "double total")


def batch() -> Any:
    return torch.arange(6.0).view(2, 3)


def model() -> Any:
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))


def close(found: Any, expected: Any) -> None:
    assert found.shape == expected.shape
    assert torch.allclose(found, expected, atol=1e-6)


# ---- where examples come from, and where they go -------------------------------------------------


def test_dimensions_of_inputs_and_outputs_are_chosen() -> None:
    x = batch()
    assert vmap(torch.sum)(x).tolist() == [3, 12]
    assert vmap(torch.sum, in_dims=-1)(x).tolist() == [3, 5, 7]
    assert vmap(torch.dot, in_dims=(1, None))(x, torch.ones(2)).tolist() == [3, 5, 7]
    assert vmap(lambda a: a * 2, out_dims=-1)(x).shape == (3, 2)


def test_trees_go_in_and_come_out() -> None:
    x = batch()
    found = vmap(lambda d: d["a"] * d["b"][0], in_dims=({"a": 0, "b": [None]},))(
        {"a": x, "b": [torch.ones(3)]}
    )
    assert found.tolist() == x.tolist()
    pair = vmap(lambda a: Pair(a * 2, {"sum": [a.sum()]}), out_dims=Pair(1, 0))(x)
    assert isinstance(pair, Pair)
    assert (pair.double.shape, pair.total["sum"][0].tolist()) == ((3, 2), [3, 12])
    assert vmap(lambda a: a.max(0))(x).indices.tolist() == [2, 2]


def test_a_function_sees_one_example() -> None:
    seen = []
    vmap(lambda a: seen.append((tuple(a.shape), a.dim(), a.stride())) or a, in_dims=1)(batch())
    assert seen == [((2,), 1, (3,))] * 3


def test_an_empty_batch_has_the_shape_and_history_of_a_full_one() -> None:
    empty = torch.ones(0, 3, requires_grad=True)
    found = vmap(lambda a: (a.sin(), a.sum(), torch.ones(2)))(empty)
    assert [tuple(one.shape) for one in found] == [(0, 3), (0,), (0, 2)]
    assert found[0].requires_grad
    assert vmap(lambda a: a + 1)(torch.ones(0, 3, dtype=torch.int32)).dtype is torch.int32


def test_calls_nest() -> None:
    pairs = vmap(vmap(torch.dot, in_dims=(None, 0)), in_dims=(0, None))
    close(pairs(batch(), batch()), batch() @ batch().T)


def test_gradients_flow_through_to_inputs_and_captured_tensors() -> None:
    x, w = batch().requires_grad_(), torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    vmap(lambda a: (a * w).sum())(x).sum().backward()
    assert x.grad.tolist() == [[1, 2, 3]] * 2
    assert w.grad.tolist() == [3, 5, 7]


def test_arguments_are_written_to_in_place() -> None:
    x = batch()
    assert vmap(lambda a: a.add_(1))(x).tolist() == x.tolist() == (batch() + 1).tolist()


# ---- what it is for ------------------------------------------------------------------------------


def test_gradients_of_each_sample() -> None:
    net = model()
    weights = {name: one.detach() for name, one in net.named_parameters()}
    x, y = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])

    def loss(weights: Any, sample: Any, target: Any) -> Any:
        out = functional_call(net, weights, (sample.unsqueeze(0),))
        return F.cross_entropy(out, target.unsqueeze(0))

    found = vmap(grad(loss), in_dims=(None, 0, 0))(weights, x, y)
    for place in range(5):
        net.zero_grad()
        F.cross_entropy(net(x[place : place + 1]), y[place : place + 1]).backward()
        for name, one in net.named_parameters():
            close(found[name][place], one.grad)


def test_models_of_one_kind_are_called_at_once() -> None:
    models = [model() for _ in range(3)]
    parameters, buffers = stack_module_state(models)
    x = torch.randn(4, 3)
    call = vmap(lambda p, b, x: functional_call(models[0], (p, b), (x,)), in_dims=(0, 0, None))
    found = call(parameters, buffers, x)
    close(found, torch.stack([one(x) for one in models]))
    found.sum().backward()
    models[1](x).sum().backward()
    close(parameters["0.weight"].grad[1], models[1][0].weight.grad)


@pytest.mark.parametrize("jacobian", [jacrev, jacfwd])
def test_jacobians_of_a_batch(jacobian: Callable) -> None:
    x = batch()
    close(vmap(jacobian(torch.sin))(x), torch.diag_embed(x.cos()))
    close(vmap(hessian(lambda a: (a**3).sum()))(x), torch.diag_embed(6 * x))
    close(jacobian(vmap(torch.sin))(x[1]), x[1].cos().diag())


def test_a_graph_from_outside_serves_all_examples_and_is_freed_after_the_last() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * x
    rows = vmap(lambda v: torch.autograd.grad(y, x, v)[0])(torch.eye(3))
    close(rows, 2 * torch.eye(3))
    with pytest.raises(RuntimeError, match="a second time"):
        torch.autograd.grad(y.sum(), x)
    close(vmap(vjp(torch.sin, torch.zeros(3))[1])(torch.eye(3))[0], torch.eye(3))


def test_jvp_is_the_other_product() -> None:
    value, pushed = jvp(lambda d: {"o": d["a"] * d["b"]}, *[({"a": X, "b": X},) for X in batch()])
    assert (value["o"].tolist(), pushed["o"].tolist()) == ([0, 1, 4], [0, 8, 20])
    hvp = jvp(grad(lambda a: (a**3).sum()), (batch()[1],), (torch.ones(3),))[1]
    assert hvp.tolist() == [18, 24, 30]
    assert jvp(lambda a: torch.ones(2), (batch(),), (batch(),))[1].tolist() == [0, 0]


def test_jacobians_have_the_forms_of_outputs_and_inputs() -> None:
    found = jacrev(lambda d: {"twice": d["x"] * 2, "all": (d["x"].sum(),)})({"x": torch.ones(2)})
    assert found["twice"]["x"].tolist() == [[2, 0], [0, 2]]
    assert found["all"][0]["x"].tolist() == [1, 1]
    blocks = hessian(lambda a, b: (a * b).sum(), argnums=(0, 1))(torch.ones(1), torch.ones(1))
    assert [[b.item() for b in row] for row in blocks] == [[0, 1], [1, 0]]


# ---- random numbers ------------------------------------------------------------------------------


def test_random_numbers_are_refused_unless_asked_for() -> None:
    for inner in ("error", "different"):
        with pytest.raises(RuntimeError, match="called random operation while in randomness error"):
            vmap(vmap(lambda a: a + torch.rand(()), randomness=inner))(batch())


def test_the_same_random_numbers_for_all_examples_are_drawn_once() -> None:
    torch.manual_seed(0)
    expected, after = torch.rand(3), torch.rand(1)
    torch.manual_seed(0)
    found = vmap(lambda a: torch.rand(3), randomness="same")(batch())
    assert found.tolist() == [expected.tolist()] * 2
    assert torch.rand(1).tolist() == after.tolist()


def test_different_random_numbers_are_drawn_for_all_examples_at_once() -> None:
    def several(a: Any) -> Any:
        return torch.rand(2), torch.randn(9), torch.randperm(3), F.dropout(a, 0.5)

    torch.manual_seed(0)
    expected = torch.rand(2, 2), torch.randn(2, 9)
    expected += torch.stack([torch.randperm(3) for _ in range(2)]), F.dropout(batch(), 0.5)
    torch.manual_seed(0)
    found = vmap(several, randomness="different")(batch())
    assert [one.tolist() for one in found] == [one.tolist() for one in expected]


@pytest.mark.parametrize("outer", ["same", "different"])
@pytest.mark.parametrize("inner", ["same", "different"])
def test_random_numbers_of_nested_calls(outer: str, inner: str) -> None:
    torch.manual_seed(0)
    sizes = [2 if outer == "different" else 1, 3 if inner == "different" else 1, 2]
    expected = torch.rand(sizes).expand(2, 3, 2)
    torch.manual_seed(0)
    draw = vmap(vmap(lambda a: torch.rand(2), randomness=inner), randomness=outer)
    assert draw(torch.zeros(2, 3)).tolist() == expected.tolist()


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda a: a * a.sum().item(), "calling .item"),
        (lambda a: a if a.sum() >= 0 else -a, "data-dependent control flow"),
        (lambda a: torch.tensor(a.tolist()), "Cannot access data pointer"),
        (lambda a: a.nonzero(), "aten::nonzero"),
        (lambda a: a[a > 1], "indexing with a boolean mask"),
        (lambda a: a.masked_select(a > 1), "differently shaped Tensor"),
        (lambda a: a.unique(), "aten::_unique2"),
        (lambda a: (f"{a[0]:.1f}", a)[1], "calling .item"),
        (lambda a: (a.sum().backward(), a)[1], "inside a functorch transform"),
    ],
)
def test_an_example_cannot_decide_what_python_does(function: Callable, sentence: str) -> None:
    with pytest.raises(RuntimeError, match=sentence):
        vmap(function)(batch().requires_grad_(False))


def test_a_number_that_differs_is_noticed_where_marks_are_lost() -> None:
    with pytest.raises(RuntimeError, match="data-dependent control flow"):
        vmap(lambda a: a if torch.zeros_like(a).copy_(a).sum() > 5 else -a)(batch())


def test_numbers_that_all_examples_share_may_be_read() -> None:
    x, limit = batch(), torch.tensor(2.0)
    assert vmap(lambda a: a * limit.item() if limit > 1 else a)(x).tolist() == (x * 2).tolist()
    assert vmap(lambda a: a / x.max().item())(x).max().item() == 1
    assert vmap(lambda a: a[torch.tensor([True, False, True])])(x).shape == (2, 2)


def test_a_shared_tensor_is_not_written_to() -> None:
    total = torch.zeros(3)
    with pytest.raises(RuntimeError, match="vmapped over but `self` not being vmapped over"):
        vmap(lambda a: total.copy_(a))(batch())


def test_batch_norm_has_to_give_up_its_statistics() -> None:
    norm, x = torch.nn.BatchNorm1d(3), torch.randn(2, 4, 3)
    with pytest.raises(RuntimeError, match="vmapped over but `self` not being vmapped over"):
        vmap(norm)(x)
    replace_all_batch_norm_modules_(norm)
    close(vmap(norm)(x), torch.stack([norm(one) for one in x]))


def test_a_shared_result_must_not_depend_on_the_example() -> None:
    assert vmap(lambda a: torch.ones(2), out_dims=None)(batch()).tolist() == [1, 1]
    with pytest.raises(ValueError, match="can not return a BatchedTensor when out_dim is None"):
        vmap(lambda a: a * 2, out_dims=None)(torch.ones(2, 3))


def test_the_modes_are_as_before_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        vmap(lambda a: 1 / 0)(batch())
    assert torch.rand(2).sum().item() >= 0
    torch.ones(1, requires_grad=True).sum().backward()
