"""Sentences of autograd whose words depend on the case."""

import traceback
from typing import Any

from course_lib.words.tracebacks import is_ours

AMBIGUOUS = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the {} block (if you don't "
    "want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)

VIEW_ORIGINS = {
    "no_grad": AMBIGUOUS.format("no_grad"),
    "inference": AMBIGUOUS.format("inference_mode"),
    "many": " This view is the output of a function that returns multiple views. Such functions "
    "do not allow the output views to be modified inplace. You should replace the inplace "
    "operation by an out-of-place one.",
    "custom": " This view was created inside a custom Function (or because an input was returned "
    "as-is) and the autograd logic to handle view+inplace would override the custom backward "
    "associated with the custom Function, leading to incorrect gradients. This behavior is "
    "forbidden. You can fix this by cloning the output of the custom Function.",
}


def short(node_name: str) -> str:
    """The name of a node without "Backward": SigmoidBackward0 is Sigmoid, FillBackward3 Fill3."""
    start, backward, number = node_name.rpartition("Backward")
    return start + number.lstrip("0") if backward and not number.strip("0123456789") else node_name


def stale_value(
    legacy: str,
    shape: tuple,
    maker: str | None,
    number: int,
    version: int,
    expected: int,
    anomaly: bool,
) -> str:
    """The error for a saved value that was overwritten before backward needed it."""
    made = ""
    if maker is not None:
        made = f", which is output {number} of {short(maker)},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. "
        "The variable in question was changed in there or anywhere later. Good luck!"
        if anomaly
        else "enable anomaly detection to find the operation that failed to compute its "
        "gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [torch.{legacy} {list(shape)}]{made} is at version {version}; "
        f"expected version {expected} instead. Hint: {hint}"
    )


def forbidden_view(view: Any, tensor: Any, node: Any, indirect: bool = False) -> str:
    """The error for a write that a view's history cannot follow.

    The write goes through the view itself or, if `indirect`, through its base or another view.
    """
    changed = "its base or another view of its base has been" if indirect else "is being"
    maker = short(node.name()) if node is not None else ""
    made = f"Output {tensor._output_nr} of {maker} is a view"
    if view.origin not in ("many", "custom") or node is None:
        inside, outside = "no_grad mode", "with grad mode enabled"
        if view.origin == "inference":
            inside, outside = "inference mode", "in normal mode"
        made = f"{made} of a view which was" if node is not None else "A view was"
        made = f"{made} created in {inside} and {changed} modified inplace {outside}"
    else:
        made = f"{made} and {changed} modified inplace"
    return f"{made}.{VIEW_ORIGINS[view.origin]}"


def forward_stack() -> list[str]:
    """The stack of the current call down to the user's line, for anomaly mode."""
    frames = traceback.extract_stack()
    while frames and is_ours(frames[-1].filename):
        frames.pop()
    return frames.format()


def anomaly_trace(node: Any, stack: str | None, failed: bool) -> str:
    """The warning that shows where a node was made: the failing one, or one whose backward made
    the node before."""
    what, did = "Error detected in", "caused the error"
    if not failed:
        what, did = "\n\nPrevious calculation was induced by", "induced the previous calculation"
    if stack is not None:
        return f"{what} {node.name()}. Traceback of forward call that {did}:\n{stack}"
    return (
        f"{what} {node.name()}. No forward pass information available. Enable detect anomaly "
        "during forward pass for more information."
    )


def jacobian_mismatch(output: int, number: int, numerical: Any, analytical: Any, part: str) -> str:
    first = f"While considering the {part} part of complex outputs only, " if part else ""
    return (
        f"{first}Jacobian mismatch for output {output} with respect to input {number},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )
