"""Layers: what they print, begin with, give and send back, as recorded from PyTorch."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

import course_lib as torch
from course_lib import nn

RECORDER = runpy.run_path(str(Path(__file__).with_name("record_layers.py")))
RECORD = json.loads(Path(__file__).with_name("layers.json").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore:LSTM with projections")
@pytest.mark.parametrize(("text", "shape", "expected"), RECORD, ids=[case[0] for case in RECORD])
def test_a_layer_does_what_pytorchs_does(text, shape, expected):
    found = RECORDER["observe"](torch, text, shape)
    for key in ("repr", "shape"):
        assert found[key] == expected[key]
    assert list(found["state"]) == list(expected["state"])
    for key in ("state", "output", "gradients"):
        assert found[key] == pytest.approx(expected[key], rel=1e-4, abs=1e-4)


def test_batch_norm_uses_what_it_measured_in_eval_mode():
    layer = nn.BatchNorm1d(1, momentum=1.0)
    layer(torch.tensor([[1.0], [3.0]]))
    assert layer.num_batches_tracked == 1
    assert layer.eval()(torch.tensor([[2.0]])).item() == 0


def test_the_padding_row_of_an_embedding_is_zero_and_gets_no_gradient():
    table = nn.Embedding(3, 2, padding_idx=-1)
    table(torch.tensor([2, 0])).sum().backward()
    assert table.weight[2].tolist() == [0, 0]
    assert table.weight.grad.tolist() == [[1, 1], [0, 0], [0, 0]]


def test_a_pretrained_embedding_is_frozen():
    assert not nn.Embedding.from_pretrained(torch.ones(2, 2)).weight.requires_grad


def test_a_transposed_convolution_reaches_the_size_that_is_asked_for():
    layer = nn.ConvTranspose2d(1, 1, 3, stride=2)
    assert layer(torch.ones(1, 1, 2, 2), output_size=(6, 5)).shape == (1, 1, 6, 5)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: nn.Conv2d(3, 4, 3, groups=2), "in_channels must be divisible by groups"),
        (lambda: nn.Conv2d(1, 1, 3, stride=2, padding="same"), "padding='same' is not supported"),
        (lambda: nn.Dropout(2), "dropout probability has to be between 0 and 1, but got 2"),
        (
            lambda: nn.GroupNorm(3, 4),
            "num_channels \\(4\\) must be divisible by num_groups \\(3\\)",
        ),
        (lambda: nn.RNN(3, 0), "hidden_size must be greater than zero"),
        (lambda: nn.BatchNorm1d(3)(torch.ones(3)), "expected 2D or 3D input \\(got 1D input\\)"),
    ],
)
def test_what_makes_no_sense_is_refused_in_pytorchs_words(make, text):
    with pytest.raises(ValueError, match=f"^{text}"):
        make()


def test_a_recurrent_layer_checks_sizes():
    with pytest.raises(RuntimeError, match="Expected 3, got 2$"):
        nn.GRU(3, 4)(torch.ones(5, 1, 2))
    with pytest.raises(RuntimeError, match=r"^Expected hidden\[1\] size \(1, 1, 4\), got"):
        nn.LSTM(3, 4)(torch.ones(5, 1, 3), (torch.ones(1, 1, 4), torch.ones(1, 1, 5)))


def test_the_old_names_of_a_reduction_still_work():
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert nn.MSELoss(size_average=False).reduction == "sum"


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_a_sequence_has_at_least_one_step(kind):
    with pytest.raises(RuntimeError, match="Expected sequence length to be larger than 0 in RNN"):
        kind(5, 6)(torch.ones(0, 10, 5))


def test_a_module_is_not_copied_by_to():
    with pytest.raises(RuntimeError, match=r"\.to\(\) does not accept copy argument"):
        nn.Linear(1, 1).to("cpu", copy=True)
