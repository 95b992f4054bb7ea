"""What a dtype can hold: `torch.finfo` and `torch.iinfo`."""

from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.dtypes import dtypes
from course_lib.words import errors

# of each floating dtype: bits of the fraction, the largest exponent, and decimal digits
FLOATS = {
    "float16": (10, 15, 3),
    "bfloat16": (7, 127, 2),
    "float32": (23, 127, 6),
    "float64": (52, 1023, 15),
}
LARGEST = {name: (2 - 2.0**-bits) * 2.0**most for name, (bits, most, _) in FLOATS.items()}


class _Info:
    """The limits of one dtype; two are equal if they belong to the same dtype."""

    __hash__ = None

    def __init__(self, *args: Any, **kwargs: Any):
        given = overloads("torch", type(self).__name__).parse(args, kwargs)
        self._describe(given.get("type", dtypes.default_dtype()))

    def _describe(self, about: dtypes.dtype) -> None:
        self.bits, self.dtype = 8 * about.itemsize, about.name

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and other.dtype == self.dtype

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(errors.no_attribute(f"torch.{type(self).__name__}", name))


class finfo(_Info):
    """What a floating dtype can hold; without an argument, the default dtype.

    `eps` is the distance from 1 to the next larger number, `tiny` (or `smallest_normal`) the
    smallest positive number with full precision, and `resolution` the relative precision as a power
    of ten: 1e-6 means about six decimal digits.

    >>> torch.finfo(torch.float32).max
    3.4028234663852886e+38
    """

    def _describe(self, about: dtypes.dtype) -> None:
        if about.category < dtypes.FLOATING:
            raise TypeError(errors.other_info("finfo", "a floating point", "iinfo"))
        super()._describe(about.to_real())
        fraction, exponent, digits = FLOATS[self.dtype]
        self.eps, self.resolution = 2.0**-fraction, float(f"1e-{digits}")
        self.tiny = self.smallest_normal = 2.0 ** (1 - exponent)
        self.max = LARGEST[self.dtype]
        self.min = -self.max

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.tiny:g}, tiny={self.tiny:g}, "
            f"dtype={self.dtype})"
        )


class iinfo(_Info):
    """What an integer dtype can hold.

    >>> torch.iinfo(torch.int8).min
    -128
    """

    def _describe(self, about: dtypes.dtype) -> None:
        if about.category == dtypes.BOOL:
            raise TypeError(errors.IINFO_OF_BOOL)
        if about.category != dtypes.INTEGER:
            raise TypeError(errors.other_info("iinfo", "an integer", "finfo"))
        super()._describe(about)
        limits = np.iinfo(about.numpy)
        self.min, self.max = int(limits.min), int(limits.max)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
