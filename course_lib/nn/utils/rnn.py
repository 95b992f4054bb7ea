"""Sequences of different lengths: padded to one tensor, or packed without the padding.

A packed sequence holds first the first step of all sequences, then the second step of those that
have one, and so on: ``batch_sizes`` says how many sequences each step has.  So the longest
sequence has to come first.

>>> rnn = torch.nn.utils.rnn
>>> padded = rnn.pad_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
>>> packed = rnn.pack_padded_sequence(padded, [3, 2])
>>> packed.data, packed.batch_sizes
(tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
>>> rnn.pad_packed_sequence(packed, batch_first=True)
(tensor([[1, 2, 3],
        [4, 5, 0]]), tensor([3, 2]))
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from course_lib.calls.missing import complete_module as _completed
from course_lib.calls.rules import refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.layers.recurrent import pack_padded
from course_lib.ops.make.tensor import as_tensor, tensor
from course_lib.ops.pick.sort import argsort, sort
from course_lib.words import errors

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pad_packed_sequence"]
__all__ += ["pad_sequence"]


class _Packed(NamedTuple):
    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


class PackedSequence(_Packed):
    """The steps of sequences of different lengths, and how many sequences each step has."""

    def __new__(
        cls,
        data: Any,
        batch_sizes: Any = None,
        sorted_indices: Any = None,
        unsorted_indices: Any = None,
    ) -> "PackedSequence":
        """A packed sequence; how to undo the sorting is found out if it is not given."""
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        refuse_value(batch_sizes.device.type != "cpu", errors.PACKED_DEVICE)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)


def invert_permutation(permutation: Any) -> Any:
    """The permutation that undoes another.

    >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    return None if permutation is None else argsort(permutation)


# ---- packed --------------------------------------------------------------------------------------


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """The sequences in a padded tensor, without the padding.

    >>> padded = torch.tensor([[1, 2, 3], [4, 5, 0]])
    >>> torch.nn.utils.rnn.pack_padded_sequence(padded, [3, 2], batch_first=True).data
    tensor([1, 4, 2, 5, 3])
    """
    lengths = as_tensor(lengths, dtype=dtypes.int64)
    refuse(lengths.dim() != 1, errors.lengths_dims, lengths.dim(), "Long")
    order = None
    if not enforce_sorted:
        lengths, order = sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    data, sizes = pack_padded(input, lengths.tolist(), batch_first)
    return PackedSequence(data, sizes, order, None)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Any, Any]:
    """A padded tensor with the sequences, and their lengths."""
    data, sizes, _, order = sequence
    steps = sizes.tolist()
    longest = len(steps)
    if total_length is not None:
        refuse_value(total_length < longest, errors.total_length, total_length, longest)
        longest = total_length
    padded = data.new_full((longest, steps[0], *data.shape[1:]), padding_value)
    start, first = 0, 0
    # Steps with equally many sequences are written together: that many writes the graph shows.
    for step in range(len(steps)):
        if step + 1 < len(steps) and steps[step + 1] == steps[step]:
            continue
        count, size = step + 1 - first, steps[step]
        part = data[start : start + count * size].view((count, size, *data.shape[1:]))
        padded[first : step + 1, :size] = part
        start, first = start + count * size, step + 1
    lengths = tensor([sum(size > n for size in steps) for n in range(steps[0])])
    if batch_first:
        padded = padded.transpose(0, 1)
    if order is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, order), lengths[order]


# ---- padded --------------------------------------------------------------------------------------


def pad_sequence(
    sequences: Any,
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Any:
    """Sequences of different lengths in one tensor, short ones filled up.

    >>> rnn = torch.nn.utils.rnn
    >>> rnn.pad_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])], batch_first=True)
    tensor([[1, 2, 3],
            [4, 0, 0]])
    """
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    elif not isinstance(sequences, Iterable):
        raise RuntimeError(errors.no_sequences(sequences))
    sequences = list(sequences)
    refuse(padding_side not in ("left", "right"), errors.padding_side, padding_side)
    refuse(not sequences, errors.NO_SEQUENCES)
    for number, one in enumerate(sequences):
        refuse_type(not isinstance(one, Tensor), errors.element_no_tensor, number, 0, one)
    refuse(not sequences[0].dim(), errors.SCALAR_SEQUENCE)
    longest = max(one.size(0) for one in sequences)
    lead = (len(sequences), longest) if batch_first else (longest, len(sequences))
    padded = sequences[0].new_empty((*lead, *sequences[0].shape[1:])).fill_(padding_value)
    for number, one in enumerate(sequences):
        start = longest - one.size(0) if padding_side == "left" else 0
        where = slice(start, start + one.size(0))
        place = padded[number, where] if batch_first else padded[where, number]
        place.copy_(one)
    return padded


__getattr__, __dir__ = _completed(globals(), "nn.utils.rnn")
