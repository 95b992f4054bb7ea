"""Errors of autograd in other words: what has happened, and what to do about it."""

import re
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.line import Write, subject_of, write_in


@dataclass(frozen=True)
class Remedy:
    """What to say about the errors in whose message `sign` is found."""

    sign: str
    title: str
    what: tuple[str, ...]
    todo: tuple[str, ...]
    calls: tuple[str, ...] = ()  # whose subject is `{x}` in what to do

    def advice(self, code: str, scope: dict[str, Any]) -> tuple[str, ...]:
        """What to do about a line of the reader's, in the reader's names."""
        write = write_in(code, scope) or Write("x += 1", "x", "x + 1")
        copied = f"new = {write.name}.clone(), then {write.on('new')},"
        words = {
            "x": subject_of(code, self.calls) or "result",
            "name": write.name,
            "code": write.code,
            "in_copy": write.on("copy"),
            "new": f"new = {write.value}" if write.value else copied,
        }
        return tuple(sentence.format(**words) for sentence in self.todo)


REMEDIES = (
    Remedy(
        "backward through the graph a second time",
        "The graph has been used up",
        (
            "A backward pass has already run through this graph.",
            "As it went, the functions threw away what they had saved, to free memory.",
        ),
        (
            "Compute the result anew before every backward: each run makes a fresh graph.",
            "Or let the first pass keep everything: backward(retain_graph=True).",
            "In a loop: a tensor that is carried over from the round before drags the old graph "
            "along. Cut it with detach().",
        ),
    ),
    Remedy(
        "does not require grad and does not have a grad_fn",
        "There is no graph to walk through",
        (
            "The tensor that backward starts from was not computed from any tensor that "
            "requires grad, or it was computed under no_grad() or cut off with detach().",
        ),
        (
            "Give the tensors that are to be learned requires_grad=True, before computing.",
            "Compute outside no_grad(), and without detach(), item() or numpy() on the way.",
        ),
    ),
    Remedy(
        "a view of a leaf Variable that requires grad",
        "A part of a leaf would be written into",
        (
            "A leaf that requires grad is where gradients end: it has no history, so a recorded "
            "write into a part of it would turn it into something computed.",
        ),
        (
            "To update a parameter, write inside `with torch.no_grad():`.",
            "To compute with changed values, change a copy: copy = {name}.clone(); {in_copy}.",
        ),
    ),
    Remedy(
        "a leaf Variable that requires grad is being used in an in-place",
        "A leaf would be written into",
        (
            "A leaf that requires grad is where gradients end: it has no history, so a recorded "
            "write would turn it into something computed.",
        ),
        (
            "To update a parameter, write inside `with torch.no_grad():`.",
            "To compute with changed values, make a new tensor: {new} instead of {code}.",
        ),
    ),
    Remedy(
        "grad can be implicitly created only for scalar outputs",
        "backward does not know with what to start",
        (
            "The result has several elements. Only for a single number is the first gradient "
            "clear: it is 1.",
        ),
        (
            "Make one number of it first: {x}.sum() or {x}.mean().",
            "Or say how much each element counts: give torch.ones_like({x}) to backward as "
            "`gradient`, or to grad as `grad_outputs`.",
        ),
        ("backward", "grad"),
    ),
    Remedy(
        r"Mismatch in shape: grad_output\[\d+\] has a shape of",
        "The gradient does not have the shape of the result",
        ("A gradient holds one number for each element of the tensor it belongs to.",),
        ("Give backward a gradient of exactly the shape of the result.",),
    ),
    Remedy(
        "appears to not have been used in the graph",
        "A result does not depend on that tensor",
        ("grad was asked for the gradient of a tensor that the result was not computed from.",),
        (
            "Check that the very same tensor is used, and not a copy or an older one of that name.",
            "If that may happen, say grad(..., allow_unused=True): its gradient is None then.",
        ),
    ),
    Remedy(
        "One of the differentiated Tensors does not require grad",
        "Gradients are wanted for a tensor that does not require grad",
        ("Nothing was recorded for that tensor.",),
        ("Give it requires_grad=True before computing with it.",),
    ),
    Remedy(
        "nly Tensors of floating point",
        "Integers and bools have no gradients",
        ("A gradient says what a small change does, and these have no small changes.",),
        ("Make the tensor with floats: torch.tensor([1., 2.]), or change it with .float().",),
    ),
    Remedy(
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy would not record what is done with it",
        ("The array would share the memory of a tensor whose history is recorded.",),
        ("Say that you want the numbers without the history: {x}.detach().numpy().",),
        ("numpy",),
    ),
    Remedy(
        "is the output of a function that returns multiple views",
        "One of several views would be written into",
        ("unbind, split and chunk give several views at once; these may not be written into.",),
        (
            "Make a new tensor: {new} instead of {code}.",
            "Or write into the tensor that was split, through an index.",
        ),
    ),
    Remedy(
        "view was created in no_grad mode",
        "A view without history would be written into with history",
        ("The view was made under no_grad(), the write is outside of it.",),
        ("Put both inside `with torch.no_grad():`, or both outside.",),
    ),
    Remedy(
        "can only change requires_grad flags of leaf variables",
        "A computed tensor requires grad because what it was computed from does",
        ("Only leaves can be told whether they require grad.",),
        ("Take {x}.detach(): the same values, without history.",),
        ("requires_grad_",),
    ),
    Remedy(
        "Can't detach views in-place",
        "A view cannot be cut off in place",
        ("It shares memory and history with its base.",),
        ("Take {x}.detach() and not {x}.detach_().",),
        ("detach_",),
    ),
)


def remedy_for(message: str) -> Remedy | None:
    """What is known about an error, None when nothing is.

    >>> remedy_for("grad can be implicitly created only for scalar outputs").title
    'backward does not know with what to start'
    >>> remedy_for("the coffee is cold") is None
    True
    """
    return next((remedy for remedy in REMEDIES if re.search(remedy.sign, message)), None)
