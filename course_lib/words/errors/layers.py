"""Errors of normalization, embeddings and dropout."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

# ---- normalization -------------------------------------------------------------------------------

MIXED_PARAMETERS = "mixed dtype (CPU): expect parameter to have scalar type of Float"
MIXED_DTYPES = "mixed dtype (CPU): all inputs must share same datatype."

normalized_shape_type = Sentence(
    "layer_norm(): argument 'normalized_shape' (position 2) must be tuple of ints, {found}"
)
normalized_scalar = Sentence(
    "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
    "element, but got normalized_shape = {shape}"
)
normalized_parameter = Sentence(
    "Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
    "{value:list} and normalized_shape = {shape}"
)
normalized_input = Sentence(
    "Given normalized_shape={shape}, expected input with shape [*, {sizes}], but got input of "
    "size{input:list}"
)
group_dims = Sentence("Expected at least 2 dimensions for input tensor but received {shape:dims}")
group_count = Sentence("Expected num groups to be greater than 0, got {groups}")
group_channels = Sentence(
    "Expected number of channels in input to be divisible by num_groups, but got input of shape "
    "{shape:list} and num_groups={groups}"
)
group_parameter = Sentence(
    "Expected {name} to be a vector of size equal to the number of channels in input, but got "
    "{name} of shape {found:list} and input of shape {shape:list}"
)
group_values = Sentence(
    "Expected more than 1 value per channel when training, got input size {shape:list}"
)
values_per_channel = Sentence(
    "Expected more than 1 value per channel when training, got input size {shape:size}"
)
training_eps = Sentence("batch_norm eps must be positive during training, but got {eps}")
evaluation_eps = Sentence("batch_norm eps must be non-negative, but got {eps}")
evaluation_statistic = Sentence("{name} must be defined in evaluation mode")
channel_parameter = Sentence("{name} should contain {channels} elements not {found}")

# ---- embeddings ----------------------------------------------------------------------------------

EMBEDDING_WEIGHT = "'weight' must be 2-D"
PADDING_IDX = "Padding_idx must be within num_embeddings"
NEGATIVE_CLASS = "Class values must be non-negative."
LARGE_CLASS = "Class values must be smaller than num_classes."
NO_CLASSES = "Can not infer total number of classes from empty tensor."
ONE_HOT_TYPE = "one_hot is only applicable to index tensor of type LongTensor."

embedding_no_tensor = Sentence(
    "embedding(): argument 'indices' (position 2) must be Tensor, not {kind}"
)
embedding_indices = Sentence(
    "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, "
    "Int; but got {indices:string} instead (while checking arguments for embedding)"
)

# ---- dropout and linear layers -------------------------------------------------------------------

DROPOUT_FEATURES = "Feature dropout requires at least 2 dimensions in the input"
DROPOUT2D_SERIES = (
    "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
    "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. "
    "This behavior will change in a future release to interpret the input as one without a batch "
    "dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please "
    "switch to using dropout1d instead."
)
VECTOR_WEIGHT = "mat2 must be a matrix, got 1-D tensor"

dropout_dims = Sentence(
    "dropout2d: Received a {shape:dims}-D input to dropout2d, which is deprecated and will result "
    "in an error in a future release. To retain the behavior and silence this warning, please use "
    "dropout instead. Note that dropout2d exists to provide channel-wise dropout on inputs with 2 "
    "spatial dimensions, a channel dimension, and an optional batch dimension (i.e. 3D or 4D "
    "inputs)."
)
dropout_probability = Sentence("dropout probability has to be between 0 and 1, but got {p}")
