"""Which part of a graph a picture draws: one copy of what is repeated, up to a horizon."""

from collections.abc import Iterator

from course_lib.viz.reading.horizon import LEAST, Horizon, horizon
from course_lib.viz.reading.repeats import Repeat, repeats
from course_lib.viz.reading.walk import Walk, is_leaf_node

MANY = 40  # functions; repeated parts of a larger graph are folded unless the reader says no
FEW_LEAVES = 3  # leaves behind the horizon that are drawn nevertheless


class Parts:
    """The parts of a graph.

    `number` has the functions that are drawn, with their numbers in the order of the walk; `leaves`
    the leaves that are drawn. `copies` leads from a function of a folded copy to the one that
    stands for it, `behind` from a hidden function at the horizon to all hidden ones behind it.

    >>> import course_lib as torch
    >>> from course_lib.viz.reading.walk import walk
    >>> y = torch.ones(2, requires_grad=True)
    >>> for _ in range(50):
    ...     y = (y * 2).exp()
    >>> parts = Parts(walk([y.grad_fn]), {0}, most=60)
    >>> parts.total, len(parts.number), [repeat.times for repeat in parts.repeats]
    (100, 2, [50])
    """

    def __init__(self, walk: Walk, roots: set[int], most: int, fold: bool | None = None) -> None:
        self.walk = walk
        self.leaf = [is_leaf_node(node) for node in walk.nodes]
        self.total = len(self.leaf) - sum(self.leaf)
        folded = self.total > MANY if fold is None else fold
        self.repeats: list[Repeat] = repeats(walk) if folded else []
        self.copies = {c: r for repeat in self.repeats for c, r in repeat.copies.items()}
        roots = {self.copies.get(i, i) for i in roots if not self.leaf[i]}
        found: Horizon = horizon(walk, self._heads(), roots, most)
        stood_for: dict[int, list[int]] = {}
        for copy, stands in self.copies.items():
            stood_for.setdefault(stands, []).append(copy)
        self.behind = {
            start: sorted(j for i in hidden for j in (i, *stood_for.get(i, ())))
            for start, hidden in found.behind.items()
        }
        self.number = {i: n for n, i in enumerate(sorted(found.drawn), start=1)}
        self.leaves = self._leaves(most)

    def _heads(self) -> dict[int, set[int]]:
        """The functions that a function and its copies lead to, each copy as what stands for it."""
        heads: dict[int, set[int]] = {}
        for i, edges in enumerate(self.walk.edges):
            if not self.leaf[i]:
                mine = heads.setdefault(self.copies.get(i, i), set())
                mine |= {
                    self.copies.get(t, t) for t, _ in edges if t is not None and not self.leaf[t]
                }
        return heads

    def end_of(self, i: int | None) -> int | None:
        """The function that is drawn for a function: itself, or the one it is a copy of."""
        return self.copies.get(i, i) if i is not None else None

    def ways_out(self, repeat: Repeat) -> Iterator[tuple[int, int, int]]:
        """How the last copy of a repeated part goes on: a function of the copy that stands for all,
        the function of the same copy that this edge would lead to in a next copy, and the target
        outside. Of an edge that leads into no next copy, the second is -1."""
        mine = repeat.copies.keys() | set(repeat.block)
        for copy, stands in repeat.copies.items():
            edges, like = self.walk.edges[copy], self.walk.edges[stands]
            for (target, _), (usual, _) in zip(edges, like, strict=False):
                if target is not None and target not in mine:
                    carried = usual if usual in repeat.copies else None
                    yield stands, -1 if carried is None else repeat.copies[carried], target

    def _leaves(self, most: int) -> set[int]:
        """The leaves of drawn functions, of what follows a repeated part, and a few far ones; where
        they are far more than `most`, only the first ones of a function that has many."""
        own = {i: [t for t in self._targets(i) if self.leaf[t]] for i in self.number}
        near = {t for leaves in own.values() for t in leaves}
        each = most
        while len(near) >= most + LEAST and each > FEW_LEAVES:
            near = {t for leaves in own.values() for t in leaves[:each]}
            each = each * 3 // 4
        for repeat in self.repeats:
            if not self.number.keys().isdisjoint(repeat.block):
                near |= {t for _, carried, t in self.ways_out(repeat) if carried >= 0}
        leaves = {t for t in near if self.leaf[t]}
        far = self.leaves_behind() - leaves
        return leaves | far if len(far) <= FEW_LEAVES else leaves

    def _targets(self, i: int) -> list[int]:
        return [t for t, _ in self.walk.edges[i] if t is not None]

    def leaves_beside(self, i: int) -> int:
        """How many leaves that a drawn function leads to are not drawn."""
        return len({t for t in self._targets(i) if self.leaf[t]} - self.leaves)

    def leaves_behind(self, start: int | None = None) -> set[int]:
        """The leaves that functions behind the horizon lead to, or only those behind `start`."""
        starts = self.behind if start is None else (start,)
        found = {t for s in starts for i in self.behind[s] for t, _ in self.walk.edges[i]}
        return {t for t in found if t is not None and self.leaf[t]}
