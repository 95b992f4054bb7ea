"""Errors about saved values: hooks on them, user-defined Functions, checkpoints, whole passes."""

from __future__ import annotations

from typing import Any

# ---- saved tensors -------------------------------------------------------------------------------

SAVED_TENSOR_MADE = "Trying to create a SavedTensor object from Python is forbidden."
HOOKS_ON_FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
    "of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to "
    "access saved variables after calling backward."
)
HOOKS_ON_NONE = "Calling register_hooks on a saved tensor with value None is forbidden"
HOOKS_TWICE = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one "
    "pair of hooks is allowed at a time."
)
PACK_WRITES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)
SAVED_ONCE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
    "autograd.Function. Either access saved_tensors only once, or set "
    "clear_saved_tensors_on_access=False."
)


def hook_arguments(saved: Any, given: tuple) -> str:
    """The error if `register_hooks` does not get two callables."""
    return (
        "register_hooks(): incompatible function arguments. The following argument types are "
        "supported:\n    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, "
        "arg1: collections.abc.Callable) -> None\n\nInvoked with: "
        + ", ".join(map(repr, (saved, *given)))
    )


# ---- functions of the user's own -----------------------------------------------------------------

BACKWARD_AND_VJP = (
    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
    "implement one of them."
)
DIRTY_NO_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
    "mutated should be passed to ctx.mark_dirty()."
)
DIRTY_NO_TENSOR = "mark_dirty can only accept variables, but argument "  # the end, in PyTorch too
CONSTANT_NO_TENSOR = "mark_non_differentiable only accepts variable arguments, but got "
DIRTY_NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)


def saved_no_tensor(position: int, value: Any) -> str:
    return (
        f"save_for_backward can only save variables, but argument {position} is of type "
        f"{type(value).__name__}"
    )


DELETE_DATA = "Deleting tensor data is not allowed. Delete tensor instead!"

# ---- one backward pass ---------------------------------------------------------------------------

GRADS_BATCH_DIM = (
    "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor "
    "of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
)
CALLBACK_OUTSIDE = "Final callbacks can only be installed during backward pass."


def batched_shape(index: int, grad: tuple, output: tuple) -> str:
    """The error for a batch of vectors; `grad` is its shape without the first two dimensions."""
    return (
        "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the "
        "batch dimension. The sizes of the remaining dimensions are expected to match the shape of "
        f"corresponding output, but a mismatch was detected: grad_output[{index}] has a shape of "
        f"torch.Size({list(grad)}) and output[{index}] has a shape of torch.Size({list(output)}). "
        "If you only want some tensors in `grad_output` to be considered batched, consider using "
        "vmap."
    )


def batch_sizes(sizes: list[int]) -> str:
    return (
        "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
        f"{sizes} for the mapped dimension"
    )


def node_arguments(expected: int, given: int) -> str:
    return f"expected {expected} arguments, got {given} instead"


def node_argument(position: int) -> str:
    return f"argument {position} is not a Variable"


def not_callable(label: str) -> str:
    return f"'{label}' object is not callable"


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
CHECKPOINT_MORE = (
    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the "
    f"original forward pass.\n{CHECKPOINT_TIP}"
)
CHECKPOINT_DEBUG_CONTEXT = "debug=True is incompatible with non-default context_fn"
CHECKPOINT_SUPPRESSED = (
    "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception "
    "raised during the checkpointed forward. This is not supported because checkpoint cannot "
    "return a value for a failed forward."
)


def checkpoint_check(given: str) -> str:
    return f"determinism_check should be one of ['default', 'none'], but got {given}"


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


def checkpoint_traces(first: list[str], second: list[str]) -> str:
    line = "+" + "~" * 78 + "+\n"
    headings = [
        f"{line}|{text:^78}|\n"
        for text in (
            "1. Stack traces of the operators that ran in the original forward",
            "2. Stack traces of the operators that ran during recomputation",
        )
    ]
    return (
        " \nAn error happened while unpacking tensors; dumping logs of latest computation\nbecause "
        "you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.\nScroll all the way "
        "down for guidance on how to navigate these logs.\n\n"
        + headings[0]
        + stacks("original", first)
        + headings[1]
        + stacks("recompute", second)
        + f"{line} ERROR: Detected non-determinism while running activation checkpointing\n\n"
        " You are seeing this error because you passed `debug=True` to checkpoint and\n tensors to "
        "be saved during the original forward and differ between those saved\n during "
        "recomputation. This can happen if different operators were ran in the\n original forward "
        "and in the recomputation.\n"
    )


def stacks(run: str, traces: list[str]) -> str:
    """The numbered stacks of one run, for operations that saved a tensor."""
    count = len(traces)
    return "".join(f"tensor ({n} of {count} in {run})\n\n{t}\n" for n, t in enumerate(traces, 1))
