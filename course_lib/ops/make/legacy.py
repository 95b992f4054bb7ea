"""The constructors of 2017: ``torch.Tensor(…)``, ``torch.FloatTensor(…)``, ``x.new(…)``.

A number is a size, a list is data, a tensor is shared: three meanings for one call, which is why
`torch.tensor`, `torch.empty` and `clone` took its place.
"""

from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import lacking, refuse, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import devices, fresh
from course_lib.memory.size import Size
from course_lib.ops.bridge.dtype_queries import set_default_dtype
from course_lib.ops.make.creation import finish
from course_lib.ops.make.tensor import copy_data, is_sequence, over
from course_lib.ops.shape.transpose import alias
from course_lib.words import errors

__all__ = ["BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor"]
__all__ += ["FloatTensor", "HalfTensor", "IntTensor", "LongTensor", "ShortTensor"]
__all__ += ["set_default_tensor_type"]


def build(wanted: DType, args: tuple, kwargs: dict, exact: bool = True) -> Tensor:
    """The tensor that a legacy constructor returns; `exact` refuses tensors of another dtype."""
    one = args[0] if len(args) == 1 else None
    refuse(isinstance(one, Tensor) and "device" in kwargs, errors.LEGACY_DEVICE)
    listed = isinstance(one, (tuple, list)) and not isinstance(one, Size)
    given = overloads("torch", "new").parse(
        (one[:0],) if listed else args, kwargs
    )  # data, whatever is in it
    if given.get("device", devices.CPU).type != "cpu":
        raise RuntimeError(errors.legacy_device(given["device"].type))
    if "other" in given:
        refuse_type(exact and one._dtype is not wanted, errors.legacy_dtype, wanted, one._dtype)
        return alias(one)
    lacking("storage" in given, errors.absent, "tensors over a storage")
    data = one if listed else given.get("data")
    if data is None and "data" not in given:
        return finish(fresh.empty(given.get("size", (0,)), wanted.numpy), wanted)
    refuse_type(not is_sequence(data), errors.not_a_sequence, data)
    if isinstance(data, np.ndarray):  # shared where no byte has to change, as by `as_tensor`
        shared = over(data)
        return shared if shared._dtype is wanted else copy_data(data, wanted, None)
    return copy_data(data, wanted, None)


def construct(cls: type, *args: Any, **kwargs: Any) -> Tensor:
    """``torch.Tensor(…)``, also for subclasses."""
    made = build(dtypes.default_dtype(), args, kwargs, exact=False)
    if cls is not Tensor:
        made.__class__ = cls
    return made


attach_as("_legacy_new", staticmethod(construct))


class tensortype(type):
    """The type of the legacy classes: a tensor is an instance if dtype and device fit."""

    dtype: DType
    is_cuda = is_sparse = False
    layout = fresh.strided

    def __instancecheck__(cls, value: Any) -> bool:
        return (
            isinstance(value, Tensor) and value._dtype is cls.dtype and value.device is devices.CPU
        )

    def __call__(cls, *args: Any, **kwargs: Any) -> Tensor:
        return build(cls.dtype, args, kwargs)

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


def legacy_class(dtype: DType) -> Any:
    """The class that makes tensors of one dtype."""
    text = f"Makes {dtype!r} tensors: of a size, from a list, or over the memory of a tensor."
    return tensortype(dtype.legacy, (), {"dtype": dtype, "__module__": "torch", "__doc__": text})


FloatTensor, DoubleTensor = legacy_class(dtypes.float32), legacy_class(dtypes.float64)
HalfTensor, BFloat16Tensor = legacy_class(dtypes.float16), legacy_class(dtypes.bfloat16)
IntTensor, LongTensor = legacy_class(dtypes.int32), legacy_class(dtypes.int64)
ShortTensor, CharTensor = legacy_class(dtypes.int16), legacy_class(dtypes.int8)
ByteTensor, BoolTensor = legacy_class(dtypes.uint8), legacy_class(dtypes.bool_)


def set_default_tensor_type(t: Any, /) -> None:
    """Make the dtype of a legacy class (or its name) the default: deprecated.

    Use `set_default_dtype` instead.
    """
    wanted = dtypes.LEGACY.get(t) if isinstance(t, str) else getattr(t, "dtype", None)
    if isinstance(t, str) and wanted is None:
        raise ModuleNotFoundError(f"No module named '{t.partition('.')[0]}'")
    if not isinstance(t, (str, tensortype)) or wanted is None:
        raise TypeError(errors.invalid_default("type"))
    errors.warn_once(errors.SET_DEFAULT_TENSOR_TYPE)
    set_default_dtype(wanted)
