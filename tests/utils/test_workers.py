"""`num_workers`: batches, order and random numbers are those of PyTorch's worker processes."""

from __future__ import annotations

import random

import numpy as np
import pytest

import course_lib as torch
from course_lib.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info

# Of the first test, as PyTorch 2.13 gave them with two worker processes.
ORDER = [1, 4, 2, 3, 0]
TORCHS = [0.78214, 0.053599, 0.693818, 0.297959, 0.988787]
PYTHONS = [0.213153, 0.276449, 0.773386, 0.163422, 0.925721]
NUMPYS = [0.837164, 0.387578, 0.67027, 0.075897, 0.37328]


class Drawing(Dataset):
    """Samples that draw from every source of random numbers."""

    def __init__(self, count: int):
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple:
        return index, torch.rand(1).item(), random.random(), np.random.rand()


class Stream(IterableDataset):
    """The numbers from `start` to `end`; each worker gives all of them unless told otherwise."""

    def __init__(self, start: int, end: int):
        self.start, self.end = start, end

    def __iter__(self):
        return iter(range(self.start, self.end))


class Broken(Dataset):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> int:
        if index == 2:
            raise ValueError("bad sample")
        return index


def share(number: int) -> None:
    """The `worker_init_fn` of PyTorch's tutorial: each worker takes a part of the stream."""
    info = get_worker_info()
    part = -(-(info.dataset.end - info.dataset.start) // info.num_workers)
    end = info.dataset.end
    info.dataset.start += number * part
    info.dataset.end = min(info.dataset.start + part, end)


def test_batches_and_random_numbers_are_pytorchs():
    torch.manual_seed(0)
    loader = DataLoader(Drawing(5), batch_size=2, shuffle=True, num_workers=2, collate_fn=list)
    found = [sample for batch in loader for sample in batch]
    assert [sample[0] for sample in found] == ORDER
    assert [round(sample[1], 6) for sample in found] == TORCHS
    assert [round(sample[2], 6) for sample in found] == PYTHONS
    assert [round(sample[3], 6) for sample in found] == NUMPYS


def test_the_random_numbers_outside_stay_as_they_were():
    torch.manual_seed(3)
    random.seed(3)
    list(DataLoader(Drawing(4), num_workers=2, collate_fn=list))
    after = torch.rand(1).item(), random.random()
    torch.manual_seed(3)
    random.seed(3)
    list(DataLoader(range(4)))  # draws one number for the workers that it does not have
    assert (torch.rand(1).item(), random.random()) == after


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_stream_is_shared_out_by_worker_init_fn(workers):
    loader = DataLoader(Stream(3, 12), batch_size=None, num_workers=workers, worker_init_fn=share)
    assert sorted(loader) == list(range(3, 12))


def test_workers_take_turns_and_a_worker_without_samples_is_passed_over():
    loader = DataLoader(Stream(0, 3), batch_size=2, num_workers=2)
    assert [batch.tolist() for batch in loader] == [[0, 1], [0, 1], [2], [2]]


def test_an_error_in_a_worker_says_where_it_happened():
    loader = iter(DataLoader(Broken(), num_workers=2))
    assert [next(loader).tolist(), next(loader).tolist()] == [[0], [1]]
    with pytest.raises(ValueError) as raised:
        next(loader)
    lines = str(raised.value).splitlines()
    assert lines[0] == "Caught ValueError in DataLoader worker process 0."
    assert lines[1] == "Original Traceback (most recent call last):"
    assert lines[-1] == "ValueError: bad sample"


def test_a_worker_knows_itself_only_while_it_works():
    loader = DataLoader(range(3), num_workers=2, collate_fn=lambda _: get_worker_info().id)
    assert list(loader) == [0, 1, 0]
    assert get_worker_info() is None


def test_persistent_workers_go_on_with_their_random_numbers():
    torch.manual_seed(1)
    loader = DataLoader(
        Drawing(2), num_workers=1, persistent_workers=True, collate_fn=lambda b: b[0][1]
    )
    assert len({*loader, *loader}) == 4


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"num_workers": -1}, "num_workers option should be non-negative"),
        ({"prefetch_factor": 2}, "prefetch_factor option could only be specified"),
        ({"num_workers": 1, "prefetch_factor": -1}, "prefetch_factor option should be"),
        ({"persistent_workers": True}, "persistent_workers option needs num_workers > 0"),
        ({"multiprocessing_context": "fork"}, "can only be used with multi-process loading"),
        ({"num_workers": 1, "multiprocessing_context": "x"}, "valid start method in"),
    ],
)
def test_options_that_do_not_fit_together_are_refused(options, text):
    with pytest.raises(ValueError, match=text):
        DataLoader(range(3), **options)
