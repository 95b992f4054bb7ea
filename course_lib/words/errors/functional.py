"""Errors of `autograd.functional`, `gradcheck` and `checkpoint`."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import Sentence

# ---- gradcheck -----------------------------------------------------------------------------------

GRADCHECK_NO_INPUT = (
    "gradcheck expects at least one input tensor to require gradient, but none of them have "
    "requires_grad=True."
)
GRADCHECK_SIZE = "Analytical gradient has incorrect size"
GRADCHECK_ZERO = "Numerical gradient for function expected to be zero"
GRADCHECK_MUL = "backward not multiplied by grad_output"
GRADCHECK_UNDEFINED = (
    "Expected backward function to handle undefined output grads. Please look at "
    '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
GRADCHECK_UNDEFINED_GRADS = (
    "Expected all input grads to be undefined or zero when all output grads are undefined or "
    'zero. Please look at "Notes about undefined output gradients" in '
    '"tools/autograd/derivatives.yaml"'
)
GRADCHECK_UNDEFINED_NEW = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by "
    "default, but it may break existing callers of this function. If this is true for you, you "
    'can call this function with "check_undefined_grad=False" to disable the feature'
)

gradcheck_precision = Sentence(
    "Input #{index} requires gradient and is not a double precision floating point or complex. "
    "This check will likely fail if all the inputs are not of double precision floating point or "
    "complex. "
)
gradcheck_overlap = Sentence(
    "The {index}th input has a dimension with stride 0. gradcheck only supports inputs that are "
    "non-overlapping to be able to compute the numerical gradients correctly. You should call "
    ".contiguous on the input before passing it to gradcheck."
)
gradcheck_moved = Sentence(
    "Expected `func` to return outputs with the same {what} when inputs are perturbed on index "
    "{where} by {eps}, but got: {what}s {low} and {high}."
)
gradcheck_nondeterministic = Sentence(
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple "
    "times gives different values, although analytical gradient matches numerical gradient.The "
    "tolerance for nondeterminism was {tolerance}."
)


def jacobian_mismatch(output: int, number: int, numerical: Any, analytical: Any, part: str) -> str:
    first = f"While considering the {part} part of complex outputs only, " if part else ""
    return (
        f"{first}Jacobian mismatch for output {output} with respect to input {number},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


# ---- checkpoint ----------------------------------------------------------------------------------

CHECKPOINT_REENTRANT = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in "
    "PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. use_reentrant="
    "False is recommended, but if you need to preserve the current default behavior, you can pass "
    "use_reentrant=True. Refer to docs for more details on the differences between the two "
    "variants."
)
CHECKPOINT_NO_GRAD = "None of the inputs have requires_grad=True. Gradients will be None"
CHECKPOINT_NOTHING = "none of output has requires_grad=True, this checkpoint() is not necessary"
