"""What a model does with an input: which module was called inside which, and on whose results.

Learned through PyTorch's public hooks alone: a forward pre-hook and a forward hook on each module.
What happens between modules (`F.relu(x)`, `x + y`) has no hook; it is read from `grad_fn`, which
leads from the input of one module back to the results of others.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.values import is_tensor
from course_lib.viz.reading.walk import is_leaf_node, name_of

MANY = 2_000  # functions between modules that are recorded


@dataclass
class Call:
    """One call of a module, or one function between modules (then `module` is None).

    `parent` is the position of the call it happened in, -1 outside of all. `sources` are
    `(position, shape)`: where each tensor came from, None when nobody knows, and its shape.
    """

    name: str
    module: Any
    parent: int
    sources: list[tuple[int | None, str]] = field(default_factory=list)
    inside: int = 0
    results: tuple[str, ...] = ()
    error: str = ""


class Recording:
    """All calls in the order in which they began; the first ones are the inputs of the model."""

    def __init__(self, model: Any) -> None:
        self.calls: list[Call] = []
        self.error = ""
        self._open: list[int] = []
        self._names = _names_of(model)
        self._parameters = {id(p): name for name, p in model.named_parameters()}
        self._by_node: dict[int, int] = {}
        self._by_tensor: dict[int, int] = {}
        self._alive: list[Any] = []  # so that no id is given to another object meanwhile

    def add(self, name: str, module: Any, sources: Any = ()) -> int:
        """A new call inside the one that is running; gives back its position."""
        parent = self._open[-1] if self._open else -1
        self.calls.append(Call(name, module, parent, list(sources)))
        if parent >= 0:
            self.calls[parent].inside += 1
        return len(self.calls) - 1

    def made(self, at: int, tensor: Any) -> None:
        """From now on that tensor comes from there."""
        self._alive += [tensor, tensor.grad_fn]
        self._by_tensor[id(tensor)] = at
        if tensor.grad_fn is not None:
            self._by_node[id(tensor.grad_fn)] = at

    def before(self, module: Any, args: Any, kwargs: Any) -> None:
        sources = [(self.source(t), shape(t)) for t in tensors_in((args, kwargs))]
        self._open.append(self.add(self._names.get(id(module), ""), module, sources))

    def after(self, module: Any, args: Any, kwargs: Any, output: Any) -> None:
        at = self._open[-1]
        tensors = list(tensors_in(output))
        if self.calls[at].inside:
            for tensor in tensors:
                self.source(tensor)  # functions after the last module belong to this one
        else:
            for tensor in tensors:
                self.made(at, tensor)
        self.calls[at].results = tuple(map(shape, tensors))
        self._open.pop()

    def source(self, tensor: Any) -> int | None:
        """Which call a tensor comes from; records the functions on the way."""
        node = tensor.grad_fn
        if node is not None:
            return self._function(node)
        known = self._by_tensor.get(id(tensor))
        if known is None and id(tensor) in self._parameters:
            known = self.add(self._parameters[id(tensor)], None)
            self.made(known, tensor)
        return known

    def _function(self, first: Any) -> int | None:
        """The call that made what `first` is the grad_fn of, with everything behind it."""
        new: dict[int, Any] = {}
        waiting = [first]
        while waiting and len(self.calls) + len(new) < MANY:
            node = waiting.pop()
            if id(node) not in self._by_node and id(node) not in new:
                new[id(node)] = node
                waiting += [target for target, _ in node.next_functions if target is not None]
        for key, node in reversed(new.items()):  # what ran first comes first
            self._alive.append(node)
            self._by_node[key] = self.add(self._title(node), None)
        for key, node in new.items():
            self.calls[self._by_node[key]].sources = [
                (self._by_node.get(id(target)), "")
                for target, _ in node.next_functions
                if target is not None
            ]
        return self._by_node.get(id(first))

    def _title(self, node: Any) -> str:
        if is_leaf_node(node):
            return self._parameters.get(id(node.variable), "a leaf")
        return name_of(node)

    def failed(self, error: Exception) -> None:
        """The model raised: the innermost call that is running did it."""
        self.error = f"{type(error).__name__}: {error}"
        if self._open:
            self.calls[self._open[-1]].error = self.error


def record(model: Any, inputs: tuple[Any, ...]) -> Recording:
    """Calls the model in its evaluation mode and puts everything back as it was."""
    recording = Recording(model)
    fresh = [_tracked(given) for given in inputs]
    for k, tensor in enumerate(tensors_in(fresh)):
        recording.made(recording.add(f"input {k}" if k else "input", None), tensor)
        recording.calls[-1].results = (shape(tensor),)
    several = len(recording.calls) > 1
    recording.calls[0].name = "input 0" if several else "input"
    hooks = []
    try:
        for module in model.modules():
            hooks.append(module.register_forward_pre_hook(recording.before, with_kwargs=True))
            hooks.append(module.register_forward_hook(recording.after, with_kwargs=True))
        with evaluating(model):
            output = model(*fresh)
            results = [(recording.source(t), shape(t)) for t in tensors_in(output)]
            recording.add("output", None, results)
    except Exception as error:
        recording.failed(error)
    finally:
        for hook in hooks:
            hook.remove()
    return recording


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Evaluation mode, module by module as it was afterwards: batch norm must not learn from what
    we ask, nor dropout draw random numbers. Anything that is no module is left alone."""
    modules = list(model.modules()) if hasattr(type(model), "named_modules") else []
    modes = [module.training for module in modules]
    try:
        for module in modules:
            module.training = False
        yield
    finally:
        for module, mode in zip(modules, modes, strict=True):
            module.training = mode


def tensors_in(thing: Any) -> Iterator[Any]:
    """The tensors in nested tuples, lists and dicts, in order."""
    waiting = [thing]
    while waiting:
        now = waiting.pop()
        if is_tensor(now):
            yield now
        elif isinstance(now, dict):
            waiting += list(now.values())[::-1]
        elif isinstance(now, (tuple, list)):
            waiting += list(now)[::-1]


def shape(tensor: Any) -> str:
    """The shape in words: `(2, 3)`."""
    return str(tuple(tensor.shape))


def _tracked(given: Any) -> Any:
    """The same values, tracked, so that functions between modules can be followed; no leaf, so that
    a first module may write into them."""
    if is_tensor(given) and given.is_floating_point():
        return given.detach().clone().requires_grad_().clone()
    return given


def _names_of(model: Any) -> dict[int, str]:
    """All names of each module: the second and third of a shared one too."""
    names: dict[int, list[str]] = {}
    for name, module in model.named_modules(remove_duplicate=False):
        names.setdefault(id(module), []).append(name)
    return {key: ", ".join(found[:3]) for key, found in names.items()}
