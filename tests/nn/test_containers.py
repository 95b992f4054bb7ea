"""Containers: modules in sequences and lists."""

from __future__ import annotations

import pytest

from course_lib import nn


def test_deleting_from_a_sequence_numbers_the_rest_anew():
    layers = nn.Sequential(nn.Tanh(), nn.ReLU(), nn.Sigmoid())
    del layers[0]
    assert list(layers._modules) == ["0", "1"]
    assert isinstance(layers[0], nn.ReLU)


def test_equal_neighbours_in_a_list_are_shown_once():
    layers = nn.ModuleList([nn.Tanh(), nn.Tanh(), nn.ReLU()])
    assert repr(layers) == "ModuleList(\n  (0-1): 2 x Tanh()\n  (2): ReLU()\n)"


def test_a_module_in_two_places_counts_once():
    layer = nn.Linear(1, 1)
    assert len(list(nn.Sequential(layer, layer).parameters())) == 2


@pytest.mark.parametrize("index", [3, -4])
def test_an_index_out_of_range_is_told(index):
    with pytest.raises(IndexError, match=f"^index {index} is out of range$"):
        nn.Sequential(nn.Tanh(), nn.Tanh(), nn.Tanh())[index]
