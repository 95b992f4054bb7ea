# Written by tests/write_stubs.py; run that again instead of editing this.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import Any, overload
import numpy as np
from course_lib.facts.devices import device as _Device
from course_lib.facts.dtypes import dtype as _DType
from course_lib.facts.fresh import layout as _Layout
from course_lib.facts.memory_formats import memory_format as _MemoryFormat
from course_lib.ops.generator import Generator as _Generator
from course_lib.core.tensor import _Number
from course_lib.core.tensor import _MantissaExponent
from course_lib.core.tensor import _MinMax
from course_lib.core.tensor import _SignLogabsdet
from course_lib.core.tensor import _ValuesIndices
from course_lib import autograd as autograd
from course_lib import backends as backends
from course_lib import cuda as cuda
from course_lib import func as func
from course_lib import linalg as linalg
from course_lib import nn as nn
from course_lib import optim as optim
from course_lib import random as random
from course_lib import serialization as serialization
from course_lib import utils as utils
from course_lib.autograd.grad_mode import enable_grad as enable_grad
from course_lib.autograd.grad_mode import inference_mode as inference_mode
from course_lib.autograd.grad_mode import no_grad as no_grad
from course_lib.autograd.grad_mode import set_grad_enabled as set_grad_enabled
from course_lib.core.tensor import Tensor as Tensor
from course_lib.facts.devices import device as device
from course_lib.facts.dtypes import dtype as dtype
from course_lib.facts.fresh import layout as layout
from course_lib.facts.limits import finfo as finfo
from course_lib.facts.limits import iinfo as iinfo
from course_lib.facts.memory_formats import memory_format as memory_format
from course_lib.facts.size import Size as Size
from course_lib.forms.switch import plain as plain
from course_lib.ops.generator import Generator as Generator
from course_lib.ops.storage import TypedStorage as TypedStorage
from course_lib.ops.storage import UntypedStorage as UntypedStorage

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
    """The magnitude of each element; of a complex number, a real one."""
def absolute(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The magnitude of each element; of a complex number, a real one."""
def acos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is given."""
def acosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the hyperbolic cosine."""
def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor:
    """The means of windows that cover a series, as many as `output_size` says."""
def adaptive_max_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> tuple[Tensor, Tensor]:
    """The largest elements of windows that cover a series, and where they are."""
def add(
    input: Tensor,
    other: Tensor | _Number,
    *,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The sum ``self + alpha * other``."""
def addbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha *`` the sum of the products of all pairs of matrices."""
def addcdiv(
    input: Tensor,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    value: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``self + value * tensor1 / tensor2``."""
def addcmul(
    input: Tensor,
    tensor1: Tensor,
    tensor2: Tensor,
    *,
    value: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``self + value * tensor1 * tensor2``."""
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
def addmv(
    input: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha * (mat @ vec)``."""
def addr(
    input: Tensor,
    vec1: Tensor,
    vec2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha * outer(vec1, vec2)``."""
def adjoint(input: Tensor) -> Tensor:
    """The conjugate with the last two dimensions swapped; a view."""
def alias_copy(input: Tensor) -> Tensor:
    """`alias` in memory of its own."""
@overload
def all(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are nonzero, of the whole tensor or along `dim`."""
@overload
def all(
    input: Tensor,
    dim: Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether all elements are nonzero, of the whole tensor or along `dim`."""
@overload
def all(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Whether all elements are nonzero, of the whole tensor or along `dim`."""
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
def aminmax(
    input: Tensor,
    *,
    dim: _int | None = None,
    keepdim: _bool = False,
    out: Sequence[Tensor] | None = None,
) -> _MinMax:
    """The smallest and the largest element, of the whole tensor or along `dim`."""
def angle(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of a complex number; for a real one 0, or pi if it is negative."""
@overload
def any(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether some element is nonzero, of the whole tensor or along `dim`."""
@overload
def any(
    input: Tensor,
    dim: Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether some element is nonzero, of the whole tensor or along `dim`."""
@overload
def any(input: Tensor, dim: _int, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Whether some element is nonzero, of the whole tensor or along `dim`."""
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
    """The values from `start` on, `step` apart, up to but without `end`."""
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
    """The values from `start` on, `step` apart, up to but without `end`."""
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
    """The values from `start` on, `step` apart, up to but without `end`."""
def arccos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is given."""
def arccosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the hyperbolic cosine."""
def arcsin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is given."""
def arcsinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the hyperbolic sine."""
def arctan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is given."""
def arctan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, self), from -pi to pi."""
def arctanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the hyperbolic tangent."""
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
def argwhere(input: Tensor) -> Tensor:
    """The indices of the nonzero elements, one row each."""
def as_strided(
    input: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
) -> Tensor:
    """A view of the storage with any sizes, strides and offset, all counted in elements."""
def as_strided_copy(
    input: Tensor,
    size: Any,
    stride: Any,
    storage_offset: _int | None = None,
) -> Tensor:
    """`as_strided` in memory of its own."""
def as_strided_scatter(
    input: Tensor,
    src: Tensor,
    size: Sequence[_int],
    stride: Sequence[_int],
    storage_offset: _int | None = None,
) -> Tensor:
    """A copy of `self` with `src` in the window that `size` and `stride` describe."""
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
    """`obj` as a tensor; `copy` says whether memory must (True) or must not (False) be copied."""
def asin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is given."""
def asinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the hyperbolic sine."""
def atan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is given."""
def atan2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (other, self), from -pi to pi."""
def atanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the hyperbolic tangent."""
def atleast_1d(*tensors: Any) -> Any:
    """The tensor, or tensors, with at least one dimension."""
def atleast_2d(*tensors: Any) -> Any:
    """The tensor, or tensors, as rows at least."""
def atleast_3d(*tensors: Any) -> Any:
    """The tensor, or tensors, with at least 3 dimensions."""
def avg_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor:
    """The mean of each window of a series."""
@overload
def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha * bmm(batch1, batch2)``."""
@overload
def baddbmm(
    input: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    out_dtype: _DType,
    *,
    beta: _Number = 1,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """``beta * self + alpha * bmm(batch1, batch2)``."""
@overload
def bernoulli(
    input: Tensor,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Ones and zeros: ones with the probabilities in `input`, or all with probability `p`."""
@overload
def bernoulli(input: Tensor, p: _float, *, generator: _Generator | None = None) -> Tensor:
    """Ones and zeros: ones with the probabilities in `input`, or all with probability `p`."""
bfloat16: _DType
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``x1 @ weight[k] @ x2`` for each k, plus a bias."""
def bincount(input: Tensor, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
    """How often each of the numbers 0, 1, 2 … is in `input`; with `weights`, their sums."""
@overload
def bitwise_and(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The bits that both integers have; ``self & other``."""
@overload
def bitwise_and(self: _Number, other: Tensor) -> Tensor:
    """The bits that both integers have; ``self & other``."""
@overload
def bitwise_left_shift(
    input: Tensor,
    other: Tensor | _Number,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each integer times two, `other` times over; ``self << other``."""
@overload
def bitwise_left_shift(self: _Number, other: Tensor) -> Tensor:
    """Each integer times two, `other` times over; ``self << other``."""
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """All bits turned around: for bool, the opposite; ``~self``."""
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
    """The bits that one integer has and the other has not; ``self ^ other``."""
@overload
def bitwise_xor(self: _Number, other: Tensor) -> Tensor:
    """The bits that one integer has and the other has not; ``self ^ other``."""
def block_diag(*tensors: Any) -> Any:
    """A matrix of zeros with the tensors as blocks along its diagonal."""
@overload
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The products of as many pairs of matrices as there are in both batches."""
@overload
def bmm(input: Tensor, mat2: Tensor, out_dtype: _DType, *, out: Tensor | None = None) -> Tensor:
    """The products of as many pairs of matrices as there are in both batches."""
bool: _DType
def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that tensors of these shapes have in common."""
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of all tensors, stretched to the shape they have in common."""
def broadcast_to(input: Tensor, size: Sequence[_int]) -> Tensor:
    """A view stretched to `size`; the same as `expand`."""
@overload
def bucketize(
    input: Tensor,
    boundaries: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """The number of the interval between `boundaries` that each value falls into."""
@overload
def bucketize(
    self: _Number,
    boundaries: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
) -> Tensor:
    """The number of the interval between `boundaries` that each value falls into."""
def can_cast(from_: _DType, to: _DType) -> _bool:
    """Whether a result of one dtype may be written into a tensor of another."""
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples with one element from each vector, as rows."""
def cat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side, along a dimension that they have."""
def cdist(
    x1: Tensor,
    x2: Tensor,
    p: _float = 2.0,
    compute_mode: str = 'use_mm_for_euclid_dist_if_necessary',
) -> Tensor:
    """The distance (the `p`-norm of the difference) of each row of `x1` to each row of `x2`."""
cdouble: _DType
def ceil(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest whole number not below each element."""
def celu(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """``max(0, x) + min(0, alpha * (exp(x / alpha) - 1))``."""
def celu_(input: Tensor, alpha: _Number = 1.0) -> Tensor:
    """`celu`, written into the tensor itself; gives that tensor."""
cfloat: _DType
def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of many matrices, multiplied in the order that costs least."""
def channel_shuffle(input: Tensor, groups: _int) -> Tensor:
    """The channels dealt anew: the first of each group, then the second of each, and so on."""
channels_last: _MemoryFormat
channels_last_3d: _MemoryFormat
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
    """Each element, or the limit that it is beyond: `min`, `max`, numbers or tensors, or None."""
@overload
def clamp(
    input: Tensor,
    min: _Number | None = None,
    max: _Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, or the limit that it is beyond: `min`, `max`, numbers or tensors, or None."""
@overload
def clamp_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """`clamp`, written into the tensor itself; gives that tensor."""
@overload
def clamp_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor:
    """`clamp`, written into the tensor itself; gives that tensor."""
def clamp_max(input: Tensor, max: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `max` if that is smaller."""
def clamp_max_(input: Tensor, max: Tensor | _Number) -> Tensor:
    """`clamp_max`, written into the tensor itself; gives that tensor."""
def clamp_min(input: Tensor, min: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Each element, or `min` if that is larger."""
def clamp_min_(input: Tensor, min: Tensor | _Number) -> Tensor:
    """`clamp_min`, written into the tensor itself; gives that tensor."""
@overload
def clip(
    input: Tensor,
    min: Tensor | None = None,
    max: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, or the limit that it is beyond: `min`, `max`, numbers or tensors, or None."""
@overload
def clip(
    input: Tensor,
    min: _Number | None = None,
    max: _Number | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element, or the limit that it is beyond: `min`, `max`, numbers or tensors, or None."""
@overload
def clip_(input: Tensor, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
    """`clamp`, written into the tensor itself; gives that tensor."""
@overload
def clip_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor:
    """`clamp`, written into the tensor itself; gives that tensor."""
def clone(input: Tensor, *, memory_format: _MemoryFormat | None = None) -> Tensor:
    """A copy that remembers where it came from: gradients flow back to the original."""
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side; vectors count as columns."""
def combinations(input: Tensor, r: _int = 2, with_replacement: _bool = False) -> Tensor:
    """All choices of `r` elements of a vector, in order, as rows."""
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex tensor with these real and imaginary parts."""
complex128: _DType
complex64: _DType
def concat(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The same as `cat`."""
def concatenate(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The same as `cat`."""
def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor is its own."""
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate, in new memory; a real tensor is its own."""
def constant_pad_nd(input: Tensor, pad: Sequence[_int], value: _Number = 0) -> Tensor:
    """More places around the last dimensions, all of one value; negative numbers cut off."""
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
    """The sum of products of a pattern with every window of a series."""
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
    """The sum of products of a pattern with every window of a series."""
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
    """The sum of products of a pattern with every window of an image."""
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
    """The sum of products of a pattern with every window of an image."""
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: _int = 1,
) -> Tensor:
    """The sum of products of a pattern with every window of a volume."""
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor:
    """The way back of `conv1d`: each element, times the pattern, added into its window."""
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
    """The way back of `conv2d`: each element, times the pattern, added into its window."""
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: _int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The way back of `conv3d`: each element, times the pattern, added into its window."""
def copysign(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The magnitude of `input` with the sign of `other`."""
def cos(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine."""
def cosh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine."""
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor:
    """The cosine of the angle between vectors along `dim`."""
@overload
def count_nonzero(input: Tensor, dim: _int | None = None) -> Tensor:
    """How many elements are not zero, in the whole tensor or along `dim`."""
@overload
def count_nonzero(input: Tensor, dim: Sequence[_int]) -> Tensor:
    """How many elements are not zero, in the whole tensor or along `dim`."""
def cross(
    input: Tensor,
    other: Tensor,
    dim: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The cross product along `dim`; without it, PyTorch takes the first dimension of size 3."""
def cummax(input: Tensor, dim: _int, *, out: Sequence[Tensor] | None = None) -> _ValuesIndices:
    """The largest element so far, along `dim`, and its index."""
def cummin(input: Tensor, dim: _int, *, out: Sequence[Tensor] | None = None) -> _ValuesIndices:
    """The smallest element so far, along `dim`, and its index."""
def cumprod(
    input: Tensor,
    dim: _int,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The product of the elements so far, along `dim`."""
def cumsum(
    input: Tensor,
    dim: _int,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum of the elements so far, along `dim`."""
default_generator: _Generator
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Degrees as radians."""
def det(input: Tensor) -> Tensor:
    """The determinant of a square matrix, or of each matrix of a batch."""
def detach(input: Tensor) -> Tensor:
    """The same memory without history: a leaf that does not require grad."""
def detach_copy(input: Tensor) -> Tensor:
    """A copy without history."""
def diag(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The diagonal of a matrix, copied; a vector on the diagonal of a matrix."""
def diag_embed(input: Tensor, offset: _int = 0, dim1: _int = -2, dim2: _int = -1) -> Tensor:
    """Matrices in dimensions `dim1` and `dim2` with the last dimension as their diagonal."""
def diagflat(input: Tensor, offset: _int = 0) -> Tensor:
    """A matrix with all elements on its diagonal."""
def diagonal(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A view of a diagonal of the matrices in `dim1` and `dim2`, as the last dimension."""
def diagonal_copy(input: Tensor, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
    """A copy of a diagonal."""
def diagonal_scatter(
    input: Tensor,
    src: Tensor,
    offset: _int = 0,
    dim1: _int = 0,
    dim2: _int = 1,
) -> Tensor:
    """A copy of `self` with `src` on a diagonal."""
def diff(
    input: Tensor,
    n: _int = 1,
    dim: _int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element minus the one before it, along `dim`; `n` times over."""
def digamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The derivative of `lgamma`."""
def dist(input: Tensor, other: Tensor, p: _Number = 2) -> Tensor:
    """The `p`-norm of ``self - other``."""
@overload
def div(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient; integers give a floating result unless `rounding_mode` says how to round."""
@overload
def div(
    input: Tensor,
    other: Tensor | _Number,
    *,
    rounding_mode: str | None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient; integers give a floating result unless `rounding_mode` says how to round."""
@overload
def divide(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient; integers give a floating result unless `rounding_mode` says how to round."""
@overload
def divide(
    input: Tensor,
    other: Tensor | _Number,
    *,
    rounding_mode: str | None,
    out: Tensor | None = None,
) -> Tensor:
    """The quotient; integers give a floating result unless `rounding_mode` says how to round."""
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The dot product of two vectors: a 0-dim tensor."""
double: _DType
@overload
def dsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Views of parts, one behind the other."""
@overload
def dsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Views of parts, one behind the other."""
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The tensors one behind the other, along dimension 2."""
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
    """A tensor of whatever the memory holds: every element still has to be written."""
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
    """A tensor of whatever the memory holds: every element still has to be written."""
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
    """Whatever the memory holds, in the shape, dtype, device and order of `input`."""
def empty_permuted(
    size: Sequence[_int],
    physical_layout: Sequence[_int],
    *,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor of whatever the memory holds; the layout lists its dimensions, slowest first."""
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
    """A tensor of whatever the memory holds, with these strides."""
def eq(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where the elements are equal."""
def equal(input: Tensor, other: Tensor) -> _bool:
    """Whether two tensors have the same shape and the same elements."""
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function: how much of the normal distribution lies within `self` * sqrt(2)."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``1 - erf(x)``, exact also for large x."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number whose error function is `self`."""
def exp(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e to the power of each element."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of each element."""
def expand_copy(input: Tensor, size: Any) -> Tensor:
    """`expand` in memory of its own."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``exp(x) - 1``, exact also for small x."""
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
def fill(input: Tensor, value: Tensor | _Number) -> Tensor:
    """A tensor like `input`, every element `value` (a number or a 0-dim tensor)."""
def fill_(input: Tensor, value: Tensor | _Number) -> Tensor:
    """Write `value` (a number or a 0-dim tensor) into every element; gives the tensor itself."""
def fix(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element without its fraction."""
def flatten(input: Tensor, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
    """The dimensions from `start_dim` to `end_dim` as one; a view if the strides allow it."""
def flip(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """A copy with the order reversed along `dims`."""
def fliplr(input: Tensor) -> Tensor:
    """A copy with the columns in reversed order."""
def flipud(input: Tensor) -> Tensor:
    """A copy with the rows in reversed order."""
float: _DType
float16: _DType
float32: _DType
float64: _DType
@overload
def float_power(input: Tensor, exponent: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`, computed in float64 (complex128 for complex numbers)."""
@overload
def float_power(self: _Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`, computed in float64 (complex128 for complex numbers)."""
def floor(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest whole number not above each element."""
def floor_divide(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient rounded down, which ``self // other`` gives."""
def fmax(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements; a number wins over nan."""
def fmin(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements; a number wins over nan."""
def fmod(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """What is left of a division, with the sign of the dividend, as C's `fmod`."""
def frac(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The fraction of each element, with its sign."""
def frexp(input: Tensor, *, out: Sequence[Tensor] | None = None) -> _MantissaExponent:
    """Mantissa m and exponent e of each element: ``m * 2 ** e``, with m in [0.5, 1)."""
def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: _bool | None = None) -> Tensor:
    """A tensor over the memory of any array that speaks DLPack; writes show on both sides."""
def from_numpy(*args: np.ndarray, **kwargs: Any) -> Tensor:
    """A tensor over the memory of a NumPy array: writes show on both sides."""
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
    """A tensor of one value, whose type decides the dtype."""
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
    """One value in the shape, dtype, device and order of `input`."""
def gather(
    input: Tensor,
    dim: _int,
    index: Tensor,
    *,
    sparse_grad: _bool = False,
    out: Tensor | None = None,
) -> Tensor:
    """For each place of `index`, the element of `self` there, but at `index` in dimension `dim`."""
def gcd(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The greatest common divisor."""
def ge(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is greater than `other`, or equal to it."""
def ger(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Another name of `outer`."""
def get_default_device() -> _Device:
    """Where new tensors go: ``device(type='cpu')`` unless it was changed."""
def get_default_dtype() -> _DType:
    """The dtype that Python floats become: ``torch.float32`` unless it was changed."""
def get_rng_state() -> Tensor:
    """All that decides the default generator's next numbers, as a tensor of bytes."""
def greater(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is greater than `other`."""
def greater_equal(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is greater than `other`, or equal to it."""
def gt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is greater than `other`."""
half: _DType
def hardshrink(input: Tensor, lambd: _Number = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Each element, or 0 if its size is at most `lambd`."""
def heaviside(input: Tensor, values: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The step function: 0 below zero, 1 above, and at zero the element of `values`."""
def histc(
    input: Tensor,
    bins: _int = 100,
    min: _Number = 0,
    max: _Number = 0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """How many elements are in each of `bins` equal parts of [min, max]."""
@overload
def hsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Views of parts, side by side."""
@overload
def hsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Views of parts, side by side."""
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The tensors side by side: vectors end to end, others along dimension 1."""
def hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The length of the vector (self, other)."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind and order 0."""
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
    """A copy of `self` with ``alpha * source`` added at the places `index` of dimension `dim`."""
def index_copy(input: Tensor, dim: _int, index: Any, source: Any) -> Tensor:
    """A copy of `self` with `source` at the places `index` of dimension `dim`."""
def index_fill(input: Tensor, dim: _int, index: Tensor, value: Tensor | _Number) -> Tensor:
    """A copy of `self` with `value` at the places `index` of dimension `dim`."""
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
    """`index_put`, written into the tensor itself; gives that tensor."""
def index_reduce(
    input: Tensor,
    dim: _int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` where `source` is combined at the places `index` of dimension `dim`."""
def index_select(input: Tensor, dim: _int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy of the places `index` (a vector) of dimension `dim`."""
inf: _float
def initial_seed() -> _int:
    """The seed that the default generator was last started from."""
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The dot products along the last dimensions; of two vectors, their dot product."""
int: _DType
int16: _DType
int32: _DType
int64: _DType
int8: _DType
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The inverse of a square matrix; the same as `torch.linalg.inv`."""
def is_anomaly_check_nan_enabled() -> _bool:
    """Whether a NaN in a gradient is an error in anomaly mode."""
def is_anomaly_enabled() -> _bool:
    """Whether nodes keep the stack of their forward call."""
def is_complex(input: Tensor) -> _bool:
    """Whether the elements are complex numbers."""
def is_floating_point(input: Tensor) -> _bool:
    """Whether the elements are floating point numbers; complex ones do not count."""
def is_grad_enabled() -> _bool:
    """Whether operations are recorded at this point."""
def is_inference(input: Tensor) -> _bool:
    """Whether a tensor was made inside `torch.inference_mode()`: `Tensor.is_inference`."""
def is_inference_mode_enabled() -> _bool:
    """Whether this point is inside `torch.inference_mode()`."""
def is_nonzero(input: Tensor) -> _bool:
    """Whether the one element is not zero."""
def is_signed(input: Tensor) -> _bool:
    """Whether the dtype has negative numbers."""
def is_storage(obj: Any) -> _bool:
    """Whether `obj` is the memory behind a tensor."""
def is_tensor(obj: Any) -> _bool:
    """Whether an object is a tensor."""
def isclose(
    input: Tensor,
    other: Tensor,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
) -> Tensor:
    """Where ``|self - other| <= atol + rtol * |other|``."""
def isfinite(input: Tensor) -> Tensor:
    """Where an element is neither infinite nor nan."""
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
    """Where an element is infinite, of either sign."""
def isnan(input: Tensor) -> Tensor:
    """Where an element is not a number."""
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where an element is minus infinity."""
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where an element is plus infinity."""
def isreal(input: Tensor) -> Tensor:
    """Where an element has no imaginary part."""
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: each element of `self` times all of `other`, side by side."""
def kthvalue(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The `k`-th smallest element along `dim` (k = 1: the smallest), and its index."""
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The least common multiple."""
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``self * 2 ** other``."""
def le(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is less than `other`, or equal to it."""
def lerp(
    input: Tensor,
    end: Tensor,
    weight: Tensor | _Number,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Linear interpolation: ``input + weight * (end - input)``."""
def less(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is less than `other`."""
def less_equal(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is less than `other`, or equal to it."""
def lgamma(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the gamma function: of (x - 1)!, for whole x."""
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
def load(
    f: Any,
    map_location: Any = None,
    *,
    weights_only: _bool = True,
    mmap: _bool | None = None,
) -> Any:
    """What `save` wrote to a file.  Nothing in a file is ever run, whatever `weights_only` says."""
def log(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm."""
def log10(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 10."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``log(1 + x)``, exact also for small x."""
def log2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm to base 2."""
def log_softmax(
    input: Tensor,
    dim: _int,
    dtype: _DType | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The logarithm of `softmax`, exact also where a share is too small for a number."""
def logaddexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``log(exp(self) + exp(other))``, also where the exponentials would overflow."""
def logaddexp2(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``log2(2 ** self + 2 ** other)``, also where the powers would overflow."""
def logcumsumexp(input: Tensor, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """``log(cumsum(exp(x)))`` along `dim`, also where the exponentials would overflow."""
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant: -inf if that is 0, nan if it is negative."""
def logical_and(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where both elements are nonzero."""
def logical_not(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where an element is zero."""
def logical_or(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where at least one of both elements is nonzero."""
def logical_xor(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where exactly one of both elements is nonzero."""
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """The inverse of `sigmoid`, of `self` kept within [eps, 1 - eps]."""
@overload
def logspace(
    start: Tensor | _Number,
    end: Tensor,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """`steps` powers of `base` whose exponents are evenly spaced from `start` to `end`."""
@overload
def logspace(
    start: Tensor | _Number,
    end: _Number,
    steps: _int,
    base: _float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """`steps` powers of `base` whose exponents are evenly spaced from `start` to `end`."""
def logsumexp(
    input: Tensor,
    dim: _int | Sequence[_int],
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """``log(sum(exp(x)))`` along `dim`, also where the exponentials would overflow."""
long: _DType
def lt(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where `self` is less than `other`."""
def manual_seed(seed: Any) -> _Generator:
    """Start the default generator anew from `seed`; gives that generator."""
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | _Number) -> Tensor:
    """A copy of `input` with `value` where `mask` is true."""
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """A copy of `input` where the elements behind `mask` are replaced by those of `source`."""
def masked_select(input: Tensor, mask: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements where `mask` is true, in one dimension."""
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix product ``input @ other``: of vectors, of matrices, of batches of matrices."""
def matrix_power(input: Tensor, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The product of `n` equal matrices; of their inverses if `n` is negative."""
@overload
def max(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest element; or along `dim` the largest ones and their indices; or of two tensors."""
@overload
def max(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The largest element; or along `dim` the largest ones and their indices; or of two tensors."""
@overload
def max(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The largest element; or along `dim` the largest ones and their indices; or of two tensors."""
def maximum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The larger of two elements; nan if either is."""
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
def median(input: Tensor) -> Tensor:
    """The middle element (of two the lower), of the whole tensor; or along `dim`, with indices."""
@overload
def median(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The middle element (of two the lower), of the whole tensor; or along `dim`, with indices."""
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Views of the vectors, each stretched over a grid with one dimension per vector."""
@overload
def min(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest element; or along `dim` the smallest ones and their indices; or of two tensors."""
@overload
def min(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smallest element; or along `dim` the smallest ones and their indices; or of two tensors."""
@overload
def min(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The smallest element; or along `dim` the smallest ones and their indices; or of two tensors."""
def minimum(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The smaller of two elements; nan if either is."""
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
def msort(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements in rising order along the first dimension."""
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
    """Indices drawn with the weights in `input`: `num_samples` for each row."""
def multiply(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The product, element by element."""
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of a matrix and a vector."""
nan: _float
def nan_to_num(
    input: Tensor,
    nan: _float | None = None,
    posinf: _float | None = None,
    neginf: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """nan replaced by `nan` (0), infinities by `posinf` and `neginf` (the largest numbers)."""
def nanmean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean along `dim` (default: of all elements) of those that are not nan."""
@overload
def nanmedian(input: Tensor) -> Tensor:
    """`median` of the elements that are not nan."""
@overload
def nanmedian(
    input: Tensor,
    dim: _int,
    keepdim: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """`median` of the elements that are not nan."""
def nanquantile(
    input: Tensor,
    q: Any,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    interpolation: str = 'linear',
) -> Tensor:
    """`quantile` of the elements that are not nan."""
def nansum(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _DType | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum along `dim` (default: of all elements), where nan counts as 0."""
def narrow(input: Tensor, dim: _int, start: Tensor | _int, length: _int) -> Tensor:
    """A view of `length` places of dimension `dim`, from `start` on."""
def narrow_copy(input: Tensor, dim: _int, start: _int, length: _int) -> Tensor:
    """`narrow` in memory of its own."""
def ne(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where the elements differ."""
def neg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative."""
def negative(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The negative."""
newaxis: Any
def nextafter(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The neighbour of each element on the way to `other`."""
def nonzero(
    input: Tensor,
    *,
    as_tuple: _bool = False,
    out: Tensor | None = None,
) -> tuple[Tensor, ...]:
    """The indices of the nonzero elements: one row each, or (`as_tuple`) a tensor per dimension."""
def norm(
    input: Tensor,
    p: Any = 'fro',
    dim: Any = None,
    keepdim: _bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The norm of all elements, or of the vectors along `dim`."""
def norm_except_dim(v: Tensor, pow: _int = 2, dim: _int = 0) -> Tensor:
    """The norm over all dimensions but one, which stays; over all with `dim` -1."""
@overload
def normal(
    mean: Tensor | _float,
    std: Tensor,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Normal numbers: `std` is the standard deviation (its square is the variance)."""
@overload
def normal(
    mean: Tensor,
    std: _float = 1,
    *,
    generator: _Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Normal numbers: `std` is the standard deviation (its square is the variance)."""
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
    """Normal numbers: `std` is the standard deviation (its square is the variance)."""
def not_equal(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Where the elements differ."""
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
    """A tensor of ones."""
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
    """A tensor of ones."""
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
    """Ones in the shape, dtype, device and order of `input`, unless the options say otherwise."""
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The matrix of all products of an element of one vector with one of the other."""
def pairwise_distance(
    x1: Tensor,
    x2: Tensor,
    p: _float = 2,
    eps: _float = 1e-06,
    keepdim: _bool = False,
) -> Tensor:
    """The p-norm of ``x1 - x2 + eps`` along the last dimension."""
def pdist(input: Tensor, p: _float = 2) -> Tensor:
    """The p-norm distance of each pair of rows: 0 and 1, 0 and 2, and so on."""
def permute(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """A view with the dimensions in the order `dims`."""
def permute_copy(input: Tensor, dims: Any) -> Tensor:
    """`permute` in memory of its own."""
pi: _float
def pinverse(input: Tensor, rcond: _float = 1e-15) -> Tensor:
    """The pseudoinverse; the same as `torch.linalg.pinv` with ``rtol=rcond``."""
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor:
    """Groups of channels laid out as squares of pixels: fewer channels, a larger image."""
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor:
    """Squares of pixels laid out as channels: a smaller image of more channels."""
def poisson(input: Tensor, generator: _Generator | None = None) -> Tensor:
    """Random counts whose means are the elements of `input`."""
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex tensor of these lengths and angles (in radians)."""
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The `n`-th derivative of `digamma`."""
def positive(input: Tensor) -> Tensor:
    """The tensor itself, which ``+x`` gives too; a bool tensor is refused."""
@overload
def pow(input: Tensor, exponent: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`, tensors or (one of them) a number; ``input ** exponent``."""
@overload
def pow(self: _Number, exponent: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`input` to the power `exponent`, tensors or (one of them) a number; ``input ** exponent``."""
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Each element, times `weight` if it is negative; one weight for all or one per channel."""
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
    """The smallest dtype of the higher kind that holds both."""
def put(input: Tensor, index: Tensor, source: Tensor, accumulate: _bool = False) -> Tensor:
    """A copy of `self` with `source` at `index`, counted as if `self` had one dimension."""
def quantile(
    input: Tensor,
    q: Any,
    dim: _int | None = None,
    keepdim: _bool = False,
    *,
    interpolation: str = 'linear',
) -> Tensor:
    """The value that a part `q` of the elements (along `dim`) stays below."""
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Radians as degrees."""
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
    """Numbers spread evenly over [0, 1)."""
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
    """Numbers spread evenly over [0, 1)."""
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
    """Numbers spread evenly over [0, 1)."""
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
    """Numbers spread evenly over [0, 1)."""
@overload
def rand_like(
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
    """Numbers spread evenly over [0, 1), in the shape and dtype of `input`."""
@overload
def rand_like(
    input: Tensor,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Numbers spread evenly over [0, 1), in the shape and dtype of `input`."""
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
    """Whole numbers from `low` (0 if not given) up to but without `high`."""
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
    """Whole numbers from `low` (0 if not given) up to but without `high`."""
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
    """Whole numbers from `low` (0 if not given) up to but without `high`."""
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
    """Whole numbers from `low` (0 if not given) up to but without `high`."""
@overload
def randint_like(
    input: Tensor,
    low: _int,
    high: _int,
    *,
    generator: _Generator | None,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Whole numbers from [low, high), in the shape and dtype of `input`."""
@overload
def randint_like(
    input: Tensor,
    low: _int,
    high: _int,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Whole numbers from [low, high), in the shape and dtype of `input`."""
@overload
def randint_like(
    input: Tensor,
    high: Tensor | _int,
    *,
    generator: _Generator | None,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Whole numbers from [low, high), in the shape and dtype of `input`."""
@overload
def randint_like(
    input: Tensor,
    high: Tensor | _int,
    *,
    memory_format: _MemoryFormat | None = None,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """Whole numbers from [low, high), in the shape and dtype of `input`."""
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
    """Normal numbers of mean 0 and standard deviation 1."""
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
    """Normal numbers of mean 0 and standard deviation 1."""
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
    """Normal numbers of mean 0 and standard deviation 1."""
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
    """Normal numbers of mean 0 and standard deviation 1."""
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
    """Normal numbers of mean 0 and standard deviation 1, in the shape and dtype of `input`."""
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
    """Normal numbers of mean 0 and standard deviation 1, in the shape and dtype of `input`."""
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
    """The numbers 0 … n-1 in random order."""
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
    """The numbers 0 … n-1 in random order."""
def range(
    start: _Number,
    end: _Number,
    step: _Number = 1,
    *,
    out: Tensor | None = None,
    dtype: _DType | None = None,
    layout: _Layout = ...,
    device: _Device | str | _int | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """The values from `start` to `end`, which is included: deprecated, `arange` leaves it out."""
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension; a view if they lie row by row, else a copy."""
def real(input: Tensor) -> Tensor:
    """A view of the real parts; a real tensor itself."""
def reciprocal(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One divided by each element."""
def relu(input: Tensor) -> Tensor:
    """Each element, or 0 if it is negative."""
def relu_(input: Tensor) -> Tensor:
    """`relu`, written into the tensor itself; gives that tensor."""
@overload
def remainder(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """What is left of a division, with the sign of the divisor; ``input % other``."""
@overload
def remainder(self: _Number, other: Tensor) -> Tensor:
    """What is left of a division, with the sign of the divisor; ``input % other``."""
@overload
def repeat_interleave(
    input: Tensor,
    repeats: Tensor | _int,
    dim: _int | None = None,
    *,
    output_size: _int | None = None,
) -> Tensor:
    """A copy with each entry of a dimension several times in a row; by default of all elements."""
@overload
def repeat_interleave(repeats: Tensor, *, output_size: _int | None = None) -> Tensor:
    """A copy with each entry of a dimension several times in a row; by default of all elements."""
def reshape(input: Tensor, shape: Sequence[_int]) -> Tensor:
    """The same elements with another shape: a view if the strides allow it, else a copy."""
def resize_as_(
    input: Tensor,
    the_template: Tensor,
    *,
    memory_format: _MemoryFormat | None = None,
) -> Tensor:
    """Give `input` the shape of another tensor; gives `input`."""
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: `conj` computes at once here, nothing is pending."""
def resolve_neg(input: Tensor) -> Tensor:
    """The tensor itself: no negation is pending."""
@overload
def result_type(tensor: Tensor, other: Tensor | _Number) -> _DType:
    """The dtype that an arithmetic expression of two tensors or numbers has."""
@overload
def result_type(scalar: _Number, tensor: Tensor) -> _DType:
    """The dtype that an arithmetic expression of two tensors or numbers has."""
@overload
def result_type(scalar1: _Number, scalar2: _Number) -> _DType:
    """The dtype that an arithmetic expression of two tensors or numbers has."""
def roll(
    input: Tensor,
    shifts: _int | Sequence[_int],
    dims: _int | Sequence[_int] | None = None,
) -> Tensor:
    """A copy with the elements moved along dimensions; what leaves at the end comes in first."""
def rot90(input: Tensor, k: _int = 1, dims: Any = (0, 1)) -> Tensor:
    """A copy turned by a quarter `k` times, from the first of `dims` towards the second."""
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The nearest whole number, of two equally near ones the even one; or so many decimals."""
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor:
    """The nearest whole number, of two equally near ones the even one; or so many decimals."""
def row_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The same as `vstack`."""
def rrelu(
    input: Tensor,
    lower: _Number = 0.125,
    upper: _Number = 0.3333333333333333,
    training: _bool = False,
    generator: _Generator | None = None,
) -> Tensor:
    """Each element, times a slope if it is negative; in training the slope is drawn."""
def rrelu_(
    input: Tensor,
    lower: _Number = 0.125,
    upper: _Number = 0.3333333333333333,
    training: _bool = False,
    generator: _Generator | None = None,
) -> Tensor:
    """`rrelu`, written into the tensor itself; gives that tensor."""
def rsqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """One divided by the square root."""
@overload
def rsub(input: Tensor, other: Tensor, *, alpha: _Number = 1) -> Tensor:
    """The difference the other way round: ``other - alpha * input``."""
@overload
def rsub(input: Tensor, other: _Number, alpha: _Number = 1) -> Tensor:
    """The difference the other way round: ``other - alpha * input``."""
def save(obj: Any, f: Any) -> None:
    """Write `obj` to a file: tensors, numbers, text, and lists, tuples, dictionaries of them."""
def scalar_tensor(
    s: _Number,
    *,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """A tensor without dimensions, of the default dtype whatever the number is."""
@overload
def scatter(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with `src` (a tensor or a number) at `index` along `dim`."""
@overload
def scatter(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    *,
    reduce: str,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with `src` (a tensor or a number) at `index` along `dim`."""
@overload
def scatter(
    input: Tensor,
    dim: _int,
    index: Tensor,
    value: _Number,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with `src` (a tensor or a number) at `index` along `dim`."""
@overload
def scatter(
    input: Tensor,
    dim: _int,
    index: Tensor,
    value: _Number,
    *,
    reduce: str,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with `src` (a tensor or a number) at `index` along `dim`."""
def scatter_add(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with the elements of `src` added at `index` along `dim`."""
def scatter_reduce(
    input: Tensor,
    dim: _int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` where the elements of `src` are combined at `index` along `dim`."""
@overload
def searchsorted(
    sorted_sequence: Tensor,
    input: Tensor,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The index at which each value of `input` would have to be inserted to keep the order."""
@overload
def searchsorted(
    sorted_sequence: Tensor,
    self: _Number,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """The index at which each value of `input` would have to be inserted to keep the order."""
def seed() -> _int:
    """Start the default generator from a number that the operating system made up; gives it."""
def select(input: Tensor, dim: _int, index: _int) -> Tensor:
    """A view of everything that has `index` in dimension `dim`, without that dimension."""
def select_copy(input: Tensor, dim: _int, index: _int) -> Tensor:
    """`select` in memory of its own."""
def select_scatter(input: Tensor, src: Tensor, dim: _int, index: _int) -> Tensor:
    """A copy of `self` with `src` at `index` of dimension `dim`."""
def selu(input: Tensor) -> Tensor:
    """`elu` with the two constants that keep mean and variance of deep networks in place."""
def selu_(input: Tensor) -> Tensor:
    """`selu`, written into the tensor itself; gives that tensor."""
def set_default_device(device: Any) -> None:
    """Make `device` the place of new tensors; None brings back the CPU."""
def set_default_dtype(d: _DType) -> None:
    """Make `d`, a floating dtype, the type that Python floats become."""
def set_default_tensor_type(t: Any) -> None:
    """Make the dtype of a legacy class (or its name) the default: deprecated."""
def set_printoptions(
    precision: _int | None = None,
    threshold: _float | None = None,
    edgeitems: _int | None = None,
    linewidth: _int | None = None,
    profile: str | None = None,
    sci_mode: _bool | None = None,
) -> None:
    """Nothing; from now on tensors print as asked. What is left out stays, except `sci_mode`."""
def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator continue where `new_state` was taken."""
def sgn(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """`sign`, and for a complex number the one of magnitude 1 that points the same way."""
short: _DType
def sigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``1 / (1 + exp(-x))``, between 0 and 1."""
def sigmoid_(input: Tensor) -> Tensor:
    """`sigmoid`, written into the tensor itself; gives that tensor."""
def sign(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1 (nan gives 0)."""
def signbit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Where the sign bit is set: negative numbers and -0."""
def sin(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``sin(pi x) / (pi x)``, and 1 at 0."""
def sinh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine."""
def slice_copy(
    input: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
) -> Any:
    """A range of one dimension in memory of its own."""
def slice_scatter(
    input: Tensor,
    src: Tensor,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """A copy of `self` with `src` in the range ``start:end:step`` of dimension `dim`."""
def slogdet(input: Tensor, *, out: Sequence[Tensor] | None = None) -> _SignLogabsdet:
    """The sign of the determinant, and the logarithm of its absolute value."""
def softmax(
    input: Tensor,
    dim: _int,
    dtype: _DType | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Exponentials along `dim`, divided by their sum: positive numbers that add up to 1."""
@overload
def sort(
    input: Tensor,
    *,
    stable: _bool | None,
    dim: _int = -1,
    descending: _bool = False,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The elements in rising order along `dim` (falling if `descending`), and their indices."""
@overload
def sort(
    input: Tensor,
    dim: _int = -1,
    descending: _bool = False,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The elements in rising order along `dim` (falling if `descending`), and their indices."""
def split(tensor: Tensor, split_size_or_sections: Any, dim: _int = 0) -> tuple[Tensor, ...]:
    """A tuple of views: parts of one size (the last may be smaller), or of a list of sizes."""
def split_with_sizes(
    input: Tensor,
    split_sizes: Sequence[_int],
    dim: _int = 0,
) -> tuple[Tensor, ...]:
    """A tuple of views of the given sizes along a dimension."""
def sqrt(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root; nan for negative numbers."""
def square(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element times itself."""
@overload
def squeeze(input: Tensor) -> Tensor:
    """A view without the dimensions of size 1: all, or of those named in `dim`."""
@overload
def squeeze(input: Tensor, dim: Sequence[_int] | _int) -> Tensor:
    """A view without the dimensions of size 1: all, or of those named in `dim`."""
def squeeze_copy(input: Tensor, dim: Any = ...) -> Any:
    """`squeeze` in memory of its own."""
def stack(tensors: Sequence[Tensor], dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors, all of one shape, as the entries of a new dimension."""
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
@overload
def std_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, as a tuple."""
@overload
def std_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, as a tuple."""
@overload
def std_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]:
    """The standard deviation and the mean, as a tuple."""
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
def subtract(
    input: Tensor,
    other: Tensor | _Number,
    *,
    alpha: _Number = 1,
    out: Tensor | None = None,
) -> Tensor:
    """The difference ``self - alpha * other``."""
@overload
def subtract(input: Tensor, other: _Number, alpha: _Number = 1) -> Tensor:
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
def swapdims(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """The same as `transpose`."""
def t(input: Tensor) -> Tensor:
    """A view of a matrix with its two dimensions swapped; a vector stays as it is."""
def t_copy(input: Tensor) -> Tensor:
    """`t` in memory of its own."""
def take(input: Tensor, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The elements at `index`, counted as if `self` had one dimension; of the shape of `index`."""
def take_along_dim(
    input: Tensor,
    indices: Tensor,
    dim: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The elements that `indices` (as `argsort` gives them) name along `dim`."""
def tan(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent."""
def tanh(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent."""
def tensor(
    data: Any,
    *,
    dtype: _DType | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """A new tensor holding a copy of `data`: numbers, nested lists, an array or a tensor."""
@overload
def tensor_split(input: Tensor, indices: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
    """A tuple of views: so many parts (as equal as can be), or cut at a list of indices."""
@overload
def tensor_split(
    input: Tensor,
    tensor_indices_or_sections: Tensor,
    dim: _int = 0,
) -> tuple[Tensor, ...]:
    """A tuple of views: so many parts (as equal as can be), or cut at a list of indices."""
@overload
def tensor_split(input: Tensor, sections: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """A tuple of views: so many parts (as equal as can be), or cut at a list of indices."""
def tensordot(a: Any, b: Any, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """The product of two tensors, summed over pairs of dimensions."""
def threshold(
    input: Tensor,
    threshold: _Number,
    value: _Number,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each element that is above `threshold`, and `value` in the place of the others."""
def threshold_(input: Tensor, threshold: _Number, value: _Number) -> Tensor:
    """`threshold`, written into the tensor itself; gives that tensor."""
def tile(input: Tensor, dims: Sequence[_int]) -> Tensor:
    """A copy repeated `dims` times; dimensions that `dims` lacks come once."""
def to_dlpack(input: Tensor) -> Any:
    """A DLPack capsule with the memory of `input`, to be consumed once."""
def topk(
    input: Tensor,
    k: _int,
    dim: _int = -1,
    largest: _bool = True,
    sorted: _bool = True,
    *,
    out: Sequence[Tensor] | None = None,
) -> _ValuesIndices:
    """The `k` largest elements along `dim` (or the smallest), largest first, and their indices."""
def trace(input: Tensor) -> Tensor:
    """The sum of the elements on the diagonal."""
def transpose(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """A view with two dimensions swapped."""
def transpose_copy(input: Tensor, dim0: _int, dim1: _int) -> Tensor:
    """`transpose` in memory of its own."""
def tril(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangle of each matrix, up to a diagonal; the rest is 0."""
def tril_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """The rows and columns of the elements of a lower triangle."""
def triu(input: Tensor, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangle of each matrix, from a diagonal on; the rest is 0."""
def triu_indices(
    row: _int,
    col: _int,
    offset: _int = 0,
    *,
    dtype: _DType | None = None,
    layout: _Layout | None = None,
    device: _Device | str | _int | None = None,
    pin_memory: _bool | None = False,
    requires_grad: _bool | None = False,
) -> Tensor:
    """The rows and columns of the elements of an upper triangle."""
def true_divide(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """The quotient; integers give a floating result."""
def trunc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Each element without its fraction."""
def typename(obj: Any) -> str:
    """The name of an object's type; of a tensor, that of its legacy class."""
uint16: _DType
uint32: _DType
uint64: _DType
uint8: _DType
def unbind(input: Tensor, dim: _int = 0) -> tuple[Tensor, ...]:
    """A tuple of views, one for each index of a dimension."""
def unflatten(input: Tensor, dim: _int, sizes: Sequence[_int]) -> Tensor:
    """A view in which one dimension is split into `sizes`."""
def unfold_copy(input: Tensor, dimension: _int, size: _int, step: _int) -> Tensor:
    """`unfold` in memory of its own."""
def unique(
    input: Tensor,
    sorted: _bool = True,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> Any:
    """The different values in rising order; with `dim`, the different slices."""
def unique_consecutive(
    input: Tensor,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> Any:
    """The values without repeats of the element before; with `dim`, of the slice before."""
def unsafe_chunk(input: Tensor, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """`chunk` whose parts may be written to: the graph does not see that they share memory."""
def unsafe_split(input: Tensor, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """`split` whose parts may be written to: the graph does not see that they share memory."""
def unsqueeze(input: Tensor, dim: _int) -> Tensor:
    """A view with a new dimension of size 1 at `dim`."""
def unsqueeze_copy(input: Tensor, dim: _int) -> Tensor:
    """`unsqueeze` in memory of its own."""
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
@overload
def var_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None,
    unbiased: _bool = True,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]:
    """The variance and the mean, as a tuple."""
@overload
def var_mean(
    input: Tensor,
    dim: _int | Sequence[_int] | None = None,
    *,
    correction: _Number | None = None,
    keepdim: _bool = False,
) -> tuple[Tensor, Tensor]:
    """The variance and the mean, as a tuple."""
@overload
def var_mean(input: Tensor, unbiased: _bool = True) -> tuple[Tensor, Tensor]:
    """The variance and the mean, as a tuple."""
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The dot product of two vectors, the first one conjugated."""
def view_as_complex(input: Tensor) -> Tensor:
    """A view of pairs of real numbers, in the last dimension, as complex ones."""
def view_as_complex_copy(input: Tensor) -> Tensor:
    """`view_as_complex` in memory of its own."""
def view_as_real(input: Tensor) -> Tensor:
    """A view of complex numbers as pairs of real ones, in a last dimension of size 2."""
def view_as_real_copy(input: Tensor) -> Tensor:
    """`view_as_real` in memory of its own."""
def view_copy(input: Tensor, size: Any) -> Tensor:
    """`view` in memory of its own."""
@overload
def vsplit(input: Tensor, sections: _int) -> tuple[Tensor, ...]:
    """Views of parts, one above the other."""
@overload
def vsplit(input: Tensor, indices: Sequence[_int]) -> tuple[Tensor, ...]:
    """Views of parts, one above the other."""
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """The tensors one above the other; vectors count as rows."""
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
@overload
def xlogy(input: Tensor, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """``self * log(other)``, and 0 wherever `self` is 0."""
@overload
def xlogy(self: _Number, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """``self * log(other)``, and 0 wherever `self` is 0."""
def zero_(input: Tensor) -> Tensor:
    """Write 0 into every element; gives the tensor itself."""
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
    """A tensor of zeros."""
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
    """A tensor of zeros."""
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
    """Zeros in the shape, dtype, device and order of `input`, unless the options say otherwise."""
