"""Datasets, samplers, loaders: PyTorch's order for the same seed, and its refusals."""

from __future__ import annotations

from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import course_lib as torch
from course_lib.utils import data
from course_lib.utils.data.dataset import rows

TEN = range(10)
Pair = namedtuple("Pair", "x y")


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def batches(*args, **kwargs) -> list[list[int]]:
    return [batch.tolist() for batch in data.DataLoader(*args, **kwargs)]


class Count(data.IterableDataset):
    """The numbers below `size`; says that there are `said`."""

    def __init__(self, size: int, said: int | None = None):
        self.size, self.said = size, said

    def __iter__(self):
        return iter(range(self.size))

    def __len__(self):
        if self.said is None:
            raise TypeError("no length")
        return self.said


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
    "some": (lambda: list(data.SubsetRandomSampler([5, 6, 7, 8])), [7, 8, 6, 5], 667),
    "weighted": (
        lambda: list(data.WeightedRandomSampler([0.1, 0.9, 3.0], 6)),
        [1, 2, 2, 1, 2, 2],
        825,
    ),
    "split": (
        lambda: [list(part) for part in data.random_split(TEN, [0.35, 0.65])],
        [[6, 0, 3, 7], [8, 5, 1, 9, 2, 4]],
        739,
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_is_pytorchs_for_the_same_seed(name):
    run, expected, _ = ORDERS[name]
    torch.manual_seed(3)
    assert run() == expected


@pytest.mark.parametrize("name", ORDERS)
def test_as_many_random_numbers_are_used_as_by_pytorch(name):
    run, _, following = ORDERS[name]
    torch.manual_seed(3)
    run()
    assert torch.randint(1000, (1,)).item() == following


def test_a_shuffled_loader_has_another_order_in_each_pass():
    torch.manual_seed(0)
    loader = data.DataLoader(range(50), batch_size=50, shuffle=True)
    first, second = (next(iter(loader)).tolist() for _ in range(2))
    assert first != second and sorted(first) == sorted(second) == list(range(50))


# ---- loaders -------------------------------------------------------------------------------------


def test_the_last_batch_may_be_shorter():
    assert batches(TEN, batch_size=4) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_a_short_last_batch_can_be_dropped():
    loader = data.DataLoader(TEN, batch_size=4, drop_last=True)
    assert (len(loader), len(list(loader))) == (2, 2)


def test_without_batches_samples_come_one_by_one():
    assert list(data.DataLoader(TEN, batch_size=None))[:2] == [0, 1]


def test_a_sampler_decides_the_order():
    assert batches(TEN, batch_size=2, sampler=[3, 1, 2]) == [[3, 1], [2]]


def test_a_batch_sampler_decides_the_batches():
    assert batches(TEN, batch_sampler=[[1, 2, 3], [7]]) == [[1, 2, 3], [7]]


def test_a_collate_function_makes_the_batches():
    assert list(data.DataLoader(TEN, batch_size=5, collate_fn=sum)) == [10, 35]


def test_an_iterable_dataset_is_cut_into_batches():
    assert batches(Count(5), batch_size=2) == [[0, 1], [2, 3], [4]]


def test_an_iterable_dataset_that_is_longer_than_it_said_is_warned_of():
    loader = data.DataLoader(Count(3, said=2))
    assert len(loader) == 2
    with pytest.warns(UserWarning, match="was reported to be 2"):
        list(loader)


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


@pytest.mark.parametrize("change", ["as it is", "a part", "turned", "tracked"])
def test_rows_looked_up_at_once_are_the_batch_that_samples_make(change: str) -> None:
    x, y = torch.arange(24.0).view(6, 2, 2), torch.arange(6)
    if change == "turned":
        x = x.transpose(1, 2)
    if change == "tracked":
        x.requires_grad_()
    whole = data.TensorDataset(x, y)
    part = data.Subset(data.Subset(whole, [5, 3, 1, 0]), [2, 0, 3]) if change == "a part" else whole
    for first, second in zip(
        data.DataLoader(part, 2),
        data.DataLoader(part, 2, collate_fn=lambda samples: data.default_collate(samples)),
        strict=True,
    ):
        assert type(first) is list
        for one, other in zip(first, second, strict=True):
            assert torch.equal(one, other) and one.stride() == other.stride()
            assert type(one.grad_fn) is type(other.grad_fn)
    assert (rows(part, [0, 1]) is None) == (change in ("turned", "tracked"))
    with pytest.raises(IndexError, match="index 6 is out of bounds for dimension 0 with size 6"):
        list(data.DataLoader(whole, sampler=[6]))


def test_a_tensor_dataset_gives_rows():
    x, y = torch.arange(6.0).reshape(3, 2), torch.arange(3)
    row, label = data.TensorDataset(x, y)[1]
    assert (row.tolist(), label.item()) == ([2.0, 3.0], 1)


def test_tensors_of_different_lengths_make_no_dataset():
    with pytest.raises(AssertionError, match="Size mismatch between tensors"):
        data.TensorDataset(torch.zeros(2), torch.zeros(3))


def test_datasets_can_be_added():
    both = data.Subset("abc", [0, 2]) + data.Subset("xyz", [1])
    assert [both[i] for i in range(len(both))] == ["a", "c", "y"]


def test_a_concatenation_knows_negative_indices_down_to_its_length():
    both = data.ConcatDataset(["ab", "cd"])
    assert (both[-1], both[-4]) == ("d", "a")
    with pytest.raises(ValueError, match="absolute value of index should not exceed"):
        both[-5]


def test_shares_that_do_not_come_out_even_favour_the_first_parts():
    assert [len(part) for part in data.random_split(TEN, [0.33, 0.33, 0.34])] == [4, 3, 3]


def test_an_empty_part_is_warned_of():
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
        data.random_split(TEN, [1.0, 0.0])


def test_lengths_must_sum_to_the_whole():
    with pytest.raises(ValueError, match="Sum of input lengths does not equal"):
        data.random_split(TEN, [3, 3])


def test_a_subset_that_changes_its_samples_must_say_so_for_many_at_once():
    class Doubled(data.Subset):
        def __getitem__(self, index):
            return 2 * super().__getitem__(index)

    with pytest.raises(NotImplementedError, match="Doubled overrides __getitem__ but not"):
        Doubled(TEN, [1])


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


def test_what_cannot_be_a_batch_is_refused():
    with pytest.raises(TypeError) as error:
        data.default_collate([None])
    assert str(error.value) == (
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
        "found <class 'NoneType'>"
    )


def test_samples_of_different_lengths_are_refused():
    with pytest.raises(RuntimeError, match="each element in list of batch should be of equal size"):
        data.default_collate([[1], [1, 2]])
