"""Questions about dtypes: which one a tensor has, or an expression would have; the default."""

from typing import Any

from course_lib.calls.overloads import accepts
from course_lib.calls.rules import refuse_type
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as, method
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import fresh
from course_lib.words import errors

__all__ = ["can_cast", "get_default_dtype", "is_complex", "is_conj", "is_floating_point"]
__all__ += ["is_tensor", "promote_types", "result_type", "set_default_dtype"]


def is_tensor(obj: Any, /) -> bool:
    """Whether an object is a tensor.

    >>> torch.is_tensor(torch.ones(1)), torch.is_tensor([1.0])
    (True, False)
    """
    return isinstance(obj, Tensor)


@method
@accepts()
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is a floating-point type; complex dtypes do not count.

    >>> torch.is_floating_point(torch.ones(1))
    True
    """
    return input._dtype.is_floating_point


@method
@accepts()
def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers.

    >>> torch.is_complex(torch.tensor(1j))
    True
    """
    return input._dtype.is_complex


@method
@accepts()
def is_conj(input: Tensor) -> bool:
    """Whether the elements still have to be conjugated: False, `conj` does it at once.

    >>> torch.is_conj(torch.tensor([1j]))
    False
    """
    return False


@accepts()
def promote_types(type1: DType, type2: DType) -> DType:
    """The dtype that both types are promoted to: the smallest of the higher kind that holds both.

    >>> torch.promote_types(torch.uint8, torch.int8)
    torch.int16
    """
    return dtypes.promote(type1, type2)


@accepts()
def result_type(**operands: Any) -> DType:
    """The dtype of an arithmetic expression of two tensors or numbers.

    >>> torch.result_type(torch.tensor([1, 2]), 1.5)
    torch.float32
    """
    return kinds.promote_all(list(operands.values()))


@accepts()
def can_cast(from_: DType, to: DType) -> bool:
    """Whether a result of one dtype may be written into a tensor of another.

    >>> torch.can_cast(torch.int64, torch.float32), torch.can_cast(torch.float32, torch.int64)
    (True, False)
    """
    return from_.category <= to.category


def get_default_dtype() -> DType:
    """The dtype of tensors made from Python floats: ``torch.float32`` unless it was changed."""
    return dtypes.default_dtype()


def set_default_dtype(d: DType, /) -> None:
    """Make `d`, a floating-point dtype, the dtype of tensors made from Python floats.

    >>> torch.set_default_dtype(torch.float64); torch.tensor(1.5).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    refuse_type(not isinstance(d, DType), errors.invalid_default, "dtype")
    refuse_type(not d.is_floating_point, errors.DEFAULT_NOT_FLOATING)
    dtypes.set_default(d)


# ---- where the memory is -------------------------------------------------------------------------


for _kind in ("cpu", "cuda", "meta", "mps", "xpu"):
    _doc = f"Whether its device is {_kind}."
    _asked = property(lambda self, kind=_kind: self.device.type == kind, doc=_doc)
    attach_as(f"is_{_kind}", _asked)
for _name, _answer, _doc in (
    ("layout", fresh.strided, "``torch.strided``."),
    ("is_sparse", False, "False: all tensors are strided."),
    ("is_mkldnn", False, "False: all tensors are strided."),
    ("name", None, "None: no tensor has a name."),
    ("is_quantized", False, "False: no tensor is quantized."),
):
    attach_as(_name, property(lambda self, answer=_answer: answer, doc=_doc))
