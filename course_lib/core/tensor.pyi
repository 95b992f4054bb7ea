# Written by tools/write_stubs.py; run that again instead of editing this.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self, TypeAlias, overload
import numpy as np
from course_lib.memory.devices import device as _Device
from course_lib.dtypes.dtypes import dtype as _DType
from course_lib.memory.fresh import layout as _Layout
from course_lib.memory.fresh import memory_format as _MemoryFormat
from course_lib.memory.size import Size as _Size
from course_lib.ops.make.generator import Generator as _Generator

_Number: TypeAlias = _int | _float | _complex

class _EigenvaluesEigenvectors(NamedTuple):
    eigenvalues: Tensor
    eigenvectors: Tensor

class _SolutionResidualsRankSingularValues(NamedTuple):
    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor

class _USVh(NamedTuple):
    U: Tensor
    S: Tensor
    Vh: Tensor

class _ValuesIndices(NamedTuple):
    values: Tensor
    indices: Tensor

class Tensor:
    """A multi-dimensional array whose elements share one dtype, and which knows how it was made."""

    @property
    def T(self) -> Tensor:
        """A view of the matrix with its dimensions in reverse order."""
    @T.setter
    def T(self, value: Tensor) -> None: ...
    def __abs__(self) -> Tensor:
        """The absolute value of each element; for complex numbers, the magnitude, which is real."""
    def __add__(self, other: Tensor | _Number) -> Tensor: ...
    def __and__(self, other: Tensor | _Number) -> Tensor: ...
    def __array__(self, dtype: Any = None) -> np.ndarray:
        """The array that `np.asarray` gets: the same memory, or a copy of another dtype."""
    __array_priority__: Any
    def __array_wrap__(self, array: np.ndarray) -> Tensor:
        """The result of a NumPy function of a tensor, as a tensor again."""
    def __bool__(self) -> _bool:
        """``bool(x)``: whether the only element is not zero; RuntimeError if there are several."""
    def __complex__(self) -> _complex:
        """``complex(x)``: the one element."""
    def __contains__(self, element: Any) -> _bool:
        """``element in x``: whether any element is equal to it."""
    def __copy__(self) -> Tensor:
        """`copy.copy`: another leaf over the same memory."""
    def __deepcopy__(self, memo: dict) -> Tensor:
        """`copy.deepcopy`: a leaf over a copy of the memory; only leaves can be deep-copied."""
    def __dir__(self) -> list[str]:
        """The result of `dir` for a tensor; completion calls it and then reads each attribute."""
    def __eq__(self, other: Any) -> Tensor:
        """``self == other``, element by element; a NumPy array is taken as a tensor."""
    def __float__(self) -> _float:
        """``float(x)``: the one element."""
    def __floordiv__(self, other: Tensor | _Number) -> Tensor: ...
    def __format__(self, format_spec: str) -> str:
        """A 0-dim tensor formats as its number; any other only without a `format_spec`."""
    def __ge__(self, other: Tensor | _Number) -> Tensor: ...
    def __getitem__(self, index: Any) -> Tensor:
        """What `x[item]` gives: a view for numbers, slices, None and `...`, else a copy."""
    def __gt__(self, other: Tensor | _Number) -> Tensor: ...
    def __hash__(self) -> _int:
        """The hash of a tensor, by identity, though `==` compares elements."""
    def __iadd__(self, other: Tensor | _Number) -> Tensor: ...
    def __iand__(self, other: Tensor | _Number) -> Tensor: ...
    def __ifloordiv__(self, other: Tensor | _Number) -> Tensor: ...
    def __imod__(self, other: Tensor | _Number) -> Tensor: ...
    def __imul__(self, other: Tensor | _Number) -> Tensor: ...
    def __index__(self) -> _int:
        """The only element as an integer, where Python needs an index."""
    def __int__(self) -> _int:
        """``int(x)``: the one element, rounded towards zero."""
    def __invert__(self) -> Tensor:
        """``~self``."""
    def __ior__(self, other: Tensor | _Number) -> Tensor: ...
    def __ipow__(self, exponent: Tensor | _Number) -> Tensor: ...
    def __irshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __isub__(self, other: Tensor | _Number) -> Tensor: ...
    def __iter__(self) -> Iterator[Tensor]:
        """An iterator over the views that `unbind(0)` returns."""
    def __itruediv__(self, other: Tensor | _Number) -> Tensor: ...
    def __ixor__(self, other: Tensor | _Number) -> Tensor: ...
    def __le__(self, other: Tensor | _Number) -> Tensor: ...
    def __len__(self) -> _int:
        """``len(x)``: the size of the first dimension."""
    def __lt__(self, other: Tensor | _Number) -> Tensor: ...
    def __matmul__(self, other: Tensor) -> Tensor:
        """``self @ other``."""
    def __mod__(self, other: Tensor | _Number) -> Tensor: ...
    def __mul__(self, other: Tensor | _Number) -> Tensor: ...
    def __ne__(self, other: Any) -> Tensor: ...
    def __neg__(self) -> Tensor: ...
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    def __or__(self, other: Tensor | _Number) -> Tensor: ...
    def __pos__(self) -> Tensor:
        """The tensor itself, as ``+x``; RuntimeError for a bool tensor."""
    def __pow__(self, exponent: Tensor | _Number) -> Tensor:
        """``self ** exponent``."""
    def __radd__(self, other: Tensor | _Number) -> Tensor: ...
    def __rand__(self, other: Tensor | _Number) -> Tensor: ...
    def __reduce_ex__(self, protocol: Any) -> tuple:
        """What `pickle` stores: the bytes of the storage, and the tensor's place in them."""
    def __repr__(self) -> str:
        """The text that `repr` and `print` show; `tensor_contents` replaces the text of the elements."""
    def __reversed__(self) -> Tensor:
        """``reversed(x)``: a copy with the first dimension reversed."""
    def __rfloordiv__(self, other: Tensor | _Number) -> Tensor: ...
    def __rmatmul__(self, other: Tensor) -> Tensor:
        """``other @ self``."""
    def __rmod__(self, other: Tensor | _Number) -> Tensor: ...
    def __rmul__(self, other: Tensor | _Number) -> Tensor: ...
    def __ror__(self, other: Tensor | _Number) -> Tensor: ...
    def __rpow__(self, other: Tensor | _Number) -> Tensor: ...
    def __rrshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __rshift__(self, other: Tensor | _Number) -> Tensor: ...
    def __rsub__(self, other: Tensor | _Number) -> Tensor: ...
    def __rtruediv__(self, other: Tensor | _Number) -> Tensor: ...
    def __rxor__(self, other: Tensor | _Number) -> Tensor: ...
    def __setitem__(self, item: Any, value: Any) -> None:
        """`x[item] = value`: the value is broadcast to the place and cast to the dtype of x."""
    def __sub__(self, other: Tensor | _Number) -> Tensor: ...
    def __truediv__(self, other: Tensor | _Number) -> Tensor: ...
    def __xor__(self, other: Tensor | _Number) -> Tensor: ...
    def _accumulate(self, grad: Any, dtype: Any, writes: _int | None) -> None:
        """Add an incoming gradient (an array, or a tensor with history) to `.grad`."""
    _array: Any
    @property
    def _backward_hooks(self) -> dict[_int, Callable] | None:
        """The hooks that `register_hook` gave this tensor, by number; None if there are none."""
    @_backward_hooks.setter
    def _backward_hooks(self, value: dict[_int, Callable] | None) -> None: ...
    @property
    def _base(self) -> Tensor | None:
        """The tensor that this one is a view of; None if it is not a view."""
    @_base.setter
    def _base(self, value: Tensor | None) -> None: ...
    def _bump(self) -> None:
        """Count a write into the memory; views and `detach()` see the same number."""
    _cell: Any
    def _clone_for(self, leaf: Tensor) -> Tensor:
        """A copy of a gradient with history, in the layout of `leaf`, for its `.grad`."""
    _dtype: Any
    _extras: Any
    def _is_view(self) -> _bool:
        """Whether autograd records this tensor as a view of another."""
    _legacy_new: Any
    _make: Any
    def _more(self) -> Any: ...
    _node: Any
    def _offset(self) -> _int:
        """Bytes from the start of the storage to the first element."""
    _output_nr: Any
    @property
    def _post_accumulate_grad_hooks(self) -> dict[_int, Callable] | None:
        """The hooks that `register_post_accumulate_grad_hook` gave this leaf, by number; None if there"""
    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, value: dict[_int, Callable] | None) -> None: ...
    _requires_grad: Any
    def _set_history(self, node: Any) -> None:
        """Make `node` the tensor's `grad_fn`; a retained gradient moves to the new node."""
    def _share(self) -> Any:
        """The version cell; called before the memory is shared or written to."""
    @property
    def _version(self) -> _int:
        """How many in-place writes this memory has seen; views and `detach()` count together."""
    @_version.setter
    def _version(self, value: _int) -> None: ...
    _view: Any
    def abs(self) -> Tensor:
        """The absolute value of each element; for complex numbers, the magnitude, which is real."""
    def abs_(self) -> Tensor:
        """`abs` in place; returns the tensor itself."""
    def acos(self) -> Tensor:
        """The inverse of the cosine: the angle in radians, from 0 to pi."""
    def acos_(self) -> Tensor:
        """`acos`, in place; returns the tensor itself."""
    def add(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The sum ``self + alpha * other``."""
    def add_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """`add`, in place; returns the tensor itself."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """``beta * self + alpha * (mat1 @ mat2)``: what a linear layer computes."""
    def addmm_(
        self,
        mat1: Tensor,
        mat2: Tensor,
        *,
        beta: _Number = 1,
        alpha: _Number = 1,
    ) -> Tensor:
        """`addmm`, in place; returns the tensor itself."""
    @overload
    def all(self) -> Tensor:
        """True if all elements are nonzero, in the whole tensor or along `dim`."""
    @overload
    def all(self, dim: Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """True if all elements are nonzero, in the whole tensor or along `dim`."""
    @overload
    def all(self, dim: _int, keepdim: _bool = False) -> Tensor:
        """True if all elements are nonzero, in the whole tensor or along `dim`."""
    def allclose(
        self,
        other: Tensor,
        rtol: _float = 1e-05,
        atol: _float = 1e-08,
        equal_nan: _bool = False,
    ) -> _bool:
        """Whether `isclose` holds for all elements."""
    def amax(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """The largest elements along `dim`, one or several dimensions; equal ones share the gradient."""
    def amin(self, dim: _int | Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """The smallest elements along `dim`, one or several dimensions; equal ones share the gradient."""
    @overload
    def any(self) -> Tensor:
        """True if any element is nonzero, in the whole tensor or along `dim`."""
    @overload
    def any(self, dim: Sequence[_int] | None = None, keepdim: _bool = False) -> Tensor:
        """True if any element is nonzero, in the whole tensor or along `dim`."""
    @overload
    def any(self, dim: _int, keepdim: _bool = False) -> Tensor:
        """True if any element is nonzero, in the whole tensor or along `dim`."""
    def argmax(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """The index of the (first) largest element: of the flattened tensor, or along `dim`."""
    def argmin(self, dim: _int | None = None, keepdim: _bool = False) -> Tensor:
        """The index of the (first) smallest element: of the flattened tensor, or along `dim`."""
    @overload
    def argsort(self, *, stable: _bool, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that sort `input` along `dim`."""
    @overload
    def argsort(self, dim: _int = -1, descending: _bool = False) -> Tensor:
        """The indices that sort `input` along `dim`."""
    def as_strided(
        self,
        size: Sequence[_int],
        stride: Sequence[_int],
        storage_offset: _int | None = None,
    ) -> Tensor:
        """A view of the storage with any sizes, strides and offset, all counted in elements."""
    def as_strided_(
        self,
        size: Sequence[_int],
        stride: Sequence[_int],
        storage_offset: _int | None = None,
    ) -> Tensor:
        """`as_strided`, in place; returns the tensor itself."""
    def atan2(self, other: Tensor) -> Tensor:
        """The angle of the point (x=other, y=self) in radians, from -pi to pi."""
    def atan2_(self, other: Tensor) -> Tensor:
        """`atan2`, in place; returns the tensor itself."""
    def backward(
        self,
        gradient: Any = None,
        retain_graph: _bool | None = None,
        create_graph: _bool = False,
        inputs: Any = None,
    ) -> None:
        """Add the gradient of this tensor, with respect to each leaf, to the leaf's `.grad`."""
    def bfloat16(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.bfloat16: itself if it is that already."""
    def bincount(self, weights: Tensor | None = None, minlength: _int = 0) -> Tensor:
        """How often each of the numbers 0, 1, 2 … occurs in `input`; with `weights`, their sums."""
    def bitwise_and(self, other: Tensor | _Number) -> Tensor:
        """The bits that both integers have; ``self & other``."""
    def bitwise_and_(self, other: Tensor | _Number) -> Tensor:
        """`bitwise_and`, in place; returns the tensor itself."""
    def bitwise_not(self) -> Tensor:
        """All bits flipped; for bool, the logical not; ``~self``."""
    def bitwise_not_(self) -> Tensor:
        """`bitwise_not`, in place; returns the tensor itself."""
    def bitwise_or(self, other: Tensor | _Number) -> Tensor:
        """The bits that either integer has; ``self | other``."""
    def bitwise_or_(self, other: Tensor | _Number) -> Tensor:
        """`bitwise_or`, in place; returns the tensor itself."""
    def bitwise_right_shift(self, other: Tensor | _Number) -> Tensor:
        """Each integer halved and rounded down, `other` times over; ``self >> other``."""
    def bitwise_right_shift_(self, other: Tensor | _Number) -> Tensor:
        """`bitwise_right_shift`, in place; returns the tensor itself."""
    def bitwise_xor(self, other: Tensor | _Number) -> Tensor:
        """The bits that exactly one of the integers has; ``self ^ other``."""
    def bitwise_xor_(self, other: Tensor | _Number) -> Tensor:
        """`bitwise_xor`, in place; returns the tensor itself."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The matrix products of two batches, pair by pair: (b, n, m) and (b, m, p) give (b, n, p)."""
    def bool(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.bool: itself if it is that already."""
    @overload
    def broadcast_to(self, size: Sequence[_int]) -> Tensor:
        """A view broadcast to `size`; the same as `expand`."""
    @overload
    def broadcast_to(self, *size: _int) -> Tensor:
        """A view broadcast to `size`; the same as `expand`."""
    def byte(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.uint8: itself if it is that already."""
    def cdouble(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.complex128: itself if it is that already."""
    def ceil(self) -> Tensor:
        """The smallest whole number not below each element."""
    def ceil_(self) -> Tensor:
        """`ceil`, in place; returns the tensor itself."""
    def cfloat(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.complex64: itself if it is that already."""
    def char(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.int8: itself if it is that already."""
    def chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """At most `chunks` views of equal size; the last one may be smaller."""
    @overload
    def clamp(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
    @overload
    def clamp(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
    @overload
    def clamp_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """`clamp` in place; returns the tensor itself."""
    @overload
    def clamp_(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """`clamp` in place; returns the tensor itself."""
    @overload
    def clip(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
    @overload
    def clip(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Each element, limited to the range from `min` to `max`: numbers, tensors, or None."""
    @overload
    def clip_(self, min: Tensor | None = None, max: Tensor | None = None) -> Tensor:
        """`clamp` in place; returns the tensor itself."""
    @overload
    def clip_(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """`clamp` in place; returns the tensor itself."""
    def clone(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """A copy in new memory that the graph records: gradients flow back to the original."""
    def conj(self) -> Tensor:
        """The complex conjugate; a real tensor is returned itself."""
    def contiguous(self, *, memory_format: _MemoryFormat = ...) -> Tensor:
        """The tensor itself if its elements lie row by row, else a copy in which they do."""
    def copy_(self, other: Tensor | _Number, non_blocking: _bool = False) -> Tensor:
        """Write the elements of `src`, broadcast and cast, into this tensor; returns the tensor itself."""
    def cos(self) -> Tensor:
        """The cosine of each element, an angle in radians."""
    def cos_(self) -> Tensor:
        """`cos`, in place; returns the tensor itself."""
    @overload
    def count_nonzero(self, dim: _int | None = None) -> Tensor:
        """How many elements are not zero, in the whole tensor or along `dim`."""
    @overload
    def count_nonzero(self, dim: Sequence[_int]) -> Tensor:
        """How many elements are not zero, in the whole tensor or along `dim`."""
    @overload
    def count_nonzero(self, *dim: _int) -> Tensor:
        """How many elements are not zero, in the whole tensor or along `dim`."""
    def cpu(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor on the CPU; the tensor itself if it is there already."""
    def cuda(
        self,
        device: _Device | str | _int | None = None,
        non_blocking: _bool = False,
        *,
        memory_format: _MemoryFormat | None = None,
    ) -> Tensor:
        """The tensor on a GPU; AssertionError if there is none."""
    def cumsum(self, dim: _int, *, dtype: _DType | None = None) -> Tensor:
        """The running sum along `dim`: each element plus all those before it."""
    def cumsum_(self, dim: _int, *, dtype: _DType | None = None) -> Tensor:
        """`cumsum`, in place; returns the tensor itself."""
    @property
    def data(self) -> Tensor:
        """The same memory without history, and with its own version counter."""
    @data.setter
    def data(self, value: Tensor) -> None: ...
    def data_ptr(self) -> _int:
        """The address of the first element."""
    def detach(self) -> Tensor:
        """The same memory without history: a leaf that does not require grad."""
    def detach_(self) -> Tensor:
        """Drop this tensor's own history, in place; returns the tensor itself."""
    @property
    def device(self) -> _Device:
        """Where the memory is: ``device(type='cpu')``, or ``meta`` for a shape without memory."""
    @device.setter
    def device(self, value: _Device) -> None: ...
    def diagonal(self, offset: _int = 0, dim1: _int = 0, dim2: _int = 1) -> Tensor:
        """A view of a diagonal of the matrices in `dim1` and `dim2`, as the last dimension."""
    def diff(
        self,
        n: _int = 1,
        dim: _int = -1,
        prepend: Tensor | None = None,
        append: Tensor | None = None,
    ) -> Tensor:
        """Each element minus the one before it, along `dim`; repeated `n` times."""
    def dim(self) -> _int:
        """The number of dimensions."""
    @overload
    def div(self, other: Tensor | _Number) -> Tensor:
        """The quotient; for integers a floating-point one, unless `rounding_mode` says how to round."""
    @overload
    def div(self, other: Tensor | _Number, *, rounding_mode: str | None) -> Tensor:
        """The quotient; for integers a floating-point one, unless `rounding_mode` says how to round."""
    @overload
    def div_(self, other: Tensor | _Number) -> Tensor:
        """`div` in place; returns the tensor itself."""
    @overload
    def div_(self, other: Tensor | _Number, *, rounding_mode: str | None) -> Tensor:
        """`div` in place; returns the tensor itself."""
    def dot(self, tensor: Tensor) -> Tensor:
        """The dot product of two vectors: a 0-dim tensor."""
    def double(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.float64: itself if it is that already."""
    @property
    def dtype(self) -> _DType:
        """The type of the elements, say ``torch.float32``."""
    @dtype.setter
    def dtype(self, value: _DType) -> None: ...
    def element_size(self) -> _int:
        """The number of bytes of one element."""
    def eq(self, other: Tensor | _Number) -> Tensor:
        """True where the elements are equal."""
    def equal(self, other: Tensor) -> _bool:
        """Whether two tensors have the same shape and the same elements."""
    def exp(self) -> Tensor:
        """The exponential: e to the power of each element."""
    def exp_(self) -> Tensor:
        """`exp`, in place; returns the tensor itself."""
    @overload
    def expand(self, size: Sequence[_int], *, implicit: _bool = False) -> Tensor:
        """A view broadcast to `size`: dimensions of size 1 repeat, with stride 0."""
    @overload
    def expand(self, *size: _int, implicit: _bool = False) -> Tensor:
        """A view broadcast to `size`: dimensions of size 1 repeat, with stride 0."""
    def expand_as(self, other: Tensor) -> Tensor:
        """A view broadcast to the shape of `other`."""
    def expm1(self) -> Tensor:
        """``exp(x) - 1``, accurate even for small x."""
    def expm1_(self) -> Tensor:
        """`expm1`, in place; returns the tensor itself."""
    def fill_(self, value: Tensor | _Number) -> Tensor:
        """Write `value` (a number or a 0-dim tensor) into every element; returns the tensor itself."""
    def flatten(self, start_dim: _int = 0, end_dim: _int = -1) -> Tensor:
        """The dimensions from `start_dim` to `end_dim` as one; a view if the strides allow it."""
    @overload
    def flip(self, dims: Sequence[_int]) -> Tensor:
        """A copy with the order reversed along `dims`."""
    @overload
    def flip(self, *dims: _int) -> Tensor:
        """A copy with the order reversed along `dims`."""
    def float(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.float32: itself if it is that already."""
    def floor(self) -> Tensor:
        """The largest whole number not above each element."""
    def floor_(self) -> Tensor:
        """`floor`, in place; returns the tensor itself."""
    def floor_divide(self, other: Tensor | _Number) -> Tensor:
        """The quotient, rounded down; ``self // other``."""
    def floor_divide_(self, other: Tensor | _Number) -> Tensor:
        """`floor_divide`, in place; returns the tensor itself."""
    def gather(self, dim: _int, index: Tensor, *, sparse_grad: _bool = False) -> Tensor:
        """The elements of `self` that `index` picks along `dim`, in the shape of `index`."""
    def ge(self, other: Tensor | _Number) -> Tensor:
        """True where `self` is greater than `other`, or equal to it."""
    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward passes have accumulated here; None before the first."""
    @grad.setter
    def grad(self, value: Tensor | None) -> None: ...
    @property
    def grad_fn(self) -> Any:
        """The node of the operation that made this tensor; None for a leaf."""
    @grad_fn.setter
    def grad_fn(self, value: Any) -> None: ...
    def gt(self, other: Tensor | _Number) -> Tensor:
        """True where `self` is greater than `other`."""
    def half(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.float16: itself if it is that already."""
    @property
    def imag(self) -> Any:
        """A view of the imaginary parts."""
    @imag.setter
    def imag(self, value: Any) -> None: ...
    def index_add(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """A copy of `self` with `source` added at the places `index` along `dim`."""
    def index_add_(self, dim: _int, index: Tensor, source: Tensor, *, alpha: _Number = 1) -> Tensor:
        """`index_add`, in place; returns the tensor itself."""
    def index_fill(self, dim: _int, index: Tensor, value: Tensor | _Number) -> Tensor:
        """A copy of `self` with the number `value` written at the places `index` along `dim`."""
    def index_put(
        self,
        indices: Sequence[Tensor],
        values: Tensor,
        accumulate: _bool = False,
    ) -> Tensor:
        """A copy of `input` with `values` at the places that `indices` (a tuple of tensors) name."""
    def index_put_(
        self,
        indices: Sequence[Tensor],
        values: Tensor,
        accumulate: _bool = False,
    ) -> Tensor:
        """`index_put` in place; returns the tensor itself."""
    def index_select(self, dim: _int, index: Tensor) -> Tensor:
        """A copy of the entries along `dim` that `index` (a vector) names, in its order."""
    def int(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.int32: itself if it is that already."""
    def inverse(self) -> Tensor:
        """The inverse of a square matrix; the same as `torch.linalg.inv`."""
    def is_complex(self) -> _bool:
        """Whether the elements are complex numbers."""
    def is_conj(self) -> _bool:
        """Whether the elements still have to be conjugated: False, `conj` does it at once."""
    def is_contiguous(self, *, memory_format: _MemoryFormat = ...) -> _bool:
        """Whether the elements lie row by row, without gaps."""
    @property
    def is_cpu(self) -> Any:
        """Whether its device is cpu."""
    @is_cpu.setter
    def is_cpu(self, value: Any) -> None: ...
    @property
    def is_cuda(self) -> Any:
        """Whether its device is cuda."""
    @is_cuda.setter
    def is_cuda(self, value: Any) -> None: ...
    def is_floating_point(self) -> _bool:
        """Whether the dtype is a floating-point type; complex dtypes do not count."""
    def is_inference(self) -> _bool:
        """Whether the tensor was made inside `torch.inference_mode()`."""
    @property
    def is_leaf(self) -> _bool:
        """True unless a recorded operation made this tensor, or wrote to what it is a view of."""
    @is_leaf.setter
    def is_leaf(self, value: _bool) -> None: ...
    @property
    def is_meta(self) -> Any:
        """Whether its device is meta."""
    @is_meta.setter
    def is_meta(self, value: Any) -> None: ...
    @property
    def is_mkldnn(self) -> Any:
        """False: all tensors are strided."""
    @is_mkldnn.setter
    def is_mkldnn(self, value: Any) -> None: ...
    @property
    def is_mps(self) -> Any:
        """Whether its device is mps."""
    @is_mps.setter
    def is_mps(self, value: Any) -> None: ...
    @property
    def is_quantized(self) -> Any:
        """False: no tensor is quantized."""
    @is_quantized.setter
    def is_quantized(self, value: Any) -> None: ...
    @property
    def is_sparse(self) -> Any:
        """False: all tensors are strided."""
    @is_sparse.setter
    def is_sparse(self, value: Any) -> None: ...
    @property
    def is_xpu(self) -> Any:
        """Whether its device is xpu."""
    @is_xpu.setter
    def is_xpu(self, value: Any) -> None: ...
    def isclose(
        self,
        other: Tensor,
        rtol: _float = 1e-05,
        atol: _float = 1e-08,
        equal_nan: _bool = False,
    ) -> Tensor:
        """True where ``|self - other| <= atol + rtol * |other|``."""
    def isfinite(self) -> Tensor:
        """True where an element is neither infinite nor nan."""
    def isinf(self) -> Tensor:
        """True where an element is infinite, of either sign."""
    def isnan(self) -> Tensor:
        """True where an element is nan ("not a number")."""
    def item(self) -> _int | _float | _bool:
        """The only element of a tensor, as a Python number without history."""
    @property
    def itemsize(self) -> _int:
        """The number of bytes of one element."""
    @itemsize.setter
    def itemsize(self, value: _int) -> None: ...
    @property
    def layout(self) -> Any:
        """``torch.strided``."""
    @layout.setter
    def layout(self, value: Any) -> None: ...
    def le(self, other: Tensor | _Number) -> Tensor:
        """True where `self` is less than `other`, or equal to it."""
    def log(self) -> Tensor:
        """The natural logarithm of each element."""
    def log10(self) -> Tensor:
        """The logarithm of each element to base 10."""
    def log10_(self) -> Tensor:
        """`log10`, in place; returns the tensor itself."""
    def log1p(self) -> Tensor:
        """``log(1 + x)``, accurate even for small x."""
    def log1p_(self) -> Tensor:
        """`log1p`, in place; returns the tensor itself."""
    def log2(self) -> Tensor:
        """The logarithm of each element to base 2."""
    def log2_(self) -> Tensor:
        """`log2`, in place; returns the tensor itself."""
    def log_(self) -> Tensor:
        """`log`, in place; returns the tensor itself."""
    def log_softmax(self, dim: _int, dtype: _DType | None = None) -> Tensor:
        """The logarithm of `softmax`, accurate even where the softmax would underflow to 0."""
    def logsumexp(self, dim: _int | Sequence[_int], keepdim: _bool = False) -> Tensor:
        """``log(sum(exp(x)))`` along `dim`, even where the exponentials would overflow."""
    def long(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.int64: itself if it is that already."""
    def lt(self, other: Tensor | _Number) -> Tensor:
        """True where `self` is less than `other`."""
    @property
    def mT(self) -> Tensor:
        """A view with the last two dimensions swapped: each matrix of a batch, transposed."""
    @mT.setter
    def mT(self, value: Tensor) -> None: ...
    def masked_fill(self, mask: Tensor, value: Tensor | _Number) -> Tensor:
        """A copy of `input` with `value` where `mask` is true."""
    def masked_fill_(self, mask: Tensor, value: Tensor | _Number) -> Tensor:
        """Write `value` where `mask` is true; returns the tensor itself."""
    def matmul(self, other: Tensor) -> Tensor:
        """The matrix product ``input @ other``: of vectors, of matrices, of batches of matrices."""
    @overload
    def max(self) -> Tensor:
        """The largest element; or, along `dim`, the largest elements and their indices."""
    @overload
    def max(self, other: Tensor) -> Tensor:
        """The largest element; or, along `dim`, the largest elements and their indices."""
    @overload
    def max(self, dim: _int, keepdim: _bool = False) -> _ValuesIndices:
        """The largest element; or, along `dim`, the largest elements and their indices."""
    def maximum(self, other: Tensor) -> Tensor:
        """The larger of two elements, element by element; nan if either is nan."""
    @overload
    def mean(self, *, dtype: _DType | None = None) -> Tensor:
        """The mean of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
    @overload
    def mean(
        self,
        dim: _int | Sequence[_int] | None,
        keepdim: _bool = False,
        *,
        dtype: _DType | None = None,
    ) -> Tensor:
        """The mean of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
    @overload
    def min(self) -> Tensor:
        """The smallest element; or, along `dim`, the smallest elements and their indices."""
    @overload
    def min(self, other: Tensor) -> Tensor:
        """The smallest element; or, along `dim`, the smallest elements and their indices."""
    @overload
    def min(self, dim: _int, keepdim: _bool = False) -> _ValuesIndices:
        """The smallest element; or, along `dim`, the smallest elements and their indices."""
    def minimum(self, other: Tensor) -> Tensor:
        """The smaller of two elements, element by element; nan if either is nan."""
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices."""
    def mode(self, dim: _int = -1, keepdim: _bool = False) -> _ValuesIndices:
        """The most frequent element along `dim` (of several the smallest), and its last index."""
    @overload
    def moveaxis(self, source: _int, destination: _int) -> Tensor:
        """The same as `movedim`."""
    @overload
    def moveaxis(self, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
        """The same as `movedim`."""
    @overload
    def movedim(self, source: _int, destination: _int) -> Tensor:
        """A view with the dimensions `source` moved to the places `destination`."""
    @overload
    def movedim(self, source: Sequence[_int], destination: Sequence[_int]) -> Tensor:
        """A view with the dimensions `source` moved to the places `destination`."""
    def mul(self, other: Tensor | _Number) -> Tensor:
        """The product, element by element."""
    def mul_(self, other: Tensor | _Number) -> Tensor:
        """`mul`, in place; returns the tensor itself."""
    def multinomial(
        self,
        num_samples: _int,
        replacement: _bool = False,
        *,
        generator: _Generator | None = None,
    ) -> Tensor:
        """For each row of weights in `input`, `num_samples` random indices."""
    def mv(self, vec: Tensor) -> Tensor:
        """The product of a matrix and a vector."""
    @property
    def name(self) -> Any:
        """None: no tensor has a name."""
    @name.setter
    def name(self, value: Any) -> None: ...
    def narrow(self, dim: _int, start: Tensor | _int, length: _int) -> Tensor:
        """A view of `length` entries along `dim`, beginning at `start`."""
    @property
    def nbytes(self) -> _int:
        """The number of bytes that the elements would need without gaps or sharing."""
    @nbytes.setter
    def nbytes(self, value: _int) -> None: ...
    @property
    def ndim(self) -> _int:
        """The number of dimensions."""
    @ndim.setter
    def ndim(self, value: _int) -> None: ...
    def ndimension(self) -> _int:
        """The number of dimensions."""
    def ne(self, other: Tensor | _Number) -> Tensor:
        """True where the elements differ."""
    def neg(self) -> Tensor:
        """The negative of each element."""
    def neg_(self) -> Tensor:
        """`neg`, in place; returns the tensor itself."""
    def nelement(self) -> _int:
        """The number of elements."""
    @overload
    def new_empty(
        self,
        size: Sequence[_int],
        *,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """An uninitialised tensor of this shape, with the dtype and device of `self`."""
    @overload
    def new_empty(
        self,
        *size: _int,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """An uninitialised tensor of this shape, with the dtype and device of `self`."""
    def new_full(
        self,
        size: Sequence[_int],
        fill_value: _Number,
        *,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """A tensor of this shape filled with `fill_value`, with the dtype and device of `self`."""
    @overload
    def new_ones(
        self,
        size: Sequence[_int],
        *,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """Ones of this shape, with the dtype and device of `self`."""
    @overload
    def new_ones(
        self,
        *size: _int,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """Ones of this shape, with the dtype and device of `self`."""
    def new_tensor(
        self,
        data: Any,
        *,
        dtype: _DType | None = None,
        device: _Device | str | _int | None = None,
        requires_grad: _bool = False,
    ) -> Tensor:
        """A copy of `data` as a tensor with the dtype and device of `self`."""
    @overload
    def new_zeros(
        self,
        size: Sequence[_int],
        *,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """Zeros of this shape, with the dtype and device of `self`."""
    @overload
    def new_zeros(
        self,
        *size: _int,
        dtype: _DType | None = None,
        layout: _Layout | None = None,
        device: _Device | str | _int | None = None,
        pin_memory: _bool | None = False,
        requires_grad: _bool | None = False,
    ) -> Tensor:
        """Zeros of this shape, with the dtype and device of `self`."""
    def nextafter(self, other: Tensor) -> Tensor:
        """The next floating-point number after each element, in the direction of `other`."""
    def nextafter_(self, other: Tensor) -> Tensor:
        """`nextafter`, in place; returns the tensor itself."""
    @overload
    def nonzero(self) -> Tensor:
        """The int64 indices of the nonzero elements, one row each; `as_tuple`: a tensor per dimension."""
    @overload
    def nonzero(self, *, as_tuple: _bool) -> tuple[Tensor, ...]:
        """The int64 indices of the nonzero elements, one row each; `as_tuple`: a tensor per dimension."""
    def norm(self, p: Any = 'fro', dim: Any = None, keepdim: _bool = False) -> Tensor:
        """The norm of all elements, or of the vectors along `dim`."""
    def normal_(
        self,
        mean: _float = 0,
        std: _float = 1,
        *,
        generator: _Generator | None = None,
    ) -> Tensor:
        """Fill with normal numbers of this mean and standard deviation; returns the tensor itself."""
    def numel(self) -> _int:
        """The number of elements."""
    def numpy(self, *, force: _bool = False) -> np.ndarray:
        """A NumPy array over the same memory: a write to one changes the other."""
    @property
    def output_nr(self) -> _int:
        """Which output of `grad_fn` this tensor is."""
    @output_nr.setter
    def output_nr(self, value: _int) -> None: ...
    @overload
    def permute(self, dims: Sequence[_int]) -> Tensor:
        """A view with the dimensions in the order `dims`."""
    @overload
    def permute(self, *dims: _int) -> Tensor:
        """A view with the dimensions in the order `dims`."""
    def positive(self) -> Tensor:
        """The tensor itself, as ``+x``; RuntimeError for a bool tensor."""
    def pow(self, exponent: Tensor | _Number) -> Tensor:
        """`input` to the power `exponent`; one of the two may be a number; ``input ** exponent``."""
    def pow_(self, exponent: Tensor | _Number) -> Tensor:
        """`pow` in place; returns the tensor itself."""
    @overload
    def prod(self, *, dtype: _DType | None = None) -> Tensor:
        """The product of all elements, or along the dimension `dim`."""
    @overload
    def prod(self, dim: _int, keepdim: _bool = False, *, dtype: _DType | None = None) -> Tensor:
        """The product of all elements, or along the dimension `dim`."""
    @overload
    def random_(self, *, generator: _Generator | None = None) -> Tensor:
        """Fill with integers from [from, to), or from the dtype's range; returns the tensor itself."""
    @overload
    def random_(
        self,
        from_: _int,
        to: _int | None,
        *,
        generator: _Generator | None = None,
    ) -> Tensor:
        """Fill with integers from [from, to), or from the dtype's range; returns the tensor itself."""
    @overload
    def random_(self, to: _int, *, generator: _Generator | None = None) -> Tensor:
        """Fill with integers from [from, to), or from the dtype's range; returns the tensor itself."""
    def ravel(self) -> Tensor:
        """All elements in one dimension; a view if they lie row by row, else a copy."""
    @property
    def real(self) -> Any:
        """A view of the real parts; for a real tensor, the tensor itself."""
    @real.setter
    def real(self, value: Any) -> None: ...
    def reciprocal(self) -> Tensor:
        """One divided by each element."""
    def reciprocal_(self) -> Tensor:
        """`reciprocal`, in place; returns the tensor itself."""
    def register_hook(self, hook: Callable) -> Any:
        """Call ``hook(grad)`` when this tensor's gradient is computed; it may return a new one."""
    def register_post_accumulate_grad_hook(self, hook: Callable) -> Any:
        """Call ``hook(tensor)`` after a gradient was added to this leaf's `.grad`."""
    def relu(self) -> Tensor:
        """Each element, or 0 if it is negative."""
    def relu_(self) -> Tensor:
        """`relu`, in place; returns the tensor itself."""
    def remainder(self, other: Tensor | _Number) -> Tensor:
        """The remainder of a division, with the sign of the divisor; ``input % other``."""
    def remainder_(self, other: Tensor | _Number) -> Tensor:
        """`remainder` in place; returns the tensor itself."""
    @overload
    def repeat(self, repeats: Sequence[_int]) -> Tensor:
        """A copy in which dimension d is repeated `repeats[d]` times, end to end."""
    @overload
    def repeat(self, *repeats: _int) -> Tensor:
        """A copy in which dimension d is repeated `repeats[d]` times, end to end."""
    @property
    def requires_grad(self) -> _bool:
        """Whether operations on this tensor are recorded, so that gradients can reach it."""
    @requires_grad.setter
    def requires_grad(self, value: _bool) -> None: ...
    def requires_grad_(self, requires_grad: _bool = True) -> Tensor:
        """Start (or stop) recording operations on this leaf; returns the tensor itself."""
    @overload
    def reshape(self, shape: Sequence[_int]) -> Tensor:
        """The same elements with another shape: a view if the strides allow it, else a copy."""
    @overload
    def reshape(self, *shape: _int) -> Tensor:
        """The same elements with another shape: a view if the strides allow it, else a copy."""
    def reshape_as(self, other: Tensor) -> Tensor:
        """The same elements in the shape of `other`."""
    def retain_grad(self) -> None:
        """Keep this non-leaf's gradient in `.grad` when backward passes through it."""
    @property
    def retains_grad(self) -> _bool:
        """Whether a non-leaf keeps its gradient: True after `retain_grad()`."""
    @retains_grad.setter
    def retains_grad(self, value: _bool) -> None: ...
    def roll(
        self,
        shifts: _int | Sequence[_int],
        dims: _int | Sequence[_int] | None = None,
    ) -> Tensor:
        """A copy with the elements shifted along `dims`; those pushed off the end return at the start."""
    @overload
    def round(self) -> Tensor:
        """The nearest whole number; at a tie, the even one."""
    @overload
    def round(self, *, decimals: _int) -> Tensor:
        """The nearest whole number; at a tie, the even one."""
    @overload
    def round_(self) -> Tensor:
        """`round`, in place; returns the tensor itself."""
    @overload
    def round_(self, *, decimals: _int) -> Tensor:
        """`round`, in place; returns the tensor itself."""
    def rsqrt(self) -> Tensor:
        """One divided by the square root of each element."""
    def rsqrt_(self) -> Tensor:
        """`rsqrt`, in place; returns the tensor itself."""
    def scatter_add(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """A copy of `self` with the elements of `src` added at `index` along `dim`."""
    def scatter_add_(self, dim: _int, index: Tensor, src: Tensor) -> Tensor:
        """`scatter_add`, in place; returns the tensor itself."""
    def select(self, dim: _int, index: _int) -> Tensor:
        """A view of the entries at `index` along `dim`, without that dimension."""
    def sgn(self) -> Tensor:
        """`sign`; for a complex number, the number of magnitude 1 in the same direction."""
    def sgn_(self) -> Tensor:
        """`sgn`, in place; returns the tensor itself."""
    @property
    def shape(self) -> _Size:
        """The size of each dimension, as a `torch.Size`."""
    @shape.setter
    def shape(self, value: _Size) -> None: ...
    def short(self, *, memory_format: _MemoryFormat | None = None) -> Tensor:
        """The tensor as torch.int16: itself if it is that already."""
    def sigmoid(self) -> Tensor:
        """``1 / (1 + exp(-x))``, between 0 and 1."""
    def sigmoid_(self) -> Tensor:
        """`sigmoid`, in place; returns the tensor itself."""
    def sign(self) -> Tensor:
        """The sign of each element: -1, 0 or 1 (0 for nan)."""
    def sign_(self) -> Tensor:
        """`sign`, in place; returns the tensor itself."""
    def sin(self) -> Tensor:
        """The sine of each element, an angle in radians."""
    def sin_(self) -> Tensor:
        """`sin`, in place; returns the tensor itself."""
    @overload
    def size(self, dim: None = None) -> _Size:
        """The size of each dimension, or of one."""
    @overload
    def size(self, dim: _int) -> _int:
        """The size of each dimension, or of one."""
    def softmax(self, dim: _int, dtype: _DType | None = None) -> Tensor:
        """The exponentials divided by their sum along `dim`: positive numbers that add up to 1."""
    @overload
    def sort(
        self,
        *,
        stable: _bool | None,
        dim: _int = -1,
        descending: _bool = False,
    ) -> _ValuesIndices:
        """The elements in ascending order along `dim` (or descending), and their int64 indices."""
    @overload
    def sort(self, dim: _int = -1, descending: _bool = False) -> _ValuesIndices:
        """The elements in ascending order along `dim` (or descending), and their int64 indices."""
    def split(self, split_size: Any, dim: _int = 0) -> tuple[Tensor, ...]:
        """A tuple of views: parts of one size (the last may be smaller), or of a list of sizes."""
    def split_with_sizes(self, split_sizes: Sequence[_int], dim: _int = 0) -> tuple[Tensor, ...]:
        """A tuple of views of the given sizes along a dimension."""
    def sqrt(self) -> Tensor:
        """The square root of each element; nan for negative numbers."""
    def sqrt_(self) -> Tensor:
        """`sqrt`, in place; returns the tensor itself."""
    def square(self) -> Tensor:
        """Each element times itself."""
    def square_(self) -> Tensor:
        """`square` in place; returns the tensor itself."""
    @overload
    def squeeze(self) -> Tensor:
        """A view without the dimensions of size 1: all of them, or only those named in `dim`."""
    @overload
    def squeeze(self, dim: Sequence[_int] | _int) -> Tensor:
        """A view without the dimensions of size 1: all of them, or only those named in `dim`."""
    @overload
    def squeeze(self, *dim: _int) -> Tensor:
        """A view without the dimensions of size 1: all of them, or only those named in `dim`."""
    @overload
    def squeeze_(self) -> Tensor:
        """`squeeze` in place; returns the tensor itself."""
    @overload
    def squeeze_(self, dim: Sequence[_int] | _int) -> Tensor:
        """`squeeze` in place; returns the tensor itself."""
    @overload
    def squeeze_(self, *dim: _int) -> Tensor:
        """`squeeze` in place; returns the tensor itself."""
    @overload
    def std(
        self,
        dim: _int | Sequence[_int] | None,
        unbiased: _bool = True,
        keepdim: _bool = False,
    ) -> Tensor:
        """The standard deviation of all elements, or along `dim`: the root of `var`."""
    @overload
    def std(
        self,
        dim: _int | Sequence[_int] | None = None,
        *,
        correction: _Number | None = None,
        keepdim: _bool = False,
    ) -> Tensor:
        """The standard deviation of all elements, or along `dim`: the root of `var`."""
    @overload
    def std(self, *dim: _int, correction: _Number | None = None, keepdim: _bool = False) -> Tensor:
        """The standard deviation of all elements, or along `dim`: the root of `var`."""
    @overload
    def std(self, unbiased: _bool = True) -> Tensor:
        """The standard deviation of all elements, or along `dim`: the root of `var`."""
    def storage_offset(self) -> Any:
        """The number of elements in the storage before the first element of the tensor."""
    @overload
    def stride(self, dim: None = None) -> tuple[_int, ...]:
        """For each dimension, how many elements of memory to step to the next index."""
    @overload
    def stride(self, dim: _int) -> _int:
        """For each dimension, how many elements of memory to step to the next index."""
    def sub(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """The difference ``self - alpha * other``."""
    def sub_(self, other: Tensor | _Number, *, alpha: _Number = 1) -> Tensor:
        """`sub`, in place; returns the tensor itself."""
    @overload
    def sum(self, *, dtype: _DType | None = None) -> Tensor:
        """The sum of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
    @overload
    def sum(
        self,
        dim: _int | Sequence[_int] | None,
        keepdim: _bool = False,
        *,
        dtype: _DType | None = None,
    ) -> Tensor:
        """The sum of all elements, or along `dim`: one dimension, several in a tuple, or None for all."""
    @overload
    def sum_to_size(self, size: Sequence[_int]) -> Tensor:
        """The tensor summed down to `size`, over the dimensions that broadcasting `size` would expand."""
    @overload
    def sum_to_size(self, *size: _int) -> Tensor:
        """The tensor summed down to `size`, over the dimensions that broadcasting `size` would expand."""
    def swapaxes(self, axis0: _int, axis1: _int) -> Tensor:
        """The same as `transpose`."""
    def swapaxes_(self, axis0: _int, axis1: _int) -> Tensor:
        """`transpose`, in place; returns the tensor itself."""
    def t(self) -> Tensor:
        """A view of a matrix with its two dimensions swapped; a vector stays as it is."""
    def t_(self) -> Tensor:
        """`t` in place; returns the tensor itself."""
    def take_along_dim(self, indices: Tensor, dim: _int | None = None) -> Tensor:
        """The elements that `indices` (for example from `argsort`) pick along `dim`."""
    def tan(self) -> Tensor:
        """The tangent of each element, an angle in radians."""
    def tan_(self) -> Tensor:
        """`tan`, in place; returns the tensor itself."""
    def tanh(self) -> Tensor:
        """The hyperbolic tangent of each element, between -1 and 1."""
    def tanh_(self) -> Tensor:
        """`tanh`, in place; returns the tensor itself."""
    @overload
    def to(
        self,
        device: _Device | str | _int | None = None,
        dtype: _DType | None = None,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _MemoryFormat | None = None,
    ) -> Tensor:
        """The tensor converted to another dtype or device, or to those of another tensor."""
    @overload
    def to(
        self,
        dtype: _DType,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _MemoryFormat | None = None,
    ) -> Tensor:
        """The tensor converted to another dtype or device, or to those of another tensor."""
    @overload
    def to(
        self,
        tensor: Tensor | _Number,
        non_blocking: _bool = False,
        copy: _bool = False,
        *,
        memory_format: _MemoryFormat | None = None,
    ) -> Tensor:
        """The tensor converted to another dtype or device, or to those of another tensor."""
    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers, or as one number if 0-dim."""
    def topk(
        self,
        k: _int,
        dim: _int = -1,
        largest: _bool = True,
        sorted: _bool = True,
    ) -> _ValuesIndices:
        """The `k` largest elements along `dim`, largest first (or the smallest), and their indices."""
    def transpose(self, dim0: _int, dim1: _int) -> Tensor:
        """A view with two dimensions swapped."""
    def transpose_(self, dim0: _int, dim1: _int) -> Tensor:
        """`transpose`, in place; returns the tensor itself."""
    def tril(self, diagonal: _int = 0) -> Tensor:
        """The lower triangle of each matrix, up to a diagonal; the rest is 0."""
    def tril_(self, diagonal: _int = 0) -> Tensor:
        """`tril`, in place; returns the tensor itself."""
    def triu(self, diagonal: _int = 0) -> Tensor:
        """The upper triangle of each matrix, from a diagonal on; the rest is 0."""
    def triu_(self, diagonal: _int = 0) -> Tensor:
        """`triu`, in place; returns the tensor itself."""
    def trunc(self) -> Tensor:
        """Each element rounded towards zero: without its fraction."""
    def trunc_(self) -> Tensor:
        """`trunc`, in place; returns the tensor itself."""
    def type(
        self,
        dtype: Any = None,
        non_blocking: _bool = False,
        *,
        memory_format: _MemoryFormat | None = None,
    ) -> Tensor:
        """The name of the tensor's type, or the tensor converted to `dtype`."""
    def unbind(self, dim: _int = 0) -> tuple[Tensor, ...]:
        """A tuple of views, one for each index of a dimension."""
    def unflatten(self, dim: _int, sizes: Any) -> Any:
        """A view in which one dimension is split into `sizes`."""
    def unfold(self, dimension: _int, size: _int, step: _int) -> Tensor:
        """A view of the windows of `size` elements along a dimension, `step` apart."""
    def uniform_(
        self,
        from_: _float = 0,
        to: _float = 1,
        *,
        generator: _Generator | None = None,
    ) -> Tensor:
        """Fill with uniformly distributed numbers from [from, to); returns the tensor itself."""
    def unsafe_chunk(self, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """`chunk` whose parts you may write to: autograd does not know that they share memory."""
    def unsafe_split(self, split_size: _int, dim: _int = 0) -> tuple[Tensor, ...]:
        """`split` whose parts you may write to: autograd does not know that they share memory."""
    def unsqueeze(self, dim: _int) -> Tensor:
        """A view with a new dimension of size 1 at `dim`."""
    def unsqueeze_(self, dim: _int) -> Tensor:
        """`unsqueeze`, in place; returns the tensor itself."""
    def untyped_storage(self) -> Any:
        """The memory of this tensor, and of all that share it, as bytes."""
    @overload
    def var(
        self,
        dim: _int | Sequence[_int] | None,
        unbiased: _bool = True,
        keepdim: _bool = False,
    ) -> Tensor:
        """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
    @overload
    def var(
        self,
        dim: _int | Sequence[_int] | None = None,
        *,
        correction: _Number | None = None,
        keepdim: _bool = False,
    ) -> Tensor:
        """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
    @overload
    def var(self, *dim: _int, correction: _Number | None = None, keepdim: _bool = False) -> Tensor:
        """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
    @overload
    def var(self, unbiased: _bool = True) -> Tensor:
        """The variance of all elements, or along `dim`: the mean squared distance from the mean."""
    @overload
    def view(self, dtype: _DType) -> Tensor:
        """The same memory with another shape; RuntimeError if that is not possible without a copy."""
    @overload
    def view(self, size: Sequence[_int]) -> Tensor:
        """The same memory with another shape; RuntimeError if that is not possible without a copy."""
    @overload
    def view(self, *size: _int) -> Tensor:
        """The same memory with another shape; RuntimeError if that is not possible without a copy."""
    def view_as(self, other: Tensor) -> Tensor:
        """The same memory in the shape of `other`."""
    @property
    def volatile(self) -> _bool:
        """Always False, with a warning: the attribute was removed in PyTorch 0.4."""
    @volatile.setter
    def volatile(self, value: _bool) -> None: ...
    def where(self, condition: Tensor, other: Tensor | _Number) -> Tensor:
        """This tensor where `condition` is true, else `other`."""
    def zero_(self) -> Tensor:
        """Write 0 into every element; returns the tensor itself."""

def __getattr__(name: str) -> Any: ...  # what only the library itself uses
