"""`detach_()` of a tensor that a graph still needs, and what else happens behind a graph's back."""

from __future__ import annotations

import pytest

import course_lib as torch

MESSAGE = "Trying to use a saved tensor that has been detached in-place"


def computed() -> tuple:
    leaf = torch.tensor([0.25, 1.0], requires_grad=True)
    return leaf, leaf + 1.5


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_saved_tensor_that_was_detached_in_place_is_refused(write, create_graph):
    leaf, middle = computed()
    out = middle * leaf
    middle.detach_()
    if write:
        middle.add_(1)
    with pytest.raises(RuntimeError, match=MESSAGE):
        torch.autograd.grad(out.sum(), leaf, create_graph=create_graph)


def test_a_tensor_saved_after_it_was_detached_is_fine():
    leaf, middle = computed()
    middle.detach_()
    (middle * leaf).sum().backward()
    assert leaf.grad.tolist() == [1.75, 2.5]


def test_detaching_a_leaf_changes_nothing_that_backward_needs():
    leaf, _ = computed()
    out = leaf.abs()
    leaf.detach_()
    out.sum().backward()
    assert leaf.grad is None


def test_a_hook_after_accumulating_runs_though_the_leaf_stopped_to_require_grad():
    leaf, out = computed()
    seen = []
    leaf.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad))
    leaf.requires_grad_(False)
    out.sum().backward()
    assert seen == [None]


def test_writing_into_a_view_that_was_not_asked_since_its_base_was_written_is_refused():
    base, leaf = torch.ones(2), torch.ones(2, requires_grad=True)
    view = base.view(2)
    base.add_(leaf)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used"):
        view.add_(1)
