"""Errors of losses."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

ELEMENTWISE_MEAN = (
    "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead."
)
SCORES_SCALAR = "Expected 1 or more dimensions (got 0)"
SEVERAL_TARGETS = "0D or 1D target tensor expected, multi-target not supported"
PROBABILITIES_IGNORE = "ignore_index is not supported for floating point target"

not_a_reduction = Sentence("{value} is not a valid value for reduction")

# ---- shapes --------------------------------------------------------------------------------------

other_target_size = Sentence(
    "Target size ({target:size}) must be the same as input size ({input:size})"
)
bce_sizes = Sentence(
    "Using a target size ({target:size}) that is different to the input size ({input:size}) is "
    "deprecated. Please ensure they have the same size."
)
broadcast_loss = Sentence(
    "Using a target size ({target:size}) that is different to the input size ({input:size}). "
    "This will likely lead to incorrect results due to broadcasting. Please ensure they have the "
    "same size."
)
loss_weight = Sentence(
    "Attempting to broadcast a dimension of length {length} at -{dim}! Mismatching argument at "
    "index 1 had {weight:size}; but expected shape should be broadcastable to {losses:list}"
)
target_batch = Sentence(
    "Expected input batch_size ({input}) to match target batch_size ({target})."
)
target_shape = Sentence("Expected target size {expected:list}, got {found:list}")
target_of_images = Sentence(
    "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
    "{target:dims}"
)
target_of_one = Sentence("size mismatch (got input: {shape:list}, target: {target:list})")
target_of_places = Sentence("size mismatch (got input: {shape:list} , target: {target:list}")
class_weights = Sentence(
    "weight tensor should be defined either for all {classes} classes or no classes but got "
    "weight tensor of shape: {shape:list}"
)

# ---- values and dtypes ---------------------------------------------------------------------------

not_probabilities = Sentence("all elements of {name} should be between 0 and 1")
smoothing_range = Sentence("label_smoothing must be between 0.0 and 1.0. Got: {value:g}")
target_out_of_bounds = Sentence("Target {value} is out of bounds.")
target_dtype = Sentence("expected target dtype to be Long or Byte, but got {target:word}")
target_other_dtype = Sentence("Found dtype {target:word} but expected {self:word}")
probabilities_dtype = Sentence(
    "Expected floating point type for target with class probabilities, got {target:word}"
)
not_of_targets = Sentence(
    "result type {self:word} can't be cast to the desired output type {target:word}"
)
not_differentiable = Sentence(
    "The function '{function}' is not differentiable with respect to argument '{argument}'. This "
    "input cannot have requires_grad True."
)
