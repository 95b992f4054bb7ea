"""A function of which backward keeps the arguments only: what it saved is computed again.

Note [Checkpoints in checkpoints]: in the first run each saved tensor is replaced by an empty
`Place`.  When backward first needs one, the function runs again and fills them all, for this one
backward pass.  The arguments are themselves saved tensors; so inside another checkpoint they are
places of that one, and asking for them runs the outer function first.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from course_lib.autograd.grad_mode import enable_grad
from course_lib.autograd.graph import saved_tensors_hooks
from course_lib.autograd.saving import Item, Kept, made
from course_lib.core.tensor import Tensor
from course_lib.modes import modes
from course_lib.words import errors


class CheckpointError(RuntimeError):
    """The second run saved other tensors than the first one."""


class Enough(Exception):
    """Raised in the second run when all that was saved is there again; the rest is not needed."""


class Place:
    """Stands for one saved tensor; has it, for a while, after the second run."""

    __slots__ = ("again", "__weakref__")

    def __init__(self) -> None:
        # the tensor by backward pass, None once it was used; goes when the pass goes
        self.again: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


class Moment:
    """Stands for a backward pass where there is none: `grad_fn._saved_…` read by hand."""


class Replay:
    """One call of a checkpointed function.

    `early`: the second run ends as soon as it has saved all that the first one saved.  `compare`:
    the tensors of both runs must look alike.  `traced`: errors show where both runs saved.
    """

    def __init__(self, run: Callable, args: tuple, early: bool, compare: bool, traced: bool):
        self.run, self.early, self.compare = run, early, compare
        self.traces: tuple[list[str], list[str]] | None = ([], []) if traced else None
        self.places: list[Any] = []  # weak: a place lives as long as the node that saved it
        self.facts: list[dict] = []  # what the first run saved, by position
        self.complete = False  # whether the first run is over
        self.lenient = False  # a backward pass within the function came before its end
        self.counts: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()  # by backward pass
        # The arguments are saved as a node would save them: `values` is where hooks look for them.
        self.args = [Kept(a, []) if isinstance(a, Tensor) else a for a in args]
        self.values = [a for a in self.args if isinstance(a, Kept)]
        if modes.packing:
            modes.packing[-1](self)

    def first(self, call: Callable, args: tuple, context: Any) -> Any:
        """Run the function and keep a place for each tensor that it saves."""
        done = False
        with saved_tensors_hooks(self.reserve, self.value), context:
            answer = call(*args)
            done = True
        if not done:
            raise RuntimeError(errors.CHECKPOINT_SUPPRESSED)
        self.complete = True
        return answer

    def reserve(self, tensor: Tensor) -> Place:
        """What the first run saves in the place of a tensor."""
        place = Place()
        self.places.append(weakref.ref(place))
        self.facts.append(facts_of(tensor))
        if self.traces is not None:
            self.traces[0].append(errors.forward_stack())
        return place

    def value(self, place: Place) -> Tensor:
        """The tensor that belongs into a place; runs the function again if that was not done."""
        task = modes.task or Moment()
        try:
            if task not in self.counts:
                self.second(task)
                self.check(task)
            if place.again.get(task) is None:
                raise CheckpointError(errors.CHECKPOINT_UNPACKED_TWICE)
        except CheckpointError as error:
            if self.traces is None:
                raise
            raise CheckpointError(errors.checkpoint_traces(*self.traces)) from error
        tensor: Tensor = place.again[task]
        place.again[task] = None
        return tensor

    def second(self, task: Any) -> None:
        """Run the function again and fill the places for one backward pass."""
        args = [
            made(Item, _node=self, _kept=a).unpack() if isinstance(a, Kept) else a
            for a in self.args
        ]
        self.counts[task] = 0
        hooks = saved_tensors_hooks(lambda tensor: self.fill(tensor, task), lambda tensor: tensor)
        try:
            with hooks, enable_grad():
                self.run(*args)
        except Enough:
            pass

    def fill(self, tensor: Tensor, task: Any) -> Tensor:
        """What the second run saves: the tensor, which goes into its place too."""
        tensor = tensor.detach() if tensor.requires_grad else tensor
        position = self.counts[task]
        self.counts[task] += 1
        if self.traces is not None:
            self.traces[1].append(errors.forward_stack())
        if position >= len(self.places):
            if self.complete:
                raise CheckpointError(errors.CHECKPOINT_MORE)
            self.lenient = True
            return tensor
        place = self.places[position]()
        if place is not None:  # else a backward pass within the function has used it already
            place.again[task] = tensor
        if self.early and self.counts[task] == len(self.places):
            raise Enough
        return tensor

    def check(self, task: Any) -> None:
        """Raise unless the second run saved what the first one did, as far as can be seen."""
        if self.lenient:
            return
        if self.counts[task] != len(self.places):
            raise CheckpointError(errors.checkpoint_mismatch(len(self.places), self.counts[task]))
        different = []
        for position, (reference, before) in enumerate(zip(self.places, self.facts, strict=True)):
            place = reference()
            if self.compare and place is not None and facts_of(place.again[task]) != before:
                different.append((position, before, facts_of(place.again[task])))
        if different:
            raise CheckpointError(errors.checkpoint_other(different))


def facts_of(tensor: Tensor) -> dict[str, Any]:
    """What has to be the same in both runs."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


__all__ = ["CheckpointError", "Replay"]
