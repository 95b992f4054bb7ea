"""A backward pass that leaves no trace: what each function receives and what it sends.

`torch.autograd.grad` runs it, because that leaves the `.grad` of every leaf alone and keeps hooks
from running that wait for a leaf's `.grad`, such as an optimizer inside backward. Tensors that
retain their gradient are written all the same; they get back what they had.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading import wanted
from course_lib.viz.reading.library import library_of
from course_lib.viz.reading.values import is_tensor
from course_lib.viz.reading.walk import Walk, is_leaf_node


@dataclass(frozen=True)
class Passed:
    """One function at work: its position in the walk, what was seen of the gradients that came in
    and of those that went out, None where there was none. A leaf sends nothing."""

    node: int
    received: tuple[Any, ...]
    sent: tuple[Any, ...] = ()


def passing(
    output: Any, graph: Walk, look: Callable[[Any], Any], gradient: Any = None
) -> tuple[list[Passed], str]:
    """What `look` saw of each gradient, in the order in which functions ran, then of each leaf's;
    and the error that ended the pass, if any.

    >>> import course_lib as torch
    >>> from course_lib.viz.reading.walk import walk
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = (x * x).sum()
    >>> steps, problem = passing(y, walk([y.grad_fn]), lambda g: g.tolist())
    >>> steps[-1], x.grad
    (Passed(node=2, received=([2.0, 4.0],), sent=()), None)
    """
    steps: list[Passed] = []

    def seen(gradients: Any) -> tuple[Any, ...]:
        return tuple(None if g is None else look(g.detach()) for g in gradients)

    def watcher(i: int) -> Callable[[Any, Any], None]:
        return lambda sent, received: steps.append(Passed(i, seen(received), seen(sent)))

    leaves = {i: node.variable for i, node in enumerate(graph.nodes) if is_leaf_node(node)}
    library = library_of(output)
    hooks = [
        node.register_hook(watcher(i)) for i, node in enumerate(graph.nodes) if i not in leaves
    ]
    kept = _retained(library)
    problem = ""
    try:
        grads = library.autograd.grad(
            output, list(leaves.values()), gradient, retain_graph=True, allow_unused=True
        )
        steps += [Passed(i, seen([g])) for i, g in zip(leaves, grads, strict=True)]
    except RuntimeError as error:
        problem = str(error)
    finally:
        for hook in hooks:
            hook.remove()
        for tensor, grad in kept:
            tensor.grad = grad
    return steps, problem


def _retained(library: Any) -> list[tuple[Any, Any]]:
    """Every living tensor that retains its gradient, with what it has now: no graph leads to it."""
    living = (t for t in gc.get_objects() if issubclass(type(t), library.Tensor))
    return [(t, t.grad) for t in living if t.retains_grad]


def starting(output: Any, gradient: Any, picture: str) -> Any:
    """The gradient that a pass begins with: ones, unless another is given.

    >>> import course_lib as torch
    >>> starting(torch.zeros(2), None, "draw_nonfinite")
    tensor([1., 1.])
    """
    if gradient is None:
        return library_of(output).ones_like(output.detach())
    if not is_tensor(gradient) or tuple(gradient.shape) != tuple(output.shape):
        came = (
            f"a tensor of shape {tuple(gradient.shape)}"
            if is_tensor(gradient)
            else wanted.came(gradient)
        )
        shape = tuple(output.shape)
        raise ValueError(
            f"{picture} wants gradient= to be a tensor of shape {shape}, the shape of the output, "
            f"not {came}. torch.ones({shape}) starts with ones."
        )
    return gradient
