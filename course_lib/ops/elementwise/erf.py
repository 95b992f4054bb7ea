"""The error function, which NumPy does not have."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = []

# Rational approximations of W. J. Cody's kind, as published with the Cephes library: coefficients
# from the highest power down, exact to the last digits of float64.
# fmt: off
NEAR = (
    (9.60497373987051638749e0, 9.00260197203842689217e1, 2.23200534594684319226e3,
     7.00332514112805075473e3, 5.55923013010394962768e4),
    (1.0, 3.35617141647503099647e1, 5.21357949780152679795e2, 4.59432382970980127987e3,
     2.26290000613890934246e4, 4.92673942608635921086e4),
)
MIDDLE = (
    (2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0,
     4.86371970985681366614e1, 1.96520832956077098242e2, 5.26445194995477358631e2,
     9.34528527171957607540e2, 1.02755188689515710272e3, 5.57535335369399327526e2),
    (1.0, 1.32281951154744992508e1, 8.67072140885989742329e1, 3.54937778887819891062e2,
     9.75708501743205489753e2, 1.82390916687909736289e3, 2.24633760818710981792e3,
     1.65666309194161350182e3, 5.57535340817727675546e2),
)
FAR = (
    (5.64189583547755073984e-1, 1.27536670759978104416e0, 5.01905042251180477414e0,
     6.16021097993053585195e0, 7.40974269950448939160e0, 2.97886665372100240670e0),
    (1.0, 2.26052863220117276590e0, 9.39603524938001434673e0, 1.20489539808096656605e1,
     1.70814450747565897222e1, 9.60896809063285878198e0, 3.36907645100081516050e0),
)
# For float32, where erf is 1 from 4 on: fitted to erf(x) / x in powers of x², by least squares with
# weights that level the error (2.6e-9, a twentieth of float32's).
SINGLE = (
    (6.791445466384201e-06, 4.1128025499571354e-04, 4.226500379510628e-03,
     5.574960634553542e-02, 1.9287886155108355e-01, 1.128379169973965e0),
    (2.6048999882726184e-07, 7.256449761444624e-05, 1.4212122605821351e-03,
     1.6295168538571516e-02, 1.1749544500999336e-01, 5.042678743181094e-01, 1.0),
)
# fmt: on
PIECE = 32_768  # elements: few enough that all steps of a long formula find them in the cache


def plain(x: Any) -> bool:
    """Whether `x` is an array of numbers in memory, row by row."""
    return x.__class__ is np.ndarray and x.flags.c_contiguous


def in_pieces(function: Any, x: Any, *others: Any, piece: int = PIECE) -> Any:
    """`function` of arrays of one shape, taken in pieces; other arguments are taken whole."""
    arrays = (x, *others)
    if x.size <= piece or not all(map(plain, arrays)) or any(a.shape != x.shape for a in others):
        return function(*arrays)
    found = np.empty(x.shape, x.dtype)  # the owner of its memory: a view would be copied later
    flat, room = [a.reshape(-1) for a in arrays], found.reshape(-1)
    for start in range(0, x.size, piece):
        room[start : start + piece] = function(*(a[start : start + piece] for a in flat))
    return found


def ratio(coefficients: tuple, x: Any) -> Any:
    """One polynomial divided by another, by Horner's rule."""
    found = []
    for first, second, *others in coefficients:
        value = first * x
        value += second
        for c in others:
            value *= x
            value += c
        found.append(value)
    return found[0] / found[1]


def erfc_of(x: Any) -> Any:
    """The complementary error function, in the precision of `x`.

    >>> print(f"{erfc_of(np.float64(1.0)):.12f}")
    0.157299207050
    """
    wide = np.asarray(x, np.float64) if not hasattr(x, "restride") else x
    size = np.minimum(np.abs(wide), 27.0)  # beyond this the tail is smaller than any float64
    inner = np.minimum(size, 1.0)
    middle = np.clip(size, 1.0, 8.0)
    tail = np.exp(-size * size) * np.where(
        size < 8, ratio(MIDDLE, middle), ratio(FAR, np.maximum(size, 8.0))
    )
    near = 1 - inner * ratio(NEAR, inner * inner)
    upper = np.where(size < 1, near, tail)
    result = np.where(wide < 0, np.where(size < 1, 2 - near, 2 - tail), upper)
    return np.where(np.isnan(wide), np.nan, result).astype(x.dtype)[()]


def erf_of(x: Any) -> Any:
    """The error function, in the precision of `x`.

    >>> print(f"{erf_of(np.float64(1.0)):.12f}")
    0.842700792950
    """
    if x.dtype == np.float32:
        near = np.clip(x, -4, 4).astype(np.float64)  # exact: 4 is a float32, too
        return (near * ratio(SINGLE, near * near)).astype(np.float32)[()]
    wide = np.asarray(x, np.float64) if not hasattr(x, "restride") else x
    size = np.minimum(np.abs(wide), 1.0)
    near = wide * ratio(NEAR, size * size)
    return np.where(np.abs(wide) < 1, near, 1 - erfc_of(wide)).astype(x.dtype)[()]
