"""Errors about saved values: hooks on them, user-defined Functions, nodes, checkpoints."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

# ---- saved tensors -------------------------------------------------------------------------------

SAVED_TENSOR_MADE = "Trying to create a SavedTensor object from Python is forbidden."
PACK_WRITES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)


# ---- functions of the user's own -----------------------------------------------------------------

CONSTANT_NO_TENSOR = "mark_non_differentiable only accepts variable arguments, but got "

saved_no_tensor = Sentence(
    "save_for_backward can only save variables, but argument {position} is of type {value:type}"
)

# ---- one node ------------------------------------------------------------------------------------

node_arguments = Sentence("expected {expected} arguments, got {given} instead")
node_argument = Sentence("argument {position} is not a Variable")
not_callable = Sentence("'{label}' object is not callable")

# ---- checkpoints ---------------------------------------------------------------------------------

CHECKPOINT_PARTIAL = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
    "`inputs` parameter to .backward(). To resolve this error, you can either set "
    "use_reentrant=False, or call .backward() without passing the `inputs` argument."
)
CHECKPOINT_UNPACKED_TWICE = (
    "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked "
    "once. If you are calling ctx.saved_tensors in backward, make sure to do so only once. "
    "Otherwise please open an issue with details on your use case."
)
CHECKPOINT_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""


def checkpoint_mismatch(forward: int, again: int) -> str:
    return (
        "torch.utils.checkpoint: A different number of tensors was saved during the original "
        f"forward and recomputation.\nNumber of tensors saved during forward: {forward}\n"
        f"Number of tensors saved during recomputation: {again}.\n{CHECKPOINT_TIP}"
    )


def checkpoint_other(different: list[tuple[int, dict, dict]]) -> str:
    lines = "".join(
        f"tensor at position {position}:\nsaved metadata: {before}\nrecomputed metadata: {after}\n"
        for position, before, after in different
    )
    return (
        "torch.utils.checkpoint: Recomputed values for the following tensors have different "
        f"metadata than during the forward pass.\n{lines}.\n{CHECKPOINT_TIP}"
    )
