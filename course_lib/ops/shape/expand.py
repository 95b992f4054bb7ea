"""Views in which one element appears in many places: `expand`, `broadcast_to`, `meshgrid`."""

from typing import Any

from course_lib.calls.rules import refuse
from course_lib.declare.composite import composite
from course_lib.declare.op import op, view_op
from course_lib.dtypes import dtypes
from course_lib.memory import dims as facts
from course_lib.memory import layout
from course_lib.words import errors

__all__ = ["broadcast_shapes", "broadcast_tensors", "broadcast_to"]


def keep_size(array: Any, size: Any) -> Any:
    """The fast path where the size is the array's own, as between two batches of one shape."""
    return (array[...], 0) if tuple(size) == array.shape else None


@view_op(varargs="size", native=keep_size, self=lambda grad, self_shape: sum_to(grad, self_shape))
def expand(self, size):
    """A view broadcast to `size`: dimensions of size 1 repeat, with stride 0.

    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    lead = len(size) - self.ndim
    if lead < 0:
        sizes = [int(n) for n in size]
        raise RuntimeError(errors.expand_rank(dtypes.of_numpy(self.dtype), self.shape, sizes))
    shape, strides = list(size), [0] * len(size)
    for dim in range(len(size) - 1, -1, -1) if self.ndim else ():
        wanted = size[dim]
        if dim < lead:
            refuse(wanted == -1, errors.expand_leading, wanted, dim)
            strides[dim] = shape[dim + 1] * strides[dim + 1] if wanted == 1 else 0
            continue
        n, stride = self.shape[dim - lead], self.strides[dim - lead]
        if wanted in (-1, n):
            shape[dim], strides[dim] = n, stride
        elif n != 1:
            raise RuntimeError(errors.expand_size(wanted, n, dim, size, self.shape))
    refuse(min(shape, default=0) < 0, errors.SIZE_OVERFLOW)
    return tuple(shape), tuple(strides), 0


@op(
    kind="sum",
    layout="contiguous",
    method=False,
    self=lambda grad, self_shape: expand(grad, self_shape),
)
def sum_to(self, size):
    """The adjoint of `expand`: sum over the repeated dimensions."""
    return layout.sum_to(self, tuple(size))


@composite()
def expand_as(self: Any, other: Any) -> Any:
    """A view broadcast to the shape of `other`.

    >>> torch.tensor([1, 2]).expand_as(torch.zeros(2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand(self, tuple(other.shape))


@composite(varargs="size")
def broadcast_to(self: Any, size: Any) -> Any:
    """A view broadcast to `size`; the same as `expand`.

    >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return expand(self, tuple(size))


def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """A tuple of views of the tensors, broadcast to their common shape.

    >>> [x.shape for x in torch.broadcast_tensors(torch.zeros(3), torch.zeros(2, 1))]
    [torch.Size([2, 3]), torch.Size([2, 3])]
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    shape = facts.broadcast((), *(x._array.shape for x in tensors))
    return tuple(x if x._array.shape == shape else expand(x, shape) for x in tensors)


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that tensors of these shapes broadcast to.

    >>> torch.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    for shape in shapes:
        refuse(not isinstance(shape, (int, tuple, list)), errors.not_a_shape, shape)
    return facts.common_shape([(s,) if isinstance(s, int) else tuple(s) for s in shapes])
