"""Sentences whose words depend on the case: shapes, windows and sequences that do not fit."""

import math

from course_lib.words.errors.sentence import Sentence


def inplace_shape(shape: tuple, wide: tuple, name: str = "") -> str:
    """`name`: the operation that was to write a result of shape `wide` into a tensor of `shape`."""
    if name == "addmm":
        return (
            f"Bad in-place call: input tensor size {list(shape)} and output tensor size "
            f"{list(wide)} should match"
        )
    return f"output with shape {list(shape)} doesn't match the broadcast shape {list(wide)}"


def dim_range(dim: int, ndim: int) -> str:
    low, high = (-ndim, ndim - 1) if ndim else (-1, 0)
    return f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})"


def no_memory(error: MemoryError) -> str:
    shape, dtype = getattr(error, "shape", ()), getattr(error, "dtype", None)
    size = math.prod(shape) * (dtype.itemsize if dtype is not None else 1)
    return (
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
        f"you tried to allocate {size} bytes. Error code 12 (Cannot allocate memory)"
    )


# ---- layers --------------------------------------------------------------------------------------


zero_dilation = (
    Sentence("dilation should be greater than zero, but got {dilation:list}"),
    Sentence(  # of a transposed convolution
        "dilation should be greater than zero, but got dilation_height: {dilation[0]}, "
        "dilation_width: {dilation[1]}"
    ),
)

resampling_count = {
    "output": Sentence(
        "Input and output must have the same number of spatial dimensions, but got input with "
        "spatial dimensions of {spatial:list} and output size of {found}. Please provide input "
        "tensor in (N, C, d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
    ),
    "scale_factor": Sentence(
        "Input and scale_factor must have the same number of spatial dimensions, but got input "
        "with spatial dimensions of {spatial:list} and scale_factor of shape {found}. Please "
        "provide input tensor in (N, C, d1, d2, ...,dK) format and scale_factor in "
        "(s1, s2, ...,sK) format."
    ),
}


def pool_numbers(name: str, word: str) -> str:
    verb = "must be either" if word == "dilation" else "must either be"
    kinds = "omitted, a single int, or a" if word == "stride" else "a single int, or a"
    return f"{name}: {word} {verb} {kinds} tuple of two ints"


def rnn_hidden_dims(batched: bool, hidden: tuple[int, ...]) -> str:
    kind, wanted = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
    if len(hidden) == 1:
        return f"For {kind} input, hx should also be {wanted}-D but got {hidden[0]}-D tensor"
    got = ", ".join(f"{dims}-D" for dims in hidden)
    return f"For {kind} input, hx and cx should also be {wanted}-D but got ({got}) tensors"
