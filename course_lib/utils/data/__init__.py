"""`torch.utils.data`: samples, their order, and batches of them."""

from course_lib.declare.public import completed as _completed
from course_lib.utils.data.collate import default_collate, default_convert
from course_lib.utils.data.dataloader import DataLoader, get_worker_info
from course_lib.utils.data.dataset import (
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)
from course_lib.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

__all__ = [
    "BatchSampler",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Subset",
    "TensorDataset",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]

__getattr__, __dir__ = _completed(globals(), "utils.data")
