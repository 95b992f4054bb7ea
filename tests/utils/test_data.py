"""Datasets, samplers, loaders: PyTorch's order for the same seed, and its refusals."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import course_lib as torch
from course_lib.utils import data

TEN = range(10)
Pair = namedtuple("Pair", "x y")


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def batches(*args, **kwargs) -> list[list[int]]:
    return [batch.tolist() for batch in data.DataLoader(*args, **kwargs)]


class Count(data.IterableDataset):
    """The numbers below `size`."""

    def __init__(self, size: int):
        self.size = size

    def __iter__(self):
        return iter(range(self.size))

    def __len__(self):
        return self.size


# ---- order: what PyTorch gave after manual_seed(3), and the next randint(1000) -------------------

ORDERS = {
    "in turn": (lambda: batches(TEN, 4), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]], 737),
    "shuffled": (
        lambda: batches(TEN, 4, shuffle=True, drop_last=True),
        [[6, 2, 0, 1], [8, 3, 5, 4]],
        360,
    ),
    "shuffled by a generator": (
        lambda: batches(TEN, 5, shuffle=True, generator=generator(7)),
        [[1, 3, 5, 7, 9], [4, 6, 2, 8, 0]],
        986,
    ),
    "random": (lambda: list(data.RandomSampler(TEN)), [7, 0, 9, 1, 6, 4, 5, 3, 2, 8], 737),
    "random, more than there are": (
        lambda: list(data.RandomSampler(TEN, num_samples=13)),
        [7, 0, 9, 1, 6, 4, 5, 3, 2, 8, 9, 5, 6],
        737,
    ),
    "with replacement": (
        lambda: list(data.RandomSampler(TEN, True, 35))[-5:],
        [1, 5, 3, 3, 7],
        737,
    ),
    "split": (
        lambda: [list(part) for part in data.random_split(TEN, [0.35, 0.65])],
        [[6, 0, 3, 7], [8, 5, 1, 9, 2, 4]],
        739,
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_and_the_random_numbers_used_are_pytorchs_for_the_same_seed(name):
    run, expected, following = ORDERS[name]
    torch.manual_seed(3)
    assert run() == expected
    assert torch.randint(1000, (1,)).item() == following


def test_a_shuffled_loader_has_another_order_in_each_pass():
    torch.manual_seed(0)
    loader = data.DataLoader(range(50), batch_size=50, shuffle=True)
    first, second = (next(iter(loader)).tolist() for _ in range(2))
    assert first != second and sorted(first) == sorted(second) == list(range(50))


# ---- loaders -------------------------------------------------------------------------------------


WAYS = {
    "the last batch is shorter": (TEN, {"batch_size": 4}, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]),
    "the last batch is dropped": (
        TEN,
        {"batch_size": 4, "drop_last": True},
        [[0, 1, 2, 3], [4, 5, 6, 7]],
    ),
    "one by one": (range(2), {"batch_size": None}, [0, 1]),
    "a sampler": (TEN, {"batch_size": 2, "sampler": [3, 1, 2]}, [[3, 1], [2]]),
    "a batch sampler": (TEN, {"batch_sampler": [[1, 2, 3], [7]]}, [[1, 2, 3], [7]]),
    "a collate function": (TEN, {"batch_size": 5, "collate_fn": sum}, [10, 35]),
    "workers": (range(3), {"batch_size": 2, "num_workers": 2}, [[0, 1], [2]]),
    "a stream": (Count(5), {"batch_size": 2}, [[0, 1], [2, 3], [4]]),
    "a stream, dropped": (Count(5), {"batch_size": 2, "drop_last": True}, [[0, 1], [2, 3]]),
    "a stream, one by one": (Count(2), {"batch_size": None}, [0, 1]),
}


@pytest.mark.parametrize("way", WAYS)
def test_batches_are_made_as_the_options_say(way):
    dataset, options, expected = WAYS[way]
    loader = data.DataLoader(dataset, **options)
    found = [one.tolist() if isinstance(one, torch.Tensor) else one for one in loader]
    assert (found, len(loader)) == (expected, len(expected))


def test_a_loader_keeps_its_dataset():
    loader = data.DataLoader(TEN)
    with pytest.raises(ValueError, match="dataset attribute should not be set after DataLoader"):
        loader.dataset = range(3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size should be a positive integer value, but got batch_size=0"),
        ({"shuffle": True, "sampler": [0]}, "sampler option is mutually exclusive with shuffle"),
        (
            {"batch_size": None, "drop_last": True},
            "batch_size=None option disables auto-batching and is mutually exclusive with "
            "drop_last",
        ),
        (
            {"num_workers": -1},
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing.",
        ),
        (
            {"batch_sampler": [[0]], "shuffle": True},
            "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
            "drop_last",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(options, message):
    with pytest.raises(ValueError) as error:
        data.DataLoader(TEN, **options)
    assert str(error.value) == message


# ---- datasets ------------------------------------------------------------------------------------


def test_a_tensor_dataset_gives_rows():
    x, y = torch.arange(6.0).reshape(3, 2), torch.arange(3)
    row, label = data.TensorDataset(x, y)[1]
    assert (row.tolist(), label.item()) == ([2.0, 3.0], 1)


def test_datasets_can_be_added():
    both = data.Subset("abc", [0, 2]) + data.Subset("xyz", [1])
    assert [both[i] for i in range(len(both))] == ["a", "c", "y"]


def test_a_concatenation_knows_negative_indices():
    both = data.ConcatDataset(["ab", "cd"])
    assert (both[-1], both[-4]) == ("d", "a")


def test_shares_that_do_not_come_out_even_favour_the_first_parts():
    assert [len(part) for part in data.random_split(TEN, [0.33, 0.33, 0.34])] == [4, 3, 3]


def test_an_empty_part_is_warned_of():
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
        data.random_split(TEN, [1.0, 0.0])


class Doubled(data.Subset):
    def __getitem__(self, index):
        return 2 * super().__getitem__(index)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (
            lambda: data.TensorDataset(torch.zeros(2), torch.zeros(3)),
            AssertionError,
            "Size mismatch between tensors",
        ),
        (
            lambda: data.ConcatDataset(["ab", "cd"])[-5],
            ValueError,
            "absolute value of index should not exceed",
        ),
        (
            lambda: data.random_split(TEN, [3, 3]),
            ValueError,
            "Sum of input lengths does not equal",
        ),
        (
            lambda: Doubled(TEN, [1]),
            NotImplementedError,
            "Doubled overrides __getitem__ but not",
        ),
        (
            lambda: data.DataLoader(Count(2), shuffle=True),
            ValueError,
            "expected unspecified shuffle option, but got shuffle=True",
        ),
        (
            lambda: data.default_collate([[1], [1, 2]]),
            RuntimeError,
            "each element in list of batch should be of equal size",
        ),
        (
            lambda: data.default_collate([None]),
            TypeError,
            "numbers, dicts or lists; found <class 'NoneType'>",
        ),
    ],
)
def test_what_cannot_be_a_dataset_or_a_batch_is_refused(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


# ---- collating -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("batch", "shown"),
    [
        ([1, 2], "tensor([1, 2])"),
        ([1.0, 2.0], "tensor([1., 2.], dtype=torch.float64)"),
        ([True, False], "tensor([ True, False])"),
        (["a", "b"], "['a', 'b']"),
        ([np.float32(1), np.float32(2)], "tensor([1., 2.])"),
        ([np.zeros(1), np.ones(1)], "tensor([[0.],\n        [1.]], dtype=torch.float64)"),
        ([(1, "a"), (2, "b")], "[tensor([1, 2]), ('a', 'b')]"),
        ([[1, 2], [3, 4]], "[tensor([1, 3]), tensor([2, 4])]"),
        ([{"x": 1}, {"x": 2}], "{'x': tensor([1, 2])}"),
        ([Pair(1, "a"), Pair(2, "b")], "Pair(x=tensor([1, 2]), y=('a', 'b'))"),
        ([torch.zeros(1), torch.ones(1)], "tensor([[0.],\n        [1.]])"),
    ],
)
def test_a_batch_has_the_structure_of_its_samples(batch, shown):
    assert repr(data.default_collate(batch)) == shown


def test_a_mapping_keeps_its_kind():
    batch = data.default_collate([OrderedDict(a=1), OrderedDict(a=2)])
    assert type(batch) is OrderedDict
