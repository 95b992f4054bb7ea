"""Errors of `vmap`, and of the other functions of functions in `torch.func`."""

from __future__ import annotations

# ---- arguments and results of vmap ---------------------------------------------------------------


def output_type(name: str, kind: type) -> str:
    return (
        f"vmap({name}, ...): `{name}` must only return Tensors, got type {kind}. Did you mean to "
        "set out_dims= to None for output?"
    )


# ---- jvp, vjp and stacks of modules --------------------------------------------------------------
