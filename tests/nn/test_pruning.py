"""`torch.nn.utils.prune`: masks beside parameters, one rule after the other."""

from __future__ import annotations

import copy

import pytest

import course_lib as torch
from course_lib import nn
from course_lib.nn.utils import prune


def layer() -> nn.Linear:
    made = nn.Linear(3, 2)
    made.load_state_dict(
        {"weight": torch.tensor([[1.0, -6, 2], [5, -3, 4]]), "bias": torch.zeros(2)}
    )
    return made


def test_the_mask_is_a_buffer_and_the_parameter_has_another_name():
    pruned = prune.l1_unstructured(layer(), "weight", amount=2)
    assert list(pruned.state_dict()) == ["bias", "weight_orig", "weight_mask"]
    assert pruned.weight.tolist() == [[0, -6, 0], [5, -3, 4]]
    assert not isinstance(pruned.weight, nn.Parameter)
    pruned(torch.ones(1, 3)).sum().backward()
    assert pruned.weight_orig.grad.tolist() == pruned.weight_mask.tolist()


def test_each_rule_sees_what_is_left():
    pruned = prune.ln_structured(layer(), "weight", amount=1, n=2, dim=1)
    assert pruned.weight_mask.tolist() == [[1, 1, 0], [1, 1, 0]]
    prune.l1_unstructured(pruned, "weight", amount=1)
    assert pruned.weight_mask.tolist() == [[0, 1, 0], [1, 1, 0]]
    prune.ln_structured(pruned, "weight", amount=1, n=1, dim=0)
    assert pruned.weight_mask.tolist() == [[0, 0, 0], [1, 1, 0]]
    (hook,) = pruned._forward_pre_hooks.values()
    kinds = [prune.LnStructured, prune.L1Unstructured, prune.LnStructured]
    assert [type(method) for method in hook] == kinds and hook[1].amount == 1


def test_removing_leaves_the_zeros_in_an_ordinary_parameter():
    pruned = prune.random_unstructured(layer(), "weight", amount=0.5)
    original = pruned.weight_orig
    assert prune.is_pruned(nn.Sequential(pruned))
    assert prune.remove(pruned, "weight") is pruned
    assert pruned.weight is original and (original == 0).sum() == 3
    assert not prune.is_pruned(pruned) and list(pruned.state_dict()) == ["bias", "weight"]


def test_several_parameters_are_pruned_as_one():
    net = nn.Sequential(layer(), nn.Linear(2, 2))
    with torch.no_grad():
        net[1].weight.fill_(10)
    both = [(net[0], "weight"), (net[1], "weight")]
    prune.global_unstructured(both, pruning_method=prune.L1Unstructured, amount=0.3)
    assert net[0].weight_mask.tolist() == [[0, 1, 0], [1, 0, 1]]
    assert net[1].weight_mask.all()


def test_scores_decide_in_place_of_the_elements():
    scores = torch.tensor([[3.0, 1, 2], [4, 5, 6]])
    pruned = prune.l1_unstructured(layer(), "weight", amount=2, importance_scores=scores)
    assert pruned.weight_mask.tolist() == [[1, 0, 0], [1, 1, 1]]


@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda m: prune.l1_unstructured(m, "weight", 7), ValueError, "should be smaller than the"),
        (lambda m: prune.l1_unstructured(m, "weight", 1.5), ValueError, r"float in the range \[0"),
        (lambda m: prune.l1_unstructured(m, "weight", "a"), TypeError, "Invalid type for amount"),
        (lambda m: prune.random_structured(m, "bias", 1, 0), ValueError, "to multidimensional"),
        (lambda m: prune.random_structured(m, "weight", 1, 9), IndexError, "Invalid index 9 for"),
        (lambda m: prune.remove(m, "weight"), ValueError, "has to be pruned before pruning can"),
        (
            lambda m: prune.custom_from_mask(m, "weight", torch.ones(3)),
            AssertionError,
            "must match self.mask shape",
        ),
        (
            lambda m: prune.global_unstructured([(m, "weight")], prune.RandomStructured, amount=1),
            TypeError,
            'Only "unstructured" PRUNING_TYPE supported',
        ),
    ],
)
def test_a_refused_call_leaves_the_module_as_it_was(act, error, text):
    module = layer()
    with pytest.raises(error, match=text):
        act(module)
    assert sorted(module.state_dict()) == ["bias", "weight"] and not module._forward_pre_hooks


def test_a_copy_needs_a_module_without_history():
    pruned = prune.identity(layer(), "weight")
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(pruned)
    with torch.no_grad():
        pruned(torch.ones(1, 3))
    assert torch.equal(copy.deepcopy(pruned).weight_mask, torch.ones(2, 3))
