"""Losses of sequences, decoders, and weights that are computed from other parameters."""

import pytest

import course_lib as torch

F = torch.nn.functional


@pytest.mark.parametrize("kind", [torch.nn.RNN, torch.nn.GRU, torch.nn.LSTM])
def test_a_sequence_has_at_least_one_step(kind):
    with pytest.raises(RuntimeError, match="Expected sequence length to be larger than 0 in RNN"):
        kind(5, 6)(torch.ones(0, 10, 5))


def test_an_own_register_buffer_may_know_only_name_and_value():
    class Layer(torch.nn.Linear):
        def register_buffer(self, name, value):
            super().register_buffer(name, value, True)

    layer = Layer(2, 2)
    layer.seen = torch.nn.Buffer(torch.zeros(2))
    assert "seen" in layer.state_dict()


def test_a_module_is_not_copied_by_to():
    with pytest.raises(RuntimeError, match=r"\.to\(\) does not accept copy argument"):
        torch.nn.Linear(1, 1).to("cpu", copy=True)


def test_a_state_without_the_count_of_batches_loads_into_a_meta_layer():
    layer = torch.nn.BatchNorm2d(3, device="meta")
    layer.load_state_dict({}, assign=True, strict=False)
    assert layer.num_batches_tracked.item() == 0
