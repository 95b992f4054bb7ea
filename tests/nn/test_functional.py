"""What no recorded case can say of `torch.nn.functional`: identity, side effects, agreement."""

from __future__ import annotations

import numpy as np
import pytest

import course_lib as torch
from course_lib.nn import functional as F


def ramp(*shape):
    return torch.arange(float(np.prod(shape))).sin().view(shape)


def test_dropout_gives_the_input_itself_when_it_does_not_train():
    x = torch.ones(3)
    assert F.dropout(x, training=False) is x
    assert F.dropout(x, p=0.0) is x


def test_dropout_without_training_draws_no_random_numbers():
    torch.manual_seed(0)
    before = torch.get_rng_state()
    F.dropout(torch.ones(3), training=False)
    assert torch.equal(before, torch.get_rng_state())


def test_batch_norm_moves_the_running_statistics_without_counting_a_write():
    mean, var = torch.zeros(1), torch.ones(1)
    F.batch_norm(torch.tensor([[1.0], [3.0]]), mean, var, training=True)
    assert (mean.item(), mean._version) == (pytest.approx(0.2), 0)
    assert var.item() == pytest.approx(1.1)


def test_an_inplace_activation_overwrites_its_input():
    x = torch.tensor([-1.0, 2.0])
    assert F.relu(x, inplace=True) is x
    assert x.tolist() == [0.0, 2.0]


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("stride", [1, 2])
def test_a_transposed_convolution_is_the_gradient_of_a_convolution(groups, stride):
    x = ramp(2, 4, 7, 7).requires_grad_()
    w = ramp(6, 4 // groups, 3, 3)
    out = F.conv2d(x, w, stride=stride, groups=groups)
    grad = torch.ones_like(out)
    [back] = torch.autograd.grad(out, x, grad)
    again = F.conv_transpose2d(grad, w, stride=stride, groups=groups)
    assert torch.allclose(back, again, atol=1e-5)


def test_max_pooling_says_where_the_largest_elements_were():
    x = ramp(1, 2, 6, 6)
    values, indices = F.max_pool2d(x, 3, stride=2, padding=1, return_indices=True)
    assert torch.equal(x.flatten(2).gather(2, indices.flatten(2)), values.flatten(2))


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_adaptive_pooling_of_equal_parts_is_average_pooling(size):
    x = ramp(1, 1, 30, 30)
    assert torch.allclose(F.adaptive_avg_pool2d(x, size), F.avg_pool2d(x, 30 // size), atol=1e-6)


def test_cross_entropy_of_classes_is_that_of_sure_probabilities():
    scores, classes = ramp(4, 3), torch.tensor([0, 2, 1, 1])
    sure = F.one_hot(classes, 3).to(torch.float32)
    assert torch.allclose(F.cross_entropy(scores, classes), F.cross_entropy(scores, sure))


def test_attention_that_may_look_nowhere_gives_zeros():
    q = torch.ones(2, 3)
    mask = torch.tensor([[True, True], [False, False]])
    assert F.scaled_dot_product_attention(q, q, q, mask).tolist() == [[1, 1, 1], [0, 0, 0]]


def test_padding_is_undone_by_negative_padding():
    x = torch.arange(6).view(2, 3)
    assert torch.equal(F.pad(F.pad(x, (1, 2, 3, 0)), (-1, -2, -3, 0)), x)


def test_a_parameter_that_only_pytorch_has_is_named():
    x = torch.ones(1, 2, 3, 4)
    with pytest.raises(NotImplementedError, match=r"scaled_dot_product_attention\(enable_gqa=…\)"):
        F.scaled_dot_product_attention(x, x, x, enable_gqa=True)
    with pytest.raises(NotImplementedError, match=r"torch.linalg.lstsq\(driver=…\); the course"):
        torch.linalg.lstsq(x, x, driver="gels")
    with pytest.raises(TypeError, match="unexpected keyword argument 'driven'"):
        torch.linalg.lstsq(x, x, driven="gels")
