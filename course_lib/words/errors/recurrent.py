"""Errors of recurrent layers and attention."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence

RNN_DROPOUT = (
    "dropout should be a number in range [0, 1] representing the probability of an element being "
    "zeroed"
)
RNN_PROJECTION_LSTM = "proj_size argument is only supported for LSTM, not RNN or GRU"
SCALAR_SEQUENCE = "ArrayRef: invalid slice, N = 1; size = 0"
NO_SEQUENCES = "received an empty list of sequences"
HEADS_DIVIDE = "embed_dim must be divisible by num_heads"

dropout_of_one_layer = Sentence(
    "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
    "num_layers greater than 1, but got dropout={dropout} and num_layers={layers}"
)
rnn_argument = Sentence("{name} should be of type {wanted.__name__}, got: {value:type}")
not_positive = Sentence("{name} must be greater than zero")
unknown_nonlinearity = Sentence("Unknown nonlinearity '{name}'. Select from 'tanh' or 'relu'.")
cell_nonlinearity = Sentence("Unknown nonlinearity: {name}")


def rnn_input_dims(layer: str, dims: int) -> str:
    tail = "D tensor instead" if layer == "RNN" else "D instead"
    return f"{layer}: Expected input to be 2D or 3D, got {dims}{tail}"


def rnn_hidden_dims(batched: bool, hidden: tuple[int, ...]) -> str:
    kind, wanted = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
    if len(hidden) == 1:
        return f"For {kind} input, hx should also be {wanted}-D but got {hidden[0]}-D tensor"
    got = ", ".join(f"{dims}-D" for dims in hidden)
    return f"For {kind} input, hx and cx should also be {wanted}-D but got ({got}) tensors"


rnn_dtype = Sentence(
    "RNN input dtype ({given}) does not match weight dtype ({own}). Convert input: "
    "input.to({own}), or convert model: model.to({given})"
)
rnn_input_size = Sentence(
    "input.size(-1) must be equal to input_size. Expected {wanted}, got {got}"
)
rnn_hidden_size = Sentence("Expected {which} size {wanted}, got {got:list}")


def check_packed(mode: str, size: int, data: Any, shapes: Any, states: Any) -> None:
    """Raise unless the packed steps and the first states fit; of an LSTM, PyTorch checks less."""
    if mode != "LSTM":
        if data[-1] != size:
            raise RuntimeError(rnn_input_size(size, data[-1]))
        if tuple(states[0].shape) != shapes[0]:
            raise RuntimeError(rnn_hidden_size("hidden", shapes[0], states[0].shape))
    elif states[0].dim() == 3 and states[0].shape[1] != shapes[0][1]:
        found, wanted = states[0].shape[1], shapes[0][1]
        raise RuntimeError(
            f"The size of tensor a ({found}) must match the size of tensor b ({wanted}) at "
            "non-singleton dimension 0"
        )


lengths_dims = Sentence(
    "'lengths' argument should be a 1D CPU int64 tensor, but got {dims}D cpu {word} tensor"
)
cell_dims = Sentence("{cell}: Expected {what} to be 1D or 2D, got {dims}D instead")
cell_input = Sentence("input has inconsistent input_size: got {got} expected {wanted}")
cell_batch = Sentence("Input batch size {batch} doesn't match hidden{number} batch size {got}")
cell_hidden = Sentence("hidden{number} has inconsistent hidden_size: got {got}, expected {wanted}")
attention_sizes = Sentence(
    "embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
    "num_heads={num_heads} instead"
)

# ---- attention -----------------------------------------------------------------------------------

CAUSAL_WITHOUT_MASK = (
    "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
    "`generate_square_subsequent_mask` to create this mask."
)
RNN_WITHOUT_STEPS = "Expected sequence length to be larger than 0 in RNN"
MASKS_DIFFER = (
    "Support for mismatched key_padding_mask and attn_mask is deprecated. Use same type for both "
    "instead."
)
KIND = {2: "unbatched (2-D)", 3: "batched (3-D)"}

attention_query = Sentence(
    "query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor"
)


def attention_key(dims: int, key: int, value: int) -> str:
    return (
        f"For {KIND[dims]} `query`, expected `key` and `value` to be {dims}-D but found {key}-D "
        f"and {value}-D tensors respectively"
    )


def attention_mask(dims: int, name: str, wanted: str, got: int) -> str:
    join = ", " if " or " in wanted else " or "
    return (
        f"For {KIND[dims]} `query`, expected `{name}` to be `None`{join}{wanted} but found "
        f"{got}-D tensor instead"
    )


attention_embedding = Sentence("was expecting embedding dimension of {wanted}, but got {got}")
attention_values = Sentence("key shape {key} does not match value shape {value}")


def attention_mask_shape(got: Any, wanted: tuple[int, ...]) -> str:
    return f"The shape of the {len(wanted)}D attn_mask is {got}, but should be {wanted}."


def check_padding(got: Any, wanted: tuple[int, ...]) -> None:
    """Raise unless a padding mask has one row for each sample and one column for each position."""
    for dim, (here, there) in enumerate(zip(got, wanted, strict=True)):
        if here != there:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{dim}] to be {there}, but got {here}"
            )


attention_mask_dtype = Sentence("only bool and floating types of {name} are supported")

# ---- sequences of different lengths --------------------------------------------------------------

PACKED_DEVICE = (
    "batch_sizes should always be on CPU. Instances of PackedSequence should never be created "
    "manually. They should be instantiated by functions like pack_sequence and "
    "pack_padded_sequences in nn.utils.rnn. https://pytorch.org/docs/stable/nn.html"
    "#torch.nn.utils.rnn.pack_sequence"
)


def check_lengths(shape: tuple, lengths: list[int]) -> None:
    """Raise unless there is one positive length for each sequence, in decreasing order."""
    if not shape[0]:
        raise RuntimeError("Cannot pack empty tensors.")
    if len(lengths) != shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} "
            f"(batch_size={shape[1]})"
        )
    if any(n <= 0 for n in lengths):
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if sorted(lengths, reverse=True) != list(lengths):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
            "can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )


total_length = Sentence(
    "Expected total_length to be at least the length of the longest sequence in input, but got "
    "total_length={wanted} and max sequence length being {longest}"
)


def no_sequences(found: Any) -> str:
    return (
        f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(found)}"
    )


padding_side = Sentence("Expected padding_side to be one of left or right, but got {found}.")
