"""Names that are not there: PyTorch's sentence, and a note if PyTorch itself has the name.

Note [No __getattr__]: a class with `__getattr__` makes CPython 3.11 look up every attribute of its
objects the long way, also those that are there (a slot: 40 ns instead of 4).  So neither tensors
nor nodes have one.  What PyTorch's Tensor has and ours leaves out stands in the class as a
`LeftOut`, and Python's own error does for the rest.
"""

from __future__ import annotations

from typing import Any

from course_lib.facts import errors, later, parser

LEFT_OUT = """\
apply_ as_subclass ccol_indices chalf cholesky cholesky_inverse cholesky_solve coalesce
col_indices const_data_ptr corrcoef cov crow_indices dense_dim dequantize dim_order eig geqrf
grad_dtype hash_tensor histogram igamma igamma_ igammac igammac_ index indices int_repr ipu
is_coalesced is_conj is_distributed is_ipu is_maia is_mtia is_neg is_nested is_pinned
is_sparse_csr is_vulkan is_xla istft lstsq lu lu_solve map2_ map_ matrix_exp module_load mtia
mvlgamma mvlgamma_ nonzero_static orgqr ormqr pin_memory polygamma_ q_per_channel_axis
q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point qr qscheme record_stream
reinforce renorm renorm_ resize resize_as resize_as_sparse_ row_indices share_memory_
slice_inverse smm solve sparse_dim sparse_mask sparse_resize_ sparse_resize_and_clear_ sspaddmm
stft storage_type svd symeig to_dense to_mkldnn to_padded_tensor to_sparse to_sparse_bsc
to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr triangular_solve unsafe_split_with_sizes
values xpu
"""


class LeftOut:
    """An attribute that PyTorch's tensors have and ours do not: reading it says so."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, tensor: Any, owner: type) -> Any:
        text = errors.no_attribute(owner.__name__, self.name)
        error = AttributeError(text, name=self.name, obj=tensor)
        error.add_note(errors.left_out_on_purpose("Tensor", self.name))
        raise error


def leave_out(cls: Any) -> None:
    """Put a `LeftOut` into the class for each name of `LEFT_OUT`; `dir` of a tensor lists none."""
    for name in LEFT_OUT.split():
        setattr(cls, name, LeftOut(name))
    cls.__dir__ = listed


def listed(tensor: Any) -> list[str]:
    """What `dir` of a tensor gives: completion asks so, and then what each name stands for."""
    later.read_all()
    return sorted(set(object.__dir__(tensor)).difference(LEFT_OUT.split()))


def no_name(module: str, name: str) -> AttributeError:
    """The error for a name that a module does not have, with a note if PyTorch has it.

    >>> str(no_name("torch", "foo"))
    "module 'torch' has no attribute 'foo'"
    """
    error = AttributeError(errors.no_module_attribute(module, name))
    if not name.startswith("_") and name in parser.names(module):
        error.add_note(errors.left_out_on_purpose(module, name))
    return error


__all__ = ["leave_out", "no_name"]
