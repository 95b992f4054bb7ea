"""What a model does with an input: which module was called inside which, and on whose results.

Learned through public means alone: a forward pre-hook and a forward hook on each module. What
happens between modules (`F.relu(x)`, `x + y`) has no hook; it is read from `grad_fn`, which leads
from the input of one module back to the results of others, in the words of `operations.py`.
"""

import inspect
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from course_lib.viz.reading.containers import tensors_in, with_tensors
from course_lib.viz.reading.library import library_of
from course_lib.viz.reading.operations import Operation, alone, operation_of, shape_at
from course_lib.viz.reading.undisturbed import undisturbed
from course_lib.viz.reading.values import dtype_of
from course_lib.viz.reading.walk import is_leaf_node

MANY = 5_000  # operations between modules that are recorded


@dataclass
class Call:
    """One step of a forward.

    `kind` is "input", "module", "operation", "output", "parameter", "buffer" or "tensor" (one
    without a gradient, which may come from anywhere); `parent` is the position of the call that it
    happened in, -1 outside of all. `sources` are `(position, words)`: where each tensor came from,
    None when nobody knows, and its shape. `uses` are the parameters, name and shape, that an
    operation takes directly.
    """

    name: str
    kind: str
    module: Any
    parent: int
    sources: list[tuple[int | None, str]] = field(default_factory=list)
    inside: int = 0
    results: tuple[str, ...] = ()
    uses: tuple[tuple[str, str], ...] = ()
    error: str = ""


class Recording:
    """All calls in the order in which they began; the first ones are the inputs of the model."""

    def __init__(self, model: Any) -> None:
        self.calls: list[Call] = []
        self.error: Exception | None = None
        self.cut = False
        self._library = library_of(model)
        self._open: list[int] = []
        self._arrived: list[set[int]] = []  # the functions behind the inputs of each open call
        self._names = _names_of(model)
        self._own = {id(p): ("parameter", name) for name, p in model.named_parameters()}
        self._own |= {id(b): ("buffer", name) for name, b in model.named_buffers()}
        self._by_node: dict[int, int] = {}
        self._by_tensor: dict[int, int] = {}
        self._alive: list[Any] = []  # so that no id is given to another object meanwhile

    def add(self, name: str, kind: str, module: Any = None) -> int:
        """A new call inside the one that is running; gives back its position."""
        parent = self._open[-1] if self._open else -1
        self.calls.append(Call(name, kind, module, parent))
        if parent >= 0:
            self.calls[parent].inside += 1
        return len(self.calls) - 1

    def made(self, at: int, tensor: Any) -> None:
        """From now on that tensor comes from there."""
        self._alive += [tensor, tensor.grad_fn]
        self._by_tensor[id(tensor)] = at
        if tensor.grad_fn is not None:
            self._by_node[id(tensor.grad_fn)] = at

    # ---- modules ----

    def before(self, module: Any, args: Any, kwargs: Any) -> None:
        tensors = [tensor for _, tensor in tensors_in((args, kwargs))]
        for tensor in tensors:  # first those from nowhere: then the steps of a cell begin alike
            if tensor.grad_fn is None:
                self.source(tensor)
        sources = [(self.source(tensor), shape(tensor)) for tensor in tensors]
        at = self.add(self._names.get(id(module), ""), "module", module)
        self.calls[at].sources = sources
        self._open.append(at)
        self._arrived.append({id(t if t.grad_fn is None else t.grad_fn) for t in tensors})

    def after(self, module: Any, args: Any, kwargs: Any, output: Any) -> Any:
        while self.calls[self._open[-1]].module is not module:  # calls that raised, and were caught
            self._open.pop()
            self._arrived.pop()
        at, arrived = self._open[-1], self._arrived.pop()
        self._at_the_end_of(self.calls[at], [tensor for _, tensor in tensors_in(output)])
        opened = self.calls[at].inside > 0
        if not opened:
            output = with_tensors(output, lambda tensor: self._followed(tensor, arrived))
            for _, tensor in tensors_in(output):
                self.made(at, tensor)
        self.calls[at].results = tuple(shape(tensor) for _, tensor in tensors_in(output))
        self._open.pop()
        return output

    def _at_the_end_of(self, call: Call, results: list[Any]) -> None:
        """Records what happened after the last module inside: it belongs to this one."""
        home = getattr(type(call.module).forward, "__module__", "") or ""
        theirs = self._library is not None and home.partition(".")[0] == self._library.__name__
        for tensor in results:
            if call.inside:
                if self.source(tensor) is None:  # made inside, where no gradient is recorded
                    self.calls[self._unknown(tensor)].sources = [(None, shape(tensor))]
            elif tensor.grad_fn is not None and not theirs:
                self.source(tensor)

    def _followed(self, tensor: Any, arrived: set[int]) -> Any:
        """A result such that one can tell later that it came from here: with a history, and not the
        one that it came with."""
        if tensor.grad_fn is None:
            return tensor if id(tensor) in self._by_tensor else self.tracked(tensor)
        if id(tensor.grad_fn) not in arrived:
            return tensor
        with self._recorded():
            return tensor.clone()

    # ---- where a tensor comes from ----

    def tracked(self, tensor: Any) -> Any:
        """The same values, tracked, so that operations can be followed; no leaf, so that a module
        may write into them."""
        if not (tensor.is_floating_point() or tensor.is_complex()):
            return tensor
        with self._recorded():
            return tensor.detach().clone().requires_grad_().clone()

    def _recorded(self) -> AbstractContextManager[Any]:
        return nullcontext() if self._library is None else self._library.enable_grad()

    def source(self, tensor: Any) -> int | None:
        """Which call a tensor comes from; records the operations on the way. None where nobody
        knows, because no gradient is recorded now."""
        if tensor.grad_fn is not None:
            return self._operations(tensor.grad_fn)
        known = self._by_tensor.get(id(tensor))
        if known is None:  # a view of integers has no history, but it has a base
            known = self._by_tensor.get(id(getattr(tensor, "_base", None)))
        blind = self._library is not None and not self._library.is_grad_enabled()
        if known is not None or (blind and tensor.is_floating_point()):
            return known
        return self._unknown(tensor)

    def _unknown(self, tensor: Any) -> int:
        """A step of its own for a tensor that no call made."""
        kind, name = self._own.get(id(tensor), ("tensor", "tensor"))
        at = self.add(name, kind)
        self.calls[at].results = (f"{shape(tensor)} {dtype_of(tensor)}",)
        self.made(at, tensor)
        return at

    def _operations(self, last: Any) -> int | None:
        """The call that made what `last` is the grad_fn of, with all operations behind it."""
        found: dict[int, tuple[Any, Operation]] = {}
        waiting = [last]
        while waiting:
            node = waiting.pop()
            if id(node) in self._by_node or id(node) in found or is_leaf_node(node):
                continue
            if len(self.calls) + len(found) >= MANY:
                self.cut = True
                break
            operation = operation_of(node)
            if any(id(part) in self._by_node for part in operation.parts):
                operation = alone(node)  # a part of it is the result of a module
            found[id(node)] = (node, operation)
            waiting += [target for target, _ in operation.inputs]
        for node, operation in sorted(found.values(), key=_when):
            at = self._by_node[id(node)] = self.add(operation.name, "operation")
            self._alive += [node, *operation.parts, *(target for target, _ in operation.inputs)]
            self.calls[at].results = (words_of((node, 0)),)
        for node, operation in found.values():
            self._fill(self.calls[self._by_node[id(node)]], operation)
        return self._by_node.get(id(last))

    def _fill(self, call: Call, operation: Operation) -> None:
        for edge in operation.inputs:
            if is_leaf_node(edge[0]):
                _, name = self._own.get(id(edge[0].variable), ("", "a leaf"))
                call.uses += ((name, shape(edge[0].variable)),)
            else:
                call.sources.append((self._by_node.get(id(edge[0])), words_of(edge)))

    def failed(self, error: Exception) -> None:
        """The model raised: the innermost call that is running did it."""
        self.error = error
        if self._open:
            self.calls[self._open[-1]].error = f"{type(error).__name__}: {error}"


def record(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Recording:
    """Calls the model in its evaluation mode and puts everything back as it was."""
    recording = Recording(model)
    hooks = []
    try:
        with undisturbed(model):
            given = with_tensors((args, kwargs or {}), recording.tracked)
            _inputs(recording, named_inputs(model, *given))
            for module in model.modules():
                hooks.append(module.register_forward_pre_hook(recording.before, with_kwargs=True))
                hooks.append(module.register_forward_hook(recording.after, with_kwargs=True))
            output = model(*given[0], **given[1])
            sources = []
            for place, tensor in tensors_in(output):
                sources.append((recording.source(tensor), f"{place} {shape(tensor)}".lstrip()))
            recording.calls[recording.add("output", "output")].sources = sources
    except Exception as error:
        recording.failed(error)
    finally:
        for hook in hooks:
            hook.remove()
    return recording


def _inputs(recording: Recording, inputs: dict[str, Any]) -> None:
    """A step for each tensor among the inputs; named where there are several."""
    tensors = list(tensors_in(inputs))
    for place, tensor in tensors:
        at = recording.add(f"input {place}" if len(tensors) > 1 else "input", "input")
        recording.calls[at].results = (shape(tensor),)
        recording.made(at, tensor)


def named_inputs(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """What a model is called with, by the names that its forward gives it; a `TypeError` where it
    cannot be called so."""
    try:
        signature = inspect.signature(model.forward)
    except ValueError:  # a forward that is not written in Python
        return {"inputs": args, **kwargs}
    return dict(signature.bind(*args, **kwargs).arguments)


def shape(tensor: Any) -> str:
    """The shape in words: `(2, 3)`."""
    return str(tuple(tensor.shape))


def words_of(edge: Any) -> str:
    """The shape of an output of a function in words; `""` where the function does not say it."""
    known = shape_at(edge)
    return "" if known is None else str(known)


def _when(found: tuple[Any, Operation]) -> int:
    number: int = found[0]._sequence_nr()
    return number


def _names_of(model: Any) -> dict[int, str]:
    """All names of each module: the second and third of a shared one too."""
    names: dict[int, list[str]] = {}
    for name, module in model.named_modules(remove_duplicate=False):
        names.setdefault(id(module), []).append(name)
    return {key: ", ".join(found[:3]) for key, found in names.items()}
