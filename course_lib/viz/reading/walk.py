"""Visiting a computation graph, without recursion: `grad_fn`, then `next_functions`, until leaves.

The walk touches only what PyTorch documents, so it visits PyTorch's graphs too. It goes breadth
first: functions near the outputs get the small numbers, and a summary can keep just those.

`same` finds out which tensor is meant: a function gives out what it saved as a new object, an error
as words.
"""

import functools
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

# PyTorch makes a Python object for each function that Python code looks at, and crashes when it
# frees a long chain of such functions: somewhere above 30 000 with 8 MB of stack. So no walk goes
# that far; ours would be safe, but one rule for both makes one picture.
FAR = 20_000


@dataclass
class Walk:
    """The functions of a graph in visiting order, and where each sends its gradients.

    `edges[i]` holds one `(target, output number)` per input of `nodes[i]`; the target is a position
    in `nodes`, or None for an input that wants no gradient. `cut` says that the walk was stopped.
    """

    nodes: list[Any] = field(default_factory=list)
    edges: list[tuple[tuple[int | None, int], ...]] = field(default_factory=list)
    position: dict[int, int] = field(default_factory=dict)
    cut: bool = False

    @functools.cached_property
    def leaves(self) -> dict[int, Any]:
        """The tensors at which gradients end, by the positions of their nodes."""
        return {i: node.variable for i, node in enumerate(self.nodes) if is_leaf_node(node)}

    @property
    def functions(self) -> int:
        """How many functions there are, without the leaves."""
        return len(self.nodes) - len(self.leaves)

    def heads(self, i: int) -> list[int]:
        """Where a function sends gradients to, input by input."""
        return [target for target, _ in self.edges[i] if target is not None]

    def find(self, node: Any) -> int | None:
        """The position of a node, None if the walk never met it."""
        return self.position.get(id(node))


def walk(roots: list[Any]) -> Walk:
    """Everything reachable from the root nodes."""
    found = Walk()
    queue: deque[Any] = deque()

    def meet(node: Any) -> int:
        # The list keeps each node alive: PyTorch makes these objects on demand, and the identity
        # of one that was thrown away could be given to another.
        if id(node) not in found.position:
            found.position[id(node)] = len(found.nodes)
            found.nodes.append(node)
            queue.append(node)
        return found.position[id(node)]

    for root in roots:
        meet(root)
    while queue:
        if len(found.nodes) > FAR:
            found.cut = True
            found.edges += [()] * len(queue)
            return found
        targets = queue.popleft().next_functions
        found.edges.append(tuple((None if n is None else meet(n), nr) for n, nr in targets))
    return found


def name_of(node: Any) -> str:
    """What the node is called, without the C++ namespace in front."""
    return node.name().rpartition("::")[2]


def is_leaf_node(node: Any) -> bool:
    """Whether gradients end here, in the `.grad` of a leaf."""
    return name_of(node) == "AccumulateGrad"


def recording_time(walk: Walk, i: int) -> int:
    """When the function at a position was recorded; values of an engine of one's own may not say
    it, and the order of the walk takes its place."""
    sequence = getattr(walk.nodes[i], "_sequence_nr", None)
    return int(sequence()) if sequence is not None else -i


def in_turn(walk: Walk) -> list[int]:
    """The positions of the functions, in the order in which they ran."""
    row = [i for i in range(len(walk.nodes)) if i not in walk.leaves]
    return sorted(row, key=lambda i: recording_time(walk, i))


def reach(known: dict[int, int], heads: Callable[[int], Iterable[int]]) -> dict[int, int]:
    """Everything that some positions lead to, nearest first, each with where one comes from on a
    shortest way; `known` has those that are there already.

    >>> reach({0: 0}, [[1, 2], [2], [0]].__getitem__)
    {0: 0, 1: 0, 2: 0}
    """
    found, waiting = dict(known), deque(known)
    while waiting:
        i = waiting.popleft()
        new = [t for t in heads(i) if t not in found]
        found |= dict.fromkeys(new, i)
        waiting += new
    return found


# ---- which tensor is meant ----

_SAID = re.compile(
    r"modified by an inplace operation: \[(?P<type>\S+) \[(?P<shape>[\d, ]*)\]\]"
    r"(?:, which is output (?P<output>\d+) of (?P<maker>[\w:]+),)?"
    r" is at version (?P<now>\d+); expected version (?P<saved>\d+)"
)


@dataclass(frozen=True)
class Overwritten:
    """What the error about an in-place operation says of the tensor."""

    type: str
    shape: tuple[int, ...]
    maker: str
    saved: int
    now: int


def read(message: str) -> Overwritten | None:
    """The facts in the message, None when it is about something else.

    >>> read("no such thing") is None
    True
    """
    found = _SAID.search(message)
    if not found:
        return None
    shape = tuple(int(n) for n in found["shape"].replace(",", " ").split())
    maker = (found["maker"] or "").rpartition("::")[2]
    return Overwritten(found["type"], shape, maker, int(found["saved"]), int(found["now"]))


def fits(tensor: Any, said: Overwritten) -> bool:
    """Whether a tensor can be the one that the message is about: nothing it says is against it."""
    if not _is_alike(tensor, said):
        return False
    if tensor.grad_fn is None or not said.maker:  # of a tensor without grad_fn no maker is told
        return tensor.grad_fn is None and not said.maker
    return said.maker in {short_name(node) for node in walk([tensor.grad_fn]).nodes}


def _is_alike(tensor: Any, said: Overwritten) -> bool:
    facts = (tuple(tensor.shape), tensor._version)
    return facts == (said.shape, said.now) and bool(tensor.type() == said.type)


def short_name(node: Any) -> str:
    """The name in messages: that of `ExpBackward0` is `Exp`, of `FillBackward3` `Fill3`."""
    return re.sub("Backward0?", "", name_of(node))


def same(one: Any, other: Any) -> bool:
    """Whether two objects are one tensor: the same object, or the same output of one function."""
    if one is other:
        return True
    if one.grad_fn is None or one.grad_fn is not other.grad_fn:
        return False
    return bool(one.output_nr == other.output_nr and one.shape == other.shape)


def was_made_by(tensor: Any, node: Any, said: Overwritten) -> bool:
    """Whether a tensor is the result of a node, overwritten since as often as the message says.

    Each write that was recorded stands between the two as one function, and leads to the one
    before by its first input. What was made out of the result instead has more functions on the
    way than it had writes.
    """
    if said.maker != short_name(node) or not _is_alike(tensor, said):
        return False
    step = tensor.grad_fn
    for _ in range(said.now - said.saved):
        if step is node or step is None or not step.next_functions:
            break
        step = step.next_functions[0][0]
    return step is node
