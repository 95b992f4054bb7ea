"""Derivatives as functions of functions, of tensors in tuples and dictionaries, of modules."""

from __future__ import annotations

from typing import Any

import pytest

import course_lib as torch
from course_lib.func import functional_call, grad, grad_and_value, jacrev, vjp

X, Y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])


def product(a: Any, b: Any) -> Any:
    return (a * b).sum()


def test_the_gradient_has_the_form_of_the_argument() -> None:
    found = grad(lambda d: product(d["a"], d["more"][0]))({"a": X, "more": (Y,)})
    assert found["a"].tolist() == Y.tolist()
    assert found["more"][0].tolist() == X.tolist()


def test_several_arguments_give_a_tuple() -> None:
    to_x, to_y = grad(product, argnums=(0, 1))(X, Y)
    assert (to_x.tolist(), to_y.tolist()) == (Y.tolist(), X.tolist())
    with pytest.raises(RuntimeError, match="Got argnum=2, but only 2 positional inputs"):
        grad(product, argnums=2)(X, Y)


def test_what_is_returned_beside_the_value_is_handed_on() -> None:
    found, (value, beside) = grad_and_value(lambda a: (a.sum(), a * 2), has_aux=True)(X)
    assert (found.tolist(), value.item(), beside.tolist()) == ([1, 1], 3, [2, 4])
    assert not beside.requires_grad
    with pytest.raises(RuntimeError, match=r"should be a tuple: \(output, aux\)"):
        grad(lambda a: a.sum(), has_aux=True)(X)


def test_vectors_and_gradients_have_the_forms_of_outputs_and_inputs() -> None:
    value, pull_back = vjp(lambda d: {"twice": d["x"] * 2, "square": d["x"] * d["x"]}, {"x": X})
    assert value["twice"].tolist() == [2, 4]
    (found,) = pull_back({"twice": torch.ones(2), "square": torch.ones(2)})
    assert found["x"].tolist() == [4, 6]


def test_jacobians_of_several_arguments_and_beside_values() -> None:
    to_x, to_y = jacrev(lambda a, b: a * b, argnums=(0, 1))(X, Y)
    assert (to_x.tolist(), to_y.tolist()) == ([[3, 0], [0, 4]], [[1, 0], [0, 2]])
    found, beside = jacrev(lambda a: (a * a, a.sum()), has_aux=True)(X)
    assert (found.tolist(), beside.item()) == ([[2, 0], [0, 4]], 3)


def layer() -> Any:
    made = torch.nn.Linear(2, 1)
    torch.nn.init.ones_(made.weight)
    torch.nn.init.zeros_(made.bias)
    return made


def test_a_module_is_called_with_other_parameters() -> None:
    linear = layer()
    weights = {"weight": torch.full((1, 2), 3.0), "bias": torch.ones(1)}
    assert functional_call(linear, weights, (X,)).tolist() == [10]
    assert functional_call(linear, [{"weight": weights["weight"]}], X).tolist() == [9]
    assert linear(X).tolist() == [3]
    found = grad(lambda w: functional_call(linear, w, (X,)).sum())(weights)
    assert (found["weight"].tolist(), found["bias"].tolist()) == ([[1, 2]], [1])


def test_a_module_is_as_before_when_its_call_fails() -> None:
    linear = layer()
    with pytest.raises(RuntimeError):
        functional_call(linear, {"weight": torch.ones(1, 3)}, (X,))
    assert linear(X).tolist() == [3]


def test_names_are_checked_if_asked_for() -> None:
    with pytest.raises(RuntimeError, match=r"for Linear:\n\tUnexpected key\(s\): 'w'.\n\tMissing"):
        functional_call(layer(), {"w": X, "bias": torch.ones(1)}, (X,), strict=True)


def test_tied_parameters_are_replaced_together() -> None:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.one = layer()
            self.other = layer()
            self.other.weight = self.one.weight

        def forward(self, x: Any) -> Any:
            return self.one(x) + self.other(x)

    weights = {"one.weight": torch.zeros(1, 2)}
    assert functional_call(Tied(), weights, (X,)).tolist() == [0]
    assert functional_call(Tied(), weights, (X,), tie_weights=False).tolist() == [3]
