"""The loader: batches of a dataset, in the order of a sampler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic

from course_lib.facts import errors
from course_lib.ops.generator import Generator
from course_lib.utils.data.collate import default_collate, default_convert
from course_lib.utils.data.dataset import IterableDataset, Sample, several
from course_lib.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    drawn_seed,
)

__all__ = ["DataLoader", "get_worker_info"]

FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class Endless(Sampler):
    """None, for ever: the indices of a dataset that has none."""

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None


class DataLoader(Generic[Sample]):
    """Batches of a dataset: a new pass, in a new order if shuffled, each time it is iterated over.

    >>> _ = torch.manual_seed(0)
    >>> loader = torch.utils.data.DataLoader(range(5), batch_size=2, shuffle=True)
    >>> list(loader)
    [tensor([1, 4]), tensor([2, 3]), tensor([0])]
    >>> len(loader)
    3
    """

    _settled = False

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable | None = None,
        batch_sampler: Iterable[list] | None = None,
        num_workers: int = 0,
        collate_fn: Callable | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ):
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        if multiprocessing_context is not None:
            raise ValueError(errors.context_without_workers())
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            check_iterable(shuffle, sampler, batch_sampler)
        if sampler is not None and shuffle:
            raise ValueError(errors.SAMPLER_AND_SHUFFLE)
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(errors.BATCH_SAMPLER_ALONE)
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError(errors.DROP_WITHOUT_BATCHES)
        self.sampler: Any = sampler
        if sampler is None and self._iterable:
            self.sampler = Endless()
        elif sampler is None and shuffle:
            self.sampler = RandomSampler(dataset, generator=generator)
        elif sampler is None:
            self.sampler = SequentialSampler(dataset)
        if batch_size is not None:
            batch_sampler = BatchSampler(self.sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.batch_sampler = batch_sampler
        self.generator = generator
        whole = default_convert if batch_sampler is None else default_collate
        self.collate_fn = whole if collate_fn is None else collate_fn
        self.persistent_workers = persistent_workers
        self._said: int | None = None  # the length that an iterable dataset gave
        self._settled = True

    def __setattr__(self, name: str, value: Any) -> None:
        if self._settled and name in FIXED:
            raise ValueError(errors.fixed_attribute(name, type(self).__name__))
        super().__setattr__(name, value)

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return _SingleProcessDataLoaderIter(self)

    def __len__(self) -> int:
        if not self._iterable:
            return len(self._index_sampler)
        size = self._said = len(self.dataset)
        if self.batch_size is None:
            return size
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)


class _SingleProcessDataLoaderIter:
    """One pass over a loader's batches."""

    def __init__(self, loader: DataLoader):
        if loader.timeout != 0:
            raise AssertionError(errors.TIMEOUT_WITHOUT_WORKERS)
        if loader.pin_memory:
            errors.warn(errors.NOTHING_TO_PIN_FOR)
        self._loader = loader
        self._indices = iter(loader._index_sampler)
        # PyTorch draws this for its workers even where there are none: later draws depend on it.
        self._base_seed = drawn_seed(loader.generator)
        self._samples = iter(loader.dataset) if loader._iterable else None
        self._ended = False
        self._given = 0

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return self

    def __next__(self) -> Any:
        index = next(self._indices)
        data = self._ask(index) if self._samples is None else self._take(index)
        batch = self._loader.collate_fn(data)
        self._given += 1
        said = self._loader._said
        if self._samples is not None and said is not None and self._given > said:
            errors.warn(errors.longer_than_said(self._loader.dataset, said, self._given))
        return batch

    def _ask(self, index: Any) -> Any:
        """The sample, or the list of samples, behind what the sampler gave."""
        dataset = self._loader.dataset
        return dataset[index] if self._loader.batch_sampler is None else several(dataset, index)

    def _take(self, index: Any) -> Any:
        """The next sample, or as many as the batch is to have, while there are any."""
        samples: Any = self._samples
        if self._ended:
            raise StopIteration
        if self._loader.batch_sampler is None:
            return next(samples)
        batch = [sample for _, sample in zip(index, samples, strict=False)]
        self._ended = len(batch) < len(index)
        if not batch or (self._ended and self._loader.drop_last):
            raise StopIteration
        return batch

    def __len__(self) -> int:
        return len(self._loader._index_sampler)


def check_workers(workers: int, timeout: float, prefetch: int | None, persistent: bool) -> None:
    """Raise PyTorch's errors; refuse by name what the course leaves out: other processes."""
    if workers < 0:
        raise ValueError(errors.NEGATIVE_WORKERS)
    if timeout < 0:
        raise ValueError(errors.NEGATIVE_TIMEOUT)
    if workers > 0:
        raise NotImplementedError(f"DataLoader(num_workers={workers})")
    if prefetch is not None:
        raise ValueError(errors.PREFETCH_WITHOUT_WORKERS)
    if persistent:
        raise ValueError(errors.PERSISTENT_WITHOUT_WORKERS)


def check_iterable(shuffle: Any, sampler: Any, batch_sampler: Any) -> None:
    """Raise PyTorch's error if samples without an index are to come in some order."""
    if shuffle not in (False, None):
        raise ValueError(errors.iterable_option("shuffle", shuffle))
    for name, value in (("sampler", sampler), ("batch_sampler", batch_sampler)):
        if value is not None:
            raise ValueError(errors.iterable_option(name, value))


def get_worker_info() -> None:
    """None: samples are always loaded by the process that asks for them.

    >>> torch.utils.data.get_worker_info() is None
    True
    """
