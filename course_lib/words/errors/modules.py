"""Errors of `nn.Module` and its containers."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

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

# ---- registering ---------------------------------------------------------------------------------

before_init = Sentence("cannot assign {what} before Module.__init__() call")
name_not_string = Sentence("{what} name should be a string. Got {name:typename}")
name_with_dot = Sentence('{what} name can\'t contain "."{got}')
name_empty = Sentence('{what} name can\'t be empty string ""')
attribute_exists = Sentence("attribute '{name}' already exists")
cannot_register = Sentence(
    "cannot assign '{value:typename}' object to {what} '{name}' ({wanted} required)"
)
cannot_assign = Sentence("cannot assign '{value:typename}' as {what} '{name}' ({wanted} expected)")
non_leaf_parameter = Sentence(
    "Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created "
    "explicitly. To express '{name}' as a function of another Tensor, compute the value in the "
    "forward() method."
)
not_a_module = Sentence("{value:typename} is not a Module subclass")
without_forward = Sentence('Module [{module:type}] is missing the required "forward" function')

# ---- hooks ---------------------------------------------------------------------------------------

pre_hook_result = Sentence(
    "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {result}."
)
hook_count = Sentence(
    "Backward hook returned an invalid number of grad_input, got {got}, but expected {expected}"
)
hooks_want_tensors = Sentence(
    "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
    "received {kind}"
)

# ---- moving and loading --------------------------------------------------------------------------

module_dtype = Sentence(
    "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
)
state_not_a_dict = Sentence("Expected state_dict to be dict-like, got {kind}.")
state_not_a_tensor = Sentence(
    'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
    "checkpoint but received {kind}"
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
state_keys = Sentence("{kind} key(s) in state_dict: {keys}. ")
state_errors = Sentence("Error(s) in loading state_dict for {module:type}:\n\t{texts}")
module_keyword = Sentence("{name}.__init__() got an unexpected keyword argument '{keyword}'")
module_positions = Sentence("{name}.__init__() takes 1 positional argument but {given} were given")

META_MODULE = (
    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
    "torch.nn.Module.to() when moving module from meta to a different device."
)


# ---- containers ----------------------------------------------------------------------------------

out_of_range = Sentence("index {index} is out of range")
not_iterable = Sentence("{caller} should be called with an iterable, but got {value:type}")

# ---- initial values ------------------------------------------------------------------------------

NO_FANS = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
NOTHING_TO_FILL = "Initializing zero-element tensors is a no-op"

fan_mode = Sentence("Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
init_renamed = Sentence("`nn.init.{old}` is now deprecated in favor of `nn.init.{old}_`.")

# ---- layers --------------------------------------------------------------------------------------

expected_dims = Sentence("expected {wanted} input (got {dims}D input)")
divisible = Sentence("{what} must be divisible by groups")
padding_text = Sentence("Invalid padding string {padding!r}, should be one of {valid}")
GROUPS_POSITIVE = "groups must be a positive integer"
padding_mode = Sentence("padding_mode must be one of {valid}, but got padding_mode='{mode}'")
only_zeros_padding = Sentence('Only "zeros" padding mode is supported for {module:type}')
output_size_count = Sentence(
    "ConvTranspose2D: for {dims}D input, output_size must have 2 or {dims} elements (got {got})"
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
