"""The dtypes, and the dtype of a mixed expression.

A dtype belongs to one of four categories, in rising order: bool, integer, floating, complex.
Operands form three groups, in falling rank: tensors with dimensions, 0-dim tensors, Python numbers.
A group of lower rank can lift the result into a higher *category*, never to a wider type of the
same category: ``int32 vector + float64 scalar tensor`` is float64, ``float32 vector + float64
scalar tensor`` stays float32.
"""

import functools
from typing import Any

import numpy as np

from course_lib.words import errors

BOOL, INTEGER, FLOATING, COMPLEX = range(4)


class dtype:
    """The type of a tensor's elements; `torch.float32` and so on are its only instances."""

    __slots__ = (
        "name",
        "category",
        "itemsize",
        "is_signed",
        "legacy",
        "_numpy",
        "reduced",
        "plain",
    )

    def __init__(self, name: str, category: int, itemsize: int, signed: bool, legacy: str):
        self.name, self.category, self.itemsize, self.is_signed = name, category, itemsize, signed
        self.legacy = legacy  # the class name in messages: torch.FloatTensor
        self.reduced = name in ("float16", "bfloat16")  # kernels compute these in float32
        self.plain = category == FLOATING and not self.reduced  # the dtypes of most calls
        self._numpy: Any = None if name == "bfloat16" else np.dtype(name)

    @property
    def numpy(self) -> np.dtype:
        """The NumPy dtype of the memory; bfloat16 comes from ml_dtypes, loaded when first used.

        Raises `RuntimeError` for bfloat16 where ml_dtypes is not installed.
        """
        if self._numpy is None:
            try:
                import ml_dtypes
            except ImportError as missing:
                raise RuntimeError(errors.NO_BFLOAT16) from missing
            self._numpy = np.dtype(ml_dtypes.bfloat16)
            _OF_NUMPY[self._numpy] = self
        return self._numpy

    @property
    def is_floating_point(self) -> bool:
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        return self.category == COMPLEX

    def to_real(self) -> "dtype":
        """The dtype of the real part: complex64 gives float32."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def to_complex(self) -> "dtype":
        """The complex dtype whose parts have this precision: float64 gives complex128."""
        if self.category < FLOATING:
            raise RuntimeError(errors.unknown_complex(self))
        return complex128 if self.name in ("float64", "complex128") else complex64

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return dtype_of_name, (self.name,)


def _declare(*row: Any) -> dtype:
    made = dtype(*row)
    _ALL[made.name] = made
    if made._numpy is not None:
        _OF_NUMPY[made._numpy] = made
    return made


_ALL: dict[str, dtype] = {}
_OF_NUMPY: dict[np.dtype, dtype] = {}

# fmt: off
bool_      = _declare("bool",       BOOL,     1, False, "BoolTensor")
uint8      = _declare("uint8",      INTEGER,  1, False, "ByteTensor")
int8       = _declare("int8",       INTEGER,  1, True,  "CharTensor")
int16      = _declare("int16",      INTEGER,  2, True,  "ShortTensor")
int32      = _declare("int32",      INTEGER,  4, True,  "IntTensor")
int64      = _declare("int64",      INTEGER,  8, True,  "LongTensor")
uint16     = _declare("uint16",     INTEGER,  2, False, "UInt16Tensor")
uint32     = _declare("uint32",     INTEGER,  4, False, "UInt32Tensor")
uint64     = _declare("uint64",     INTEGER,  8, False, "UInt64Tensor")
float16    = _declare("float16",    FLOATING, 2, True,  "HalfTensor")
bfloat16   = _declare("bfloat16",   FLOATING, 2, True,  "BFloat16Tensor")
float32    = _declare("float32",    FLOATING, 4, True,  "FloatTensor")
float64    = _declare("float64",    FLOATING, 8, True,  "DoubleTensor")
complex64  = _declare("complex64",  COMPLEX,  8, True,  "ComplexFloatTensor")
complex128 = _declare("complex128", COMPLEX, 16, True,  "ComplexDoubleTensor")
# fmt: on

# by the name of their old tensor class: torch.FloatTensor
LEGACY = {f"torch.{one.legacy}": one for one in _ALL.values()}
# the dtypes that Python's own types mean
OF_PYTHON = {float: float64, int: int64, bool: bool_, complex: complex128}


def dtype_of_name(name: str) -> dtype:
    """The dtype called `name`: ``dtype_of_name("float32") is float32``."""
    return _ALL[name]


def all_dtypes() -> tuple[dtype, ...]:
    """Every dtype of this library, in the order of the table above."""
    return tuple(_ALL.values())


def of_numpy(numpy_dtype: np.dtype) -> dtype:
    """The dtype of an array's elements; TypeError with PyTorch's message if there is none."""
    found = _OF_NUMPY.get(numpy_dtype)
    if found is not None:
        return found
    if numpy_dtype.name == "bfloat16":
        return bfloat16 if bfloat16.numpy == numpy_dtype else float32
    if numpy_dtype.isnative and numpy_dtype.newbyteorder("=") in _OF_NUMPY:
        return _OF_NUMPY[numpy_dtype.newbyteorder("=")]
    raise TypeError(errors.numpy_dtype_unsupported(numpy_dtype))


# ---- the default dtype ---------------------------------------------------------------------------


class _Default:
    """The dtype of Python floats, and its complex partner; one per process, as in PyTorch."""

    floating = float32


def default_dtype() -> dtype:
    """The dtype that Python floats become: float32 unless it was changed."""
    return _Default.floating


def set_default(value: dtype) -> None:
    """Make `value`, a floating dtype, the type that Python floats become."""
    _Default.floating = value


# ---- promotion -----------------------------------------------------------------------------------


@functools.cache
def promote(a: dtype, b: dtype) -> dtype:
    """The dtype of `a` and `b` combined: of the higher category, or wide enough for both.

    >>> promote(uint8, int8), promote(int64, float16), promote(float16, bfloat16)
    (torch.int16, torch.float16, torch.float32)
    """
    if a is b:
        return a
    if a.category != b.category:
        higher, lower = (a, b) if a.category > b.category else (b, a)
        if higher.category == COMPLEX and lower is float64:
            return complex128
        return higher
    if {a, b} & {uint16, uint32, uint64}:
        raise RuntimeError(errors.promotion_unsupported(a, b))
    if a.reduced and b.reduced:
        return float32
    if a.reduced or b.reduced:  # NumPy by itself has no bfloat16
        return b if a.reduced else a
    return _OF_NUMPY[np.promote_types(a.numpy, b.numpy)]


def of_number(value: Any) -> dtype:
    """The dtype that a Python number has in a mixed expression."""
    if isinstance(value, (bool, int)):
        return bool_ if isinstance(value, bool) else int64
    if isinstance(value, float):
        return _Default.floating
    if _Default.floating is bfloat16:
        raise RuntimeError(errors.DEFAULT_COMPLEX)
    return _Default.floating.to_complex()


def wrapped_dtype(value: Any) -> dtype:
    """The dtype of a Python number that PyTorch makes a tensor of: one that loses nothing."""
    if isinstance(value, (bool, int)):
        return of_number(value)
    return float64 if isinstance(value, float) else complex128


def combine_groups(higher: dtype | None, lower: dtype | None) -> dtype | None:
    """The dtype of two operand groups: of the one with lower rank, only the category counts."""
    if higher is None:
        return lower
    if lower is None or higher.category >= lower.category:
        return higher
    if lower.category == COMPLEX and higher.category == FLOATING:
        return higher.to_complex()
    return lower
