"""Losses of sequences, decoders, and weights that are computed from other parameters."""

import warnings

import pytest

import course_lib as torch

F = torch.nn.functional


def says() -> torch.Tensor:
    torch.manual_seed(7)
    return torch.randn(5, 2, 4).log_softmax(2).requires_grad_()


def test_ctc_losses_are_those_of_pytorch():
    labels = torch.tensor([[1, 2], [2, 2]])
    losses = F.ctc_loss(says(), labels, (5, 4), (2, 1), reduction="none")
    assert repr(losses) == "tensor([3.7113, 2.7201], grad_fn=<CtcLossBackward0>)"
    in_a_row = F.ctc_loss(says(), torch.tensor([1, 2, 2]), (5, 4), (2, 1))
    assert repr(in_a_row) == "tensor(2.2879, grad_fn=<MeanBackward0>)"


def test_the_gradient_of_ctc_is_that_of_its_definition():
    labels = torch.tensor([[1, 1], [2, 3]])
    scores = torch.randn(4, 2, 4, dtype=torch.float64, requires_grad=True)

    def loss(scores: torch.Tensor) -> torch.Tensor:
        return F.ctc_loss(scores.log_softmax(2), labels, (4, 3), (2, 1), reduction="sum")

    assert torch.autograd.gradcheck(loss, (scores,), check_batched_grad=False)


def test_infinite_losses_count_nothing_if_asked():
    short = torch.zeros(2, 1, 3).log_softmax(2).requires_grad_()
    arguments = (torch.tensor([[1, 1]]), (2,), (2,))  # a blank between would be a third step
    assert F.ctc_loss(short, *arguments, reduction="sum").item() == float("inf")
    loss = F.ctc_loss(short, *arguments, reduction="sum", zero_infinity=True)
    loss.backward()
    assert loss.item() == 0 and not short.grad.any()


@pytest.mark.parametrize(
    ("lengths", "text"),
    [
        (((5,), (2, 1)), "input_lengths must be of size batch_size"),
        (((6, 4), (2, 1)), "Expected input_lengths to have value at most 5, but got value 6"),
        (((5, 4), (3, 1)), "Expected tensor to have size at least 3 at dimension 1"),
    ],
)
def test_ctc_refuses_lengths_that_do_not_fit(lengths, text):
    with pytest.raises(RuntimeError, match=text):
        F.ctc_loss(says(), torch.tensor([[1, 2], [2, 2]]), *lengths)


def test_a_decoder_layer_computes_what_pytorch_computes():
    layer = torch.nn.TransformerDecoderLayer(4, 2, 16, 0.0)
    for param in layer.parameters():
        param.data.copy_(torch.arange(0, param.numel()).float().view(param.shape).cos())
    result = layer(torch.tensor([[[20.0, 30, 40, 50]]]), torch.tensor([[[60.0, 70, 80, 90]]]))
    assert result.flatten().tolist() == pytest.approx(
        [2.314351, 0.094805, -0.671322, 0.101977], abs=1e-5
    )


def test_a_transformer_checks_batches_and_features():
    model = torch.nn.Transformer(8, 2, 1, 1, 4, batch_first=True)
    with pytest.raises(RuntimeError, match="the batch number of src and tgt must be equal"):
        model(torch.zeros(2, 3, 8), torch.zeros(3, 3, 8))
    with pytest.raises(RuntimeError, match="the feature number of src and tgt"):
        model(torch.zeros(2, 3, 7), torch.zeros(2, 3, 8))
    with pytest.raises(AssertionError, match="key_padded_mask.shape.0. to be 2, but got 5"):
        padding = torch.zeros(5, 3).bool()
        model(torch.zeros(2, 3, 8), torch.zeros(2, 3, 8), src_key_padding_mask=padding)


def test_weight_norm_splits_a_weight_and_joins_it_again():
    layer = torch.nn.Linear(4, 5)
    x = torch.randn(3, 4)
    before = layer(x)
    for dim, shape in ((0, (5, 1)), (1, (1, 4)), (None, ())):
        with pytest.warns(FutureWarning, match="parametrizations.weight_norm"):
            torch.nn.utils.weight_norm(layer, dim=dim)
        assert layer.weight_g.shape == shape
        assert torch.allclose(layer(x), before, atol=1e-6)
        torch.nn.utils.remove_weight_norm(layer)
        assert [name for name, _ in layer.named_parameters()] == ["bias", "weight"]


def test_the_gradients_of_weight_norm():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = torch.nn.utils.weight_norm(torch.nn.Linear(3, 2).double())
    x = torch.randn(4, 3, dtype=torch.float64)

    def through(direction: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(layer, {"weight_v": direction, "weight_g": length}, x)

    values = [v.detach().requires_grad_() for v in (layer.weight_v, layer.weight_g)]
    assert torch.autograd.gradcheck(through, values, check_batched_grad=False)


def test_spectral_norm_finds_the_largest_singular_value():
    layer = torch.nn.utils.spectral_norm(torch.nn.Linear(4, 3), n_power_iterations=50)
    layer(torch.randn(2, 4))
    largest = torch.linalg.matrix_norm(layer.weight.detach(), 2)
    assert largest.item() == pytest.approx(1, abs=1e-4)
    with pytest.raises(RuntimeError, match="register two spectral_norm hooks"):
        torch.nn.utils.spectral_norm(layer, name="weight")
    torch.nn.utils.remove_spectral_norm(layer)
    assert [name for name, _ in layer.named_parameters()] == ["bias", "weight"]


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
