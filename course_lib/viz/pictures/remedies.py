"""Errors in other words: what has happened, and what to do about it. One entry for each error."""

import ast
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from course_lib.viz.reading.code import Code, Write, as_owner, parsed, subject_of, write_in
from course_lib.viz.reading.history import Reading, lost_history
from course_lib.viz.reading.values import is_tensor

# ---- in the names of the reader ----

Words = tuple[tuple[str, ...], tuple[str, ...]]  # what happened, what to do


@dataclass(frozen=True)
class Seen:
    """An error's message, the reader's line and its variables, its code, the library's frames."""

    message: str
    line: str = ""
    scope: dict[str, Any] = field(default_factory=dict)
    code: Code | None = None
    inside: tuple[FrameType, ...] = ()


@dataclass(frozen=True)
class Remedy:
    """What to say about the errors in whose message `sign` is found.

    In the sentences, `{x}` is the subject of one of the `calls`, or the variable of the line for
    which `which` holds; `{name}`, `{code}` and `{new}` are a write in place, and every group of
    `sign` has its name. `look` says more than that, or None where the error is another one.
    """

    sign: str
    title: str
    what: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    which: Callable[[Any], bool] | None = None
    look: Callable[[Seen], Words | None] | None = None

    def told(self, seen: Seen) -> Words | None:
        """What happened and what to do, in the reader's names; None where it does not fit."""
        found = re.search(self.sign, seen.message)
        if not found or self.look:
            return self.look(seen) if found and self.look else None
        line = (seen.code.statement() if seen.code else "") or seen.line
        write = write_in(line, seen.scope) or Write("x += 1", "x", "x + 1")
        copied = f"new = {write.name}.clone(), then {write.on('new')},"
        words = {
            "x": self.variable(line, seen)
            or subject_of(line, self.calls)
            or _here(seen)
            or "result",
            "name": write.name,
            "code": write.code,
            "in_copy": write.on("copy"),
            "new": f"new = {write.value}" if write.value else copied,
            **found.groupdict(),
        }
        what, todo = ([s.format(**words) for s in part] for part in (self.what, self.todo))
        return tuple(what), tuple(todo)

    def variable(self, line: str, seen: Seen) -> str:
        """The variable that is meant, "" where none is known."""
        tree = parsed(line) if self.which else None
        for node in ast.walk(tree) if tree else ():
            held = seen.scope.get(node.id) if isinstance(node, ast.Name) else None
            if is_tensor(held) and self.which and self.which(held):
                return node.id  # type: ignore[attr-defined]
        return ""


def _here(seen: Seen) -> str:
    """The expression that ran last, if it is short and no call."""
    node = seen.code.node if seen.code else None
    node = node.test if isinstance(node, (ast.If, ast.While)) else node
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return "" if isinstance(node, ast.Call) or not isinstance(node, ast.expr) else as_owner(node)


# ---- one entry for each error ----


def no_graph(seen: Seen) -> Words:
    """Where the history was lost, as far as the code and its variables tell."""
    item = re.search(r"element (\d+)", seen.message)
    trail = lost_history(seen.code, seen.inside, int(item[1]) if item else 0)
    what = "The code does not tell where it was lost."
    todo = "Print requires_grad of each tensor on the way: the first False is the place."
    if trail.cut is not None:
        what, todo = trail.cut.told()
    if trail.cut is not None or trail.tracked is None:
        return ("The tensor that backward starts from has no history.", what), (todo,)
    names = f": {', '.join(trail.names)}" if trail.names else ""
    what = f"Nothing that it was computed from requires grad{names}."
    todo = "Give the tensors that are to be learned requires_grad=True, before computing."
    return (what,), (todo,)


# what does not require grad, what an operation gave, another leaf: what happened, what to do
NO_GRADIENT = (
    ("{x} does not require grad, so {x}.grad is None.",
     "Before computing with it: {x}.requires_grad_()."),
    ("{x} is the result of an operation. backward keeps the gradients of leaves only, so {x}.grad "
     "is None.",
     "Make {x} a leaf, with requires_grad=True or {x} = {x}.detach().requires_grad_(), or say "
     "{x}.retain_grad() before backward."),
    ("No gradient has arrived in {x}.grad. Either no backward has run since {x} was made or "
     "zero_grad() was called, or the loss does not depend on {x}.",
     "Compute the loss from {x} and run loss.backward() before this line."),
)  # fmt: skip


def grad_is_none(seen: Seen) -> Words | None:
    """Which tensor has no .grad, and why."""
    nodes: Any = ast.walk(seen.code.node) if seen.code else ()
    for node in nodes:
        if not isinstance(node, ast.Attribute) or node.attr != "grad" or not seen.code:
            continue
        owner = Reading(seen.code).live(node.value)
        with warnings.catch_warnings(action="ignore"):  # of the .grad of a result
            if not is_tensor(owner) or owner.grad is not None:
                continue
        kept = owner.is_leaf or owner.retains_grad
        words = NO_GRADIENT[0 if not owner.requires_grad else 1 if not kept else 2]
        what, todo = (sentence.format(x=ast.unparse(node.value)) for sentence in words)
        return (what,), (todo,)
    return None


REMEDIES = (
    Remedy("backward through the graph a second time", "The graph has been used up",
        ("A backward pass has already run through this graph.",
         "As it went, the functions threw away what they had saved, to free memory."),
        ("Compute the result anew before every backward: each run makes a fresh graph.",
         "Or let the first pass keep everything: backward(retain_graph=True).",
         "In a loop: a tensor that is carried over from the round before drags the old graph "
         "along. Cut it with detach().")),
    Remedy("does not require grad and does not have a grad_fn", "There is no graph to walk through",
        look=no_graph),
    Remedy("a view of a leaf Variable that requires grad", "A part of a leaf would be written into",
        ("A leaf that requires grad is where gradients end: it has no history, so a recorded "
         "write into a part of it would turn it into something computed.",),
        ("To update a parameter, write inside `with torch.no_grad():`.",
         "To compute with changed values, change a copy: copy = {name}.clone(); {in_copy}.")),
    Remedy("a leaf Variable that requires grad is being used in an in-place",
        "A leaf would be written into",
        ("A leaf that requires grad is where gradients end: it has no history, so a recorded "
         "write would turn it into something computed.",),
        ("To update a parameter, write inside `with torch.no_grad():`.",
         "To compute with changed values, make a new tensor: {new} instead of {code}.")),
    Remedy("grad can be implicitly created only for scalar outputs",
        "backward does not know with what to start",
        ("The result has several elements. Only for a single number is the first gradient "
         "clear: it is 1.",),
        ("Make one number of it first: {x}.sum() or {x}.mean().",
         "Or say how much each element counts: give torch.ones_like({x}) to backward as "
         "`gradient`, or to grad as `grad_outputs`."), ("backward", "grad")),
    Remedy(r"Mismatch in shape: grad_output\[\d+\] has a shape of",
        "The gradient does not have the shape of the result",
        ("A gradient holds one number for each element of the tensor it belongs to.",),
        ("Give backward a gradient of exactly the shape of the result.",)),
    Remedy("appears to not have been used in the graph", "A result does not depend on that tensor",
        ("grad was asked for the gradient of a tensor that the result was not computed from.",),
        ("Check that the very same tensor is used, and not a copy or an older one of that name.",
         "If that may happen, say grad(..., allow_unused=True): its gradient is None then.")),
    Remedy("One of the differentiated Tensors does not require grad",
        "Gradients are wanted for a tensor that does not require grad",
        ("Nothing was recorded for that tensor.",),
        ("Give it requires_grad=True before computing with it.",)),
    Remedy("nly Tensors of floating point", "Integers and bools have no gradients",
        ("A gradient says what a small change does, and these have no small changes.",),
        ("Make the tensor with floats: torch.tensor([1., 2.]), or change it with .float().",)),
    Remedy(r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy would not record what is done with it",
        ("The array would share the memory of a tensor whose history is recorded.",),
        ("Say that you want the numbers without the history: {x}.detach().numpy().",), ("numpy",)),
    Remedy("is the output of a function that returns multiple views",
        "One of several views would be written into",
        ("unbind, split and chunk give several views at once; these may not be written into.",),
        ("Make a new tensor: {new} instead of {code}.",
         "Or write into the tensor that was split, through an index.")),
    Remedy("view was created in no_grad mode",
        "A view without history would be written into with history",
        ("The view was made under no_grad(), the write is outside of it.",),
        ("Put both inside `with torch.no_grad():`, or both outside.",)),
    Remedy("can only change requires_grad flags of leaf variables",
        "A computed tensor requires grad because what it was computed from does",
        ("Only leaves can be told whether they require grad.",),
        ("Take {x}.detach(): the same values, without history.",), ("requires_grad_",)),
    Remedy("Can't detach views in-place", "A view cannot be cut off in place",
        ("It shares memory and history with its base.",),
        ("Take {x}.detach() and not {x}.detach_().",), ("detach_",)),
    Remedy("'NoneType'", "The gradient that the line uses is None", look=grad_is_none),
    Remedy("more than one element of the written-to tensor refers to a single memory location",
        "Several elements of the tensor share one place in memory",
        ("A view such as expand shows one place as several elements: a write would change all.",),
        ("Give it memory of its own first: {name} = {name}.clone(), then {code}.",)),
    Remedy(
        r"output with shape (?P<own>\[.*?\]) doesn't match the broadcast shape (?P<wide>\[.*?\])",
        "The result does not fit into the tensor that is written into",
        ("The result of {code} has shape {wide}. {name} has shape {own}, and a write in place "
         "keeps it.",), ("Make a new tensor: {new} instead of {code}.",)),
    Remedy(r"result type (?P<result>\w+) can't be cast to the desired output type (?P<own>\w+)",
        "The result has a dtype that the tensor cannot hold",
        ("{code} gives numbers of type {result}. {name} has type {own}, and a write in place "
         "keeps it.",), ("Make a new tensor: {new} instead of {code}.",)),
    Remedy("Output 0 of BackwardHookFunction is a view and is being modified inplace",
        "Something next to a full backward hook would be written into",
        ("The hook hands the input and the output of its module on as views, and they may not "
         "be written into.",),
        ("Make a new tensor instead: nn.ReLU() without inplace=True, for example, or "
         "y = y + 1 instead of y += 1.",)),
    Remedy(
        r"Output \d+ of (?P<function>\w+) is a view and is being modified inplace. This view was "
        "created inside a custom Function",
        "A view that a function of your own gave back would be written into",
        ("After the write, the backward of {function} would no longer belong to the result.",),
        ("Make a new tensor: {new} instead of {code}.",
         "Or give back a copy from forward of {function}: return result.clone().")),
    Remedy(r"function (?P<function>\w+)Backward returned an incorrect number of gradients "
        r"\(expected (?P<due>\d+), got (?P<got>\d+)\)",
        "A backward of your own returns too few or too many gradients",
        ("{function}.backward returned {got}. It has {due} to return, one for each input.",),
        ("Return them in the order of the inputs, None where none is needed: return grad, None.",)),
    Remedy("can't optimize a non-leaf Tensor", "The optimizer was given the result of an operation",
        ("An optimizer changes a tensor by its gradient, and backward keeps the gradients of "
         "leaves only.",),
        ("Give it the leaves that {x} was computed from.",
         "Or make a leaf of it first: leaf = {x}.detach().requires_grad_()."),
        which=lambda tensor: not tensor.is_leaf),
    Remedy("Only Tensors created explicitly by the user .* support the deepcopy protocol",
        "The result of an operation cannot be copied with its history",
        ("copy.deepcopy copies leaves. The graph that a result belongs to is not copied.",),
        ("Copy the numbers: {x}.detach().clone().",), ("deepcopy",)),
    Remedy(
        "Inference tensors cannot be saved for backward|Inplace update to inference tensor outside|"
        "Setting requires_grad=True on inference tensor",
        "A tensor made under inference_mode() is used where autograd records",
        ("{x} was made under torch.inference_mode(). It has no version counter, so autograd can "
         "neither save it nor follow a write into it.",),
        ("Make it under torch.no_grad() instead, or copy it outside of the block: {x}.clone().",),
        which=lambda tensor: tensor.is_inference()),
    Remedy(r"Function '(?P<function>\w+)' returned nan values in its (?P<nth>\d+)\w\w output",
        "NaN begins in the backward pass",
        ("{function} is the first function that sent NaN: in the gradient for its input {nth}.",),
        ("Compute the loss anew and look at it: course_lib.viz.draw_nonfinite(loss).",
         "Often the slope is infinite at its input. Then keep away from there: "
         "(x + 1e-8).sqrt(), for example.")),
    Remedy("view size is not compatible with input tensor's size and stride",
        "The elements do not lie in the order that the view would need",
        ("A view leaves all elements where they are. After t(), permute(), expand() or a slice, "
         "they may lie in another order than the new shape needs.",),
        ("Copy where it has to be: {x}.reshape(...) instead of {x}.view(...).",), ("view",)),
    Remedy("Boolean value of Tensor with more than one value is ambiguous",
        "A tensor with several elements is neither true nor false",
        ("if, while, and, or, not and bool() need one truth value, and the tensor has several.",),
        ("Say which is meant: {x}.all() or {x}.any().",
         "For and, or and not element by element: &, | and ~."), ("bool",)),
)  # fmt: skip


def told_about(seen: Seen) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """The title of an error, what happened and what to do; None when nothing is known."""
    for remedy in REMEDIES:
        words = remedy.told(seen)
        if words is not None:
            return remedy.title, *words
    return None
