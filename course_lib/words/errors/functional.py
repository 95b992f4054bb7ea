"""Errors of `autograd.functional`, `gradcheck` and `checkpoint`."""

from __future__ import annotations

from typing import Any

ONE_TENSOR_OF_ONE = (
    "The vector v can only be None if the user-provided function returns a single Tensor with a "
    "single element."
)
JVP_WITHOUT_V = (
    "The vector v can only be None if the input to the user-provided function is a single Tensor "
    "with a single element."
)
V_ALONE = "The given v should contain a single Tensor."
FORWARD_UNVECTORIZED = (
    "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
    "`vectorize=True`."
)
FORWARD_STRATEGY = (
    'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has '
    'more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to '
    'use "reverse-mode".'
)
OUTER_STRATEGY = 'Expected strategy to be either "forward-mode" or "reverse-mode".'
STRICT_VECTORIZED = (
    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported "
    "together. Please either set `strict=False` or `vectorize=False`."
)
STRICT = " This is not allowed in strict mode."
GRADIENT_STAGES = {
    "back": "The output of the user-provided function is independent of input {}." + STRICT,
    "back_trick": "The gradient with respect to the input is independent of entry {} in the "
    "grad_outputs when using the double backward trick to compute forward mode gradients." + STRICT,
    "double_back": "The jacobian of the user-provided function is independent of input {}."
    + STRICT,
    "double_back_trick": "The hessian of the user-provided function is independent of entry {} "
    "in the grad_jacobian. This is not allowed in strict mode as it prevents from using the double "
    "backward trick to replace forward mode AD.",
}
UNTRACKED = {
    "outputs": "Output {} of the user-provided function does not require gradients. The outputs "
    "must be computed in a differentiable manner from the input when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {} is independent of the inputs of the "
    "user-provided function." + STRICT,
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided "
    "function with respect to input {} is independent of the input."
    + STRICT
    + " You should ensure "
    "that your function is twice differentiable and that the jacobian depends on the inputs (this "
    "would be violated by a linear function for example).",
}


def not_tensors(what: str, function: str, value: Any, index: int | None) -> str:
    found = (
        f"given {what} has type {type(value)}."
        if index is None
        else f"value at index {index} has type {type(value)}."
    )
    return (
        f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the "
        f"{found}"
    )


def vector_count(expected: int, got: int) -> str:
    return f"v is a tuple of invalid length: should be {expected} but got {got}."


def vector_size(index: int | None, expected: Any, got: Any) -> str:
    where = "" if index is None else f"Entry {index} in "
    return f"{where}v has invalid size: should be {expected} but got {got}."


def independent_output(output: int, number: int) -> str:
    return (
        f"Output {output} of the user-provided function is independent of input {number}." + STRICT
    )


def independent_graph(stage: str, index: int) -> str:
    what = "hessian" if "double" in stage else "jacobian"
    return (
        f"The {what} of the user-provided function is independent of input {index}. This is not "
        "allowed in strict mode when create_graph=True."
    )


def single_tensor(name: str) -> str:
    return f"The function given to {name} should return a single Tensor"


def single_element(name: str) -> str:
    return f"The Tensor returned by the function given to {name} should contain a single element"


# ---- func ----------------------------------------------------------------------------------------


def func_input_type(found: type) -> str:
    return f"Thing passed to transform API must be Tensor, got {found}"


def func_output_type(found: type) -> str:
    return f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {found}"


def func_output_shape(shape: tuple) -> str:
    return (
        "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
        f"{len(shape)} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
    )


# ---- gradcheck -----------------------------------------------------------------------------------

GRADCHECK_NO_INPUT = (
    "gradcheck expects at least one input tensor to require gradient, but none of them have "
    "requires_grad=True."
)
GRADCHECK_DTYPE = "Gradient has dtype mismatch"
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
GRADCHECK_NOTHING = "Expected at least one of check_forward_ad or check_backward_ad to be True"


def gradcheck_precision(index: int) -> str:
    return (
        f"Input #{index} requires gradient and is not a double precision floating point or "
        "complex. This check will likely fail if all the inputs are not of double precision "
        "floating point or complex. "
    )


def gradcheck_overlap(index: int) -> str:
    return (
        f"The {index}th input has a dimension with stride 0. gradcheck only supports inputs that "
        "are non-overlapping to be able to compute the numerical gradients correctly. You should "
        "call .contiguous on the input before passing it to gradcheck."
    )


def gradcheck_moved(what: str, where: tuple, eps: float, low: Any, high: Any) -> str:
    return (
        f"Expected `func` to return outputs with the same {what} when inputs are perturbed on "
        f"index {where} by {eps}, but got: {what}s {low} and {high}."
    )


def gradcheck_nondeterministic(tolerance: float) -> str:
    return (
        "Backward is not reentrant, i.e., running backward with same input and grad_output "
        "multiple times gives different values, although analytical gradient matches numerical "
        f"gradient.The tolerance for nondeterminism was {tolerance}."
    )


def jacobian_mismatch(output: int, number: int, numerical: Any, analytical: Any, part: str) -> str:
    first = f"While considering the {part} part of complex outputs only, " if part else ""
    return (
        f"{first}Jacobian mismatch for output {output} with respect to input {number},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


GRADCHECK_BATCHED_FORWARD = (
    "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
)
GRADCHECK_BATCHED = "gradcheck or gradgradcheck failed while testing batched gradient computation."

# ---- checkpoint ----------------------------------------------------------------------------------

CHECKPOINT_REENTRANT = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in "
    "PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. use_reentrant="
    "False is recommended, but if you need to preserve the current default behavior, you can pass "
    "use_reentrant=True. Refer to docs for more details on the differences between the two "
    "variants."
)
CHECKPOINT_SEQUENTIAL_REENTRANT = (
    "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed "
    "explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. "
    "use_reentrant=False is recommended, but if you need to preserve the current default behavior, "
    "you can pass use_reentrant=True. Refer to docs for more details on the differences between "
    "the two variants."
)
CHECKPOINT_CONTEXT = "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
CHECKPOINT_NO_GRAD = "None of the inputs have requires_grad=True. Gradients will be None"
CHECKPOINT_NOTHING = "none of output has requires_grad=True, this checkpoint() is not necessary"
