"""Attention with several heads: shares, masks, refusals."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib import nn


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return nn.MultiheadAttention(4, 2, batch_first=True)


@pytest.fixture
def x():
    return torch.arange(24.0).view(2, 3, 4).sin()


def test_weights_are_shares(layer, x):
    _, weights = layer(x, x, x)
    assert weights.shape == (2, 3, 3)
    assert weights.sum(-1).allclose(torch.ones(2, 3))


def test_the_result_is_the_same_without_weights(layer, x):
    alone, nothing = layer(x, x, x, need_weights=False)
    assert nothing is None
    assert alone.allclose(layer(x, x, x)[0], atol=1e-6)


@pytest.mark.parametrize("as_number", [False, True])
def test_nobody_listens_where_a_mask_says_so(layer, x, as_number):
    mask = torch.ones(3, 3).triu(1).bool()
    if as_number:
        mask = torch.zeros(3, 3).masked_fill(mask, float("-inf"))
    _, weights = layer(x, x, x, attn_mask=mask)
    assert weights.triu(1).abs().sum() == 0


def test_padding_is_not_listened_to(layer, x):
    padding = torch.tensor([[False, False, True], [False, True, True]])
    _, weights = layer(x, x, x, key_padding_mask=padding)
    assert weights[0, :, 2].tolist() == [0, 0, 0]
    assert weights[1, :, 0].tolist() == [1, 1, 1]


def test_each_head_has_its_own_weights(layer, x):
    assert layer(x, x, x, average_attn_weights=False)[1].shape == (2, 2, 3, 3)


def test_the_function_computes_what_the_layer_computes():
    layer = torch.nn.MultiheadAttention(4, 2)
    x = torch.randn(3, 2, 4)
    result, weights = torch.nn.functional.multi_head_attention_forward(
        x,
        x,
        x,
        4,
        2,
        layer.in_proj_weight,
        layer.in_proj_bias,
        None,
        None,
        False,
        0.0,
        layer.out_proj.weight,
        layer.out_proj.bias,
    )
    wanted = layer(x, x, x)
    assert torch.equal(result, wanted[0]) and torch.equal(weights, wanted[1])
