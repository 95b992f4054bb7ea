"""Visiting a computation graph, without recursion: `grad_fn`, then `next_functions`, until leaves.

The walk touches only what PyTorch documents, so it visits PyTorch's graphs too. It goes breadth
first: functions near the outputs get the small numbers, and a summary can keep just those.
"""

from collections import deque
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

    def find(self, node: Any) -> int | None:
        """The position of a node, None if the walk never met it."""
        return self.position.get(id(node))


def walk(roots: list[Any]) -> Walk:
    """Everything reachable from the root nodes.

    >>> class Stop:
    ...     next_functions = ()
    >>> class Start:
    ...     next_functions = ((Stop(), 0), (None, 0))
    >>> walk([Start()]).edges
    [((1, 0), (None, 0)), ()]
    """
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
    """What the node is called, without the C++ namespace in front.

    >>> class Copy:
    ...     def name(self): return "torch::autograd::CopySlices"
    >>> name_of(Copy())
    'CopySlices'
    """
    return node.name().rpartition("::")[2]


def is_leaf_node(node: Any) -> bool:
    """Whether gradients end here, in the `.grad` of a leaf."""
    return name_of(node) == "AccumulateGrad"


def recorded(walk: Walk, i: int) -> int:
    """When the function at a position was recorded; values of an engine of one's own may not say
    it, and the order of the walk takes its place."""
    sequence = getattr(walk.nodes[i], "_sequence_nr", None)
    return int(sequence()) if sequence is not None else -i
