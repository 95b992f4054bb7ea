"""A sentence with gaps, and how what fills them is written.

    rnn_dtype = Sentence("RNN input dtype ({given}) does not match weight dtype ({own}).")

is called with what goes into its gaps, in the order in which they first appear, or by their names.
A gap may say how its value is written (`WRITTEN`): ``{shape:list}`` gives ``[2, 3]``.
"""

from __future__ import annotations

import string
from typing import Any


class Sentence(str):
    """A sentence with gaps; calling it fills them."""

    __slots__ = ()

    def __call__(self, *values: Any, **named: Any) -> str:
        return GAPS.vformat(self, (), {**dict(zip(self.gaps(), values, strict=False)), **named})

    def gaps(self) -> tuple[str, ...]:
        """The names of what goes into the gaps, in the order in which they first appear."""
        fields = [field for _, field, _, _ in GAPS.parse(self) if field]
        return tuple(dict.fromkeys(field.partition(".")[0].partition("[")[0] for field in fields))


class Gaps(string.Formatter):
    """Fills gaps; what follows a colon is an entry of `WRITTEN`, or a format of Python's."""

    def format_field(self, value: Any, format_spec: str) -> str:
        written = WRITTEN.get(format_spec)
        return format(value, format_spec) if written is None else written(value)


GAPS = Gaps()


def dtype_of(value: Any) -> Any:
    """The dtype of a tensor, or the dtype itself."""
    return getattr(value, "_dtype", value)


def type_word(dtype: Any) -> str:
    """The short type name in messages: Float, Long, Bool …"""
    return dtype_of(dtype).legacy.removesuffix("Tensor")


def c_name(dtype: Any) -> str:
    """The type of elements as C++ prints it."""
    return C_NAMES[dtype_of(dtype).name]


def type_string(dtype: Any) -> str:
    """The name of the old tensor type, or for dtypes that never had one, another name."""
    if dtype.category in (0, 3) or dtype.name == "bfloat16":
        return f"CPU{type_word(dtype)}Type"
    return f"torch.{dtype.legacy}"


def listed(value: Any) -> str:
    """A shape, or that of a tensor, as a list."""
    return str(list(value._array.shape if hasattr(value, "_array") else value))


# fmt: off
C_NAMES = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int",
    "int32": "int", "int64": "long int", "float16": "c10::Half", "bfloat16": "c10::BFloat16",
    "float32": "float", "float64": "double", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>", "uint16": "unsigned short", "uint32": "unsigned int",
    "uint64": "unsigned long",
}
# fmt: on
WRITTEN = {
    "list": listed,  # [2, 3]
    "size": lambda shape: f"torch.Size({listed(shape)})",
    "by": lambda sizes: " x ".join(map(str, sizes)),
    "dims": lambda shape: str(len(shape)),
    "type": lambda value: type(value).__name__,  # int
    "word": type_word,  # Float
    "c": c_name,  # c10::Half
    "string": type_string,
}
