"""Models and the containers they take: the modules and tensors inside, and running one unchanged.

What a module consists of is read from its tables: an attribute such as `self.modules = [...]` may
hide the method of that name, and some of those methods call others. No library is imported for it.
"""

import copy
import dataclasses
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from os.path import commonprefix
from typing import Any

from course_lib.viz.reading.values import is_tensor
from course_lib.viz.reading.walk import Walk, in_turn, name_of


def library_of(thing: Any) -> Any:
    """The library of a tensor, dtype or module; None for anything else.

    >>> import course_lib as torch
    >>> library_of(torch.ones(2)) is torch, library_of(3)
    (True, None)
    """
    roots = [sys.modules.get(cls.__module__.partition(".")[0]) for cls in type(thing).__mro__]
    return next((root for root in roots if hasattr(root, "from_numpy")), None)


def modules_of(model: Any, names: int = 1) -> list[tuple[str, Any]]:
    """A module and all inside it, with their names, as `named_modules` gives them; a module that
    occurs several times has up to `names` of them.

    >>> from course_lib import nn
    >>> [name for name, _ in modules_of(nn.Sequential(nn.Tanh(), nn.Sequential(nn.Tanh())))]
    ['', '0', '1', '1.0']
    """
    found, met, waiting = [], Counter[int](), [("", model)]
    while waiting:
        name, module = waiting.pop()
        if module is None or met[id(module)] >= names:
            continue
        met[id(module)] += 1
        found.append((name, module))
        inner = [(f"{name}.{key}".lstrip("."), part) for key, part in module._modules.items()]
        waiting += inner[::-1]
    return found


def tensors_of(model: Any, table: str = "_parameters", names: int = 1) -> list[tuple[str, Any]]:
    """The parameters of a module, or its "_buffers", with their names; one that several
    modules share has up to `names` of them.

    >>> from course_lib import nn
    >>> [name for name, _ in tensors_of(nn.Sequential(nn.Linear(1, 1)))]
    ['0.weight', '0.bias']
    """
    found, met = [], Counter[int]()
    for name, module in modules_of(model):
        for key, tensor in getattr(module, table).items():
            met[id(tensor)] += 1
            if tensor is not None and met[id(tensor)] <= names:
                found.append((f"{name}.{key}".lstrip("."), tensor))
    return found


def find_hidden(model: Any) -> list[str]:
    """Where modules stand in plain containers, in which PyTorch does not look for parameters.

    >>> from course_lib import nn
    >>> model = nn.Module()
    >>> model.layers = [nn.Linear(1, 1)]
    >>> find_hidden(model)
    ['layers, a list']
    """
    return [
        f"{name}.{key}, a {type(thing).__name__}".lstrip(".")
        for name, module in modules_of(model)
        for key, thing in vars(module).items()
        if key not in REGISTRIES and type(thing) in (list, tuple, dict)
        if any(hasattr(type(part), "named_parameters") for _, part in parts_of(thing))
    ]


def parts_of(thing: Any) -> Iterator[tuple[str, Any]]:
    """`(place, part)` for everything that is no container itself, in order; `""` is the thing.

    >>> list(parts_of({"a": 1, "b": [2, (3, None)]}))
    [('a', 1), ('b[0]', 2), ('b[1][0]', 3), ('b[1][1]', None)]
    """
    waiting = [("", thing)]
    opened: dict[int, Any] = {}  # a container that holds itself is opened once
    while waiting:
        place, now = waiting.pop()
        inner = _inner(now, place)
        if inner is None:
            yield place, now
        elif id(now) not in opened:
            opened[id(now)] = now
            waiting += inner[::-1]


def _inner(thing: Any, place: str) -> list[tuple[str, Any]] | None:
    """What a container holds, each with its place; None for anything else."""
    if is_tensor(thing):
        return None
    if isinstance(thing, Mapping):
        return [(f"{place}[{k!r}]" if place else str(k), v) for k, v in thing.items()]
    # the parts of a named tuple, and of the pair that PyTorch's `max` gives back, have names
    named = getattr(type(thing), "_fields", ()) or getattr(type(thing), "__match_args__", ())
    if isinstance(thing, tuple) and named:
        return [(f"{place}.{name}".lstrip("."), getattr(thing, name)) for name in named]
    if isinstance(thing, (tuple, list)):
        return [(f"{place}[{i}]", item) for i, item in enumerate(thing)]
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [field.name for field in dataclasses.fields(thing)]
        return [(f"{place}.{name}".lstrip("."), getattr(thing, name, None)) for name in names]
    return None


def tensors_in(thing: Any) -> Iterator[tuple[str, Any]]:
    """`(place, tensor)` for each tensor in nested containers, in order."""
    return ((place, part) for place, part in parts_of(thing) if is_tensor(part))


def with_tensors(thing: Any, change: Callable[[Any], Any]) -> Any:
    """The same containers with changed tensors in them; the thing itself where none changes.

    >>> given = {"a": [1, 2]}
    >>> with_tensors(given, lambda tensor: tensor) is given
    True
    """
    known: dict[int, Any] = {}
    changed = False
    for _, part in parts_of(thing):
        known[id(part)] = change(part) if is_tensor(part) and id(part) not in known else part
        changed = changed or known[id(part)] is not part
    # What `deepcopy` finds in its memo it takes from there: it copies the containers only.
    return copy.deepcopy(thing, known) if changed else thing


# ---- running a model ----

REGISTRIES = ("_parameters", "_buffers", "_modules")


@contextmanager
def restore_model(model: Any) -> Iterator[None]:
    """The model in evaluation mode, with gradients recorded; afterwards everything as it was:
    modes, attributes, buffers, the state of the random numbers. A lazy module that the call has
    given its shape, and with it another class, stays so: half of it cannot be taken back."""
    library, tables = library_of(model), []
    for _, module in modules_of(model):
        # a scripted module has no dicts of Python for its registries
        own = (table for table in map(vars(module).get, REGISTRIES) if type(table) is dict)
        tables += [(module, type(module), table, dict(table)) for table in (vars(module), *own)]
    buffers = [buffer for _, buffer in tensors_of(model, "_buffers")]
    known = [b for b in buffers if not (hasattr(b, "materialize") or b.is_inference())]
    with ExitStack() as stack:
        if library is not None:
            devices = {p.device.index for _, p in tensors_of(model) if p.device.type == "cuda"}
            stack.enter_context(library.random.fork_rng(devices=sorted(devices)))
            stack.enter_context(library.inference_mode(False))
            stack.enter_context(library.enable_grad())
        numbers = [(buffer, buffer._version, buffer.detach().clone()) for buffer in known]
        stack.enter_context(evaluating(model))
        try:
            yield
        finally:
            for buffer, version, before in numbers:
                if buffer._version != version:
                    buffer.data.copy_(before)  # by `.data`: nothing that was saved gets stale
            for module, kind, table, bound in tables:
                if type(module) is kind:
                    table.clear()
                    table.update(bound)


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Evaluation mode, module by module as it was afterwards: batch norm must not learn from what
    we ask, nor dropout draw random numbers. Anything that is no module is left alone."""
    modules = [m for _, m in modules_of(model)] if hasattr(type(model), "named_modules") else []
    modes = [module.training for module in modules]
    try:
        for module in modules:
            module.training = False
        yield
    finally:
        for module, mode in zip(modules, modes, strict=True):
            module.training = mode


# ---- which module a function belongs to ----

TURNED = ("TBackward0", "TransposeBackward0", "PermuteBackward0")  # a weight, for its product
Path = tuple[str, ...]


@dataclasses.dataclass
class Gap:
    """Functions, first one first, that were recorded between those of two modules; their names.

    `ended` and `begun` are the blocks of which only one side is a part, by the row that each is in,
    outer ones first.
    """

    before: Path
    after: Path
    functions: list[int]
    names: list[str]
    last: int = 0  # so many of them end the blocks before

    def __post_init__(self) -> None:
        self.shared = tuple(commonprefix([self.before, self.after]))  # the module both are in
        self.ended, self.begun = self._blocks(self.before), self._blocks(self.after)

    def _blocks(self, path: Path) -> dict[Path, Path]:
        """The numbered modules with modules in them."""
        inside = range(len(self.shared), len(path) - 1)
        return {path[:k]: path[: k + 1] for k in inside if path[k].isdigit()}

    def rest(self) -> list[str]:
        """The names of those behind these, last one first."""
        return self.names[self.last :][::-1]


def paths_of(walk: Walk, known: dict[int, list[str]]) -> dict[int, Path]:
    """For each function of a graph the module that it belongs to; `known` has the names of each
    parameter."""
    row = in_turn(walk)  # inputs first: a turned weight tells its product where it belongs
    homes = {key: [tuple(name.split(".")[:-1]) for name in names] for key, names in known.items()}
    uses = Counter(t for i in row for t in walk.heads(i))
    own: dict[int, Path] = {}
    for i in row:
        for t in walk.heads(i):
            if t not in walk.leaves:
                if t in own and name_of(walk.nodes[t]) in TURNED:
                    own[i] = own[t]
                continue
            modules = homes.get(id(walk.leaves[t]), [])
            if modules:
                own[i] = modules[0]
            if len(modules) == uses[t] > 1:  # each of its modules uses it once, in their order
                del modules[0]
                uses[t] -= 1
    placed = [k for k, i in enumerate(row) if i in own]
    gaps = []
    for k, end in zip([-1, *placed], [*placed, len(row)], strict=True):
        paths = own[row[k]] if k >= 0 else (), own[row[end]] if end < len(row) else ()
        words = [name_of(walk.nodes[i]) for i in row[k + 1 : end]]
        gaps.append(Gap(*paths, row[k + 1 : end], words))
    return own | _between(gaps)


def _between(gaps: list[Gap]) -> dict[int, Path]:
    """The modules of functions recorded between those of two modules: the one that both are in.

    What comes in the same way behind each block of a row ends the block; what else is between two
    blocks begins the second one, and the first one begins as the others do.
    """
    behind: dict[Path, list[Gap]] = {}  # by row: the gaps in which a block of it ends
    for gap in gaps:
        for row in gap.ended:
            behind.setdefault(row, []).append(gap)
    tails = {}  # how many names the gaps behind a row begin with alike; a single one says nothing
    for row, found in behind.items():
        tails[row] = len(commonprefix([gap.names for gap in found])) if len(found) > 1 else 0
    for gap in gaps:
        gap.last = max((tails[row] for row in gap.ended), default=0)
    heads = {row: [gap.rest() for gap in them if row in gap.begun] for row, them in behind.items()}
    paths: dict[int, Path] = {}
    for gap in gaps:
        paths |= dict.fromkeys(gap.functions, gap.shared)
        for row, block in gap.begun.items():  # an inner block counts, and one that ends before all
            alike = commonprefix([*heads[row], gap.rest()]) if heads.get(row) else ()
            paths |= dict.fromkeys(gap.functions[::-1][: len(alike)], block)
        for row, block in gap.ended.items():
            paths |= dict.fromkeys(gap.functions[: tails[row]], block)
    return paths
