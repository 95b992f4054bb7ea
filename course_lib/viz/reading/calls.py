"""What a model does with an input: which module was called inside which, and on whose results.

Learned through public means alone: a forward pre-hook and a forward hook on each module. What
happens between modules (`F.relu(x)`, `x + y`) has no hook; it is read from `grad_fn`, which leads
from the input of one module back to the results of others, in the words of `operations.py`.

Autograd does not record all: `detach`, `argmax`, what runs in `no_grad`. So each call of a function
is watched too, and an `Unrecorded` stands in the graph where its result has no `grad_fn`.
"""

import inspect
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from course_lib.viz.reading.models import (
    library_of,
    modules_of,
    parts_of,
    restore_model,
    tensors_in,
    tensors_of,
    with_tensors,
)
from course_lib.viz.reading.operations import Edge, Operation, operation_name, operation_of, shapes
from course_lib.viz.reading.values import shape_of
from course_lib.viz.reading.walk import is_leaf_node

MANY = 5_000  # operations between modules that are recorded


@dataclass
class Call:
    """One step of a forward.

    `kind` is "input", "module", "operation", "output", "parameter", "buffer" or "tensor" (one
    without a gradient, which may come from anywhere); `parent` is the position of the call that it
    happened in, -1 outside of all. `sources` are `(position, words)`: where each tensor came from,
    None when nobody knows, and its shape. `uses` are the parameters, name and shape, that an
    operation takes directly. `unrecorded`: it is an operation through which no gradient goes.
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
    unrecorded: bool = False


class Unrecorded:
    """What stands for the function of a tensor that has none: as `grad_fn` would, it tells the
    operation, what that worked on, and when."""

    def __init__(self, word: str, tensor: Any, inputs: tuple[Edge, ...], number: float) -> None:
        self.word, self.number = word, number
        self.next_functions, self._input_metadata = inputs, (tensor,)

    def name(self) -> str:
        return self.word

    def _sequence_nr(self) -> float:
        return self.number


class Recording:
    """All calls in the order in which they began; the first ones are the inputs of the model."""

    def __init__(self, model: Any) -> None:
        self.calls: list[Call] = []
        self.error: Exception | None = None
        self.problem: Exception | None = None  # ours, not the model's
        self.busy = False
        self.cut = False
        self.library = library_of(model)
        self._enable_grad = getattr(self.library, "enable_grad", nullcontext)
        self._open: list[tuple[int, set[int]]] = []  # calls, and the functions behind their inputs
        self._names: dict[int, str] = {}  # of each module all its names, of a shared one too
        for name, module in modules_of(model, names=3):
            others = self._names.get(id(module))
            self._names[id(module)] = name if others is None else f"{others}, {name}"
        self._own = {id(p): ("parameter", name) for name, p in tensors_of(model)}
        self._own |= {id(b): ("buffer", name) for name, b in tensors_of(model, "_buffers")}
        self._by_node: dict[int, int] = {}
        self._constants: dict[int, int] = {}  # tensors that no call made
        self._stands: dict[int, Unrecorded] = {}  # by tensor
        self._besides: dict[int, list[Edge]] = {}  # what a function used without a gradient
        self._said: dict[int, str] = {}  # what the program called that made a function
        self._now = 0.0  # the number of the last operation
        self._alive: list[Any] = []  # so that no id is given to another object meanwhile

    def add(self, name: str, kind: str, module: Any = None) -> int:
        """A new call inside the one that is running; gives back its position."""
        parent = self._open[-1][0] if self._open else -1
        self.calls.append(Call(name, kind, module, parent))
        if parent >= 0:
            self.calls[parent].inside += 1
        return len(self.calls) - 1

    def made(self, at: int, tensor: Any) -> None:
        """From now on that tensor comes from there."""
        node = self._node(tensor) or self._stand("", tensor, ())
        self._alive += [tensor, node]
        self._by_node[id(node)] = at

    # ---- functions ----

    def _node(self, tensor: Any) -> Any:
        """The function that made a tensor, or what stands for it; None for a constant."""
        return self._stands.get(id(tensor)) if tensor.grad_fn is None else tensor.grad_fn

    def _stand(self, word: str, tensor: Any, inputs: tuple[Edge, ...]) -> Unrecorded:
        self._now += 2.0**-20
        self._stands[id(tensor)] = Unrecorded(word, tensor, inputs, self._now)
        return self._stands[id(tensor)]

    @contextmanager
    def ours(self) -> Iterator[None]:
        """What happens in here is not of the model: neither the calls nor an error."""
        self.busy = True
        try:
            yield
        except Exception as error:
            self.problem = error
            raise
        finally:
            self.busy = False

    def called(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """PyTorch calls this in the place of each function."""
        word = func.__self__.__name__ if func.__name__ == "__get__" else func.__name__
        used = self.used((args, kwargs))
        result = func(*args, **(kwargs or {}))
        self.gave(word, args, used, result)
        return result

    def used(self, args: Any) -> list[tuple[Any, Edge]]:
        """The tensors among some arguments that come from somewhere, with the way to there."""
        with self.ours():
            tensors = [tensor for _, tensor in tensors_in(args)]
            return [(t, (node, t.output_nr)) for t in tensors if (node := self._node(t))]

    def gave(self, word: str, args: Any, used: list[tuple[Any, Edge]], result: Any) -> None:
        """A function gave back a result, or has written into its first argument."""
        with self.ours():
            put = word.strip("_") == "setitem"
            written = put or (word.endswith("_") and word != "requires_grad_")
            for _, tensor in tensors_in(args[0] if put else result):
                if tensor.grad_fn is not None:
                    self._now = tensor.grad_fn._sequence_nr()
                    self._alive.append(tensor.grad_fn)
                    edges = [edge for _, edge in used if isinstance(edge[0], Unrecorded)]
                    self._besides.setdefault(id(tensor.grad_fn), edges)
                    self._said.setdefault(id(tensor.grad_fn), word)
                elif used and (written or all(tensor is not t for _, t in tensors_in(args))):
                    self._stand(word.strip("_"), tensor, tuple(edge for _, edge in used))

    # ---- modules ----

    def before(self, module: Any, args: Any, kwargs: Any) -> None:
        with self.ours():
            tensors = [tensor for _, tensor in tensors_in((args, kwargs))]
            for tensor in tensors:  # first those from nowhere: then the steps of a cell begin alike
                if self._node(tensor) is None:
                    self.source(tensor)
            sources = [(self.source(tensor), shape(tensor)) for tensor in tensors]
            at = self.add(self._names.get(id(module), ""), "module", module)
            self.calls[at].sources = sources
            behind = {id(t if t.grad_fn is None else t.grad_fn) for t in tensors}
            self._open.append((at, behind))

    def after(self, module: Any, args: Any, kwargs: Any, output: Any) -> Any:
        with self.ours():
            while self.calls[self._open[-1][0]].module is not module:  # calls that raised
                self._open.pop()
            at, arrived = self._open[-1]
            home = next(c.__module__ for c in type(module).__mro__ if "forward" in vars(c))
            theirs = self.library is not None and home.partition(".")[0] == self.library.__name__
            for _, tensor in tensors_in(output):  # what came after the last module inside
                if self.calls[at].inside or (self._node(tensor) is not None and not theirs):
                    self.source(tensor)
            if not self.calls[at].inside:
                output = with_tensors(output, lambda tensor: self._follow(tensor, arrived))
                for _, tensor in tensors_in(output):
                    self.made(at, tensor)
            self.calls[at].results = tuple(shape(tensor) for _, tensor in tensors_in(output))
            self._open.pop()
            return output

    def _follow(self, tensor: Any, arrived: set[int]) -> Any:
        """A result that can later be recognised as coming from here: one that arrived with a
        history gets a new one."""
        if tensor.grad_fn is None or id(tensor.grad_fn) not in arrived:
            return tensor
        with self._enable_grad():
            return tensor.clone()

    # ---- where a tensor comes from ----

    def tracked(self, tensor: Any) -> Any:
        """The same values, tracked, so that operations can be followed; no leaf, so that a module
        may write into them."""
        if not (tensor.is_floating_point() or tensor.is_complex()):
            return tensor
        with self._enable_grad():
            return tensor.detach().clone().requires_grad_().clone()

    def source(self, tensor: Any) -> int | None:
        """Which call a tensor comes from; records the operations on the way. None if
        they are more than `MANY`."""
        node = self._node(tensor)
        if node is not None:
            return self._operations(node)
        if id(tensor) not in self._constants:  # a step of its own: no call made it
            kind, name = self._own.get(id(tensor), ("tensor", "tensor"))
            at = self._constants[id(tensor)] = self.add(name, kind)
            self.calls[at].results = (shape_of(tensor),)
            self._alive.append(tensor)
        return self._constants[id(tensor)]

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
            operation = operation_of(node, self._by_node)
            besides = [edge for part in (node, *operation.parts)
                       for edge in self._besides.get(id(part), ())]  # fmt: skip
            operation = replace(operation, inputs=(*operation.inputs, *besides))
            found[id(node)] = (node, operation)
            waiting += [target for target, _ in operation.inputs]
        for node, operation in sorted(found.values(), key=lambda one: one[0]._sequence_nr()):
            name = operation_name(operation.name, self._said.get(id(node), ""))
            at = self._by_node[id(node)] = self.add(name, "operation")
            self._alive += [node, *operation.parts, *(target for target, _ in operation.inputs)]
            self.calls[at].results = (shapes(node),)
            self.calls[at].unrecorded = isinstance(node, Unrecorded)
        for node, operation in found.values():
            call = self.calls[self._by_node[id(node)]]
            for source, output_nr in operation.inputs:
                if is_leaf_node(source):
                    _, name = self._own.get(id(source.variable), ("", "a leaf"))
                    call.uses += ((name, shape(source.variable)),)
                else:
                    made_at = self._by_node.get(id(source))
                    call.sources.append((made_at, shapes(source, (output_nr,))))
        return self._by_node.get(id(last))

    def failed(self, error: Exception) -> None:
        """The model raised: the innermost call that is running did it."""
        self.error = error
        if self._open:
            self.calls[self._open[-1][0]].error = f"{type(error).__name__}: {error}"


def record(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Recording:
    """Calls the model in its evaluation mode and puts everything back as it was."""
    recording = Recording(model)
    hooks, running = [], False
    try:
        with restore_model(model):
            given = with_tensors((args, kwargs or {}), recording.tracked)
            inputs = list(tensors_in(named_inputs(model, *given)))
            for place, tensor in inputs:  # a step for each; named where there are several
                at = recording.add(f"input {place}" if len(inputs) > 1 else "input", "input")
                recording.calls[at].results = (shape(tensor),)
                recording.made(at, tensor)
            for _, module in modules_of(model):
                kind, last = type(module), {"with_kwargs": True}
                hooks.append(kind.register_forward_pre_hook(module, recording.before, **last))
                hooks.append(kind.register_forward_hook(module, recording.after, **last))
            with _watch_functions(recording):
                running = True
                output = model(*given[0], **given[1])
                running = False
            given_back = list(tensors_in(output))
            sources = [(recording.source(t), f"{at} {shape(t)}".lstrip()) for at, t in given_back]
            recording.calls[recording.add("output", "output")].sources = sources
    except Exception as error:
        if running and recording.problem is None:
            recording.failed(error)
        recording.problem = recording.problem or (None if running else error)
    finally:
        for hook in hooks:
            hook.remove()
    return recording


def _watch_functions(recording: Recording) -> AbstractContextManager[Any]:
    """Tells the recording of each function that is called inside."""
    library = recording.library
    mode = getattr(getattr(library, "overrides", None), "TorchFunctionMode", None)
    if mode is not None:
        watch = {"__torch_function__": lambda _, *given: recording.called(*given)}
        return type("Watched", (mode,), watch)()
    return nullcontext() if library is None else _profile_functions(recording, library.__name__)


@contextmanager
def _profile_functions(recording: Recording, library: str) -> Iterator[None]:
    """The same for a library that is written in Python: its functions are seen at work. One that a
    module does, or that calls a function of the reader, is looked into."""
    known = {*sys.stdlib_module_names, "numpy", "ml_dtypes"} - {"__main__"}
    at_work: tuple[Any, ...] = ()  # the function that is running, and what it was called with

    def watch(frame: FrameType, event: str, result: Any) -> None:
        nonlocal at_work
        if recording.busy:
            return
        if event == "return" and at_work and frame is at_work[0]:
            _, args, used = at_work
            at_work = ()
            recording.gave(frame.f_code.co_name, args, used, result)
        elif event == "call":
            name = str(frame.f_globals.get("__name__"))
            home = name.partition(".")[0]
            if home != library:
                at_work = at_work if home in known or home not in sys.modules else ()
            elif not at_work and not name.startswith(f"{library}.viz"):
                given = inspect.getargvalues(frame)
                names = filter(None, [*given.args, given.varargs, given.keywords])
                args = [given.locals[name] for name in names]
                if not any(hasattr(part, "_modules") for _, part in parts_of(args)):
                    at_work = (frame, args, recording.used(args))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)


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
