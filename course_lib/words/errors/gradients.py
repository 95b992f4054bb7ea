"""Errors of autograd."""

from __future__ import annotations

import traceback
from typing import Any

from course_lib.words.errors.sentence import Sentence
from course_lib.words.tracebacks import is_ours

BACKWARD_TWICE = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
    "through the graph a second time or if you need to access saved tensors after calling "
    "backward."
)
GRADIENT_KIND = (
    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be "
    "true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)"
)
OUTPUT_NO_TENSOR = "Expected output to be a torch.Tensor"
POST_HOOK_RESULT = "Tensor post accumulate grad hooks should return None."
DETACHED_SAVED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_()."
    "This is not supported, please use out-of-place `.detach()` instead"
)
LEAF_INPLACE = "a leaf Variable that requires grad is being used in an in-place operation."
LEAF_MOVED = "leaf variable has been moved into the graph interior"
VIEW_OF_LEAF = (
    "a view of a leaf Variable that requires grad is being used in an in-place operation."
)
NOT_SCALAR = "grad can be implicitly created only for scalar outputs"
NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
ONLY_FLOATING_FACTORY = "Only Tensors of floating point and complex dtype can require gradients"
ONLY_FLOATING_ATTRIBUTE = "only Tensors of floating point and complex dtype can require gradients"
ONLY_FLOATING_METHOD = "only Tensors of floating point dtype can require gradients"
REQUIRES_GRAD_BOOL = "requires_grad must be a bool"
SWITCH_NON_LEAF = "you can only change requires_grad flags of leaf variables."
SWITCH_OFF_NON_LEAF = (
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
)
HOOK_WITHOUT_GRAD = "cannot register a hook on a tensor that doesn't require gradient"
POST_HOOK_NON_LEAF = "post accumulate grad hooks cannot be registered on non-leaf tensors"
RETAIN_WITHOUT_GRAD = "can't retain_grad on Tensor that has requires_grad=False"
GRAD_IS_SELF = "can't assign Variable as its own grad"
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using "
    "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, "
    "gradients are views of DDP buckets, and hence detach_() cannot be called on these "
    "gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
    "torch/optim/optimizer.py as the solution."
)
INCOMPATIBLE_DATA = (
    "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
    "incompatible tensor type."
)
DATA_INTEGER_REQUIRES_GRAD = (
    "data set to a tensor that requires gradients must be floating point or complex dtype"
)
INFERENCE_VERSION = "Inference tensors do not track version counter."
INFERENCE_REQUIRES_GRAD = (
    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
)
INFERENCE_INPLACE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed."
    "You can make a clone to get a normal tensor before doing inplace update."
    "See https://github.com/pytorch/rfcs/pull/17 for more details."
)
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


no_grad_fn = Sentence(
    "element {index} of tensors does not require grad and does not have a grad_fn"
)
mismatched_gradient = Sentence(
    "Mismatch in shape: grad_output[{index}] has a shape of torch.Size({grad:list}) and "
    "output[{index}] has a shape of torch.Size({output:list})."
)


gradient_device = Sentence(
    "invalid gradient at index {index} - expected device {own} but got {got}"
)


def invalid_gradient(source: Any, number: int, grad: Any, shape: tuple) -> str:
    return (
        f"Function {source.name()} returned an invalid gradient at index {number} - got "
        f"{list(grad)} but expected shape compatible with {list(shape)}"
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


HOOK_OF_NOTHING = "can't replace a None gradient with a non-None value"
hook_type = Sentence("expected Variable, but hook returned '{new:type}'")
hook_size = Sentence("hook '{name}' has changed the size of value")
hook_dtype = Sentence(
    "hook '{name}' has changed the type of value (was torch.{old.legacy} got torch.{new.legacy})"
)
node_hook_type = Sentence("expected tuple, but hook returned '{new:type}'")
node_hook_count = Sentence(
    "hook '{name}' has returned an incorrect number of values (got {count}, but expected {wanted})"
)


input_type = Sentence("all inputs have to be Tensors or GradientEdges, but got {value:type}")
unpacked_not_tensor = Sentence(
    "Output of saved tensor unpack_hook expected to be a Tensor but got result of type {value:type}"
)

FUNCTION_CALLED = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)

function_made = Sentence(
    "{cls} should not be instantiated. Methods on autograd functions are all static, so you "
    "should invoke them on the class itself. Instantiating an autograd function will raise an "
    "error in a future version of PyTorch."
)


def forward_stack() -> list[str]:
    """The stack of the current call down to the user's line, for anomaly mode."""
    frames = traceback.extract_stack()
    while frames and is_ours(frames[-1].filename):
        frames.pop()
    return frames.format()


EMPTY_INPUTS = "`inputs` argument to `backward()` cannot be empty."


MATERIALIZE_NEEDS_UNUSED = (
    "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
    "allow_unused=False."
)


INPUT_WITHOUT_GRAD = "One of the differentiated Tensors does not require grad"

input_unused = Sentence(
    "The differentiated Tensor at index {index} appears to not have been used in the graph. Set "
    "allow_unused=True if this is the desired behavior."
)

EMPTY_GRAD_INPUTS = "`inputs` argument to `grad()` cannot be empty."
ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)
CREATE_GRAPH_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)

mismatched_gradient_dtype = Sentence(
    "For complex Tensors, both grad_output and output are required to have the same dtype. "
    "Mismatch in dtype: grad_output[{index}] has a dtype of {grad} and output[{index}] has a "
    "dtype of {output}."
)
grad_count = Sentence("got {outputs} tensors and {grads} gradients")
grad_of_complex = Sentence(
    "grad can be implicitly created only for real scalar outputs but got {tensor._dtype!r}"
)
gradient_type = Sentence("gradients can be either Tensors or None, but got {value:type}")

# ---- functions of the user's own -----------------------------------------------------------------

FORWARD_MISSING = "You must implement the forward function for custom autograd.Function."
SETUP_CONTEXT_MISSING = "setup_context is not implemented."
BACKWARD_MISSING = (
    "You must implement either the backward or vjp method for your custom autograd.Function to "
    "use it with backward mode AD."
)
INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)

gradient_count = Sentence(
    "function {label} returned an incorrect number of gradients (expected {expected}, got {got})"
)
gradient_not_tensor = Sentence("expected Variable or None (got {value:type})")
gradient_of_constant = Sentence(
    "function {label} returned a gradient different than None at position {position}, but the "
    "corresponding forward input was not a Variable"
)

# ---- anomaly mode --------------------------------------------------------------------------------

ANOMALY_SLOW = (
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
    "enabled for debugging."
)


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


nan_returned = Sentence("Function '{name}' returned nan values in its {number}th output.")


# ---- legacy --------------------------------------------------------------------------------------

VOLATILE_ARGUMENT = (
    "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
)
VOLATILE_ATTRIBUTE = "volatile was removed (Variable.volatile is always False)"
