"""Datasets: samples behind an index, or one after the other; and datasets made of datasets."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from course_lib.calls.rules import refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.ops.make.generator import Generator, default_generator
from course_lib.ops.make.random import randperm
from course_lib.words import errors

__all__ = ["ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split"]

Sample = TypeVar("Sample", covariant=True)


class Dataset(Generic[Sample]):
    """Samples behind an index: a subclass has `__getitem__`, and mostly `__len__`.

    >>> class Squares(torch.utils.data.Dataset):
    ...     def __getitem__(self, index):
    ...         return index ** 2
    ...     def __len__(self):
    ...         return 4
    >>> list(torch.utils.data.DataLoader(Squares(), batch_size=2))
    [tensor([0, 1]), tensor([4, 9])]
    """

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError(errors.NO_GETITEM)

    def __add__(self, other: "Dataset") -> Any:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[Sample], Iterable[Sample]):
    """Samples one after the other: a subclass has `__iter__`.

    >>> class Lines(torch.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter([1, 2, 3])
    >>> list(torch.utils.data.DataLoader(Lines(), batch_size=2))
    [tensor([1, 2]), tensor([3])]
    """


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Sample number i is the i-th row of each tensor.

    >>> data = torch.utils.data.TensorDataset(torch.arange(3), torch.tensor([5., 6., 7.]))
    >>> data[1]
    (tensor(1), tensor(6.))
    """

    def __init__(self, *tensors: Tensor):
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError(errors.TENSOR_SIZES)
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class ConcatDataset(Dataset[Sample]):
    """The samples of several datasets, one dataset after the other.

    >>> data = torch.utils.data.ConcatDataset([[1, 2], [3, 4, 5]])
    >>> len(data), data[3], data[-1]
    (5, 4, 5)
    """

    def __init__(self, datasets: Iterable[Any]):
        self.datasets = list(datasets)
        refuse(not self.datasets, errors.NO_DATASETS, error=AssertionError)
        if any(isinstance(dataset, IterableDataset) for dataset in self.datasets):
            raise AssertionError(errors.CONCAT_ITERABLE)
        self.cumulative_sizes = list(itertools.accumulate(len(one) for one in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            refuse_value(-idx > len(self), errors.INDEX_PAST_START)
            idx += len(self)
        which = bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]


class Subset(Dataset[Sample]):
    """Those samples of a dataset that `indices` names, in that order.

    >>> list(torch.utils.data.Subset(["a", "b", "c"], [2, 0]))
    ['c', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]):
        self.dataset, self.indices = dataset, indices
        own = type(self)
        if own.__getitem__ is not Subset.__getitem__ and own.__getitems__ is Subset.__getitems__:
            raise NotImplementedError(errors.subset_overrides(own.__name__))

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> Any:
        return fetch_samples(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


def fetch_samples(dataset: Any, indices: Sequence[Any]) -> Any:
    """Several samples; at once, if the dataset knows how."""
    if callable(getattr(dataset, "__getitems__", None)):
        return dataset.__getitems__(indices)
    return [dataset[index] for index in indices]


def random_split(
    dataset: Any, lengths: Sequence[int | float], generator: Generator | None = default_generator
) -> list[Subset]:
    """The dataset in random parts of these lengths (or shares, which sum to 1).

    >>> _ = torch.manual_seed(0)
    >>> [list(part) for part in torch.utils.data.random_split(range(6), [0.5, 0.5])]
    [[2, 5, 3], [0, 1, 4]]
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = lengths_of(lengths, len(dataset))
    refuse_value(sum(lengths) != len(dataset), errors.SPLIT_SUM)
    indices = randperm(len(dataset), generator=generator).tolist()
    ends = itertools.accumulate(lengths)
    return [Subset(dataset, indices[end - n : end]) for n, end in zip(lengths, ends, strict=True)]


def lengths_of(shares: Sequence[float], size: int) -> list[int]:
    """The shares of `size` as whole numbers, rounded down; what is left goes to the first ones."""
    for place, share in enumerate(shares):
        refuse_value(share < 0 or share > 1, errors.no_fraction, place)
    lengths = [math.floor(size * share) for share in shares]
    for number in range(size - sum(lengths)):
        lengths[number % len(lengths)] += 1
    for place, length in enumerate(lengths):
        if length == 0:
            errors.warn(errors.empty_split(place))
    return lengths
