"""Errors of `vmap`, and of the other functions of functions in `torch.func`."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

# ---- arguments and results of vmap ---------------------------------------------------------------

output_type = Sentence(
    "vmap({name}, ...): `{name}` must only return Tensors, got type {kind}. Did you mean to set "
    "out_dims= to None for output?"
)

# ---- jvp, vjp and stacks of modules --------------------------------------------------------------
