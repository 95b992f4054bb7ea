"""What PyTorch says that its functions accept; read only when a call did not fit.

The texts are those of PyTorch's messages, without the tensor itself (`Tensor input`).  An
in-place form has the signature of its function.
"""

from __future__ import annotations

from course_lib.facts.signatures_math import MATH

SPLITS = ("int sections", "tuple of ints indices")
MOVES = (
    "int source, int destination",
    "tuple of ints source, tuple of ints destination",
)
SEVERAL = "tuple of Tensors tensors, *, Tensor out = None"
JOINED = "tuple of Tensors tensors, int dim = 0, *, Tensor out = None"
SIGNATURES: dict[str, tuple[str, ...]] = {
    **MATH,
    "adjoint": ("",),
    "as_strided": ("tuple of ints size, tuple of ints stride, int storage_offset = None",),
    "broadcast_to": ("tuple of ints size",),
    "cat": (JOINED,),
    "chunk": ("int chunks, int dim = 0",),
    "clone": ("*, torch.memory_format memory_format = None",),
    "column_stack": (SEVERAL,),
    "concat": (JOINED,),
    "concatenate": (JOINED,),
    "diag": ("int diagonal = 0, *, Tensor out = None",),
    "diag_embed": ("int offset = 0, int dim1 = -2, int dim2 = -1",),
    "diagflat": ("int offset = 0",),
    "diagonal": ("int offset = 0, int dim1 = 0, int dim2 = 1",),
    "dsplit": SPLITS,
    "dstack": (SEVERAL,),
    "expand": ("tuple of ints size, *, bool implicit = False",),
    "expand_as": ("Tensor other",),
    "flatten": ("int start_dim = 0, int end_dim = -1",),
    "flip": ("tuple of ints dims",),
    "fliplr": ("",),
    "flipud": ("",),
    "hsplit": SPLITS,
    "hstack": (SEVERAL,),
    "moveaxis": MOVES,
    "movedim": MOVES,
    "narrow": ("int dim, Tensor start, int length", "int dim, int start, int length"),
    "permute": ("tuple of ints dims",),
    "ravel": ("",),
    "repeat": ("tuple of ints repeats",),
    "repeat_interleave": (
        "Tensor repeats, int dim = None, *, int output_size = None",
        "int repeats, int dim = None, *, int output_size = None",
    ),
    "reshape": ("tuple of ints shape",),
    "roll": ("tuple of ints shifts, tuple of ints dims = ()",),
    "rot90": ("int k = 1, tuple of ints dims = (0,1)",),
    "row_stack": (SEVERAL,),
    "select": ("int dim, int index",),
    "split_with_sizes": ("tuple of ints split_sizes, int dim = 0",),
    "squeeze": ("", "int dim", "tuple of ints dim"),
    "stack": (JOINED,),
    "swapaxes": ("int axis0, int axis1",),
    "swapdims": ("int dim0, int dim1",),
    "t": ("",),
    "tensor_split": (
        "tuple of ints indices, int dim = 0",
        "Tensor tensor_indices_or_sections, int dim = 0",
        "int sections, int dim = 0",
    ),
    "tile": ("tuple of ints dims",),
    "transpose": ("int dim0, int dim1",),
    "tril": ("int diagonal = 0, *, Tensor out = None",),
    "triu": ("int diagonal = 0, *, Tensor out = None",),
    "unbind": ("int dim = 0",),
    "unfold": ("int dimension, int size, int step",),
    "unsqueeze": ("int dim",),
    "view": ("torch.dtype dtype", "tuple of ints size"),
    "view_as_complex": ("",),
    "view_as_real": ("",),
    "vsplit": SPLITS,
    "vstack": (SEVERAL,),
}
