"""Gradients with respect to a place in the graph, and what hooks leave behind."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib.autograd.graph import GradientEdge, get_gradient_edge, saved_tensors_hooks


def test_grad_takes_an_edge_for_the_tensor_that_has_it():
    leaf = torch.ones(2, requires_grad=True)
    middle = leaf * 3
    (found,) = torch.autograd.grad((middle * 2).sum(), get_gradient_edge(middle))
    assert found.tolist() == [2, 2]


def test_an_edge_from_before_a_write_is_another_place_than_the_tensor():
    x = torch.ones(2, requires_grad=True).clone()
    before = get_gradient_edge(x)
    x *= 2
    old, new = torch.autograd.grad(x.sum(), (before, x))
    assert (old.tolist(), new.tolist()) == ([2, 2], [1, 1])


def test_no_zeros_are_made_for_an_edge():
    x = torch.ones(2, requires_grad=True).clone()
    y = torch.ones(2, requires_grad=True).clone()
    with pytest.raises(RuntimeError, match="materialize_grads cannot be used"):
        torch.autograd.grad(x.sum(), GradientEdge(y.grad_fn, 0), materialize_grads=True)


def test_hooks_entered_during_backward_are_left_when_it_ends():
    calls = []
    hooks = saved_tensors_hooks(lambda t: calls.append(1) or t, lambda t: hooks.__enter__() or t)
    x = torch.ones(2, requires_grad=True)
    with hooks:
        y = x.exp()
    y.sum().backward()
    x.exp()
    assert calls == [1]


def test_zeros_made_with_create_graph_can_be_differentiated_again():
    x = torch.tensor(0.5, requires_grad=True)
    y = torch.tensor(0.5, requires_grad=True)
    (zero,) = torch.autograd.grad(x * 2, y, materialize_grads=True, create_graph=True)
    assert zero.requires_grad


def test_a_hook_after_accumulating_gives_nothing_back():
    x = torch.ones(2, requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda t: t.grad)
    with pytest.raises(RuntimeError, match="post accumulate grad hooks should return None"):
        x.sum().backward()


def test_an_exception_thrown_into_a_decorated_generator_reaches_it_in_its_mode():
    @torch.no_grad()
    def numbers():
        try:
            yield 1
        except KeyError:
            yield torch.is_grad_enabled()

    running = numbers()
    next(running)
    assert running.throw(KeyError) is False


def test_a_write_behind_the_back_can_be_counted():
    x = torch.ones(2)
    torch.autograd.graph.increment_version(x)
    assert x._version == 1
