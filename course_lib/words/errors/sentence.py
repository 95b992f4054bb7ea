"""A sentence with gaps, and how what fills them is written.

    dot_ranks: 1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors

is called with what goes into its gaps, in the order in which they first appear, or by their names.
A gap may say how its value is written (`WRITTEN`): ``{shape:list}`` gives ``[2, 3]``.
"""

import re
from typing import Any


class Sentence(str):
    """A sentence with gaps; calling it fills them."""

    gaps: tuple[str, ...]  # the names of what goes into them, in the order in which they come
    plain: bool  # whether Python's own formats will do

    def __new__(cls, text: str) -> "Sentence":
        made = super().__new__(cls, text)
        found = GAP.findall(text.replace("{{", ""))
        made.gaps = tuple(dict.fromkeys([name for name, _ in found]))
        made.plain = WRITTEN.keys().isdisjoint([written for _, written in found])
        return made

    def __call__(self, /, *values: Any, **named: Any) -> str:
        named.update(zip(self.gaps, values))
        if not self.plain:
            named = {name: Written(value) for name, value in named.items()}
        return self.format_map(named)


GAP = re.compile(r"\{(\w+)[^{}:]*:?([^{}]*)\}")  # its name, and how what fills it is written


class Written:
    """A value in a sentence: what follows a colon is an entry of `WRITTEN`, or Python's format."""

    def __init__(self, value: Any):
        self.value = value

    def __format__(self, written: str) -> str:
        write = WRITTEN.get(written)
        return format(self.value, written) if write is None else write(self.value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)

    def __repr__(self) -> str:
        return repr(self.value)


def dtype_of(value: Any) -> Any:
    """The dtype of a tensor, or the dtype itself."""
    return getattr(value, "_dtype", value)


def type_word(dtype: Any) -> str:
    """The short type name in messages: Float, Long, Bool …"""
    return dtype_of(dtype).legacy.removesuffix("Tensor")


def c_name(dtype: Any) -> str:
    """The type of elements as C++ prints it."""
    return C_NAMES[dtype_of(dtype).name]


def stdint_name(dtype: Any) -> str:
    """The same, integers by their width."""
    whole = dtype.category == 1 and dtype.name != "int32"
    return f"{dtype.name}_t" if whole else c_name(dtype)


def type_string(value: Any) -> str:
    """The name of the old tensor type, or for dtypes that never had one, another name."""
    dtype = dtype_of(value)
    if dtype.category in (0, 3) or dtype.name == "bfloat16":
        return f"CPU{type_word(dtype)}Type"
    return f"torch.{dtype.legacy}"


def sizes(value: Any) -> list[Any]:
    """A shape, or that of a tensor, as a list."""
    return [*map(int, value._array.shape if hasattr(value, "_array") else value)]


TYPE_NAME: Any = vars(type)["__name__"]  # where C keeps it, and Python's own messages take it from


class OfTorch(type):
    """The type of classes with a module in their name: ``'torch.dtype' object is not callable``.

    In PyTorch these classes are written in C, and the module is a part of their name.
    """

    def __init__(cls, name: str, bases: tuple, body: dict):
        super().__init__(name, bases, body)
        places = {"Generator": "torch._C", "UntypedStorage": "torch.storage"}
        TYPE_NAME.__set__(cls, f"{places.get(name, 'torch')}.{name}")

    __name__ = property(lambda cls: cls.__qualname__)  # type: ignore[assignment]


HEAP_TYPE = 1 << 9  # the flag of classes that were made by a `class` statement


def kind_of(value: Any) -> str:
    """The name of an argument's type in PyTorch's messages."""
    kind = type(value)
    module, name = kind.__module__, kind.__name__
    if hasattr(getattr(value, "__self__", None), "_requires_grad"):  # a method without its ()
        return "builtin_function_or_method"
    if module.startswith("course_lib"):
        return "builtin_function_or_method" if is_function(value) else TYPE_NAME.__get__(kind)
    if isinstance(value, tuple) and hasattr(kind, "op"):
        return f"torch.return_types.{name}"
    written = kind.__flags__ & HEAP_TYPE and module not in ("functools", "numpy.dtypes")
    if module in ("builtins", "types") or written:
        return name
    return f"{module}.{name}"


def is_function(value: Any) -> bool:
    """Whether an object of ours stands for a function of PyTorch's; a module is called, too."""
    return callable(value) and not hasattr(value, "forward")


def kind_name(value: Any) -> str:
    """The type of a value as `torch.typename` writes it; a class or function says its own name."""
    kind = value if hasattr(value, "__qualname__") else type(value)
    module, name = getattr(kind, "__module__", "builtins"), kind.__qualname__
    if kind is not value and hasattr(value, "_dtype"):
        return f"torch.{value._dtype.legacy}"
    if module.startswith("course_lib.nn."):
        folder = "nn.modules" if isinstance(kind, type) else "nn"
        return f"torch.{folder}.{module.rpartition('.')[2]}.{name}"
    if module.startswith("course_lib"):
        return f"torch.{name}"
    return name if module == "builtins" else f"{module}.{name}"


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
    "list": lambda shape: str(sizes(shape)),  # [2, 3]
    "size": lambda shape: f"torch.Size({sizes(shape)})",
    "by": lambda shape: " x ".join(map(str, sizes(shape))),  # 2 x 3
    "dims": lambda shape: str(len(sizes(shape))),
    "type": lambda value: type(value).__name__,  # int
    "types": lambda values: ", ".join(type(v).__name__ for v in values if v is not None),
    "node": lambda node: node.name(),  # MulBackward0
    "kind": kind_of,  # int, numpy.ndarray, torch.dtype
    "typename": kind_name,  # torch.nn.modules.linear.Linear
    "word": type_word,  # Float
    "c": c_name,  # c10::Half
    "stdint": stdint_name,  # uint8_t
    "string": type_string,
}
