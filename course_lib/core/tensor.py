"""The tensor: a dtype, a window on memory, and a place in the graph.

Operations are not here.  They live in `course_lib.ops`, one declaration each, and attach
themselves as methods (`op.py`).  What is here is what every tensor *is*.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.core.graph import Version, Window
from course_lib.facts import devices, dtypes, errors, layout
from course_lib.facts.dtypes import dtype
from course_lib.facts.meta import MetaArray
from course_lib.facts.size import Size

new = object.__new__


def nothing() -> None:
    """A weak reference to nothing."""


class More:
    """What few tensors have: a gradient, hooks, a link to their AccumulateGrad."""

    __slots__ = ("accumulator", "grad", "hooks", "inference", "name", "post_accumulate", "retains")

    def __init__(self) -> None:
        self.grad: Tensor | None = None
        self.accumulator: Any = nothing  # weak reference, see AccumulateGrad
        self.hooks: dict[int, Callable] = {}
        self.post_accumulate: dict[int, Callable] = {}
        self.retains = False
        self.name: str | None = None
        self.inference = False


class Tensor:
    """A multi-dimensional array whose elements share one dtype, with a memory of its making.

    ``_array``   the elements: a NumPy array (or NumPy scalar, see `_share`), or a meta array
    ``_dtype``   what they are, as PyTorch names it
    ``_cell``    how often the memory was written to, or None: never (Note [Saved versions])
    ``_view``    how it became a window on another tensor, or None
    ``_node``    the operation that made it, or None; it was that operation's output ``_output_nr``
    ``_requires_grad``  whether operations on it are recorded
    ``_extras``  the rarely used rest
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_array",
        "_cell",
        "_dtype",
        "_extras",
        "_node",
        "_output_nr",
        "_requires_grad",
        "_view",
    )
    __array_priority__ = 1000  # ndarray + Tensor asks the tensor
    __hash__ = object.__hash__
    _legacy_new: Any = None  # torch.Tensor(…): set by ops/creation.py

    def __new__(cls, *args: Any, **kwargs: Any) -> Tensor:
        return Tensor._legacy_new(cls, *args, **kwargs)

    @staticmethod
    def _make(array: Any, dtype: dtype, cls: type | None = None) -> Tensor:
        """A tensor without history over `array`, which it takes as it is."""
        self: Tensor = new(cls or Tensor)
        self._array = array
        self._dtype = dtype
        self._cell = self._view = self._node = self._extras = None
        self._output_nr, self._requires_grad = 0, False
        return self

    # ---- memory ----------------------------------------------------------------------------------

    def _share(self) -> Version:
        """Get ready for the memory to be seen or written by others; gives the version cell.

        Note [Scalars]: a 0-dim result of an operation stays the NumPy scalar that the kernel
        returned: arithmetic on scalars is ten times as fast as on 0-dim arrays.  It becomes an
        array here, and only here.  The node that saved this result is told, since it must see
        later writes (`node.result_`) and their number (`node.cell`).
        """
        array, cell = self._array, self._cell
        if isinstance(array, np.generic):
            array = self._array = np.asarray(array)
        elif cell is not None:
            return cell
        node = self._node
        keeper = node if node is not None and "result" in node.saved else None
        if cell is None:  # `y.grad_fn._saved_result` may have come first: it counts with y
            known = keeper is not None and keeper.cell
            cell = self._cell = known if isinstance(known, Version) else Version()
        if keeper is not None and keeper.cell is None:
            keeper.cell, keeper.result_ = cell, array
        return cell

    def _meta(self) -> MetaArray:
        """Shape, strides and dtype of the memory, without the memory."""
        array = self._array
        return MetaArray(array.shape, array.dtype, array.strides)

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
    def data(self) -> Tensor:
        """The same memory without history, and without the watch on writes.

        Unlike `detach`, the result has a version counter of its own: a write through it is not
        noticed by the graph, and gradients may then be wrong in silence.
        """
        other = self.detach()
        other._cell = Version()
        return other

    def detach(self) -> Tensor:
        """The same memory without history: a leaf that does not require grad.

        Writes through it are counted (`_version` is shared), so backward notices them.
        """
        cell = self._share()
        other = Tensor._make(self._array, self._dtype)
        other._cell = cell
        other._view = self._view and Window(self._view.offset)
        if self.is_inference():
            other._more().inference = True
        return other

    # ---- place in the graph ----------------------------------------------------------------------

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
    def grad(self) -> Tensor | None:
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

    def _accumulate(self, grad: Any, writes: int | None = None) -> None:
        """Add an incoming gradient (an array, or a tensor with history) to `.grad`.

        `writes` is None if others hold the array too: then it is copied, so that no two `.grad`s
        share memory.  Later gradients are added into the same object, so that every reference to
        it sees the sum; with a history, the sum is a new tensor.
        """
        more = self._more()
        old = more.grad
        if isinstance(grad, Tensor):
            more.grad = grad._clone_for(self) if old is None else old + grad  # type: ignore[attr-defined]
        elif old is None:
            if writes is None or not layout.fits(grad, self._array):
                grad, writes = layout.like(grad, self._array), int(layout.is_dense(self._array))
            more.grad = Tensor._make(grad, dtypes.of_numpy(grad.dtype))
            more.grad._cell = Version(writes) if writes else None
        else:
            cell = old._share()
            np.add(old._array, grad, out=old._array, casting="unsafe")
            cell.value += 1

    def _set_history(self, node: Any) -> None:
        """Make `node` the operation that made this tensor; a retained gradient moves along."""
        if self._extras is not None and self._extras.retains and self._node is not None:
            self._node.more().retain.pop(self._output_nr, None)
            node.more().retain[0] = weakref.ref(self)
        self._node, self._output_nr, self._requires_grad = node, 0, True

    def is_inference(self) -> bool:
        """Whether the tensor was made inside `torch.inference_mode()`."""
        return self._extras is not None and self._extras.inference
