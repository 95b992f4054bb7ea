"""`torch.nn.utils.parametrize`: tensors that are computed from others when they are read."""

from __future__ import annotations

import copy
import pickle

import pytest

import course_lib as torch
from course_lib import nn
from course_lib.nn.utils import parametrizations, parametrize


class Doubled(nn.Module):
    def forward(self, x):
        return 2 * x

    def right_inverse(self, x):
        return x / 2


class Product(nn.Module):
    def forward(self, left, right):
        return left * right

    def right_inverse(self, x):
        return x / 2, torch.full_like(x, 2)


class Made(nn.Module):
    """A parametrization of one expression."""

    def __init__(self, expression, inverse=None):
        super().__init__()
        self.expression = expression
        if inverse is not None:
            self.right_inverse = inverse

    def forward(self, *x):
        return self.expression(*x)


def tanh() -> nn.Module:
    return parametrize.register_parametrization(nn.Linear(2, 2), "weight", nn.Tanh())


def test_a_tensor_is_computed_when_it_is_read():
    layer = tanh()
    original = layer.parametrizations.weight.original
    assert torch.equal(layer.weight, original.tanh())
    assert list(layer.state_dict()) == ["bias", "parametrizations.weight.original"]
    assert isinstance(layer, nn.Linear) and type(layer).__name__ == "ParametrizedLinear"
    assert parametrize.type_before_parametrizations(layer) is nn.Linear
    layer(torch.ones(1, 2)).sum().backward()
    assert original.grad is not None and layer.weight is not layer.weight
    with parametrize.cached():
        assert layer.weight is layer.weight


def test_assigning_goes_through_the_inverses():
    layer = nn.Linear(2, 2)
    before = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Doubled())
    parametrize.register_parametrization(layer, "weight", Doubled())
    assert torch.equal(layer.weight, 4 * before / 2)  # only the first was inverted
    layer.weight = torch.ones(2, 2)
    assert layer.weight.tolist() == [[1, 1], [1, 1]]
    assert layer.parametrizations.weight.original[0, 0] == 0.25
    with pytest.raises(RuntimeError, match="parametrization Tanh does not implement right_inverse"):
        tanh().weight = torch.ones(2, 2)


def test_several_originals():
    layer = parametrize.register_parametrization(nn.Linear(2, 2), "weight", Product())
    names = ["bias", "parametrizations.weight.original0", "parametrizations.weight.original1"]
    assert [name for name, _ in layer.named_parameters()] == names
    layer.weight = torch.ones(2, 2)
    assert layer.parametrizations.weight.original1.tolist() == [[2, 2], [2, 2]]
    with pytest.raises(ValueError, match="in terms of a sequence of tensors"):
        parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is nn.Linear and layer.weight.tolist() == [[1, 1], [1, 1]]


def test_removing_keeps_the_value_or_the_original():
    layer = tanh()
    original, value = layer.parametrizations.weight.original, layer.weight
    parametrize.remove_parametrizations(layer, "weight")
    assert layer.weight is original and torch.equal(original, value)
    assert repr(layer) == "Linear(in_features=2, out_features=2, bias=True)"
    assert not parametrize.is_parametrized(layer) and not hasattr(layer, "parametrizations")
    layer = tanh()
    kept = layer.parametrizations.weight.original.detach().clone()
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    assert torch.equal(layer.weight, kept)


def test_buffers_and_other_modules():
    norm = parametrize.register_parametrization(nn.BatchNorm1d(2), "running_mean", nn.Tanh())
    assert "parametrizations.running_mean.original" in dict(norm.named_buffers())
    source, target = tanh(), nn.Linear(2, 2)
    parametrize.transfer_parametrizations_and_params(source, target)
    assert torch.equal(source.weight, target.weight)
    assert source.parametrizations.weight.original is target.parametrizations.weight.original


def test_copies():
    layer = tanh()
    twin = copy.deepcopy(nn.Sequential(layer))[0]
    with torch.no_grad():
        twin.parametrizations.weight.original.zero_()
    assert not twin.weight.any() and layer.weight.any()
    for attempt in (copy.copy, pickle.dumps):
        with pytest.raises(RuntimeError, match="only supported through state_dict"):
            attempt(layer)


CHANGED = "may not change the"
INVERSE = "must return a Tensor or a Sequence of tensors"


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (Made(lambda x: 3), r"A parametrization must return a tensor. Got int\."),
        (Made(lambda x: x.double()), f"{CHANGED} dtype of the tensor, unless `unsafe` flag"),
        (Made(lambda x: x[:1]), f"{CHANGED} shape of the tensor, unless `unsafe` flag"),
        (Made(lambda x: x, lambda x: 3), f"{INVERSE}.* Got int"),
        (Made(lambda x: x, lambda x: (x, 3)), f"{INVERSE}.* Got element 1 of the sequence"),
        (Made(lambda x: x, lambda x: x.double()), f"{CHANGED} dtype"),
    ],
)
def test_a_first_module_that_does_not_fit(module, text):
    layer = nn.Linear(2, 2)
    with pytest.raises(ValueError, match=text):
        parametrize.register_parametrization(layer, "weight", module)
    assert type(layer) is nn.Linear and layer.weight.shape == (2, 2)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        (Made(lambda x: x.double()), f"{CHANGED} dtype of the tensor, unless the `unsafe` flag"),
        (Made(lambda x: x, lambda x: 3), r"right_inverse must return a tensor\. Got: int"),
        (Made(lambda x: x, lambda x: x[:1]), "must have the same shape as module.weight"),
    ],
)
def test_a_second_module_that_does_not_fit(module, text):
    layer = tanh()
    with pytest.raises(ValueError, match=text):
        parametrize.register_parametrization(layer, "weight", module)
    assert len(layer.parametrizations.weight) == 1
    parametrize.register_parametrization(layer, "weight", module, unsafe=True)


@pytest.mark.parametrize(
    ("inverse", "text"),
    [
        (lambda x: x, r"must return a sequence of tensors\. Got Tensor"),
        (lambda x: (x,), r"of tensors of length 2\. Got a sequence of length 1"),
        (lambda x: (x, 3), "Got element 1 of type int"),
        (lambda x: (x, x.double()), "Tensor 1 returned by `right_inverse` has dtype torch.float64"),
    ],
)
def test_values_that_cannot_be_assigned(inverse, text):
    module = Product()
    layer = parametrize.register_parametrization(nn.Linear(2, 2), "weight", module)
    module.right_inverse = inverse
    with pytest.raises(ValueError, match=text):
        layer.weight = torch.ones(2, 2)


def test_a_dtype_that_the_original_cannot_have():
    layer = nn.Linear(2, 2)
    double = Made(lambda x: x.double())
    parametrize.register_parametrization(layer, "weight", double, unsafe=True)
    with pytest.raises(RuntimeError, match="Either set leave_parametrized=False"):
        parametrize.remove_parametrizations(layer, "weight")


def test_names_that_nobody_has():
    layer = nn.Linear(2, 2)
    with pytest.raises(ValueError, match="does not have a parameter, a buffer, or a parametrized"):
        parametrize.register_parametrization(layer, "in_features", nn.Tanh())
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        parametrize.remove_parametrizations(layer, "weight")
    with pytest.raises(ValueError, match="has no parameter or buffer with name 'foo'"):
        parametrizations.spectral_norm(layer, "foo")


# ---- norms ---------------------------------------------------------------------------------------


def test_a_weight_from_its_length_and_its_direction():
    layer = nn.Linear(2, 3)
    weight = layer.weight.detach().clone()
    parametrizations.weight_norm(layer)
    assert torch.allclose(layer.weight, weight)
    with torch.no_grad():
        layer.parametrizations.weight.original0.mul_(2)
    assert torch.allclose(layer.weight, 2 * weight)


@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated")
def test_states_of_the_older_function_are_loaded():
    old, new = nn.utils.weight_norm(nn.Linear(2, 3)), parametrizations.weight_norm(nn.Linear(2, 3))
    new.load_state_dict(old.state_dict())
    assert torch.equal(new.weight, old.weight)


def test_a_weight_whose_largest_singular_value_is_one():
    torch.manual_seed(0)
    layer = parametrizations.spectral_norm(nn.Conv2d(2, 3, 2), n_power_iterations=3)
    largest = torch.linalg.svdvals(layer.weight.flatten(1))[0]
    assert abs(largest - 1) < 0.01
    layer.eval()
    assert torch.equal(layer.weight, layer.weight)
    names = [f"parametrizations.weight.{part}" for part in ("original", "0._u", "0._v")]
    assert list(layer.state_dict()) == ["bias", *names]
    for options in ({"n_power_iterations": 0}, {"dim": 5}):
        with pytest.raises((ValueError, IndexError), match="Expected n_power|Dimension out of"):
            parametrizations.spectral_norm(nn.Linear(2, 3), **options)
