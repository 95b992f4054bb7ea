"""Errors and warnings of `torch.utils.data`."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

NO_GETITEM = "Subclasses of Dataset should implement __getitem__."
TENSOR_SIZES = "Size mismatch between tensors"
NO_DATASETS = "datasets should not be an empty iterable"
CONCAT_ITERABLE = "ConcatDataset does not support IterableDataset"
INDEX_PAST_START = "absolute value of index should not exceed dataset length"
SPLIT_SUM = "Sum of input lengths does not equal the length of the input dataset!"
NEGATIVE_WORKERS = (
    "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
)
SAMPLER_AND_SHUFFLE = "sampler option is mutually exclusive with shuffle"
BATCH_SAMPLER_ALONE = (
    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
)
DROP_WITHOUT_BATCHES = (
    "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
)
NOTHING_TO_PIN_FOR = (
    "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory "
    "won't be used."
)
BATCH_SIZES = "each element in list of batch should be of equal size"

subset_overrides = Sentence(
    "{kind} overrides __getitem__ but not __getitems__. When subclassing Subset and overriding "
    "__getitem__, you must also override __getitems__ to ensure DataLoader works correctly with "
    "your custom logic. A simple implementation:\n"
    "\n"
    "def __getitems__(self, indices):\n"
    "    return [self.__getitem__(idx) for idx in indices]"
)
no_fraction = Sentence("Fraction at index {place} is not between 0 and 1")
empty_split = Sentence(
    "Length of split at index {place} is 0. This might result in an empty dataset."
)
positive_option = Sentence("{name} should be a positive integer value, but got {name}={value}")
boolean_option = Sentence("{name} should be a boolean value, but got {name}={value}")
iterable_option = Sentence(
    "DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
)
fixed_attribute = Sentence("{name} attribute should not be set after {kind} is initialized")
uncollatable = Sentence(
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
    "{kind}"
)
