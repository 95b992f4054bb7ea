"""Datasets and loaders: what no recorded case can say, which tests/oracle/cases/modules.txt has."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib.utils import data


class Count(data.IterableDataset):
    def __iter__(self):
        return iter(range(2))


class Doubled(data.Subset):
    def __getitem__(self, index):
        return 2 * super().__getitem__(index)


def test_a_shuffled_loader_has_another_order_in_each_pass():
    torch.manual_seed(0)
    loader = data.DataLoader(range(50), batch_size=50, shuffle=True)
    first, second = (next(iter(loader)).tolist() for _ in range(2))
    assert first != second and sorted(first) == sorted(second) == list(range(50))


def test_workers_are_allowed():
    loader = data.DataLoader(range(3), batch_size=2, num_workers=2)
    assert [batch.tolist() for batch in loader] == [[0, 1], [2]]


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Doubled([1], [0]), NotImplementedError, "Doubled overrides __getitem__ but not"),
        (
            lambda: data.DataLoader(Count(), shuffle=True),
            ValueError,
            "expected unspecified shuffle option, but got shuffle=True",
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
