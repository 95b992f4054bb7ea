"""Errors of `nn.Module` and its containers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from course_lib.words.errors.sentence import Sentence
from course_lib.words.errors.types import class_name

NOT_TRAINING_BOOL = "training mode is expected to be boolean"
HOOK_GRADS_EXPECTED_NONE = (
    "Backward hook for Modules where no input requires gradient should always return None or None "
    "for all gradients."
)
FULL_HOOK_WITHOUT_INPUT = (
    "Full backward hook is firing when gradients are computed with respect to module outputs since "
    "no inputs require gradients. See https://docs.pytorch.org/docs/main/generated/"
    "torch.nn.Module.html#torch.nn.Module.register_full_backward_hook for more details."
)
COMPLEX_MODULES = (
    "Complex modules are a new feature under active development whose design may change, and some "
    "modules might not work as expected when using complex tensors as parameters or buffers. "
    "Please file an issue at https://github.com/pytorch/pytorch/issues/new?"
    "template=bug-report.yml if a complex module does not work as expected."
)


def kind_name(value: Any) -> str:
    """The type of a value as `torch.typename` writes it."""
    if hasattr(value, "_dtype"):  # a tensor
        return f"torch.{value._dtype.legacy}"
    kind = type(value)
    if kind.__module__.startswith("course_lib.nn."):
        return f"torch.nn.modules.{kind.__module__.rpartition('.')[2]}.{kind.__name__}"
    return class_name(kind)


# ---- registering ---------------------------------------------------------------------------------

TAKEN = {"parameter": "torch.nn.Parameter or None", "buffer": "torch Tensor or None"}

before_init = Sentence("cannot assign {what} before Module.__init__() call")


def name_not_string(what: str, name: Any) -> str:
    return f"{what} name should be a string. Got {kind_name(name)}"


def name_with_dot(what: str, name: str) -> str:
    return f'{what} name can\'t contain "."' + (f", got: {name}" if what == "module" else "")


name_empty = Sentence('{what} name can\'t be empty string ""')
attribute_exists = Sentence("attribute '{name}' already exists")


def cannot_register(value: Any, what: str, name: str) -> str:
    return f"cannot assign '{kind_name(value)}' object to {what} '{name}' ({TAKEN[what]} required)"


def cannot_assign(value: Any, what: str, name: str, wanted: str) -> str:
    return f"cannot assign '{kind_name(value)}' as {what} '{name}' ({wanted} expected)"


non_leaf_parameter = Sentence(
    "Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
    "explicitly. To express '{name}' as a function of another Tensor, compute the value in the "
    "forward() method."
)


def not_a_module(value: Any) -> str:
    return f"{kind_name(value)} is not a Module subclass"


without_forward = Sentence('Module [{module:type}] is missing the required "forward" function')

# ---- hooks ---------------------------------------------------------------------------------------

pre_hook_result = Sentence(
    "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {result}."
)


def hook_count(pre: bool, got: int, expected: int) -> str:
    which = ("Backward pre hook", "grad_output") if pre else ("Backward hook", "grad_input")
    return (
        f"{which[0]} returned an invalid number of {which[1]}, got {got}, but expected {expected}"
    )


hooks_want_tensors = Sentence(
    "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
    "received {kind}"
)

# ---- moving and loading --------------------------------------------------------------------------

module_dtype = Sentence(
    "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
)


def state_not_a_dict(value: Any) -> str:
    return f"Expected state_dict to be dict-like, got {type(value)}."


def state_not_a_tensor(key: str, value: Any) -> str:
    return (
        f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
        f"from checkpoint but received {type(value)}"
    )


state_shape = Sentence(
    "size mismatch for {key}: copying a param with shape {found} from checkpoint, the shape in "
    "current model is {own}."
)
state_not_copied = Sentence(
    'While copying the parameter named "{key}", whose dimensions in the model are {own} and '
    "whose dimensions in the checkpoint are {found}, an exception occurred : {error.args}."
)
state_to_meta = Sentence(
    "for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the "
    "current model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the "
    "state dictionary to their corresponding key in the module instead of copying them in place?)"
)


def state_keys(kind: str, keys: Iterable[str]) -> str:
    listed = ", ".join(f'"{key}"' for key in keys)
    return f"{kind} key(s) in state_dict: {listed}. "


def state_errors(module: Any, texts: list[str]) -> str:
    return "Error(s) in loading state_dict for {}:\n\t{}".format(
        type(module).__name__, "\n\t".join(texts)
    )


def module_arguments(module: Any, args: tuple, kwargs: dict) -> str:
    """Python's message for arguments that `Module.__init__` does not take."""
    name = f"{type(module).__name__}.__init__()"
    if kwargs:
        return f"{name} got an unexpected keyword argument '{next(iter(kwargs))}'"
    return f"{name} takes 1 positional argument but {len(args) + 1} were given"


META_MODULE = (
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
    "torch.nn.Module.to() when moving module from meta to a different device."
)


# ---- containers ----------------------------------------------------------------------------------

out_of_range = Sentence("index {index} is out of range")


def not_iterable(caller: str, wanted: str, given: Any) -> str:
    return f"{caller} should be called with an {wanted[3:]}, but got {type(given).__name__}"


parameter_key = Sentence(
    "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
    "'{key:type}'). Open an issue on github if you need non-string keys."
)

# ---- initial values ------------------------------------------------------------------------------

NO_FANS = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
NOTHING_TO_FILL = "Initializing zero-element tensors is a no-op"

fan_mode = Sentence("Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
init_renamed = Sentence("`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`.")

# ---- layers --------------------------------------------------------------------------------------

expected_dims = Sentence("expected {wanted} input (got {dims}D input)")
divisible = Sentence("{what} must be divisible by groups")


def padding_text(padding: str) -> str:
    valid = {"same", "valid"}
    return f"Invalid padding string {padding!r}, should be one of {valid}"


SAME_PADDING_STRIDED = "padding='same' is not supported for strided convolutions"
GROUPS_POSITIVE = "groups must be a positive integer"


def padding_mode(mode: str) -> str:
    valid = {"zeros", "reflect", "replicate", "circular"}
    return f"padding_mode must be one of {valid}, but got padding_mode='{mode}'"


only_zeros_padding = Sentence('Only "zeros" padding mode is supported for {module:type}')


def output_size_count(dims: int, input_dims: int, plain: int, got: int) -> str:
    return (
        f"ConvTranspose{dims}D: for {input_dims}D input, output_size must have {dims} or "
        f"{plain + dims} elements (got {got})"
    )


output_size_range = Sentence(
    "requested an output size of {size}, but valid sizes range from {low} to {high} (for an "
    "input of {input_size})"
)
num_channels = Sentence("num_channels ({channels}) must be divisible by num_groups ({groups})")

EMBEDDING_SHAPE = "Shape of weight does not match num_embeddings and embedding_dim"
PRETRAINED_DIMS = "Embeddings parameter is expected to be 2-dimensional"

old_reduction = Sentence(
    "size_average and reduce args will be deprecated, please use reduction='{instead}' instead."
)

# ---- all parameters at once ----------------------------------------------------------------------

EMPTY_GENERATOR = "`parameters` is an empty generator, no gradient clipping will occur."

norm_not_finite = Sentence(
    "The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it "
    "cannot be clipped. To disable this error and scale the gradients by the non-finite norm "
    "anyway, set `error_if_nonfinite=False`"
)

MODULE_COPY = ".to() does not accept copy argument"
