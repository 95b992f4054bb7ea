"""`vmap`: a function of one example becomes a function of a batch.

PyTorch runs the function once, on tensors that hide their batch dimension.  This one runs it once
for each example and stacks what comes back, so that every operation and every derivative works
without a rule for batches.  A loop knows less than hidden dimensions do, so `Batch` sees to what
the two would not have in common: random numbers, numbers that Python reads, writes.

    x ──select(0, i)──► func ──► y_i ──stack──► y            i = 0, 1, …, one after another
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from course_lib.beyond.trees import leaves, mapped, rebuilt, spread, structure
from course_lib.core.tensor import Tensor
from course_lib.memory import layout
from course_lib.modes import modes, switched
from course_lib.ops.shape.join import stack
from course_lib.words import errors

__all__ = ["vmap"]


def vmap(
    func: Callable,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable:
    """The function that applies `func` to each example of a batch and stacks the results.

    `in_dims` says which dimension of each argument counts the examples, `None` that all examples
    get the whole argument; `out_dims` says where the results have that dimension.  Arguments and
    results may be tuples, lists and dictionaries, with `in_dims` and `out_dims` like them or one
    number for all.  Keyword arguments are not split.  Random numbers are refused unless
    `randomness` is "same" or "different", which says whether the examples share them.

    The examples run one after another, where PyTorch runs them all at once.  Values, gradients and
    random numbers are the same.  But a `print` in `func` prints once for each example, the results
    are new tensors with the `grad_fn` of `stack`, and a large batch takes no less time than a loop.
    As in PyTorch, `func` may not use `.item()` or `if` on a number that depends on the example, nor
    write into a tensor that all examples share.

    >>> rows = torch.tensor([[1., 2.], [3., 4.]])
    >>> torch.vmap(torch.dot, in_dims=(0, None))(rows, torch.tensor([1., 10.]))
    tensor([21., 43.])
    >>> slope = torch.func.grad(lambda w, x: (w * x ** 2).sum())
    >>> torch.vmap(slope, in_dims=(None, 0))(torch.tensor(1.), torch.tensor([1., 2., 3.]))
    tensor([1., 4., 9.])
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(errors.RANDOMNESS.format(randomness))
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(errors.CHUNK_SIZE.format(chunk_size))

    @functools.wraps(func)
    def of_batch(*args: Any, **kwargs: Any) -> Any:
        name = named(func)
        if any(not isinstance(dim, int) for dim in leaves(out_dims) if dim is not None):
            raise ValueError(errors.out_dims_type(name, out_dims))
        mapping = Mapping(name, in_dims, args)
        found, size = [], max(mapping.size, 1)  # without any example, one of zeros runs
        step = chunk_size if randomness == "different" and chunk_size else size
        for start in range(0, size, step):
            count = min(step, size - start)
            batch = Batch(count, randomness, mapping)
            with switched(vmap=batch, before_write=batch.write, quiet=batch.compute):
                for batch.index in range(count):
                    values = mapping.example(start + batch.index)
                    batch.begin([one for one, _ in mapping.split(values)])
                    found.append(func(*rebuilt(args, values), **kwargs))
        return joined(name, found, out_dims, mapping.size, batch)

    return of_batch


def named(func: Any) -> str:
    """What messages call a function."""
    if isinstance(func, functools.partial):
        return f"functools.partial({named(func.func)}, ...)"
    return getattr(func, "__name__", None) or repr(func)


# ---- what goes in --------------------------------------------------------------------------------


class Mapping:
    """The arguments of one call, and along which dimensions they are split."""

    def __init__(self, name: str, in_dims: Any, args: tuple):
        if not isinstance(in_dims, (int, tuple)):
            raise ValueError(errors.in_dims_type(name, in_dims))
        if not args:
            raise ValueError(errors.no_inputs(name))
        dims = spread(in_dims, args)
        if dims is None:
            shapes = structure(in_dims), structure(args)
            raise ValueError(errors.in_dims_structure(name, in_dims, *shapes))
        self.values, self.dims = leaves(args), dims
        for value, dim in zip(self.values, dims, strict=True):
            if dim is not None:
                check_split(name, in_dims, value, dim)
        sizes = [value.size(dim) for value, dim in self.split(self.values)]
        if not sizes:
            raise ValueError(errors.NOTHING_MAPPED)
        if len(set(sizes)) > 1:
            raise ValueError(errors.batch_sizes(sizes))
        self.size: int = sizes[0]

    def split(self, values: list[Any]) -> Iterator[tuple[Tensor, int]]:
        """Those of `values` that are split, or come from it, and their dimensions."""
        pairs = zip(values, self.dims, strict=True)
        return ((value, dim) for value, dim in pairs if dim is not None)

    def example(self, index: int) -> list[Any]:
        """The values for one example."""
        pairs = zip(self.values, self.dims, strict=True)
        return [self.part(value, dim, index) for value, dim in pairs]

    def part(self, value: Any, dim: int | None, index: int) -> Any:
        """What one example gets of an argument; zeros if there is no example at all."""
        if dim is None:
            return value
        return value.select(dim, index) if self.size else value.sum(dim).to(value.dtype)


def check_split(name: str, in_dims: Any, value: Any, dim: Any) -> None:
    """Raise PyTorch's error if a value has no such dimension."""
    if not isinstance(dim, int):
        raise ValueError(errors.in_dim_kind(name, in_dims, dim))
    if not isinstance(value, Tensor):
        raise ValueError(errors.in_dim_of_other(name, in_dims, dim, type(value)))
    if not -value.dim() <= dim < value.dim():
        raise ValueError(errors.in_dim_range(name, in_dims, dim, value.dim()))


# ---- what comes out ------------------------------------------------------------------------------


def joined(name: str, found: list[Any], out_dims: Any, size: int, batch: Batch) -> Any:
    """The results of all examples as one, with the batch dimension where `out_dims` says."""
    first = found[0]
    if isinstance(first, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
        out_dims = out_dims[0]
    dims = spread(out_dims, first)
    if dims is None:
        shapes = structure(out_dims), structure(first)
        raise ValueError(errors.out_dims_structure(name, out_dims, *shapes))
    rows = [leaves(one) for one in found]
    if any(shape_of(row) != shape_of(rows[0]) for row in rows):
        raise RuntimeError(errors.VMAP_READ["bool"])
    columns = zip(dims, zip(*rows, strict=True), strict=True)
    made = []
    for dim, values in columns:
        if dim is None:
            check_shared(name, values, batch)
            made.append(values[0])
        else:
            made.append(column(name, values, dim, size))
    return rebuilt(first, made)


def shape_of(row: list[Any]) -> list[Any]:
    """What the results of all examples have in common."""
    return [value.shape if isinstance(value, Tensor) else type(value) for value in row]


def check_shared(name: str, values: tuple, batch: Batch) -> None:
    """Raise PyTorch's error if a result that all examples should share depends on the example."""
    first, last = values[0], values[-1]
    if not isinstance(first, Tensor):
        return
    if batch.depends(last._array) or any(bits(value) != bits(first) for value in values):
        raise ValueError(errors.output_batched(name))


def column(name: str, values: tuple, dim: int, size: int) -> Tensor:
    """One result of all examples, with their dimension at `dim`."""
    if not isinstance(values[0], Tensor):
        raise ValueError(errors.output_type(name, type(values[0])))
    whole = stack(values)
    if not size:
        whole = whole[:0]
    return whole.movedim(0, int(dim)) if dim else whole


def bits(value: Any) -> bytes:
    """The elements of a tensor, to be compared; NaN equals itself."""
    return np.asarray(value._array).tobytes()


def as_array(value: Any) -> Any:
    """A NumPy scalar as an array, which is an object of its own; anything else as it is."""
    return np.asarray(value) if isinstance(value, np.generic) else value


def memory(array: Any) -> Any:
    """The array that owns the memory of `array`."""
    while isinstance(array, np.ndarray):
        base = getattr(array.base, "keep", array.base)  # see `layout.adopt`
        if not isinstance(base, np.ndarray):
            return array
        array = base
    return array


def bounds(array: Any) -> tuple[int, int]:
    """The addresses where the memory of an array begins and ends."""
    if not isinstance(array, np.ndarray):
        return 0, -1
    start = layout.address(array)
    return start, start + layout.extent(array.shape, array.strides, array.itemsize)


# ---- while it runs -------------------------------------------------------------------------------


class Batch:
    """One running `vmap`: what its examples, which run one after another, have to agree on.

    Note [One run for all]: in PyTorch all examples are one run of the function, so a number that
    Python reads there is one number for all, a write into a tensor from outside happens once, and
    a random operation draws once.  Here the first example notes what was read, written and drawn,
    in order.  The others have to read the same; they may not write there again; and they take
    their part of what was drawn.

    Most reads are refused earlier.  Kernels run through `compute`, which marks the memory of a
    result if it was computed from the example's part of an argument, or from marked memory.  A
    mark is lost where memory is filled without a kernel, as by `zeros_like`.
    """

    index: int

    def __init__(self, size: int, randomness: str, mapping: Mapping):
        self.size, self.randomness, self.outer = size, randomness, modes.vmap
        self.written_before = modes.before_write
        self.quiet = modes.quiet
        cells = [value._share() for value, _ in mapping.split(mapping.values)]
        self.own = {id(cell): cell for cell in cells}
        self.written: dict[int, Any] = {}
        self.reads: list[tuple[str, bytes]] = []
        self.draws: list[Any] = []
        self.begin([])

    def begin(self, parts: list[Tensor]) -> None:
        """The next example starts, with these parts of what was split."""
        self.read_so_far = self.drawn_so_far = 0
        self.parts = [bounds(part._array) for part in parts if part._array.size]
        self.marked: dict[int, Any] = {}

    def is_last(self) -> bool:
        """Whether no other example follows, here or around: then a graph may be freed."""
        return self.index == self.size - 1 and (self.outer is None or self.outer.is_last())

    def compute(self, kernel: Callable, /, *args: Any, **kwargs: Any) -> Any:
        """Run a kernel, and mark its results if one of its arguments is marked."""
        found = self.quiet(kernel, *args, **kwargs)
        given = leaves((args, kwargs))
        if not any(map(self.depends, given)):
            return found
        found = mapped(as_array, found)
        known = {id(memory(one)) for one in given}
        for one in map(memory, leaves(found)):
            if id(one) not in known:  # otherwise it is a view of an argument, marked or not
                self.marked[id(one)] = one
        return found

    def depends(self, array: Any) -> bool:
        """Whether an array is known to be computed from this example, or to be part of it."""
        if id(memory(array)) in self.marked:
            return True
        if not isinstance(array, np.ndarray) or not array.size:
            return False
        low, high = bounds(array)
        return any(start <= low and high <= end for start, end in self.parts)

    def read(self, array: Any, way: str) -> None:
        """Numbers decide what Python does next: they have to be those of the first example."""
        if self.outer is not None:
            self.outer.read(array, way)
        if self.depends(array):
            raise RuntimeError(errors.VMAP_READ[way])
        now = (way, np.asarray(array).tobytes())
        if self.index == 0:
            self.reads.append(now)
        elif self.read_so_far >= len(self.reads) or self.reads[self.read_so_far] != now:
            raise RuntimeError(errors.VMAP_READ[way])
        self.read_so_far += 1

    def write(self, tensor: Tensor) -> None:
        """A tensor is about to be written to: its memory must be the example's own.

        What a second example writes to again existed before the first, or the first left it behind.
        """
        if self.written_before is not None:
            self.written_before(tensor)
        cell = tensor._share()
        if id(cell) in self.own:
            return
        if self.index == 0:
            self.written[id(cell)] = cell
        elif id(cell) in self.written:
            raise RuntimeError(errors.VMAP_WRITE)

    def draw(self, make: Callable[[int], Any]) -> Any:
        """What a random operation gives one example: an item of ``make(number of examples)``."""
        return self.drawn(make, 1)[0]

    def drawn(self, make: Callable[[int], Any], times: int) -> Any:
        """The same `times` times over, for the examples of a `vmap` inside."""
        if self.randomness == "error":
            raise RuntimeError(errors.VMAP_RANDOM)
        apart = self.randomness == "different"
        if self.index == 0:
            count = times * self.size if apart else times
            self.draws.append(self.outer.drawn(make, count) if self.outer else make(count))
        found = self.draws[self.drawn_so_far]
        self.drawn_so_far += 1
        return found[self.index * times : (self.index + 1) * times] if apart else found
