"""Pooling: the largest element of each window of an image, or the mean of it."""

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import lacking, lacks, refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import blank
from course_lib.ops.layers import layer_op
from course_lib.ops.layers.convolution import make_frame, middle, places, windows, with_margin
from course_lib.ops.layers.interpolate import mixed
from course_lib.ops.pick.gather_scatter import gather
from course_lib.ops.reduce.sums import mean_along
from course_lib.ops.shape.reshape import flatten, reshape
from course_lib.ops.shape.squeeze import squeeze, unsqueeze
from course_lib.words import errors

Array = Any
IMAGES, SERIES = ("", "3D or 4D"), ("max_pool1d: ", "2D or 3D")  # in sentences
Sizes = tuple[int, ...]


# ---- windows -------------------------------------------------------------------------------------


def numbers(place: str, name: str, *args: Any) -> tuple[Sizes, ...]:
    """Kernel size, stride (() if not given) and padding for both dimensions, from a call."""
    parsed = overloads(place, name).parse(args, {})
    given = {word: parsed.get(word) for word in ("kernel_size", "stride", "padding")}
    unsaid = given["stride"] in (None, [], ())
    given["stride"] = given["kernel_size" if unsaid else "stride"]
    for word, value in given.items():
        found = (value,) if isinstance(value, int) else tuple(value)
        refuse(len(found) not in (1, 2), errors.pool_numbers, name.partition("_with")[0], word)
        given[word] = found * 2 if len(found) == 1 else found
    dims = args[0]._array.ndim
    if name == "avg_pool2d":
        wrap_dim(-3, dims, scalar=False)
    else:
        refuse(dims not in (3, 4), errors.POOL_EMPTY)
    kernel, stride, padding = given.values()
    refuse(0 in stride, errors.NO_STRIDE)
    for k, p in zip(kernel, padding, strict=True):
        refuse(p < 0, errors.pool_padding, p)
        refuse(p > int(k / 2), errors.pool_wide_padding, p, k)
    refuse(min(kernel) <= 0, errors.pool_number, "kernel size", "k", kernel)
    refuse(min(stride) <= 0, errors.pool_number, "stride", "d", stride)
    return kernel, () if unsaid else stride, padding


def one_number(word: str, value: Any) -> int:
    """The number for the one dimension of a series."""
    found = (value,) if isinstance(value, int) else tuple(value)
    kinds = ("None, " * (word == "stride"), "," * (word in ("stride", "padding")))
    refuse(len(found) != 1, errors.series_count, word, *kinds, len(found))
    return found[0]


def with_room(self: Any, kernel_size: Any, stride: Any, padding: Any) -> None:
    """Raise if there is no room for a window."""
    shape = self._array.shape
    out = windows(shape[-2:], kernel_size, stride or kernel_size, padding)
    refuse(min(out) < 1, errors.no_windows, *shape[-3:], *(max(o, 0) for o in out))


# ---- the largest ---------------------------------------------------------------------------------


@layer_op(
    name="max_pool2d_with_indices",
    node="MaxPool2DWithIndicesBackward0",
    returns=("result0", "result1"),
    shows={"dilation": (1, 1), "ceil_mode": False},
    refuses=(with_room, lacks("bool complex", "max_pool2d")),
    self=lambda grad, self, kernel_size, stride, padding, result1: from_largest(
        grad, self, result1
    ),
)
def largest(self, kernel_size, stride, padding):
    """The largest element of each window of an image, and its index in the flattened image."""
    kernel, stride, width = kernel_size, stride or kernel_size, self.shape[-1]
    low = np.iinfo(self.dtype).min if self.dtype.kind in "iu" else -np.inf
    out = windows(self.shape[-2:], kernel, stride, padding)
    if self.__class__ is MetaArray:
        shape = (*self.shape[:-2], *out)
        return MetaArray(shape, self.dtype), MetaArray(shape, np.int64)
    wide = with_margin(self, padding, low)
    parts = [wide[spots] for spots in places(kernel, stride, (1, 1), out)]
    values, best = first_largest(parts, nans=bool(np.isnan(np.add.reduce(self, axis=None))))
    down, right = (
        np.arange(o, dtype=np.int64) * s - p for o, s, p in zip(out, stride, padding, strict=True)
    )
    inside = [row * width + column for row in range(kernel[0]) for column in range(kernel[1])]
    index = np.array(inside, np.int64).take(best)
    index += down[:, None] * width + right
    return values, index


def first_largest(parts: list[Array], nans: bool) -> tuple[Array, Array]:
    """The largest element of each window and its place there; `parts` has one array per place.

    The loop runs over the places of a window, for all windows at once: places are few, windows are
    many.  `nans` says that there may be nans, which count as larger than any number.
    """
    values = np.array(parts[0], order="C")
    best = np.zeros(values.shape, np.uint8 if len(parts) < 256 else np.intp)
    for number, part in enumerate(parts[1:], 1):
        larger = part > values
        if nans:
            larger |= (part != part) & (values == values)
        np.maximum(values, part, out=values)
        np.maximum(best, larger.view(np.uint8) * best.dtype.type(number), out=best)
    return values, best


@layer_op(
    "same",
    node="MaxPool2DWithIndicesBackwardBackward0",
    saves=("indices",),
    self=lambda grad, indices: reshape(
        gather(flatten(grad, -2), -1, flatten(indices, -2)), indices.shape
    ),
    pooled=lambda grad: blank(grad),
)
def from_largest(self, pooled, indices):
    """Zeros like `pooled`, with each element added where the largest of its window was."""
    if self.__class__ is MetaArray:
        return MetaArray(pooled.shape, self.dtype)
    lead, size = self.shape[:-2], math.prod(pooled.shape[-2:])
    starts = np.arange(math.prod(lead), dtype=np.int64).reshape(*lead, 1, 1) * size
    whole = np.zeros(math.prod(lead) * size, self.dtype)
    np.add.at(whole, (starts + indices).ravel(), self.ravel())
    return whole.reshape(pooled.shape)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of an image; on request with its index.

    >>> torch.nn.functional.max_pool2d(torch.arange(4.).view(1, 2, 2), 2, return_indices=True)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    each = (kernel_size, stride, padding, dilation, ceil_mode)
    place = ("nn", "max_pool2d_with_indices") if return_indices else ("torch", "max_pool2d")
    geometry, shape = numbers(*place, input, *each), input._array.shape
    spoken = f"torch.nn.functional.max_pool2d({dilation=}, {ceil_mode=})"
    lacking(ceil_mode or dilation not in (1, (1, 1), [1, 1]), errors.absent, spoken)
    refuse(0 in shape[-3:], errors.pool_dims, *IMAGES, shape)
    values, indices = largest(input, *geometry)
    return (values, indices) if return_indices else values


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window of a series; on request with its index.

    >>> torch.nn.functional.max_pool1d(torch.tensor([[1., 3., 7., 5.]]), 2)
    tensor([[3., 7.]])
    """
    shape = input._array.shape
    stride = kernel_size if stride in (None, [], ()) else stride
    each = (kernel_size, stride, padding, dilation, ceil_mode)
    name = "max_pool1d" + "_with_indices" * bool(return_indices)
    parsed = overloads("torch", name).parse((input, *each), {})
    refuse(len(shape) not in (2, 3) or 0 in shape[-2:], errors.pool_dims, *SERIES, shape)
    words = ("kernel_size", "stride", "padding", "dilation")
    kernel, step, margin, gap = [one_number(word, parsed[word]) for word in words]
    refuse(kernel <= 0, errors.series_number, "kernel_size", kernel)
    refuse(step <= 0, errors.series_number, "stride", step)
    refuse(margin < 0, errors.series_padding, margin)
    refuse(margin > kernel // 2, errors.series_wide_padding, margin, kernel)
    size = (shape[-1] + 2 * margin - kernel) // step + 1
    refuse(size < 1, errors.max_series_size, size)
    if not (return_indices or input.requires_grad):
        lacking(not input.is_floating_point(), errors.no_kernel, "max_pool1d_impl", input)
    geometry = (1, kernel), (1, step), (0, margin), gap
    values, indices = max_pool2d(unsqueeze(input, -2), *geometry, ceil_mode, return_indices=True)
    values, indices = squeeze(values, -2), squeeze(indices, -2)
    if return_indices:
        return values, indices
    return values if values.requires_grad else values.clone()  # no view of an image, then


# ---- the mean ------------------------------------------------------------------------------------


@layer_op(
    name="avg_pool2d",
    node="AvgPool2DBackward0",
    refuses=(with_room, lacks("bool complex", "avg_pool2d")),
    shows={"ceil_mode": False, "count_include_pad": True, "divisor_override": None},
    self=lambda grad, self, kernel_size, stride, padding: means_back(
        grad, self, kernel_size, stride, padding
    ),
)
def means(self, kernel_size, stride, padding):
    """The sum of each window of an image, divided by the number of its elements."""
    out = windows(self.shape[-2:], kernel_size, stride or kernel_size, padding)
    wide, total = with_margin(self, padding), np.zeros_like(self, shape=(*self.shape[:-2], *out))
    for spots in places(kernel_size, stride or kernel_size, (1, 1), out):
        total += wide[spots]
    return (total / math.prod(kernel_size)).astype(self.dtype, copy=False)


@layer_op(
    node="AvgPool2DBackwardBackward0",
    self=lambda grad, kernel_size, stride, padding: means(grad, kernel_size, stride, padding),
    pooled=lambda grad: blank(grad),
)
def means_back(self, pooled, kernel_size, stride, padding):
    """The adjoint of `means`: every element of a window gets an equal share of its gradient."""
    wide = make_frame(self, pooled.shape, padding)
    for spots in places(kernel_size, stride or kernel_size, (1, 1), self.shape[-2:]):
        wide[spots] += self / math.prod(kernel_size)
    return wide[middle(pooled.shape, padding)]


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of an image.

    >>> torch.nn.functional.avg_pool2d(torch.arange(4.).view(1, 2, 2), 2)
    tensor([[[1.5000]]])
    """
    geometry = numbers("nn", "avg_pool2d", input, kernel_size, stride, padding)
    shape = input._array.shape
    spoken = f"torch.nn.functional.avg_pool2d({ceil_mode=}, {count_include_pad=})"
    lacking(ceil_mode or not count_include_pad, errors.absent, spoken)
    refuse(len(shape) > 4 or 0 in shape[-3:], errors.pool_dims, *IMAGES, shape)
    return means(input, *geometry)


# ---- to a given number of windows ----------------------------------------------------------------


def output_sizes(input: Any, output_size: Any) -> Sizes:
    """The output size per dimension; one number counts for both, None keeps the input's size."""
    shape = input._array.shape
    if not isinstance(output_size, int):
        count = len(output_size)
        refuse_value(len(shape) <= count, errors.adaptive_sizes, count + 1)
        output_size = [n if o is None else o for n, o in zip(shape[-count:], output_size)]
    given: Any = overloads("nn", "adaptive_avg_pool2d").fit((input, output_size), {})
    size = given["output_size"]
    size = (size, size) if isinstance(size, int) else size
    refuse(len(size) != 2, errors.ADAPTIVE_COUNT)
    refuse(min(size) < 0, errors.negative_sizes, size)
    mean = size == (1, 1)  # PyTorch calls `mean` then, which refuses no shape
    refuse(not mean and len(shape) not in (3, 4), errors.adaptive_dims, shape)
    if 0 in shape[-2:] and not mean:
        raise RuntimeError(errors.adaptive_empty(shape, shape.index(0, len(shape) - 2)))
    return size


def shares(size: int, out: int) -> Array:
    """A matrix that takes means: row i averages the i-th of `out` windows over `size` places."""
    number, place = np.arange(out)[:, None], np.arange(size)
    inside = (number * size // out <= place) & (place < -(-(number + 1) * size // out))
    return inside / inside.sum(1, keepdims=True)


def not_empty(grad: Any) -> Any:
    """The gradient itself, if it has elements."""
    for dim, size in enumerate(grad.shape[1:], 1):
        refuse(not size, errors.adaptive_gradient, grad.shape, dim)
    return grad


@layer_op(
    name="_adaptive_avg_pool2d",
    node="AdaptiveAvgPool2DBackward0",
    shows={"output_size": ...},
    refuses=lacks("bool integer complex", "adaptive_avg_pool2d"),
    self=lambda grad, self, output_size: mixed(
        not_empty(grad),
        *(shares(n, o).T for n, o in zip(self.shape[-2:], output_size, strict=True)),
    ),
)
def adaptive_means(self, output_size):
    """The means of so many windows: both dimensions multiplied by a matrix of shares."""
    return mixed(self, *map(shares, self.shape[-2:], output_size))


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Tensor:
    """The means of windows that cover an image: `output_size` windows per dimension.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(4.).view(1, 2, 2), 1)
    tensor([[[1.5000]]])
    """
    size = output_sizes(input, output_size)
    if size == (1, 1):  # an ordinary mean
        return mean_along(input, (-1, -2), True)
    return adaptive_means(input, size)
