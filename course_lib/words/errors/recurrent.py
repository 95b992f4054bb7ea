"""Errors of recurrent layers and of sequences of different lengths."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

RNN_DROPOUT = (
    "dropout should be a number in range [0, 1] representing the probability of an element being "
    "zeroed"
)
RNN_PROJECTION_LSTM = "proj_size argument is only supported for LSTM, not RNN or GRU"
SCALAR_SEQUENCE = "ArrayRef: invalid slice, N = 1; size = 0"
NO_SEQUENCES = "received an empty list of sequences"
RNN_WITHOUT_STEPS = "Expected sequence length to be larger than 0 in RNN"

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
rnn_device = Sentence(
    "Input and {other} tensors are not at the same device, found input tensor at {given} and "
    "{other} tensor at {own}"
)
rnn_input_size = Sentence(
    "input.size(-1) must be equal to input_size. Expected {wanted}, got {got}"
)
rnn_hidden_size = Sentence("Expected {which} size {wanted}, got {got:list}")


lengths_dims = Sentence(
    "'lengths' argument should be a 1D CPU int64 tensor, but got {dims}D cpu {word} tensor"
)
cell_dims = Sentence("{cell}: Expected {what} to be 1D or 2D, got {dims}D instead")
cell_input = Sentence("input has inconsistent input_size: got {got} expected {wanted}")
cell_batch = Sentence("Input batch size {batch} doesn't match hidden{number} batch size {got}")
cell_hidden = Sentence("hidden{number} has inconsistent hidden_size: got {got}, expected {wanted}")

# ---- sequences of different lengths --------------------------------------------------------------

PACKED_DEVICE = (
    "batch_sizes should always be on CPU. Instances of PackedSequence should never be created "
    "manually. They should be instantiated by functions like pack_sequence and "
    "pack_padded_sequences in nn.utils.rnn. https://pytorch.org/docs/stable/nn.html"
    "#torch.nn.utils.rnn.pack_sequence"
)


PACKED_EMPTY = "Cannot pack empty tensors."
LENGTH_ZERO = (
    "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
)
LENGTHS_UNSORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can "
    "pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this "
    "requirement if you do not need ONNX exportability."
)

lengths_count = Sentence(
    "Expected `len(lengths)` to be equal to batch_size, but got {found} (batch_size={batch})"
)
total_length = Sentence(
    "Expected total_length to be at least the length of the longest sequence in input, but got "
    "total_length={wanted} and max sequence length being {longest}"
)


no_sequences = Sentence(
    "pad_sequence: Expected iterable for input sequences, but got arg of type: {found.__class__}"
)
padding_side = Sentence("Expected padding_side to be one of left or right, but got {found}.")
