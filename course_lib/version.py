"""`torch.version`: the PyTorch version that is modelled, and the course's own.

>>> torch.__version__ >= (2, 0)
True
>>> torch.version.cuda is None
True
"""

import re
from typing import Any

COURSE = "0.2.0"  # the version of this package
MODELLED = "2.13.0"  # the PyTorch that it does as


def release(version: Any) -> tuple[int, ...]:
    """The numbers of a version, given as text or as a tuple, for comparing.

    >>> release("2.13.0+cpu"), release((2, 0))
    ((2, 13), (2,))
    """
    if isinstance(version, str):
        found = re.match(r"\d+(\.\d+)*", version)
        version = found[0].split(".") if found else ()
    numbers = [int(number) for number in version]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


class TorchVersion(str):
    """A version that compares with texts and tuples by its numbers, so that 2.9 is below 2.13."""

    __hash__ = str.__hash__

    def __lt__(self, other: Any) -> bool:
        return release(self) < release(other)

    def __le__(self, other: Any) -> bool:
        return release(self) <= release(other)

    def __gt__(self, other: Any) -> bool:
        return release(self) > release(other)

    def __ge__(self, other: Any) -> bool:
        return release(self) >= release(other)


__version__ = TorchVersion(f"{MODELLED}+course{COURSE}")
cuda = hip = xpu = rocm = git_version = None
debug = False
