"""Layers whose parameters have no shape yet."""

from __future__ import annotations

from typing import Any

NO_SHAPE_YET = (
    "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
    "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. "
    "Call `forward` to initialize the parameters before accessing their attributes."
)
NO_MEMORY_YET = (
    "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the "
    "parameters before calling `module.share_memory()`."
)


def used_too_early(name: str, kind: str) -> str:
    return (
        f"Attempted to use an uninitialized parameter in <method '{name}' of 'torch._C.TensorBase' "
        "objects>. This error happens when you are using a `LazyModule` or explicitly manipulating "
        f"`torch.nn.parameter.{kind}` objects. When using LazyModules Call `forward` with a dummy "
        "batch to initialize the parameters before calling torch functions"
    )


def not_fully_initialized(name: str) -> str:
    return f"module {name} has not been fully initialized"


def no_initialize_parameters(name: str) -> str:
    return f"initialize_parameters is not implemented for {name}"


def lazy_input_dims(dims: int, name: str, shape: Any) -> str:
    return (
        f"Expected {dims}D (unbatched) or {dims + 1}D (batched) input to {name}, but got input of "
        f"size: {shape}"
    )
