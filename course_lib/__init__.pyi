# Written by tools/write_stubs.py; run that again instead of editing this.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import Any, overload
import numpy as np
from course_lib.memory.devices import device as _Device
from course_lib.dtypes.dtypes import dtype as _DType
from course_lib.memory.fresh import layout as _Layout
from course_lib.memory.fresh import memory_format as _MemoryFormat
from course_lib.ops.make.generator import Generator as _Generator
from course_lib.core.tensor import _Number
from course_lib.core.tensor import _ValuesIndices
from course_lib import accelerator as accelerator
from course_lib import autograd as autograd
from course_lib import backends as backends
from course_lib import cuda as cuda
from course_lib import linalg as linalg
from course_lib import nn as nn
from course_lib import optim as optim
from course_lib import random as random
from course_lib import serialization as serialization
from course_lib import utils as utils
from course_lib import version as version
from course_lib.autograd.grad_mode import enable_grad as enable_grad
from course_lib.autograd.grad_mode import inference_mode as inference_mode
from course_lib.autograd.grad_mode import no_grad as no_grad
from course_lib.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from course_lib.core.tensor import Tensor as Tensor
from course_lib.dtypes.dtypes import dtype as dtype
from course_lib.dtypes.limits import finfo as finfo
from course_lib.dtypes.limits import iinfo as iinfo
from course_lib.memory.devices import device as device
from course_lib.memory.fresh import layout as layout
from course_lib.memory.fresh import memory_format as memory_format
from course_lib.memory.size import Size as Size
from course_lib.ops.bridge.storage import TypedStorage as TypedStorage
from course_lib.ops.bridge.storage import UntypedStorage as UntypedStorage
from course_lib.ops.make.generator import Generator as Generator

BFloat16Tensor: type[Tensor]
BoolTensor: type[Tensor]
ByteTensor: type[Tensor]
CharTensor: type[Tensor]
DoubleTensor: type[Tensor]
FloatTensor: type[Tensor]
HalfTensor: type[Tensor]
IntTensor: type[Tensor]
LongTensor: type[Tensor]
ShortTensor: type[Tensor]
__version__: str
def abs(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The absolute value of each element; for complex numbers, the magnitude, which is real."""
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the cosine: the angle in radians, from 0 to pi."""
def add(
    input: Tensor,
    other: Tensor | _Number,
    *,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The sum ``self + alpha * other``."""
@overload
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha * (mat1 @ mat2)``: what a linear layer computes."""
@overload
def addmm(
    input: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    out_dtype: _DType,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha * (mat1 @ mat2)``: what a linear layer computes."""
@overload
def all(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """True if all elements are nonzero, in the whole tensor or along `dim`."""
@overload
def all(
    input: Tensor,
    dim: Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """True if all elements are nonzero, in the whole tensor or along `dim`."""
@overload
def all(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """True if all elements are nonzero, in the whole tensor or along `dim`."""
def allclose(
    input: Tensor,
    other: Tensor,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
) -> _bool:
    """Whether `isclose` holds for all elements."""
def amax(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The largest elements along `dim`, one or several dimensions; equal ones share the gradient."""
def amin(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest elements along `dim`, one or several dimensions; equal ones share the gradient."""
@overload
def any(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """True if any element is nonzero, in the whole tensor or along `dim`."""
@overload
def any(
    input: Tensor,
    dim: Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """True if any element is nonzero, in the whole tensor or along `dim`."""
@overload
def any(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """True if any element is nonzero, in the whole tensor or along `dim`."""
@overload
def arange(
    end: _Number,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """The values from `start` up to but not including `end`, in steps of `step`."""
@overload
def arange(
    start: _Number,
    end: _Number,
    *,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """The values from `start` up to but not including `end`, in steps of `step`."""
@overload
def arange(
    start: _Number,
    end: _Number,
    step: _Number = 1,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """The values from `start` up to but not including `end`, in steps of `step`."""
def argmax(
    input: Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the (first) largest element: of the flattened tensor, or along `dim`."""
def argmin(
    input: Tensor,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The index of the (first) smallest element: of the flattened tensor, or along `dim`."""
@overload
def argsort(
    input: Tensor,
    *,
    stable: _bool,
    dim: _int = -1,
    descending: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The indices that sort `input` along `dim`."""
@overload
def argsort(input: Tensor, dim: _int = -1, descending: _bool = False) -> Tensor:
    """The indices that sort `input` along `dim`."""
def as_strided(
    input: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
) -> Tensor:
    """A view of the storage with any sizes, strides and offset, all counted in elements."""
def as_tensor(
    data: Any,
    *,
    dtype: _DType | None = None,
    device: _Device | str | _int | None = None,
) -> Tensor:
    """`data` as a tensor, without a copy where that is possible."""
def asarray(
    obj: Any,
    *,
    dtype: _DType | None = None,
    device: _Device | str | _int | None = None,
    copy: _bool | None = None,
    requires_grad: _bool | None = None,
) -> Tensor:
    """`obj` as a tensor, without a copy where that is possible: the same as `as_tensor`."""
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (x=other, y=self) in radians, from -pi to pi."""
bfloat16: _DType
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2 … occurs in `input`; with `weights`, their sums."""
@overload
def bitwise_and(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that both integers have; ``self & other``."""
@overload
def bitwise_and(self: _Number, other: Tensor) -> Tensor:
    """The bits that both integers have; ``self & other``."""
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """All bits flipped; for bool, the logical not; ``~self``."""
@overload
def bitwise_or(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that either integer has; ``self | other``."""
@overload
def bitwise_or(self: _Number, other: Tensor) -> Tensor:
    """The bits that either integer has; ``self | other``."""
@overload
def bitwise_right_shift(
    input: Tensor,
    other: Tensor | _Number,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each integer halved and rounded down, `other` times over; ``self >> other``."""
@overload
def bitwise_right_shift(self: _Number, other: Tensor) -> Tensor:
    """Each integer halved and rounded down, `other` times over; ``self >> other``."""
@overload
def bitwise_xor(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that exactly one of the integers has; ``self ^ other``."""
@overload
def bitwise_xor(self: _Number, other: Tensor) -> Tensor:
    """The bits that exactly one of the integers has; ``self ^ other``."""
@overload
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix products of two batches, pair by pair: (b, n, m) and (b, m, p) give (b, n, p)."""
@overload
def bmm(input: Tensor, mat2: Tensor, out_dtype: _DType, *, out: Tensor | None = None) -> Tensor:
    """The matrix products of two batches, pair by pair: (b, n, m) and (b, m, p) give (b, n, p)."""
bool: _DType
def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that tensors of these shapes broadcast to."""
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """A tuple of views of the tensors, broadcast to their common shape."""
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """A view broadcast to `size`; the same as `expand`."""
def can_cast(from_: _DType, to: _DType) -> _bool:
    """Whether a result of one dtype may be written into a tensor of another."""
def cat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors joined one after the other along the existing dimension `dim`."""
def cdist(x1: Tensor, x2: Tensor, p: _float = 2.0) -> Tensor:
    """The distance (the `p`-norm of the difference) of each row of `x1` to each row of `x2`."""
cdouble: _DType
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest whole number not below each element."""
cfloat: _DType
def chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` views of equal size; the last one may be smaller."""
@overload
def clamp(
    input: Tensor,
    min: Tensor | None = None,
    max: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
@overload
def clamp(
    input: Tensor,
    min: _Number | None = None,
    max: _Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
@overload
def clamp_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """`clamp` in place; returns the tensor itself."""
@overload
def clamp_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor:
    """`clamp` in place; returns the tensor itself."""
@overload
def clip(
    input: Tensor,
    min: Tensor | None = None,
    max: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
@overload
def clip(
    input: Tensor,
    min: _Number | None = None,
    max: _Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
@overload
def clip_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """`clamp` in place; returns the tensor itself."""
@overload
def clip_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor:
    """`clamp` in place; returns the tensor itself."""
def clone(input: Tensor, *, memory_format: _MemoryFormat | None = None) -> Tensor:
    """A copy in new memory that the graph records: gradients flow back to the original."""
complex128: _DType
complex64: _DType
def concat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The same as `cat`."""
def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor is returned itself."""
def constant_pad_nd(input: Tensor, pad: Sequence[_int], value: _Number = 0) -> Tensor:
    """The tensor padded with one value around its last dimensions; negative numbers crop."""
contiguous_format: _MemoryFormat
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """1D convolution: for every window of a series, the sum of its products with the weight."""
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """1D convolution: for every window of a series, the sum of its products with the weight."""
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """2D convolution: for every window of an image, the sum of its products with the weight."""
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: str = 'valid',
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor:
    """2D convolution: for every window of an image, the sum of its products with the weight."""
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """The adjoint of `conv2d`: each element, times the weight, is added into its window."""
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of each element, an angle in radians."""
@overload
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor:
    """How many elements are not zero, in the whole tensor or along `dim`."""
@overload
def count_nonzero(input: Tensor, dim: Sequence[_int]) -> Tensor:
    """How many elements are not zero, in the whole tensor or along `dim`."""
def cumsum(
    input: Tensor,
    dim: _int,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The running sum along `dim`: each element plus all those before it."""
default_generator: _Generator
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A view of a diagonal of the matrices in `dim1` and `dim2`, as the last dimension."""
def diff(
    input: Tensor,
    n: _int = 1,
    dim: _int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element minus the one before it, along `dim`; repeated `n` times."""
@overload
def div(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient; for integers a floating-point one, unless `rounding_mode` says how to round."""
@overload
def div(
    input: Tensor,
    other: Tensor | _Number,
    *,
    rounding_mode: str | None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient; for integers a floating-point one, unless `rounding_mode` says how to round."""
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The dot product of two vectors: a 0-dim tensor."""
double: _DType
e: _float
def einsum(*args: Any) -> Tensor:
    """The sum of products that the equation names: ``ij,jk->ik`` is a matrix product."""
@overload
def empty(
    size: Sequence[_int],
    *,
    memory_format: _MemoryFormat | None = None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """An uninitialised tensor of the given shape: its elements are arbitrary until you write them."""
@overload
def empty(
    *size: _int,
    memory_format: _MemoryFormat | None = None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """An uninitialised tensor of the given shape: its elements are arbitrary until you write them."""
def empty_like(
    input: Tensor,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """An uninitialised tensor like `input`: the same shape, dtype, device and memory layout."""
def empty_strided(
    size: Sequence[_int],
    stride: Sequence[_int],
    *,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """An uninitialised tensor with these strides, counted in elements."""
def eq(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """True where the elements are equal."""
def equal(input: Tensor, other: Tensor) -> _bool:
    """Whether two tensors have the same shape and the same elements."""
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The exponential: e to the power of each element."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``exp(x) - 1``, accurate even for small x."""
@overload
def eye(
    n: _int,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere."""
@overload
def eye(
    n: _int,
    m: _int,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A matrix with ones on its diagonal and zeros elsewhere."""
def fill_(input: Tensor, value: Tensor | _Number) -> Tensor:
    """Write `value` (a number or a 0-dim tensor) into every element; returns the tensor itself."""
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """The dimensions from `start_dim` to `end_dim` as one; a view if the strides allow it."""
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """A copy with the order reversed along `dims`."""
float: _DType
float16: _DType
float32: _DType
float64: _DType
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest whole number not above each element."""
def floor_divide(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient, rounded down; ``self // other``."""
def from_numpy(*args: np.ndarray, **kwargs: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array: a write to one changes the other."""
def full(
    size: Sequence[_int],
    fill_value: _Number,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor of shape `size` filled with `fill_value`, whose type decides the dtype."""
def full_like(
    input: Tensor,
    fill_value: _Number,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor like `input` (shape, dtype, device, memory layout), filled with `fill_value`."""
def gather(
    input: Tensor,
    dim: _int,
    index: Tensor,
    *,
    sparse_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The elements of `self` that `index` picks along `dim`, in the shape of `index`."""
def ge(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """True where `self` is greater than `other`, or equal to it."""
def get_default_device() -> _Device:
    """The device of new tensors: ``device(type='cpu')`` unless it was changed."""
def get_default_dtype() -> _DType:
    """The dtype of tensors made from Python floats: ``torch.float32`` unless it was changed."""
def get_num_threads() -> _int:
    """The number of threads last set; 1 at first."""
def get_rng_state() -> Tensor:
    """The whole state of the default generator, as a uint8 tensor."""
def gt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """True where `self` is greater than `other`."""
half: _DType
def imag(input: Tensor) -> Tensor:
    """A view of the imaginary parts."""
def index_add(
    input: Tensor,
    dim: _int,
    index: Tensor,
    source: Tensor,
    *,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with `source` added at the places `index` along `dim`."""
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor | _Number) -> Tensor:
    """A copy of `self` with the number `value` written at the places `index` along `dim`."""
def index_put(
    input: Tensor,
    indices: Sequence[Tensor],
    values: Tensor,
    accumulate: _bool = False,
) -> Tensor:
    """A copy of `input` with `values` at the places that `indices` (a tuple of tensors) name."""
def index_put_(
    input: Tensor,
    indices: Sequence[Tensor],
    values: Tensor,
    accumulate: _bool = False,
) -> Tensor:
    """`index_put` in place; returns the tensor itself."""
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of the entries along `dim` that `index` (a vector) names, in its order."""
inf: _float
def initial_seed() -> _int:
    """The seed that the default generator was last started from."""
int: _DType
int16: _DType
int32: _DType
int64: _DType
int8: _DType
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix; the same as `torch.linalg.inv`."""
def is_anomaly_enabled() -> _bool:
    """Whether nodes keep the stack of their forward call."""
def is_complex(input: Tensor) -> _bool:
    """Whether the elements are complex numbers."""
def is_conj(input: Tensor) -> _bool:
    """Whether the elements still have to be conjugated: False, `conj` does it at once."""
def is_floating_point(input: Tensor) -> _bool:
    """Whether the dtype is a floating-point type; complex dtypes do not count."""
def is_grad_enabled() -> _bool:
    """Whether operations are recorded at this point."""
def is_tensor(obj: Any) -> _bool:
    """Whether an object is a tensor."""
def is_warn_always_enabled() -> _bool:
    """Whether `set_warn_always` was told to."""
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
) -> Tensor:
    """True where ``|self - other| <= atol + rtol * |other|``."""
def isfinite(input: Tensor) -> Tensor:
    """True where an element is neither infinite nor nan."""
@overload
def isin(
    elements: Tensor,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each of `elements` is among `test_elements`; with `invert`, whether it is not."""
@overload
def isin(
    element: _Number,
    test_elements: Tensor,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each of `elements` is among `test_elements`; with `invert`, whether it is not."""
@overload
def isin(
    elements: Tensor,
    test_element: _Number,
    *,
    assume_unique: _bool = False,
    invert: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """Whether each of `elements` is among `test_elements`; with `invert`, whether it is not."""
def isinf(input: Tensor) -> Tensor:
    """True where an element is infinite, of either sign."""
def isnan(input: Tensor) -> Tensor:
    """True where an element is nan ("not a number")."""
def le(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """True where `self` is less than `other`, or equal to it."""
@overload
def linspace(
    start: Tensor | _Number,
    end: Tensor,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """`steps` values, evenly spaced from `start` to `end`, both included."""
@overload
def linspace(
    start: Tensor | _Number,
    end: _Number,
    steps: _int,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """`steps` values, evenly spaced from `start` to `end`, both included."""
def load(f: Any, map_location: Any = None, *, weights_only: _bool = True) -> Any:
    """What `save` or PyTorch wrote: data and nothing else, whatever `weights_only` says."""
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of each element."""
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of each element to base 10."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``log(1 + x)``, accurate even for small x."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of each element to base 2."""
def log_softmax(
    input: Tensor,
    dim: _int,
    dtype: _DType | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of `softmax`, accurate even where the softmax would underflow to 0."""
def logsumexp(
    input: Tensor,
    dim: _int | Sequence[_int],
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """``log(sum(exp(x)))`` along `dim`, even where the exponentials would overflow."""
long: _DType
def lt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """True where `self` is less than `other`."""
def manual_seed(seed: Any) -> _Generator:
    """Restart the default generator from `seed`; returns that generator."""
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | _Number) -> Tensor:
    """A copy of `input` with `value` where `mask` is true."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product ``input @ other``: of vectors, of matrices, of batches of matrices."""
@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest element; or, along `dim`, the largest elements and their indices."""
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest element; or, along `dim`, the largest elements and their indices."""
@overload
def max(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The largest element; or, along `dim`, the largest elements and their indices."""
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements, element by element; nan if either is nan."""
@overload
def mean(input: Tensor, *, dtype: _DType | None = None, out: Tensor | None = None) -> Tensor:
    """The mean of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
@overload
def mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest element; or, along `dim`, the smallest elements and their indices."""
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest element; or, along `dim`, the smallest elements and their indices."""
@overload
def min(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The smallest element; or, along `dim`, the smallest elements and their indices."""
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements, element by element; nan if either is nan."""
@overload
def mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices."""
@overload
def mm(input: Tensor, mat2: Tensor, out_dtype: _DType, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices."""
def mode(
    input: Tensor,
    dim: _int = -1,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The most frequent element along `dim` (of several the smallest), and its last index."""
@overload
def moveaxis(input: Tensor, source: _int, destination: _int) -> Tensor:
    """The same as `movedim`."""
@overload
def moveaxis(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
    """The same as `movedim`."""
@overload
def movedim(input: Tensor, source: _int, destination: _int) -> Tensor:
    """A view with the dimensions `source` moved to the places `destination`."""
@overload
def movedim(input: Tensor, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
    """A view with the dimensions `source` moved to the places `destination`."""
def mul(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The product, element by element."""
def multinomial(
    input: Tensor,
    num_samples: _int,
    replacement: _bool = False,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """For each row of weights in `input`, `num_samples` random indices."""
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector."""
nan: _float
def narrow(input: Tensor, dim: _int, start: Tensor | _int, length: _int) -> Tensor:
    """A view of `length` entries along `dim`, beginning at `start`."""
def ne(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """True where the elements differ."""
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative of each element."""
newaxis: Any
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next floating-point number after each element, in the direction of `other`."""
def nonzero(
    input: Tensor,
    *,
    as_tuple: _bool = False,
    out: Tensor | None = None,
) -> tuple[Tensor, ...]:
    """The int64 indices of the nonzero elements, one row each; `as_tuple`: a tensor per dimension."""
def norm(input: Tensor, p: Any = 'fro', dim: Any = None, keepdim: _bool = False) -> Tensor:
    """The norm of all elements, or of the vectors along `dim`."""
@overload
def normal(
    mean: Tensor | _float,
    std: Tensor,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Normally distributed random numbers with this mean and standard deviation."""
@overload
def normal(
    mean: Tensor,
    std: _float = 1,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Normally distributed random numbers with this mean and standard deviation."""
@overload
def normal(
    mean: _float,
    std: _float,
    size: Sequence[_int],
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Normally distributed random numbers with this mean and standard deviation."""
def numel(input: Tensor) -> _int:
    """The number of elements."""
@overload
def ones(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor of the given shape filled with ones, of the default dtype unless you give one."""
@overload
def ones(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor of the given shape filled with ones, of the default dtype unless you give one."""
def ones_like(
    input: Tensor,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Ones like `input`: the same shape, dtype, device and memory layout, unless options differ."""
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """A view with the dimensions in the order `dims`."""
pi: _float
def positive(input: Tensor) -> Tensor:
    """The tensor itself, as ``+x``; RuntimeError for a bool tensor."""
@overload
def pow(input: Tensor, exponent: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`; one of the two may be a number; ``input ** exponent``."""
@overload
def pow(self: _Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`; one of the two may be a number; ``input ** exponent``."""
preserve_format: _MemoryFormat
@overload
def prod(input: Tensor, *, dtype: _DType | None = None) -> Tensor:
    """The product of all elements, or along the dimension `dim`."""
@overload
def prod(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The product of all elements, or along the dimension `dim`."""
def promote_types(type1: _DType, type2: _DType) -> _DType:
    """The dtype that both types are promoted to: the smallest of the higher kind that holds both."""
@overload
def rand(
    size: Sequence[_int],
    *,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the uniform distribution over [0, 1), in the given shape."""
@overload
def rand(
    *size: _int,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the uniform distribution over [0, 1), in the given shape."""
@overload
def rand(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the uniform distribution over [0, 1), in the given shape."""
@overload
def rand(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the uniform distribution over [0, 1), in the given shape."""
@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random integers from `low` (0 by default) up to but not including `high`."""
@overload
def randint(
    high: _int,
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random integers from `low` (0 by default) up to but not including `high`."""
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random integers from `low` (0 by default) up to but not including `high`."""
@overload
def randint(
    low: _int,
    high: _int,
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random integers from `low` (0 by default) up to but not including `high`."""
@overload
def randn(
    size: Sequence[_int],
    *,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and standard deviation 1."""
@overload
def randn(
    *size: _int,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and standard deviation 1."""
@overload
def randn(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and standard deviation 1."""
@overload
def randn(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and standard deviation 1."""
@overload
def randn_like(
    input: Tensor,
    *,
    generator: _Generator | None,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the standard normal distribution, in the shape and dtype of `input`."""
@overload
def randn_like(
    input: Tensor,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Random numbers from the standard normal distribution, in the shape and dtype of `input`."""
@overload
def randperm(
    n: _int,
    *,
    generator: _Generator | None,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A random permutation of the integers from 0 to ``n - 1``."""
@overload
def randperm(
    n: _int,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A random permutation of the integers from 0 to ``n - 1``."""
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension; a view if they lie row by row, else a copy."""
def real(input: Tensor) -> Tensor:
    """A view of the real parts; for a real tensor, the tensor itself."""
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One divided by each element."""
def relu(input: Tensor) -> Tensor:
    """Each element, or 0 if it is negative."""
def relu_(input: Tensor) -> Tensor:
    """`relu`, in place; returns the tensor itself."""
@overload
def remainder(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The remainder of a division, with the sign of the divisor; ``input % other``."""
@overload
def remainder(self: _Number, other: Tensor) -> Tensor:
    """The remainder of a division, with the sign of the divisor; ``input % other``."""
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor:
    """The same elements with another shape: a view if the strides allow it, else a copy."""
@overload
def result_type(tensor: Tensor, other: Tensor | _Number) -> _DType:
    """The dtype of an arithmetic expression of two tensors or numbers."""
@overload
def result_type(scalar: _Number, tensor: Tensor) -> _DType:
    """The dtype of an arithmetic expression of two tensors or numbers."""
@overload
def result_type(scalar1: _Number, scalar2: _Number) -> _DType:
    """The dtype of an arithmetic expression of two tensors or numbers."""
def roll(
    input: Tensor,
    shifts: _int | Sequence[_int],
    dims: _int | Sequence[_int] | None = None,
) -> Tensor:
    """A copy with the elements shifted along `dims`; those pushed off the end return at the start."""
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The nearest whole number; at a tie, the even one."""
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor:
    """The nearest whole number; at a tie, the even one."""
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One divided by the square root of each element."""
def save(obj: Any, f: Any) -> None:
    """Write tensors, numbers, text and containers of them to a file that PyTorch can read, too."""
def scatter_add(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with the elements of `src` added at `index` along `dim`."""
def seed() -> _int:
    """Restart the default generator from a seed that the operating system supplies; returns it."""
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """A view of the entries at `index` along `dim`, without that dimension."""
def set_default_device(device: Any) -> None:
    """Make `device` the default for new tensors; None restores the CPU."""
def set_default_dtype(d: _DType) -> None:
    """Make `d`, a floating-point dtype, the dtype of tensors made from Python floats."""
def set_default_tensor_type(t: Any) -> None:
    """Make the dtype of a legacy class (or its name) the default: deprecated."""
def set_num_threads(count: _int) -> None:
    """Remember a number of threads."""
def set_printoptions(
    precision: _int | None = None,
    threshold: _float | None = None,
    edgeitems: _int | None = None,
    linewidth: _int | None = None,
    profile: str | None = None,
    sci_mode: _bool | None = None,
) -> None:
    """Set how tensors are printed. Options that are left out keep their values, except `sci_mode`."""
def set_rng_state(new_state: Tensor) -> None:
    """Restore a state of the default generator that `get_rng_state` returned."""
def set_warn_always(b: _bool) -> None:
    """Show the warnings that come once in a process every time."""
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`sign`; for a complex number, the number of magnitude 1 in the same direction."""
short: _DType
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``1 / (1 + exp(-x))``, between 0 and 1."""
def sigmoid_(input: Tensor) -> Tensor:
    """`sigmoid`, in place; returns the tensor itself."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sign of each element: -1, 0 or 1 (0 for nan)."""
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of each element, an angle in radians."""
def softmax(
    input: Tensor,
    dim: _int,
    dtype: _DType | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The exponentials divided by their sum along `dim`: positive numbers that add up to 1."""
@overload
def sort(
    input: Tensor,
    *,
    stable: _bool | None,
    dim: _int = -1,
    descending: _bool = False,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The elements in ascending order along `dim` (or descending), and their int64 indices."""
@overload
def sort(
    input: Tensor,
    dim: _int = -1,
    descending: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The elements in ascending order along `dim` (or descending), and their int64 indices."""
def split(tensor: Tensor, split_size_or_sections: Any, dim: _int = 0) -> tuple[Tensor, ...]:
    """A tuple of views: parts of one size (the last may be smaller), or of a list of sizes."""
def split_with_sizes(
    input: Tensor,
    split_sizes: Sequence[_int],
    dim: _int = 0,
) -> tuple[Tensor, ...]:
    """A tuple of views of the given sizes along a dimension."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of each element; nan for negative numbers."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element times itself."""
@overload
def squeeze(input: Tensor) -> Tensor:
    """A view without the dimensions of size 1: all of them, or only those named in `dim`."""
@overload
def squeeze(input: Tensor, dim: Sequence[_int] | _int) -> Tensor:
    """A view without the dimensions of size 1: all of them, or only those named in `dim`."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors, all of one shape, joined along a new dimension `dim`."""
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation of all elements, or along `dim`: the root of `var`."""
@overload
def std(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation of all elements, or along `dim`: the root of `var`."""
@overload
def std(input: Tensor, unbiased: _bool = True) -> Tensor:
    """The standard deviation of all elements, or along `dim`: the root of `var`."""
strided: Any
def sub(
    input: Tensor,
    other: Tensor | _Number,
    *,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The difference ``self - alpha * other``."""
@overload
def sum(input: Tensor, *, dtype: _DType | None = None) -> Tensor:
    """The sum of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
@overload
def sum(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
def swapaxes(input: Tensor, axis0: _int, axis1: _int) -> Tensor:
    """The same as `transpose`."""
def t(input: Tensor) -> Tensor:
    """A view of a matrix with its two dimensions swapped; a vector stays as it is."""
def take_along_dim(
    input: Tensor,
    indices: Tensor,
    dim: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The elements that `indices` (for example from `argsort`) pick along `dim`."""
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of each element, an angle in radians."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent of each element, between -1 and 1."""
def tensor(
    data: Any,
    *,
    dtype: _DType | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A new tensor holding a copy of `data`: numbers, nested lists, an array or a tensor."""
def topk(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    largest: _bool = True,
    sorted: _bool = True,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The `k` largest elements along `dim`, largest first (or the smallest), and their indices."""
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """A view with two dimensions swapped."""
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangle of each matrix, up to a diagonal; the rest is 0."""
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangle of each matrix, from a diagonal on; the rest is 0."""
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element rounded towards zero: without its fraction."""
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """A tuple of views, one for each index of a dimension."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """A view in which one dimension is split into `sizes`."""
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """`chunk` whose parts you may write to: autograd does not know that they share memory."""
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """`split` whose parts you may write to: autograd does not know that they share memory."""
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """A view with a new dimension of size 1 at `dim`."""
def use_deterministic_algorithms(mode: _bool, *, warn_only: _bool = False) -> None:
    """Ask for algorithms whose results are the same each time; here all are."""
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
@overload
def var(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
@overload
def var(input: Tensor, unbiased: _bool = True) -> Tensor:
    """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
def view_as_complex(input: Tensor) -> Tensor:
    """A complex view of a real tensor whose last dimension, of size 2, holds the two parts."""
def view_as_real(input: Tensor) -> Tensor:
    """A real view of a complex tensor: a last dimension of size 2 holds real and imaginary part."""
@overload
def where(condition: Tensor) -> tuple[Tensor, ...]:
    """`input` where `condition` is true, else `other`; all three are broadcast."""
@overload
def where(condition: Tensor, input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` where `condition` is true, else `other`; all three are broadcast."""
@overload
def where(condition: Tensor, self: _Number, other: Tensor | _Number) -> Tensor:
    """`input` where `condition` is true, else `other`; all three are broadcast."""
@overload
def where(condition: Tensor, input: Tensor, other: _Number) -> Tensor:
    """`input` where `condition` is true, else `other`; all three are broadcast."""
def zero_(input: Tensor) -> Tensor:
    """Write 0 into every element; returns the tensor itself."""
@overload
def zeros(
    size: Sequence[_int],
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor of the given shape filled with zeros, of the default dtype unless you give one."""
@overload
def zeros(
    *size: _int,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor of the given shape filled with zeros, of the default dtype unless you give one."""
def zeros_like(
    input: Tensor,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Zeros like `input`: the same shape, dtype, device and memory layout, unless options differ."""
