"""Errors and warnings of `torch.utils.data`."""

from __future__ import annotations

from typing import Any

NO_GETITEM = "Subclasses of Dataset should implement __getitem__."
TENSOR_SIZES = "Size mismatch between tensors"
DATASET_SIZES = "Size mismatch between datasets"
NO_DATASET = "At least one dataset should be passed"
DATASETS_BOTH_WAYS = (
    "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, "
    "but both types are given."
)
NO_DATASETS = "datasets should not be an empty iterable"
CONCAT_ITERABLE = "ConcatDataset does not support IterableDataset"
CHAIN_ITERABLE = "ChainDataset only supports IterableDataset"
INDEX_PAST_START = "absolute value of index should not exceed dataset length"
SPLIT_SUM = "Sum of input lengths does not equal the length of the input dataset!"
NEGATIVE_WORKERS = (
    "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
)
NEGATIVE_TIMEOUT = "timeout option should be non-negative"
PREFETCH_WITHOUT_WORKERS = (
    "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to "
    "enable multiprocessing, otherwise set prefetch_factor to None."
)
NEGATIVE_PREFETCH = "prefetch_factor option should be non-negative"
PERSISTENT_WITHOUT_WORKERS = "persistent_workers option needs num_workers > 0"
SAMPLER_AND_SHUFFLE = "sampler option is mutually exclusive with shuffle"
BATCH_SAMPLER_ALONE = (
    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
)
DROP_WITHOUT_BATCHES = (
    "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
)
TIMEOUT_WITHOUT_WORKERS = "_SingleProcessDataLoaderIter requires timeout == 0"
NOTHING_TO_PIN_FOR = (
    "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory "
    "won't be used."
)
BATCH_SIZES = "each element in list of batch should be of equal size"


def subset_overrides(kind: str) -> str:
    return (
        f"{kind} overrides __getitem__ but not __getitems__. When subclassing Subset and "
        "overriding __getitem__, you must also override __getitems__ to ensure DataLoader works "
        "correctly with your custom logic. A simple implementation:\n\n"
        "def __getitems__(self, indices):\n"
        "    return [self.__getitem__(idx) for idx in indices]"
    )


def nested_size(expected: int, got: int) -> str:
    return f"Nested dataset's output size mismatch. Expected {expected}, got {got}"


def no_fraction(place: int) -> str:
    return f"Fraction at index {place} is not between 0 and 1"


def empty_split(place: int) -> str:
    return f"Length of split at index {place} is 0. This might result in an empty dataset."


def positive_option(name: str, value: Any) -> str:
    return f"{name} should be a positive integer value, but got {name}={value}"


def boolean_option(name: str, value: Any) -> str:
    return f"{name} should be a boolean value, but got {name}={value}"


def weights_shape(shape: tuple) -> str:
    return f"weights should be a 1d sequence but given weights have shape {shape}"


def iterable_option(name: str, value: Any) -> str:
    return (
        f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
        f"{name}={value}"
    )


def unknown_context(context: str) -> str:
    return (
        "multiprocessing_context option should specify a valid start method in ['fork', 'spawn', "
        f"'forkserver'], but got multiprocessing_context={context!r}"
    )


def caught_in_worker(kind: str, number: int, traceback: str) -> str:
    return f"Caught {kind} in DataLoader worker process {number}.\nOriginal {traceback}"


def context_without_workers() -> str:
    return (
        "multiprocessing_context can only be used with multi-process loading (num_workers > 0), "
        "but got num_workers=0"
    )


def fixed_attribute(name: str, kind: str) -> str:
    return f"{name} attribute should not be set after {kind} is initialized"


def longer_than_said(dataset: Any, said: int, got: int) -> str:
    return (
        f"Length of IterableDataset {dataset} was reported to be {said}(when accessing "
        f"len(dataloader)), but {got} samples have been fetched. "
    )


def uncollatable(kind: Any) -> str:
    return (
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
        f"{kind}"
    )
