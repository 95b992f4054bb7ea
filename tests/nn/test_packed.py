"""Sequences of different lengths: what packing keeps, and that padding does not count."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib import nn
from course_lib.nn.utils import rnn

LENGTHS = [2, 4, 1]


def sequences() -> list:
    torch.manual_seed(0)
    return [torch.randn(n, 3) for n in LENGTHS]


@pytest.mark.parametrize("batch_first", [False, True])
@pytest.mark.parametrize("order", [[2, 4, 1], [4, 2, 1]])
def test_unpacked_is_what_was_packed(batch_first, order):
    given = [torch.randn(n, 3) for n in order]
    padded = rnn.pad_sequence(given, batch_first=batch_first)
    packed = rnn.pack_padded_sequence(padded, order, batch_first, enforce_sorted=False)
    again, lengths = rnn.pad_packed_sequence(packed, batch_first)
    assert torch.equal(again, padded)
    assert lengths.tolist() == order


@pytest.mark.parametrize("layer", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_each_sequence_gives_what_it_gives_alone(layer, bidirectional):
    net = layer(3, 4, num_layers=2, bidirectional=bidirectional)
    padded = rnn.pad_sequence(sequences())
    packed = rnn.pack_padded_sequence(padded, LENGTHS, enforce_sorted=False)
    outputs, last = net(packed)
    last = last[0] if layer is nn.LSTM else last
    padded, _ = rnn.pad_packed_sequence(outputs, batch_first=True)
    for number, one in enumerate(sequences()):
        alone, state = net(one)
        state = state[0] if layer is nn.LSTM else state
        assert torch.allclose(padded[number, : len(one)], alone, atol=1e-6)
        assert torch.allclose(last[:, number], state, atol=1e-6)


def test_padding_gets_no_gradient():
    padded = rnn.pad_sequence(sequences()).requires_grad_()
    packed = rnn.pack_padded_sequence(padded, LENGTHS, enforce_sorted=False)
    nn.GRU(3, 4)(packed)[0].data.sum().backward()
    assert padded.grad[2:, 0].tolist() == [[0, 0, 0]] * 2
    assert (padded.grad[:2, 0] != 0).all()
