"""`num_workers`: the same batches in the same order as PyTorch's worker processes give.

PyTorch hands the indices of batches out to the workers in turn, and takes the results in the order
in which it handed them out.  Each worker has a copy of the dataset and its own random numbers,
seeded with the base seed and the worker's number.  So which batch is which does not depend on who
is faster, and one process can do it all: here the workers take turns in the process that asks.
Nothing runs at the same time, nothing can hang, and no process is left over.
"""

from __future__ import annotations

import copy
import itertools
import random
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from course_lib.ops.make.generator import default_generator
from course_lib.utils.data.sampler import drawn_seed
from course_lib.words import errors

__all__ = ["WorkerInfo", "WorkersIter", "get_worker_info"]


class WorkerInfo:
    """What a worker knows of itself: its number, how many there are, its seed and its dataset."""

    def __init__(self, id: int, num_workers: int, seed: int, dataset: Any):
        self.id, self.num_workers, self.seed, self.dataset = id, num_workers, seed, dataset
        self.rng, self.worker_method = None, "multiprocessing"

    def __repr__(self) -> str:
        return f"WorkerInfo({', '.join(f'{k}={v}' for k, v in vars(self).items())})"


class Current:
    """The worker whose turn it is."""

    info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What the worker that loads this sample knows of itself; None outside of workers.

    >>> torch.utils.data.get_worker_info() is None
    True
    """
    return Current.info


class Worker:
    """One worker: a copy of the dataset, and random numbers that nobody else draws from."""

    def __init__(self, number: int, loader: Any, base_seed: int):
        seed = base_seed + number
        dataset = copy.copy(loader.dataset)
        self.info = WorkerInfo(number, loader.num_workers, seed, dataset)
        self.loader, self.active = loader, True
        self.states: tuple = ()
        self.turn(lambda: self.start(base_seed, seed))

    def start(self, base_seed: int, seed: int) -> None:
        """Seed all random numbers and call ``worker_init_fn``, as a worker process does first."""
        default_generator.manual_seed(seed)
        random.seed(seed)
        entropy = [self.info.id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
        np.random.seed(np.random.SeedSequence(entropy).generate_state(4))
        if self.loader.worker_init_fn is not None:
            self.loader.worker_init_fn(self.info.id)
        self.samples = iter(self.info.dataset) if self.loader._iterable else None

    def turn(self, work: Callable[[], Any]) -> Any:
        """The result of `work`, done with this worker's random numbers."""
        outside, before = drawn_states(), Current.info
        if self.states:
            restore(self.states)
        Current.info = self.info
        try:
            return work()
        except StopIteration:
            raise
        except Exception as error:
            raise in_words(error, self.info.id) from None
        finally:
            self.states, Current.info = drawn_states(), before
            restore(outside)

    def restart(self) -> None:
        """Begin another pass over an iterable dataset, with ``persistent_workers``."""
        self.active = True
        if self.loader._iterable:
            self.samples = self.turn(lambda: iter(self.info.dataset))


def drawn_states() -> tuple:
    """Where the random numbers of PyTorch, Python and NumPy stand."""
    return default_generator.get_state(), random.getstate(), np.random.get_state()


def restore(states: tuple) -> None:
    """Put them back to where they stood."""
    default_generator.set_state(states[0])
    random.setstate(states[1])
    np.random.set_state(states[2])


def in_words(error: Exception, number: int) -> Exception:
    """A worker's error as the loader raises it: with the traceback in its message."""
    lines = traceback.format_exception(*sys.exc_info())
    text = errors.caught_in_worker(type(error).__name__, number, "".join(lines))
    try:
        return type(error)(text)
    except TypeError:  # it wants other arguments
        return RuntimeError(text)


class WorkersIter:
    """One pass over a loader's batches, loaded by workers in turn."""

    def __init__(self, loader: Any):
        if loader.pin_memory:
            errors.warn(errors.NOTHING_TO_PIN_FOR)
        self._loader = loader
        self._indices: Iterator = iter(loader._index_sampler)
        self._base_seed = drawn_seed(loader.generator)
        self._workers = [Worker(n, loader, self._base_seed) for n in range(loader.num_workers)]
        self._begin()

    def _reset(self) -> None:
        """Begin another pass with the same workers."""
        self._indices = iter(self._loader._index_sampler)
        drawn_seed(self._loader.generator)
        for worker in self._workers:
            worker.restart()
        self._begin()

    def _begin(self) -> None:
        self._next_worker = itertools.cycle(self._workers)
        self._tasks: deque[tuple[Worker, Any]] = deque()
        self._given = 0
        for _ in range(self._loader.prefetch_factor * self._loader.num_workers):
            self._hand_out()

    def _hand_out(self) -> None:
        """Give the next indices to the next worker that still has samples."""
        try:
            index = next(self._indices)
        except StopIteration:
            return
        for _ in self._workers:
            worker = next(self._next_worker)
            if worker.active:
                self._tasks.append((worker, index))
                return

    def __iter__(self) -> WorkersIter:
        return self

    def __next__(self) -> Any:
        while self._tasks:
            worker, index = self._tasks.popleft()
            if not worker.active:
                continue
            self._hand_out()
            try:
                batch = worker.turn(lambda: self._load(worker, index))  # noqa: B023  called at once
            except StopIteration:
                worker.active = False
                continue
            self._given += 1
            said = self._loader._said
            if worker.samples is not None and said is not None and self._given > said:
                errors.warn(errors.longer_than_said(self._loader.dataset, said, self._given))
            return batch
        raise StopIteration

    def _load(self, worker: Worker, index: Any) -> Any:
        """The batch behind what the sampler gave."""
        loader = self._loader
        if worker.samples is None:
            return loader.collate_fn(loader._ask(worker.info.dataset, index))
        return loader.collate_fn(loader._take(worker, index))

    def __len__(self) -> int:
        return len(self._loader._index_sampler)
