"""Lazy layers: no shapes before the first call, ordinary layers after it."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib import nn


def net() -> nn.Sequential:
    return nn.Sequential(
        nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(5)
    )


def test_the_first_call_makes_an_ordinary_network():
    model, x = net(), torch.randn(2, 3, 4, 4)
    assert model(x).shape == (2, 5)
    assert [type(layer) for layer in model] == [nn.Conv2d, nn.BatchNorm2d, nn.Flatten, nn.Linear]
    assert str(model[0]).startswith("Conv2d(3, 4, kernel_size=(3, 3)")
    assert model[3].in_features == 64
    assert all(type(parameter) is nn.Parameter for parameter in model.parameters())
    assert not hasattr(model[0], "_initialize_hook")


def test_the_numbers_are_those_of_an_ordinary_layer_with_the_same_seed():
    torch.manual_seed(0)
    layer = nn.LazyLinear(2)
    layer(torch.zeros(1, 3))
    torch.manual_seed(0)
    assert torch.equal(layer.weight, nn.Linear(3, 2).weight)


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (lambda w: w.shape, RuntimeError, "Can't access the shape of an uninitialized parameter"),
        (lambda w: w.add(1), ValueError, "<method 'add' of 'torch._C.TensorBase' objects>"),
        (lambda w: w * 2, ValueError, "<method 'mul' of 'torch._C.TensorBase' objects>"),
        (lambda w: w.numel(), ValueError, "Call `forward` with a dummy batch"),
        (lambda w: w.share_memory_(), RuntimeError, "Can't share memory on an uninitialized"),
    ],
)
def test_a_parameter_without_a_shape_says_so(use, error, text):
    with pytest.raises(error, match=text.replace("`", ".").replace("(", r"\(")):
        use(nn.LazyLinear(2).weight)


def test_a_state_goes_from_either_kind_into_a_lazy_one():
    ready, fresh = net(), net()
    ready(torch.randn(2, 3, 4, 4))
    fresh.load_state_dict(ready.state_dict())
    assert torch.equal(fresh[0].weight, ready[0].weight)
    assert type(fresh[3]) is nn.LazyLinear  # until it is called
    x = torch.randn(1, 3, 4, 4)
    assert torch.equal(fresh.eval()(x), ready.eval()(x))
    assert fresh[3].in_features == 64


def test_an_uninitialized_state_does_not_fit_an_ordinary_layer():
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized parameter"):
        nn.Linear(2, 3).load_state_dict(nn.LazyLinear(3).state_dict())


def test_a_lazy_layer_can_be_given_another_dtype():
    layer = nn.LazyLinear(3).double()
    assert repr(layer.weight) == "<UninitializedParameter>"
    assert layer(torch.ones(1, 2, dtype=torch.float64)).dtype is torch.float64


@pytest.mark.parametrize(
    ("layer", "shape", "result"),
    [
        ("LazyConv1d", (1, 2, 5), (1, 4, 3)),
        ("LazyConv2d", (2, 5, 5), (4, 3, 3)),
        ("LazyConv3d", (1, 2, 5, 5, 5), (1, 4, 3, 3, 3)),
        ("LazyConvTranspose1d", (1, 2, 5), (1, 4, 7)),
        ("LazyConvTranspose2d", (1, 2, 5, 5), (1, 4, 7, 7)),
        ("LazyConvTranspose3d", (1, 2, 2, 2, 2), (1, 4, 4, 4, 4)),
    ],
)
def test_every_lazy_convolution_takes_its_channels_from_the_input(layer, shape, result):
    made = getattr(nn, layer)(4, 3)
    assert made(torch.zeros(shape)).shape == result
    assert made.in_channels == 2
    assert type(made).__name__ == layer.removeprefix("Lazy")


def test_inputs_with_a_wrong_number_of_dimensions_are_refused():
    with pytest.raises(RuntimeError, match=r"Expected 3D \(unbatched\) or 4D \(batched\) input"):
        nn.LazyConv2d(4, 3)(torch.ones(2, 3))


@pytest.mark.parametrize("kind", ["LazyBatchNorm1d", "LazyInstanceNorm1d"])
def test_lazy_norms_take_their_features_from_the_input(kind):
    made = getattr(nn, kind)()
    assert "(0, eps=1e-05" in str(made)
    made(torch.randn(4, 3, 5))
    assert made.num_features == 3
    assert made.running_mean.shape == (3,)
