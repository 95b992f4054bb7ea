"""Samplers: in which order a loader asks a dataset for its samples."""

import itertools
from collections.abc import Iterable, Iterator, Sized
from typing import Any, Generic, TypeVar

from course_lib.calls.rules import refuse_value
from course_lib.dtypes import dtypes
from course_lib.ops.make.creation import empty
from course_lib.ops.make.generator import Generator
from course_lib.ops.make.random import randint, randperm
from course_lib.words import errors

__all__ = ["BatchSampler", "RandomSampler", "Sampler", "SequentialSampler"]

Index = TypeVar("Index", covariant=True)


class Sampler(Generic[Index]):
    """The base of every sampler: a subclass gives indices in `__iter__`.

    >>> class Backwards(torch.utils.data.Sampler):
    ...     def __init__(self, data):
    ...         self.data = data
    ...     def __iter__(self):
    ...         return iter(range(len(self.data) - 1, -1, -1))
    >>> data = [10, 20, 30]
    >>> list(torch.utils.data.DataLoader(data, batch_size=2, sampler=Backwards(data)))
    [tensor([30, 20]), tensor([10])]
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """One index after the other.

    >>> list(torch.utils.data.SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Sized):
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices in random order; with `replacement`, each drawn afresh.

    Without a generator of its own, it draws one seed per pass from the default one.

    >>> _ = torch.manual_seed(0)
    >>> list(torch.utils.data.RandomSampler("abcd"))
    [2, 3, 0, 1]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ):
        self.data_source, self.replacement = data_source, replacement
        self._num_samples, self.generator = num_samples, generator
        if not isinstance(replacement, bool):
            raise TypeError(errors.boolean_option("replacement", replacement))
        if not isinstance(self.num_samples, int) or self.num_samples <= 0:
            raise ValueError(errors.positive_option("num_samples", self.num_samples))

    @property
    def num_samples(self) -> int:
        """How many indices a pass gives: if not said, one for each sample."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        size, wanted = len(self.data_source), self.num_samples
        generator = self.generator or Generator().manual_seed(draw_seed())
        if self.replacement:  # in blocks of 32
            for start in range(0, wanted, 32):
                block = (min(32, wanted - start),)
                yield from randint(high=size, size=block, generator=generator).tolist()
            return
        for _ in range(wanted // size):
            yield from randperm(size, generator=generator).tolist()
        # One more is drawn even if nothing is wanted of it: later draws depend on that.
        yield from randperm(size, generator=generator).tolist()[: wanted % size]

    def __len__(self) -> int:
        return self.num_samples


def draw_seed(generator: Generator | None = None) -> int:
    """A seed, drawn from a generator (the default one if None)."""
    return int(empty((), dtype=dtypes.int64).random_(generator=generator).item())


class BatchSampler(Sampler[list[int]]):
    """The indices of another sampler in lists of `batch_size`.

    >>> list(torch.utils.data.BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool):
        whole = isinstance(batch_size, int) and not isinstance(batch_size, bool)
        refuse_value(not whole or batch_size <= 0, errors.positive_option, "batch_size", batch_size)
        refuse_value(not isinstance(drop_last, bool), errors.boolean_option, "drop_last", drop_last)
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if self.drop_last and len(batch) < self.batch_size:
                return
            yield batch

    def __len__(self) -> int:
        size = len(self.sampler)  # type: ignore[arg-type]
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)
