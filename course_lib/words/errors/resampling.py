"""Errors of resampling and of shuffling pixels."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.sentence import Sentence

RESAMPLING_SIZE = "either size or scale_factor should be defined"
RESAMPLING_BOTH = "only one of size or scale_factor should be defined"
RESAMPLING_CORNERS = (
    "align_corners option can only be set with the interpolating modes: "
    "linear | bilinear | bicubic | trilinear"
)
UPSAMPLE = "`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead."
MODE_DIMS = {"linear": 3, "bilinear": 4, "trilinear": 5}
LETTERS = {1: "W", 2: "HW", 3: "DHW"}

resampling_dims = Sentence(
    "Input Error: Only 3D, 4D and 5D input Tensors supported (got {ndim}D) for the modes: "
    "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got "
    "{mode})"
)


def check_resampling_mode(ndim: int, mode: str) -> None:
    """Raise unless the mode exists for inputs with this number of dimensions."""
    known = ("nearest", "nearest-exact", "area", "bicubic", "lanczos", *MODE_DIMS)
    if mode in MODE_DIMS and ndim in (3, 4, 5) and ndim != MODE_DIMS[mode]:
        raise NotImplementedError(
            f"Got {ndim}D input, but {mode} mode needs {MODE_DIMS[mode]}D input"
        )
    if mode not in known or ndim not in (3, 4, 5) or (mode in ("bicubic", "lanczos") and ndim != 4):
        raise NotImplementedError(resampling_dims(ndim, mode))


def resampling_count(what: str, found: Any, spatial: Any) -> str:
    named = "output size of" if what == "output" else "scale_factor of shape"
    shape, letter = ("output size", "o") if what == "output" else ("scale_factor", "s")
    letters = ", ".join(f"{letter}{n}" for n in (1, 2)) + f", ...,{letter}K"
    return (
        f"Input and {what} must have the same number of spatial dimensions, but got input with "
        f"spatial dimensions of {list(spatial)} and {named} {found}. Please provide input tensor "
        f"in (N, C, d1, d2, ...,dK) format and {shape} in ({letters}) format."
    )


def check_resampled_sizes(shape: Any, news: Any) -> None:
    """Raise unless all input and output sizes are positive."""
    olds = shape[2:]
    if min((*olds, *news)) <= 0:
        letters = LETTERS[len(olds)]
        old, new = (
            ", ".join(f"{letter}: {n}" for letter, n in zip(letters, sizes, strict=True))
            for sizes in (olds, news)
        )
        both = " and" if len(olds) == 1 else ""
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({old}){both} output "
            f"({new})"
        )
    if not shape[1]:
        raise RuntimeError(
            f"Non-empty {len(shape)}D data tensor expected but got a tensor with sizes "
            f"{list(shape)}"
        )


def check_resampling(name: str) -> Any:
    """A check that refuses dtypes that cannot be interpolated."""

    def check(self: Any, **_: Any) -> None:
        covers = name.endswith("_aa")
        fits = self._dtype.category == 2 and not (covers and self._dtype.reduced)
        if not fits and not (self._dtype.name == "uint8" and "2d" in name):
            raise NotImplementedError(no_kernel(resampling_kernel(self, name), self._dtype))

    return check


def resampling_kernel(input: Any, name: str) -> str:
    """The kernel that PyTorch takes for an input of this rank, by the name in its messages."""
    if name.endswith("_aa"):
        return "compute_index_ranges_weights"
    if "cubic" in name:
        return "compute_indices_weights_cubic"
    if input._array.ndim == 4:  # NB: not for large images
        return f"{name}_channels_last"
    return f"compute_indices_weights_{'nearest' if 'nearest' in name else 'linear'}"


def check_nearest(input: Any, dims: int) -> None:
    """Raise unless PyTorch has a kernel for this dtype."""
    if input._dtype.category != 2 and input._dtype.name != "uint8":
        kernel = resampling_kernel(input, f"upsample_nearest{dims}d")
        raise NotImplementedError(no_kernel(kernel, input._dtype))


# ---- shuffling -----------------------------------------------------------------------------------
