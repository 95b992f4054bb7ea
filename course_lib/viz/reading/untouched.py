"""Running a backward pass for a picture, so that nothing of it is left behind."""

import gc
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from course_lib.viz.reading.walk import Walk


@contextmanager
def untouched(output: Any, graph: Walk) -> Iterator[list[tuple[Any, Any]]]:
    """Each tensor behind `output` that collects a gradient, with the `.grad` that it had.

    Inside the block every `.grad` is None, so that the pass adds into new ones. At the end, also
    after an error, the same objects are back, and random numbers go on as if nothing had run.
    """
    kept = [(tensor, tensor.grad) for tensor in collectors(output, graph)]
    with ExitStack() as at_the_end:
        fork = _fork_rng(output)
        if fork is not None:
            at_the_end.enter_context(fork())
        try:
            for tensor, _ in kept:
                tensor.grad = None
            yield kept
        finally:
            for tensor, gradient in kept:
                tensor.grad = gradient


def collectors(output: Any, graph: Walk) -> list[Any]:
    """The leaves of a graph, and its other tensors that `retain_grad()` was called on.

    A function does not tell which tensors it has made, and the reader may keep such a tensor
    anywhere. So the garbage collector is asked for all tensors there are.

    >>> import course_lib as torch
    >>> from course_lib.viz.reading.walk import walk
    >>> x = torch.tensor(1., requires_grad=True)
    >>> kept = {"deep": [x * 2]}
    >>> kept["deep"][0].retain_grad()
    >>> y = kept["deep"][0] * 3
    >>> [tensor.item() for tensor in collectors(y, walk([y.grad_fn]))]
    [1.0, 2.0]
    """
    leaves = [node.variable for node in graph.nodes if hasattr(node, "variable")]
    same_type = [thing for thing in gc.get_objects() if type(thing) is type(output)]
    retaining = [t for t in same_type if t.retains_grad and graph.find(t.grad_fn) is not None]
    return leaves + retaining


def _fork_rng(output: Any) -> Any:
    """`random.fork_rng` of the library that the tensor comes from, None if it has none."""
    for kind in type(output).__mro__:
        library = sys.modules.get(kind.__module__.partition(".")[0])
        fork = getattr(getattr(library, "random", None), "fork_rng", None)
        if fork is not None:
            return fork
    return None
