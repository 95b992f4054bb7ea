"""What a dtype can hold: `torch.finfo` and `torch.iinfo`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.overloads import Overloads
from course_lib.dtypes import dtypes
from course_lib.words import errors

RESOLUTION = {"float16": 1e-3, "bfloat16": 1e-2, "float32": 1e-6, "float64": 1e-15}


class _Info:
    """The limits of one dtype; two are equal if they belong to the same dtype."""

    __slots__ = ("_about",)
    __hash__ = None
    _about: dtypes.dtype

    @property
    def bits(self) -> int:
        """The size of a number in bits."""
        return 8 * self._about.itemsize

    @property
    def dtype(self) -> str:
        """The name of the dtype, without ``torch.``"""
        return self._about.name

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and other._about is self._about

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(errors.no_attribute(f"torch.{type(self).__name__}", name))


class finfo(_Info):
    """What a floating dtype can hold; without an argument, the default dtype.

    >>> torch.finfo(torch.float32).max
    3.4028234663852886e+38
    """

    __slots__ = ()
    _signatures = Overloads("finfo", "torch.dtype type", "")

    def __init__(self, *args: Any, **kwargs: Any):
        about = self._signatures.parse(args, kwargs).get("type", dtypes.default_dtype())
        if about.category < dtypes.FLOATING:
            raise TypeError(errors.FINFO_OF_INTEGER)
        self._about = about.to_real()

    @property
    def _bits_of_fraction(self) -> int:
        return {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}[self._about.name]

    @property
    def eps(self) -> float:
        """The distance from 1 to the next larger number."""
        return 2.0**-self._bits_of_fraction

    @property
    def smallest_normal(self) -> float:
        """The smallest positive number with full precision."""
        return 2.0 ** {"float16": -14, "float64": -1022}.get(self._about.name, -126)

    tiny = smallest_normal

    @property
    def max(self) -> float:
        """The largest number."""
        return (2 - self.eps) * 2.0 ** {"float16": 15, "float64": 1023}.get(self._about.name, 127)

    @property
    def min(self) -> float:
        """The most negative number."""
        return -self.max

    @property
    def resolution(self) -> float:
        """The relative precision as a power of ten: 1e-6 means about six decimal digits."""
        return RESOLUTION[self._about.name]

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

    __slots__ = ()
    _signatures = Overloads("iinfo", "torch.dtype type")

    def __init__(self, *args: Any, **kwargs: Any):
        about = self._signatures.parse(args, kwargs)["type"]
        if about.category == dtypes.BOOL:
            raise TypeError(errors.IINFO_OF_BOOL)
        if about.category != dtypes.INTEGER:
            raise TypeError(errors.IINFO_OF_FLOAT)
        self._about = about

    @property
    def min(self) -> int:
        """The smallest number."""
        return int(np.iinfo(self._about.numpy).min)

    @property
    def max(self) -> int:
        """The largest number."""
        return int(np.iinfo(self._about.numpy).max)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
