"""Which calls of a recording `draw_module` draws as boxes: opened, shut, and folded parts."""

import itertools

from course_lib.viz.reading.calls import Call
from course_lib.viz.reading.repeats import EqualCalls, ends_of, equal_calls

FEW = 20  # boxes; above that, repeated parts are folded
SAVES = 2  # boxes that folding a part with modules has to save
SAVES_PLAIN = 9  # ... a part with operations only, such as the views of queries, keys and values


class Shown:
    """The calls inside one, `root` (-1 for all), that are shown: those down to `level`, without the
    copies of folded parts.

    `folded` are repeated parts by the call whose box counts the copies, `counted` leads from a call
    at the top of a copy to that call, and `alike` are equal modules by their only box.
    """

    def __init__(self, calls: list[Call], root: int) -> None:
        self.calls, self.root = calls, root
        self.depths: list[int] = []
        for call in self.calls:
            self.depths.append(self.depths[call.parent] + 1 if call.parent >= 0 else 0)
        self.around = [f"c{call.parent}" if call.parent > root else "" for call in calls]
        self.ends = ends_of(self.calls)
        self.level = 0
        self.members = range(root + 1, self.ends[root] if root >= 0 else len(self.calls))
        self.repeats = equal_calls(calls)
        self.folded: dict[int, EqualCalls] = {}
        self.counted: dict[int, int] = {}
        self.alike: dict[int, EqualCalls] = {}

    def open(self, depth: int | None, fold: bool | None, max_nodes: int) -> None:
        """Opens modules down to a depth; without one, as deep as so many boxes allow."""
        least = self.depths[self.root] + 1 if self.root >= 0 else 0
        deepest = max((self.depths[k] for k in self.members), default=0)
        self.level = deepest if depth is None else max(0, min(depth, deepest))
        folds = fold or (fold is None and len(self.boxes()) > FEW)
        if folds:
            self.fold()
        while depth is None and self.level > least and len(self.boxes()) > max_nodes:
            self.level -= 1
            if folds:
                self.fold()

    def fold(self) -> None:
        """Folds the repeated parts where that saves boxes."""
        self.folded.clear()
        self.counted.clear()
        self.alike.clear()
        for repeat in self.repeats:  # outer ones come first
            at = repeat.copies[0][0]
            if self.depths[at] > self.level or self.is_counted(at):
                continue
            inside = (range(k, self.ends[k]) for k in repeat.unit)
            boxes = sum(map(self._is_box, itertools.chain.from_iterable(inside)))
            plain = all(self.calls[k].module is None for k in repeat.unit)
            if boxes * len(repeat.copies) > (SAVES_PLAIN if plain else SAVES):
                first = repeat.unit[0]
                if len(repeat.unit) == 1 and self._is_box(first) and self._are_several(repeat):
                    self.alike[first], at = repeat, first  # one box for all of them
                else:
                    self.folded[at] = repeat
                self.counted.update({k: at for copy in repeat.copies for k in copy})

    def _are_several(self, repeat: EqualCalls) -> bool:
        """Whether the copies are modules of their own, not one module that is called again."""
        modules = {id(self.calls[copy[0]].module) for copy in (repeat.unit, *repeat.copies)}
        return self.calls[repeat.unit[0]].module is not None and len(modules) > 1

    def is_counted(self, at: int) -> bool:
        return at >= 0 and (at in self.counted or self.is_counted(self.calls[at].parent))

    def _is_box(self, k: int) -> bool:
        return self.depths[k] <= self.level and not self.is_frame(k)

    def is_frame(self, k: int) -> bool:
        return self.calls[k].inside > 0 and self.depths[k] < self.level

    def boxes(self) -> list[int]:
        """The calls that are boxes; one that counts copies stands for all of them."""
        return [
            k for k in self.members
            if k in self.folded or (self._is_box(k) and not self.is_counted(k))
        ]  # fmt: skip

    def box_of(self, at: int) -> int:
        """The box that a call is part of."""
        box = at
        while at >= 0:
            if at in self.counted:
                box = self.counted[at]
            elif self.depths[box] > self.level:
                box = at
            at = self.calls[at].parent
        return box

    def frame_of(self, k: int) -> str:
        """The frame that a call is directly in."""
        for repeat in self.folded.values():
            if k in repeat.unit and len(repeat.unit) > 1:
                return f"u{repeat.unit[0]}"
        return self.around[k]
