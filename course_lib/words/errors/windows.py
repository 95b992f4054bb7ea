"""Errors of convolution, pooling and padding."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.sentence import C_NAMES, Sentence, type_string, type_word

PADDING_OF_STRIDES = "padding='same' is not supported for strided convolutions"
ODD_MARGIN = (
    "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy "
    "of the input be created"
)
PAD_COMBINATIONS = """
Supported combinations for non-constant padding:
  - 2D or 3D input: padding size = 2 (pads last dimension)
  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)
  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"""

padding_word = Sentence("Invalid padding string: '{padding}'")


def by(sizes: Any) -> str:
    return " x ".join(map(str, sizes))


other_count_of_sizes = Sentence(
    "expected {name} to be a single integer value or a list of {n} values to match the "
    "convolution dimensions, but got {name}={found:list}"
)


def batch_or_not(name: str, n: int, shape: Any) -> str:
    return (
        f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to {name}, but got input of "
        f"size: {list(shape)}"
    )


# ---- convolution ---------------------------------------------------------------------------------


def check_convolution(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> None:
    """Raise unless the weights fit the channels and the windows fit the input."""
    x, w = input._array.shape, weight._array.shape
    if bias is not None and bias._dtype is not input._dtype:
        one, other = C_NAMES[input._dtype.name], C_NAMES[bias._dtype.name]
        raise RuntimeError(f"Input type ({one}) and bias type ({other}) should be the same")
    if input._dtype is not weight._dtype and input._dtype.is_complex:
        one, other = type_string(input._dtype), type_string(weight._dtype)
        raise RuntimeError(f"Input type ({one}) and weight type ({other}) should be the same")
    if input._dtype is not weight._dtype:
        one, other = type_word(input._dtype), type_word(weight._dtype)
        raise RuntimeError(f"expected scalar type {one} but found {other}")
    if not input._dtype.category:
        raise NotImplementedError(no_kernel("slow_conv2d_cpu", input._dtype))
    for words, numbers, low in (
        ("negative padding", padding, 0),
        ("non-positive stride", stride, 1),
        ("dilation should be greater than zero", dilation, 1),
    ):
        if any(n < low for n in numbers):
            text = words if words.startswith("dil") else f"{words} is not supported"
            if words.startswith("dil") and min(numbers) == 0:
                text += f", but got {zero_dilation(numbers, transposed)}"
            raise RuntimeError(text)
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    check_channels(x, w, bias, transposed, groups)
    if transposed:
        check_transposed(x[2:], w[2:], stride, padding, dilation, output_padding)
    else:
        wide = [n + 2 * p for n, p in zip(x[2:], padding, strict=True)]
        kernel = [d * (k - 1) + 1 for k, d in zip(w[2:], dilation, strict=True)]
        if any(n < k for n, k in zip(wide, kernel, strict=True)):
            raise RuntimeError(
                f"Calculated padded input size per channel: ({by(wide)}). Kernel size: "
                f"({by(kernel)}). Kernel size can't be greater than actual input size"
            )


def zero_dilation(numbers: Any, transposed: bool) -> str:
    whole = [1] * (len(numbers) == 1) + [*numbers]  # a series is an image of height 1 to PyTorch
    names = ("depth", "height", "width")[-len(whole) :]
    named = zip(names, whole, strict=True)
    return ", ".join(f"dilation_{a}: {n}" for a, n in named) if transposed else str(whole)


def check_transposed(
    sizes: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, extra: Any
) -> None:
    """Raise unless the extra places and the size of the result make sense."""
    if any(n < 0 for n in extra):
        raise RuntimeError("negative output_padding is not supported")
    if any(n >= s and n >= d for n, s, d in zip(extra, stride, dilation, strict=True)):
        names = ("depth", "height", "width")[-max(len(extra), 2) :]
        missing = len(names) - len(extra)  # a series is an image of height 1 to PyTorch
        parts = (("output_padding", extra, 0), ("stride", stride, 1), ("dilation", dilation, 1))
        shown = " ".join(
            f"{word}_{name}: {n}"
            for word, numbers, usual in parts
            for name, n in zip(names, (*[usual] * missing, *numbers), strict=True)
        )
        raise RuntimeError(
            f"output padding must be smaller than either stride or dilation, but got {shown}"
        )
    made = [
        (n - 1) * s - 2 * p + d * (k - 1) + more + 1
        for n, s, p, d, k, more in zip(sizes, stride, padding, dilation, kernel, extra, strict=True)
    ]
    if any(n <= 0 for n in made):
        one = [1] * (len(made) == 1)
        raise RuntimeError(
            f"Given input size per channel: ({by([*one, *sizes])}). Calculated output size per "
            f"channel: ({by([*one, *made])}). Output size is too small"
        )


def check_channels(x: Any, w: Any, bias: Any, transposed: bool, groups: int) -> None:
    """Raise unless input, weight and bias have matching channels."""
    if w[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but "
            f"got weight of size {list(w)} instead"
        )
    if w[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{list(w)}] instead"
        )
    expected = w[0] if transposed else w[1] * groups
    if x[1] != expected:
        start = f"Given transposed={int(transposed)}" if transposed else f"Given groups={groups}"
        raise RuntimeError(
            f"{start}, weight of size {list(w)}, expected input{list(x)} to have {expected} "
            f"channels, but got {x[1]} channels instead"
        )
    made = w[1] * groups if transposed else w[0]
    if bias is not None and bias._array.shape != (made,):
        start = f"Given transposed={int(transposed)}" if transposed else "Given"
        raise RuntimeError(
            f"{start}{', ' if transposed else ' '}weight of size {list(w)}, expected bias to be "
            f"1-dimensional with {made} elements, but got bias of size {list(bias._array.shape)} "
            "instead"
        )


transposed_padding = Sentence("{name}(): argument 'padding' must be tuple of ints, not str")


def check_weight_dims(n: int, x: Any, w: Any, stride: Any, padding: Any) -> None:
    """Raise unless input and weight have the same number of dimensions."""
    if len(w) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if (
        1 < n != len(w) - 2 and padding != "same"
    ):  # PyTorch goes by the weight, and has made a list of the stride before
        steps = [stride] * n if isinstance(stride, int) else stride
        raise RuntimeError(other_count_of_sizes("stride", len(w) - 2, steps))
    if len(w) != len(x):
        raise RuntimeError(
            f"Expected {len(w)}-dimensional input for {len(w)}-dimensional weight"
            f"{' ' * (padding != 'same')}{list(w)}, but "
            f"got {len(x)}-dimensional input of size {list(x)} instead"
        )


# ---- patches -------------------------------------------------------------------------------------


def pair(numbers: Any) -> str:
    return f"({', '.join(map(str, numbers))})"


# ---- padding -------------------------------------------------------------------------------------


def check_constant_pad(self: Any, pad: Any, value: Any) -> None:
    """Raise unless `pad` has two valid numbers for each dimension that it pads."""
    shape = self._array.shape
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * len(shape):
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {len(shape)}"
        )
    for turn in range(len(pad) // 2):
        size, before, after = shape[-1 - turn], pad[2 * turn], pad[2 * turn + 1]
        if size + before < 0 or size + before + after < 0 or size + after < 0:
            raise RuntimeError("narrow(): length must be non-negative.")


def check_pad(shape: Any, pad: Any, mode: str, value: Any) -> None:
    """Raise unless the padding can be filled from the tensor in this mode."""
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    n = len(pad) // 2
    if n not in (1, 2, 3) or len(shape) not in (n + 1, n + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {len(shape)}D input tensor."
            + PAD_COMBINATIONS
        )
    if mode != "circular" and 0 in shape[len(shape) - n - 1 :]:
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and "
            f"other non-zero dimensions for input, but got: {list(shape)}"
        )
    for turn in range(n):
        size, before, after = shape[-1 - turn], pad[2 * turn], pad[2 * turn + 1]
        axis = len(shape) - 1 - turn
        if mode == "reflect" and (before >= size or after >= size):
            raise RuntimeError(
                f"Argument #{4 + 2 * turn}: Padding size should be less than the corresponding "
                f"input dimension, but got: padding ({before}, {after}) at dimension {axis} of "
                f"input {list(shape)}"
            )
        if mode == "circular" and (before > size or after > size):
            raise RuntimeError("Padding value causes wrapping around more than once.")
