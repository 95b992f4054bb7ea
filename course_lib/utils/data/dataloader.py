"""The loader: batches of a dataset, in the order of a sampler."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic

from course_lib.calls.rules import refuse_value
from course_lib.ops.make.generator import Generator
from course_lib.utils.data.collate import default_collate, default_convert
from course_lib.utils.data.dataset import IterableDataset, Sample, fetch_samples
from course_lib.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, draw_seed
from course_lib.words import errors

__all__ = ["DataLoader"]

FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class DataLoader(Generic[Sample]):
    """Batches of a dataset: a new pass, in a new order if shuffled, each time it is iterated over.

    The options for workers are accepted, but the samples are always loaded in this process.

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
        refuse_value(num_workers < 0, errors.NEGATIVE_WORKERS)
        refuse_value(timeout < 0, errors.NEGATIVE_TIMEOUT)
        ahead = prefetch_factor is not None
        refuse_value(ahead and not num_workers, errors.PREFETCH_ALONE)
        refuse_value(persistent_workers and not num_workers, errors.PERSISTENT_ALONE)
        self.dataset, self.num_workers = dataset, num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory, self.pin_memory_device = pin_memory, pin_memory_device
        self.timeout, self.worker_init_fn = timeout, worker_init_fn
        self.multiprocessing_context, self.in_order = multiprocessing_context, in_order
        self.persistent_workers = persistent_workers
        self._iterable = isinstance(dataset, IterableDataset)
        self.batch_size, self.drop_last, self.generator = batch_size, drop_last, generator
        self._settle(shuffle, sampler, batch_sampler)
        whole = default_convert if self.batch_sampler is None else default_collate
        self.collate_fn = whole if collate_fn is None else collate_fn
        self._settled = True

    def _settle(self, shuffle: bool | None, sampler: Any, batch_sampler: Any) -> None:
        """Choose the samplers of samples and of batches: the given ones, or by `shuffle`."""
        order = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        for name, value in order.items():
            refuse_value(self._iterable and value is not None, errors.iterable_option, name, value)
        refuse_value(sampler is not None and shuffle, errors.SAMPLER_AND_SHUFFLE)
        if batch_sampler is not None:
            if self.batch_size != 1 or shuffle or sampler is not None or self.drop_last:
                raise ValueError(errors.BATCH_SAMPLER_ALONE)
            self.batch_size = None
        elif self.batch_size is None and self.drop_last:
            raise ValueError(errors.DROP_WITHOUT_BATCHES)
        if sampler is None and self._iterable:
            sampler = itertools.repeat(None)  # the indices of a dataset that has none
        elif sampler is None and shuffle:
            sampler = RandomSampler(self.dataset, generator=self.generator)
        elif sampler is None:
            sampler = SequentialSampler(self.dataset)
        if self.batch_size is not None:
            batch_sampler = BatchSampler(sampler, self.batch_size, self.drop_last)
        self.sampler, self.batch_sampler = sampler, batch_sampler

    def __setattr__(self, name: str, value: Any) -> None:
        if self._settled and name in FIXED:
            raise ValueError(errors.fixed_attribute(name, type(self).__name__))
        super().__setattr__(name, value)

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> Iterator[Any]:
        if self.pin_memory:
            errors.warn(errors.NOTHING_TO_PIN_FOR)
        indices = iter(self._index_sampler)
        range(self.num_workers or 0)  # a TypeError for a fraction: PyTorch starts so many workers
        # PyTorch draws this for its workers even where there are none: later draws depend on it.
        draw_seed(self.generator)
        return self._batches(indices, iter(self.dataset) if self._iterable else None)

    def _batches(self, indices: Iterator[Any], samples: Iterator[Any] | None) -> Iterator[Any]:
        """One pass: what the indices ask for, or the next samples, as many as a batch has."""
        alone, take = self.batch_sampler is None, self.collate_fn
        for index in indices:
            if samples is None:
                yield take(self.dataset[index] if alone else fetch_samples(self.dataset, index))
                continue
            batch = list(itertools.islice(samples, 1 if alone else len(index)))
            if not batch or (self.drop_last and len(batch) < len(index)):
                return
            yield take(batch[0] if alone else batch)

    def __len__(self) -> int:
        if not self._iterable:
            return len(self._index_sampler)
        size = len(self.dataset)
        if self.batch_size is None:
            return size
        return size // self.batch_size if self.drop_last else -(-size // self.batch_size)
