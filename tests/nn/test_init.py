"""Initial values: PyTorch's numbers for the same seed, recorded."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib import nn

# sum and sum of squares after torch.manual_seed(0), for an empty (6, 4) tensor
RECORDED = {
    "uniform_ -1, 2": (10.3926, 19.41355),
    "normal_ 1, 3": (24.75113, 249.9982),
    "xavier_uniform_ 2.0": (-1.660112, 16.02234),
    "xavier_normal_": (0.1119727, 4.988798),
    "kaiming_uniform_ 0.5": (-1.173876, 8.01117),
    "kaiming_normal_ mode='fan_out', nonlinearity='relu'": (0.1445562, 8.314663),
}


def fingerprint(tensor: torch.Tensor) -> tuple[float, float]:
    values = tensor.detach().double()
    return values.sum().item(), values.square().sum().item()


@pytest.mark.parametrize("call", RECORDED)
def test_a_seed_gives_pytorchs_numbers(call):
    name, _, arguments = call.partition(" ")
    torch.manual_seed(0)
    tensor = torch.empty(6, 4)
    assert eval(f"nn.init.{name}(tensor, {arguments})", {"nn": nn, "tensor": tensor}) is tensor
    assert fingerprint(tensor) == pytest.approx(RECORDED[call], rel=1e-5, abs=1e-5)


def test_a_linear_layer_begins_as_pytorchs_does():
    torch.manual_seed(0)
    layer = nn.Linear(2, 1)
    assert layer.weight.tolist() == [pytest.approx([-0.0052940, 0.3793229], abs=1e-6)]
    assert layer.bias.tolist() == pytest.approx([-0.5819808], abs=1e-6)


def test_filling_is_not_recorded():
    weight = nn.Parameter(torch.ones(2, 2))
    assert nn.init.zeros_(weight).grad_fn is None


def test_a_vector_has_no_fans():
    with pytest.raises(ValueError, match="^Fan in and fan out can not be computed for tensor with"):
        nn.init.xavier_uniform_(torch.empty(3))


def test_an_unknown_activation_has_no_gain():
    with pytest.raises(ValueError, match="^Unsupported nonlinearity gelu$"):
        nn.init.calculate_gain("gelu")


def test_the_old_name_warns():
    with pytest.warns(FutureWarning, match="in favor of `nn.init.normal_`"):
        nn.init.normal(torch.empty(1))


def test_nothing_to_fill_is_told():
    with pytest.warns(UserWarning, match="^Initializing zero-element tensors is a no-op$"):
        nn.init.kaiming_uniform_(torch.empty(0, 3))


# ---- all parameters at once ----------------------------------------------------------------------


def test_clipping_gives_the_old_norm_and_scales_to_the_new():
    weight = nn.Parameter(torch.zeros(2))
    weight.grad = torch.tensor([3.0, 4.0])
    assert nn.utils.clip_grad_norm_([weight], 1.0).item() == 5.0
    assert weight.grad.tolist() == pytest.approx([0.6, 0.8], abs=1e-6)


def test_a_norm_that_is_not_finite_is_told_on_request():
    weight = nn.Parameter(torch.zeros(1))
    weight.grad = torch.tensor([float("inf")])
    with pytest.raises(RuntimeError, match="^The total norm of order 2.0 for gradients"):
        nn.utils.clip_grad_norm_([weight], 1.0, error_if_nonfinite=True)
