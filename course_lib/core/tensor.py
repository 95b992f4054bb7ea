"""The tensor: a dtype, a window on memory, and a place in the graph.

Three questions describe a tensor.  What are its numbers?  Its dtype says so.  Where are they?  In
an array over some memory, which other tensors may share; that is why writes are counted.  Where do
they come from?  From the operation whose node the tensor holds, or from nowhere: then it is a leaf.

Operations are not here.  They live in `course_lib.ops`, one declaration each, which also attaches
them as methods (`declare/op.py`).  This file says what every tensor *is*.
"""

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib import lazy
from course_lib.calls import missing
from course_lib.core.graph import Version, Window
from course_lib.dtypes.dtypes import dtype
from course_lib.memory import devices, heap, layout
from course_lib.memory.size import Size
from course_lib.modes import modes
from course_lib.words import errors

new = object.__new__


class More:
    """What only some tensors have: a gradient, hooks, a link to their AccumulateGrad."""

    __slots__ = ("accumulator", "grad", "hooks", "inference", "name", "post_accumulate", "retains")

    def __init__(self) -> None:
        self.grad: Tensor | None = None
        self.accumulator: Any = None  # weak reference, see AccumulateGrad
        self.hooks: dict[int, Callable] = {}
        self.post_accumulate: dict[int, Callable] = {}
        self.retains = False
        self.name: str | None = None
        self.inference: bool | str = False  # "detached": made by `detach()` outside the mode


class Tensor:
    """A multi-dimensional array whose elements share one dtype, and which knows how it was made.

    ``_array``   the elements: a NumPy array (or NumPy scalar, see `_share`), or a meta array
    ``_dtype``   their type, as PyTorch names it
    ``_cell``    how often the memory was written to; None means never (Note [Saved versions])
    ``_view``    how it became a view of another tensor, or None
    ``_node``    the operation that made it, or None; ``_output_nr`` says which of its outputs
    ``_requires_grad``  whether operations on it are recorded
    ``_extras``  the rarely used rest
    """

    __slots__ = (
        *("__dict__", "__weakref__", "_array", "_cell", "_dtype", "_extras", "_node"),
        *("_output_nr", "_requires_grad", "_view"),
    )
    __module__ = "course_lib"  # where its users find it, pickle and completion included
    __array_priority__ = 1000  # ndarray + Tensor asks the tensor
    __hash__ = object.__hash__
    _legacy_new: Any = None  # torch.Tensor(…): set by ops/make/legacy.py

    def __new__(cls, *args: Any, **kwargs: Any) -> "Tensor":
        return Tensor._legacy_new(cls, *args, **kwargs)

    @staticmethod
    def _make(array: Any, dtype: dtype, cls: type | None = None) -> "Tensor":
        """A tensor without history over `array`, which is not copied."""
        self: Tensor = new(cls or Tensor)
        self._array = array
        self._dtype = dtype
        self._cell = self._view = self._node = self._extras = None
        self._output_nr, self._requires_grad = 0, False
        return self

    # ---- memory ----------------------------------------------------------------------------------

    def _share(self) -> Version:
        """The version cell; called before the memory is shared or written to.

        Note [Scalars]: a 0-dim result of an operation stays the NumPy scalar that the kernel
        returned: arithmetic on scalars is ten times as fast as on 0-dim arrays.  It becomes an
        array here, and only here.  A node that saved this result is updated too, since it must see
        later writes (`node.result_`) and their number (`node.cell`).
        """
        array, cell = self._array, self._cell
        if isinstance(array, np.generic):
            array = self._array = np.asarray(array)
        elif cell is not None:
            return cell
        node = self._node
        keeper = node if node is not None and "result" in node.saved else None
        if cell is None:  # `y.grad_fn._saved_result` may have made it already: then y shares it
            known = keeper is not None and keeper.cell
            cell = self._cell = known if isinstance(known, Version) else Version()
        if keeper is not None and keeper.cell is None:
            keeper.cell, keeper.result_ = cell, array
        return cell

    def _bump(self) -> None:
        """Count a write into the memory; views and `detach()` see the same number.

        Inference tensors have no number: outside the mode PyTorch writes, and raises here, unless
        they were detached there.
        """
        if self._extras is not None and self._extras.inference is True and not modes.now.inference:
            raise RuntimeError(errors.INFERENCE_INPLACE)
        self._share().bump()

    def _offset(self) -> int:
        """Bytes from the start of the storage to the first element."""
        view = self._view
        return layout.offset_of(self._array) if view is None else view.offset

    @property
    def _version(self) -> int:
        """How many in-place writes this memory has seen; views and `detach()` count together."""
        if self._extras is not None and self._extras.inference:
            raise RuntimeError(errors.INFERENCE_VERSION)
        return 0 if self._cell is None else self._cell.value

    @property
    def shape(self) -> Size:
        """The size of each dimension, as a `torch.Size`."""
        return tuple.__new__(Size, self._array.shape)

    @property
    def dtype(self) -> dtype:
        """The type of the elements, say ``torch.float32``."""
        return self._dtype

    @property
    def device(self) -> devices.device:
        """Where the memory is: ``device(type='cpu')``, or ``meta`` for a shape without memory."""
        return devices.of(self._array)

    @property
    def data(self) -> "Tensor":
        """The same memory without history, and with its own version counter.

        Unlike with `detach`, the graph does not notice a write through the result, and gradients
        may then be silently wrong.
        """
        other = self.detach()
        other._cell = Version()
        return other

    def detach(self) -> "Tensor":
        """The same memory without history: a leaf that does not require grad.

        Writes through it are counted (`_version` is shared), so backward notices them.
        """
        cell = self._share()
        other = Tensor._make(self._array, self._dtype)
        other._cell = cell
        other._view = self._view and Window(self._view.offset)
        if self.is_inference():
            other._more().inference = modes.now.inference or "detached"
        return other

    # ---- the place in the graph ------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded, so that gradients can reach it."""
        return self._requires_grad if self._view is None else self._view.tracks(self)

    @property
    def is_leaf(self) -> bool:
        """True unless a recorded operation made this tensor, or wrote to what it is a view of."""
        return self.grad_fn is None

    @property
    def grad_fn(self) -> Any:
        """The node of the operation that made this tensor; None for a leaf."""
        if self._view is not None:
            self._view.refresh(self)
            if self._node is None:
                self._view.refuse(self)
        return self._node

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this tensor is."""
        return self._output_nr

    @property
    def grad(self) -> "Tensor | None":
        """The gradient that backward passes have accumulated here; None before the first."""
        more = self._extras
        if more is None or more.grad is None:
            if self._requires_grad and self._node is not None and not (more and more.retains):
                errors.warn(errors.NON_LEAF_GRAD)
            return None
        return more.grad

    def _more(self) -> More:
        if self._extras is None:
            self._extras = More()
        return self._extras

    def _accumulate(self, grad: Any, dtype: dtype, writes: int | None) -> None:
        """Add an incoming gradient (an array, or a tensor with history) to `.grad`.

        `writes` is None if there are other references to the array: then it is copied, so that no
        two `.grad`s share memory.  Later arrays are added in place, so that every reference to
        `.grad` sees the sum; a gradient with a history makes a new tensor.
        """
        more: Any = self._extras  # its AccumulateGrad is in there
        old, array = more.grad, self._array
        if isinstance(grad, Tensor):
            more.grad = grad._clone_for(self) if old is None else old + grad
        elif old is None:
            alike = grad.__class__ is np.ndarray and grad.strides == array.strides and grad.size
            alike = (alike and grad.flags.c_contiguous) or layout.has_leaf_layout(grad, array)
            if writes is None or not alike:
                if grad.shape == array.shape:
                    grad = layout.like(grad, array)
                else:  # the leaf's data has been replaced since: copied into its new shape
                    grad = Tensor._make(grad, self._dtype)._clone_for(self)._array
                writes = int(layout.is_dense(array))
            more.grad = Tensor._make(grad, dtype)
            more.grad._cell = Version(writes) if writes else None
        else:
            old._bump()
            np.add(old._array, grad, out=old._array, casting="unsafe")

    def _set_history(self, node: Any) -> None:
        """Make `node` the tensor's `grad_fn`; a retained gradient moves to the new node."""
        if self._extras is not None and self._extras.retains and self._node is not None:
            self._node.more().retain.pop(self._output_nr, None)
            node.more().retain[0] = weakref.ref(self)
        self._node, self._output_nr, self._requires_grad = node, 0, True

    def is_inference(self) -> bool:
        """Whether the tensor was made inside `torch.inference_mode()`."""
        return self._extras is not None and bool(self._extras.inference)


lazy.stand_in(Tensor)
missing.leave_out(Tensor)
heap.keep_freed_memory()
