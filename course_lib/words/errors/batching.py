"""Errors of `vmap`, and of the other functions of functions in `torch.func`."""

from __future__ import annotations

from typing import Any

# ---- arguments and results of vmap ---------------------------------------------------------------

CHUNK_SIZE = "vmap: chunk_size should be None or greater than 0. (got {})"
RANDOMNESS = "Only allowed values for randomness are 'error', 'different', or 'same'. Got {}"
NOTHING_MAPPED = "vmap: Expected at least one Tensor to vmap over"


def in_dims_type(name: str, dims: Any) -> str:
    return (
        f"vmap({name}, in_dims={dims}, ...)(<inputs>): expected `in_dims` to be int or a "
        f"(potentially nested) tuple matching the structure of inputs, got: {type(dims)}."
    )


def no_inputs(name: str) -> str:
    return (
        f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying "
        "to vmap over a function with no inputs. The latter is unsupported."
    )


def in_dims_structure(name: str, dims: Any, expected: str, given: str) -> str:
    return (
        f"vmap({name}, in_dims={dims}, ...)(<inputs>): in_dims is not compatible with the "
        f"structure of `inputs`. in_dims has structure {expected} but inputs has structure {given}."
    )


def in_dim_kind(name: str, dims: Any, dim: Any) -> str:
    return (
        f"vmap({name}, in_dims={dims}, ...)(<inputs>): Got in_dim={dim} for an input but in_dim "
        "must be either an integer dimension or None."
    )


def in_dim_of_other(name: str, dims: Any, dim: int, kind: type) -> str:
    return (
        f"vmap({name}, in_dims={dims}, ...)(<inputs>): Got in_dim={dim} for an input but the input "
        f"is of type {kind}. We cannot vmap over non-Tensor arguments, please use None as the "
        "respective in_dim"
    )


def in_dim_range(name: str, dims: Any, dim: int, count: int) -> str:
    return (
        f"vmap({name}, in_dims={dims}, ...)(<inputs>): Got in_dim={dim} for some input, but that "
        f"input is a Tensor of dimensionality {count} so expected in_dim to satisfy -{count} <= "
        f"in_dim < {count}."
    )


def out_dims_type(name: str, dims: Any) -> str:
    return (
        f"vmap({name}, ..., out_dims={dims}): `out_dims` must be an int, None or a python "
        "collection of ints representing where in the outputs the vmapped dimension should appear."
    )


def out_dims_structure(name: str, dims: Any, expected: str, given: str) -> str:
    return (
        f"vmap({name}, ..., out_dims={dims})(<inputs>): out_dims is not compatible with the "
        f"structure of `outputs`. out_dims has structure {expected} but outputs has structure "
        f"{given}."
    )


def output_type(name: str, kind: type) -> str:
    return (
        f"vmap({name}, ...): `{name}` must only return Tensors, got type {kind}. Did you mean to "
        "set out_dims= to None for output?"
    )


def output_batched(name: str) -> str:
    return f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"


# ---- what differs between the examples -----------------------------------------------------------

_DYNAMIC = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap "
    "over aten::{}. Please file an issue at https://github.com/pytorch/pytorch/issues if you need "
    "this feature."
)
VMAP_READ = {
    "item": "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over "
    "calling .item() on a Tensor, please try to rewrite what you're doing with other operations. "
    "If error is occurring somewhere inside PyTorch internals, please file a bug report.",
    "bool": "vmap: It looks like you're attempting to use a Tensor in some data-dependent control "
    "flow. We don't support that yet, please file an issue at "
    "https://github.com/pytorch/pytorch/issues .",
    "memory": "Cannot access data pointer of Tensor that doesn't have storage",
    "mask": "vmap: We do not support batching operators that can support dynamic shape. Attempting "
    "to batch over indexing with a boolean mask.",
    "masked_select": "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We "
    "cannot support this because for each batch this would return a differently shaped Tensor. "
    "Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.",
    "allclose": "vmap over torch.allclose isn't supported yet. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature.",
    "equal": "Batching rule not implemented for aten::equal. We could not generate a fallback.",
    "nonzero": _DYNAMIC.format("nonzero"),
    "_unique2": _DYNAMIC.format("_unique2"),
    "unique_dim": _DYNAMIC.format("unique_dim"),
    "unique_consecutive": _DYNAMIC.format("unique_consecutive"),
}
VMAP_RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
)
VMAP_WRITE = (
    "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor "
    "`other` in extra_args that has more elements than `self`. This happened due to `other` being "
    "vmapped over but `self` not being vmapped over in a vmap. Please try to use out-of-place "
    "operators instead of inplace arithmetic. If said operator is being called inside the PyTorch "
    "framework, please file a bug report instead."
)
VMAP_BACKWARD = (
    "backward() called inside a functorch transform. This is not supported, please use "
    "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
)

# ---- jvp, vjp and stacks of modules --------------------------------------------------------------

_JVP = "jvp(f, primals, tangents)"
JVP_TUPLE = _JVP + ": Expected {} to be a tuple. E.g. it should be valid to call f(*{})."
JVP_EMPTY = _JVP + ": Expected {} to contain at least one Tensor."
JVP_INPUT = _JVP + ": Expected {} to only contain Tensors, got {}"
JVP_STRICT = (
    "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. This is "
    "not allowed with strict=True."
)


def jvp_structure(primals: str, tangents: str) -> str:
    return (
        f"{_JVP}: Expected primals and tangents to have the same python structure. For example, if "
        "primals is a tuple of 3 tensors, tangents also must be. Got primals with structure "
        f"{primals} and tangents with structure {tangents}"
    )


def tangent_size(primal: tuple, tangent: tuple) -> str:
    return (
        "Trying to set a forward gradient that has a different size than that of the original "
        f"Tensor, this is not supported. Tensor is of size {list(primal)} while the given forward "
        f"gradient is of size {list(tangent)}."
    )


def only_tensors(call: str, kind: type) -> str:
    f = "f(*primals)"
    return f"{call}: expected {f} to return only tensors, got unsupported type {kind}"


STACK_EMPTY = "stack_module_state: Expected at least one model, got 0."
STACK_MODES = "stack_module_state: Expected all models to have the same training/eval mode."
STACK_CLASSES = "stack_module_state: Expected all models to be of the same class."
STACK_GRAD = "Expected {} from each model to have the same .requires_grad"
