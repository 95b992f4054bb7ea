"""What the course adds to PyTorch's messages: a note that names a lesson.

The message itself is never changed.  `add` is called where an error leaves the library; the first
row whose words are part of the message gives the note.
"""

from __future__ import annotations

import sys

MORE = ". More: course_lib.viz.explain(error)"

# (part of PyTorch's message, what to do about it, the lesson that teaches it)
NOTES = (
    ("a leaf Variable that requires grad is being used in an in-place operation",
     "A leaf is written to inside torch.no_grad(), or not at all.", "19_inplace_clinic"),
    ("modified by an inplace operation",
     "A tensor that backward needs was overwritten after it had been saved.", "17_versions"),
    ("Trying to backward through the graph a second time",
     "The first backward freed the saved tensors; compute the loss again.", "15_saved_tensors"),
    ("does not require grad and does not have a grad_fn",
     "Nothing recorded leads to this tensor; course_lib.viz.explain() looks for the cause.",
     "13_graph"),
    ("grad can be implicitly created only for scalar outputs",
     "Only a single number has a gradient; reduce it (.sum()) or pass gradient=.", "14_backward"),
    ("nly Tensors of floating point",  # "Only …" and "only …"
     "Gradients need a floating-point dtype, or a complex one.", "02_dtype"),
    ("Can't call numpy() on Tensor that requires grad",
     "NumPy knows no gradients: x.detach().numpy() leaves the graph first.", "04_numpy"),
    ("cannot be converted to Scalar",
     "item() is for a tensor with one element; tolist() is for more.", "04_numpy"),
    ("only one element tensors can be converted",
     "float() and int() are for a tensor with one element; tolist() is for more.", "04_numpy"),
    ("Boolean value of Tensor with more than one value is ambiguous",
     "Say which is meant: .all() or .any().", "02_dtype"),
    ("must match the size of tensor b",
     "Shapes are aligned from the right; sizes must be equal, or one of them 1.",
     "09_broadcasting"),
    ("must match the existing size",
     "expand can only repeat a dimension of size 1.", "09_broadcasting"),
    ("view size is not compatible",
     "A view cannot reorder storage; reshape copies where it has to.", "07_reshape_vs_view"),
    ("is invalid for input of size",
     "The sizes must multiply to the number of elements; one of them may be -1.",
     "07_reshape_vs_view"),
    ("shapes cannot be multiplied",
     "The inner sizes of a matrix product must be equal.", "03_arithmetic"),
    ("can't be cast to the desired output type",
     "An in-place operation cannot change the dtype of its tensor.", "02_dtype"),
    ("could not infer output dtype",
     "A mean needs a floating-point dtype: x.float().mean().", "02_dtype"),
    ("have the same dtype",
     "Matrix products do not promote: convert one side first.", "03_arithmetic"),
    ("Dimension out of range",
     "Dimensions count 0, 1, …, or from the end -1, -2, …: take one of the range named above.",
     "08_squeeze_and_permute"),
    ("is out of bounds for dimension",
     "The indices of a dimension of size n are 0 … n-1, or -n … -1.", "10_indexing_and_joining"),
    ("Tensors must have same number of dimensions",
     "cat joins along a dimension that is there; stack makes a new one.",
     "10_indexing_and_joining"),
    ("stack expects each tensor to be equal size",
     "stack makes a new dimension, so all shapes must be equal; cat joins others.",
     "10_indexing_and_joining"),
    ("must be Tensor, not",
     "Make a tensor of it first: torch.tensor(…).", "01_creation"),
)  # fmt: skip


def note(message: str) -> str | None:
    """The note for a message, or None.

    >>> note("Dimension out of range (expected to be in range of [-1, 0], but got 7)")[-30:]
    'Lesson: 08_squeeze_and_permute'
    """
    for words, advice, lesson in NOTES:
        if words in message:
            return f"{advice} Lesson: {lesson}"
    return None


def add(error: BaseException) -> None:
    """Give an error its note, once."""
    found = note(str(error))
    if found is not None and "IPython" not in sys.modules:  # which shows it by itself
        found += "" if "explain()" in found else MORE
    if found is not None and found not in getattr(error, "__notes__", ()):
        error.add_note(found)
