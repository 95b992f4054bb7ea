"""How the elements of tensors are printed: the print options, and one style for all elements.

An element's text depends on its neighbours: the largest and the smallest of them decide between
fixed and scientific notation, the longest decides the width. `element_cells` makes these
decisions once and returns a `%` placeholder with which every element is formatted.
"""

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

# ---- options ----------------------------------------------------------------


@dataclasses.dataclass
class PrintOptions:
    """The options that the user has set; with `sci_mode=None`, the values decide."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}

OPTIONS = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed. Options that are left out keep their values, except `sci_mode`.

    `precision` is the number of digits after the point. A tensor with more than `threshold`
    elements shows only `edgeitems` at each end of a dimension. `linewidth` is the number of
    characters in a line. `profile` ("default", "short" or "full") sets these four first; the other
    arguments then override it.

    >>> from course_lib.words.printing import tensor_text
    >>> set_printoptions(precision=2)
    >>> print(tensor_text(np.array([1.12345]), "torch.float32"))
    tensor([1.12])
    >>> set_printoptions(profile="default")
    """
    # As in PyTorch, an unknown profile is silently ignored.
    chosen = dataclasses.asdict(PROFILES[profile]) if profile in PROFILES else {}
    given = dict(precision=precision, threshold=threshold, edgeitems=edgeitems, linewidth=linewidth)
    chosen.update((name, value) for name, value in given.items() if value is not None)
    # As in PyTorch, every call sets sci_mode, even if it does not mention it.
    chosen["sci_mode"] = sci_mode
    for name, value in chosen.items():
        setattr(OPTIONS, name, value)


# ---- how an element looks ---------------------------------------------------


class Cells(NamedTuple):
    """The `%` placeholder with which every element is formatted, its width, and the values."""

    hole: str
    width: int
    values: list[Any]


def element_cells(array: np.ndarray) -> Cells:
    """The cells of a one-dimensional array of any dtype."""
    if array.dtype.kind in "iub":
        return _plain_cells(array.tolist())
    # All other dtypes are floats; the kind of ml_dtypes' bfloat16 is "V", not "f".
    return _complex_cells(array) if array.dtype.kind == "c" else _float_cells(array)


def _plain_cells(values: list[Any]) -> Cells:
    """Integers or booleans, right-aligned in the width of the longest.

    >>> _plain_cells([7, -10])
    Cells(hole='%3s', width=3, values=[7, -10])
    """
    width = max(len(str(min(values))), len(str(max(values))))
    return Cells(f"%{width}s", width, values)


WHOLE = ".0f."  # the style of floats that are all integers: the bare point means "float"


def _float_cells(array: np.ndarray, sign: str = "") -> Cells:
    """The cells of floats, all in one style; the nonzero finite ones decide which.

    `sign="+"` writes every sign and leaves out the padding: an imaginary part follows its real
    part without a gap. The width still counts when lines are filled.

    >>> _float_cells(np.array([1.5, -20.0])).hole
    '%8.4f'
    """
    with np.errstate(invalid="ignore"):  # testing a signalling nan is not an error
        finite = np.isfinite(array)
        telling = array[finite & (array != 0)]
    values = array.tolist()
    style, width = _style(telling) if telling.size else (WHOLE, 1)
    if style != WHOLE:
        return Cells(f"%{sign or width}{style}", width, values)
    if finite.all():
        return Cells(f"%{sign or max(width - 1, 1)}.0f.", width, values)
    # inf and nan among whole numbers get no point: each element is formatted by itself.
    number, other = f"%{sign}.0f.", f"%{sign}.0f"
    texts = [(number if math.isfinite(value) else other) % value for value in values]
    return Cells("%s" if sign else f"%{width}s", width, texts)


def _style(telling: np.ndarray) -> tuple[str, int]:
    """The style for these nonzero finite values, and the width of the longest of them.

    >>> _style(np.array([1.0, 2.0])), _style(np.array([1.0, 2e9]))
    (('.0f.', 2), ('.4e', 10))
    """
    smallest, largest = float(telling.min()), float(telling.max())
    magnitude = np.abs(telling)
    if _is_scientific(float(magnitude.min()), float(magnitude.max())):
        style = f".{OPTIONS.precision}e"
        # Exponents with three digits can be at either end of the magnitudes, for either sign.
        signs = (telling[telling < 0], telling[telling > 0])
        ends = [float(end) for part in signs if part.size for end in (part.min(), part.max())]
        return style, max(len(format(end, style)) for end in ends)
    # A larger magnitude has a longer text, so one end of the range has the longest.
    if (np.ceil(telling) == telling).all():
        return WHOLE, max(len(f"{smallest:.0f}."), len(f"{largest:.0f}."))
    style = f".{OPTIONS.precision}f"
    return style, max(len(format(smallest, style)), len(format(largest, style)))


def _is_scientific(low: float, high: float) -> bool:
    """Whether magnitudes between `low` and `high` are too far apart, too large or too small.

    >>> _is_scientific(1.0, 1000.0), _is_scientific(1.0, 1001.0)
    (False, True)
    """
    if OPTIONS.sci_mode is not None:
        return OPTIONS.sci_mode
    return high / low > 1000 or high > 1e8 or low < 1e-4


def _complex_cells(array: np.ndarray) -> Cells:
    """The cells of complex numbers: two placeholders, since each part has its own style."""
    real, imag = _float_cells(array.real), _float_cells(array.imag, "+")
    values = [part for pair in zip(real.values, imag.values, strict=True) for part in pair]
    return Cells(real.hole + imag.hole + "j", real.width + imag.width + 1, values)
