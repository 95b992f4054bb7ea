"""Jacobians, Hessians and their products, by functions of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import course_lib as torch
import course_lib.func
from course_lib.autograd import functional


def pair() -> tuple[Any, Any]:
    return torch.tensor([1.0, 2.0]), torch.tensor([3.0, -1.0])


def two(a: Any, b: Any) -> Any:
    return a * b * b, a.sum()


def one(a: Any, b: Any) -> Any:
    return (a * a * b).sum()


def test_jacobian_has_a_block_for_each_output_and_input() -> None:
    blocks = functional.jacobian(two, pair())
    assert blocks[0][0].tolist() == [[9, 0], [0, 1]]
    assert blocks[0][1].tolist() == [[6, 0], [0, -4]]
    assert blocks[1][0].tolist() == [1, 1]
    assert blocks[1][1].tolist() == [0, 0]


def test_hessian_has_a_block_for_each_pair_of_inputs() -> None:
    blocks = functional.hessian(one, pair())
    assert blocks[0][0].tolist() == [[6, 0], [0, -2]]
    assert blocks[0][1].tolist() == blocks[1][0].tolist() == [[2, 0], [0, 4]]
    assert blocks[1][1].tolist() == [[0, 0], [0, 0]]


def test_vjp_and_jvp_are_products_with_the_jacobian() -> None:
    jacobian = functional.jacobian(lambda a: a * a[0], pair()[0])
    v = torch.tensor([1.0, -1.0])
    _, left = functional.vjp(lambda a: a * a[0], pair()[0], v)
    _, right = functional.jvp(lambda a: a * a[0], pair()[0], v)
    assert left.tolist() == (v @ jacobian).tolist()
    assert right.tolist() == (jacobian @ v).tolist()


@pytest.mark.parametrize("product", [functional.vhp, functional.hvp])
def test_vhp_and_hvp_are_products_with_the_hessian(product: Callable) -> None:
    value, found = product(one, pair(), pair())
    assert value.item() == -1
    assert [f.tolist() for f in found] == [[12, -8], [2, 8]]


def test_results_have_history_only_on_request() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert not functional.jacobian(torch.exp, x).requires_grad
    assert functional.jacobian(torch.exp, x, create_graph=True).requires_grad


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda f, x: f.vjp(two, x), "The vector v can only be None if the user-provided"),
        (lambda f, x: f.vjp(two, x, x[0]), "v is a tuple of invalid length: should be 2 but got 1"),
        (lambda f, x: f.hessian(two, x), "The function given to hessian should return a single"),
        (lambda f, x: f.hvp(lambda a, b: a, x, x), "should contain a single element"),
        (lambda f, x: f.jacobian(two, x, strict=True), "Output 1 of the user-provided function is"),
    ],
)
def test_mistakes_are_named_in_pytorchs_words(call: Callable, sentence: str) -> None:
    with pytest.raises(RuntimeError, match=sentence):
        call(functional, pair())


def test_func_grad_nests() -> None:
    third = course_lib.func.grad(course_lib.func.grad(course_lib.func.grad(lambda x: x**4)))
    assert third(torch.tensor(2.0)).item() == 48


def test_func_grad_keeps_the_history_of_what_the_function_captured() -> None:
    w = torch.tensor(3.0, requires_grad=True)
    course_lib.func.grad(lambda x: x * w * w)(torch.tensor(1.0)).backward()
    assert w.grad.item() == 6


def test_func_hessian_is_the_jacobian_of_the_jacobian() -> None:
    found = course_lib.func.hessian(lambda x: (x**3).sum())(pair()[0])
    assert found.tolist() == [[6, 0], [0, 12]]


@pytest.mark.parametrize("name", ["linearize", "functionalize"])
def test_func_says_what_it_does_not_have(name: str) -> None:
    with pytest.raises(AttributeError, match=f"PyTorch has torch.func.{name}; the course does not"):
        getattr(course_lib.func, name)
