"""Rounding, signs and magnitudes."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.forms.inplace import call_inplace
from course_lib.forms.methods import attach_as
from course_lib.ops.masks import blank, masked

__all__ = [
    "abs",
    "absolute",
    "angle",
    "ceil",
    "conj",
    "conj_physical",
    "copysign",
    "fix",
    "floor",
    "frac",
    "nan_to_num",
    "resolve_conj",
    "resolve_neg",
    "round",
    "sgn",
    "sign",
    "trunc",
]

LARGEST_BFLOAT16 = 3.3895313892515355e38

# ---- rounding ------------------------------------------------------------------------------------


def whole(kernel: Any, self: Any) -> Any:
    """`kernel` of floating numbers; integers are whole already."""
    return kernel(self) if self.dtype.kind == "f" else self.copy()


@op(
    kind="promote",
    check=errors.no_rounding("floor"),
    self=lambda grad: blank(grad),
)
def floor(self: Any) -> Any:
    """The largest whole number not above each element.

    >>> torch.floor(torch.tensor([1.7, -1.2]))
    tensor([ 1., -2.])
    """
    return whole(np.floor, self)


@op(
    kind="promote",
    check=errors.no_rounding("ceil"),
    self=lambda grad: blank(grad),
)
def ceil(self: Any) -> Any:
    """The smallest whole number not below each element.

    >>> torch.ceil(torch.tensor([1.2, -1.7]))
    tensor([ 2., -1.])
    """
    return whole(np.ceil, self)


@op(
    kind="promote",
    check=errors.no_rounding("trunc"),
    self=lambda grad: blank(grad),
)
def trunc(self: Any) -> Any:
    """Each element without its fraction.

    >>> torch.trunc(torch.tensor([1.7, -1.7]))
    tensor([ 1., -1.])
    """
    return whole(np.trunc, self)


@op(
    kind="promote",
    check=errors.unless("frac_cpu", "bool", "integer", "complex"),
    self=lambda grad: grad,
)
def frac(self: Any) -> Any:
    """The fraction of each element, with its sign.

    >>> torch.frac(torch.tensor([1.5, -1.25]))
    tensor([ 0.5000, -0.2500])
    """
    return self - np.trunc(self)


@op(
    kind="promote",
    node="RoundBackward0",
    method=False,
    inplace=False,
    check=errors.unless("round_vml_cpu", "bool", "complex"),
    self=lambda grad: blank(grad),
)
def round_whole(self: Any) -> Any:
    """The nearest whole number."""
    return whole(np.rint, self)


@op(
    kind="promote",
    node="RoundBackward1",
    method=False,
    inplace=False,
    operands=("self",),
    check=errors.unless("round_cpu", "bool", "integer", "complex"),
    self=lambda grad: blank(grad),
)
def round_decimals(self: Any, decimals: int) -> Any:
    """The nearest number with so many decimals."""
    factor = self.dtype.type(10.0 ** np.abs(decimals))
    if decimals > 0:
        return np.rint(self * factor) / factor
    return np.rint(self / factor) * factor


@composite()
def round(input: Tensor, *, decimals: int | None = None, out: Tensor | None = None) -> Tensor:
    """The nearest whole number, of two equally near ones the even one; or so many decimals.

    >>> torch.round(torch.tensor([0.5, 1.5, 2.7]))
    tensor([0., 2., 3.])
    """
    if decimals is None:
        return round_whole(input, out=out)
    return round_decimals(input, decimals, out=out)


def round_(self: Tensor, *, decimals: int | None = None) -> Tensor:
    """`round`, written into the tensor itself; gives that tensor."""
    if decimals is None:
        return call_inplace(round_whole.op, (self,), {})
    return call_inplace(round_decimals.op, (self, decimals), {})


# ---- sign and magnitude --------------------------------------------------------------------------


@op(
    kind="promote",
    check=errors.unless("abs_cpu", "bool"),
    self=lambda grad, self: grad * sgn(self),
)
def abs(self: Any) -> Any:
    """The magnitude of each element; of a complex number, a real one.

    >>> abs(torch.tensor([-1., 2.]))
    tensor([1., 2.])
    """
    return np.abs(self)


@op(
    kind="promote",
    check=errors.unless("", "complex", text=errors.NO_COMPLEX_SIGN),
    self=lambda grad: blank(grad),
)
def sign(self: Any) -> Any:
    """-1, 0 or 1 (nan gives 0).

    >>> torch.sign(torch.tensor([-3., 0., 5.]))
    tensor([-1.,  0.,  1.])
    """
    return signs(self)


def signs(array: Any) -> Any:
    """The sign of real numbers; that of nan is 0."""
    if array.dtype.kind in "bu":
        return np.not_equal(array, 0).astype(array.dtype)
    return np.greater(array, 0).astype(array.dtype) - np.less(array, 0).astype(array.dtype)


@op(
    kind="promote",
    self=lambda grad, self, result: sgn_gradient(grad, self, result),
)
def sgn(self: Any) -> Any:
    """`sign`, and for a complex number the one of magnitude 1 that points the same way.

    >>> torch.sgn(torch.tensor([3+4j, 0]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """
    if self.dtype.kind != "c":
        return signs(self)
    size = np.abs(self)
    return np.where(size == 0, self.dtype.type(0), self / np.where(size == 0, 1, size))[()]


def sgn_gradient(grad: Any, value: Any, result: Any) -> Any:
    """The gradient of `sgn`: what turns the number, without what makes it longer."""
    if not is_complex(value):
        return blank(grad)
    along = real_part(conj(grad) * result)
    size = abs(value)
    return masked((grad - result * along) / size, size != 0)


def is_complex(value: Any) -> bool:
    """Whether a tensor or an array holds complex numbers."""
    return value._dtype.is_complex if isinstance(value, Tensor) else value.dtype.kind == "c"


@op(kind="same", method=False, inplace=False, self=lambda grad: grad)
def real_part(self: Any) -> Any:
    """The real part, as a new tensor."""
    return np.real(self).copy()


@op(
    kind="float",
    inplace=False,
    self=lambda grad, self: angle_gradient(grad, self),
)
def angle(self: Any) -> Any:
    """The angle of a complex number; for a real one 0, or pi if it is negative.

    >>> torch.angle(torch.tensor([1j, -1]))
    tensor([1.5708, 3.1416])
    """
    if self.dtype.kind == "c":
        return np.angle(self)
    flat = np.where(np.less(self, 0), self.dtype.type(np.pi), self.dtype.type(0))
    return np.where(np.isnan(self), self, flat)[()]


def angle_gradient(grad: Any, value: Any) -> Any:
    """The gradient of `angle`: across the direction of the number, divided by its magnitude."""
    if not is_complex(value):
        return blank(grad)
    size = abs(value)
    return masked(grad * value * 1j / (size * size), size != 0)


@op(
    kind="same",
    name="conj_physical",
    method=False,
    inplace=True,
    self=lambda grad: conj(grad),
)
def conjugate_copy(self: Any) -> Any:
    """The complex conjugate, in new memory."""
    return np.conj(self)


@composite()
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate, in new memory; a real tensor is its own.

    >>> torch.conj_physical(torch.tensor([1+2j]))
    tensor([1.-2.j])
    """
    if out is None and not is_complex(input):
        return input
    return conjugate_copy(input, out=out)


@op(kind="same", method=False, inplace=False, node="ConjBackward0", self=lambda grad: conj(grad))
def conjugate(self: Any) -> Any:
    """The complex conjugate."""
    return np.conj(self)


def conj(input: Any) -> Any:
    """The complex conjugate; a real tensor is its own.

    >>> torch.conj(torch.tensor([1+2j]))
    tensor([1.-2.j])
    """
    return conjugate(input) if is_complex(input) else input


def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: `conj` computes at once here, nothing is pending.

    >>> torch.resolve_conj(torch.tensor([1+2j]))
    tensor([1.+2.j])
    """
    return input


def resolve_neg(input: Tensor) -> Tensor:
    """The tensor itself: no negation is pending.

    >>> torch.resolve_neg(torch.tensor([1.]))
    tensor([1.])
    """
    return input


def signed_by(node: str, **formulas: Any) -> Any:
    """`copysign` for a tensor or a number as its second argument."""

    @op(
        kind="float",
        node=node,
        method=False,
        check=errors.unless("copysign_cpu", "complex"),
        self=lambda grad, self, result: masked(grad * (result / self), self != 0),
        **formulas,
    )
    def copysign(self: Tensor, other: Any) -> Any:
        return np.copysign(self, other)

    return copysign


copysign_number = signed_by("CopysignBackward1")
copysign_tensor = signed_by("CopysignBackward0", other=lambda grad: blank(grad))


@composite()
def copysign(input: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """The magnitude of `input` with the sign of `other`.

    >>> torch.copysign(torch.tensor([1., 2.]), -1)
    tensor([-1., -2.])
    """
    which = copysign_tensor if isinstance(other, Tensor) else copysign_number
    return which(input, other, out=out)


@op(
    kind="same",
    inplace=True,
    operands=("self",),
    self=lambda grad, self: masked(grad, is_number(self)),
)
def nan_to_num(
    self: Any, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Any:
    """nan replaced by `nan` (0), infinities by `posinf` and `neginf` (the largest numbers).

    >>> torch.nan_to_num(torch.tensor([float("nan"), 1.]))
    tensor([0., 1.])
    """
    if self.dtype.kind in "biu":
        return self.copy()
    if self.dtype.kind == "c":
        return np.nan_to_num(self, nan=nan or 0.0, posinf=posinf, neginf=neginf)
    most = float(np.finfo(self.dtype).max) if self.dtype.kind == "f" else LARGEST_BFLOAT16
    for found, instead in (
        (np.isnan(self), nan or 0.0),
        (np.equal(self, np.inf), most if posinf is None else posinf),
        (np.equal(self, -np.inf), -most if neginf is None else neginf),
    ):
        self = np.where(found, np.asarray(instead, self.dtype), self)[()]
    return self


@op(kind="same", method=False, inplace=False)
def is_number(self: Any) -> Any:
    """Where an element is neither nan nor infinite."""
    return np.isfinite(self)


absolute, fix = abs, trunc

for _name, _function in {
    "__abs__": abs,
    "absolute": abs,
    "absolute_": Tensor.abs_,  # type: ignore[attr-defined]
    "conj": conj,
    "fix": trunc,
    "fix_": Tensor.trunc_,  # type: ignore[attr-defined]
    "resolve_conj": resolve_conj,
    "resolve_neg": resolve_neg,
    "round_": round_,
}.items():
    attach_as(_name, _function)
