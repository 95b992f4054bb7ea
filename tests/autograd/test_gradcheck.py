"""gradcheck finds wrong gradients and passes right ones."""

from __future__ import annotations

from typing import Any

import pytest

import course_lib as torch
from course_lib.autograd import gradcheck, gradgradcheck
from course_lib.autograd.gradcheck import GradcheckError


def numbers(**options: Any) -> Any:
    return torch.tensor([0.5, 2.0], dtype=torch.float64, requires_grad=True, **options)


class Cube(torch.autograd.Function):
    """Right in the first derivative; its backward has no history of its own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * 3 * x.detach() ** 2


def test_a_wrong_second_derivative_is_found() -> None:
    assert gradcheck(Cube.apply, numbers())
    with pytest.raises(GradcheckError):
        gradgradcheck(Cube.apply, numbers())


def test_complex_inputs_and_outputs_are_checked() -> None:
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)
    assert gradcheck(lambda z: z * z, z)
    with pytest.raises(GradcheckError, match="imaginary part of complex outputs"):
        gradcheck(lambda z: z * z.detach(), z)


def test_a_backward_that_gives_other_values_each_time_is_found() -> None:
    class Moody(torch.autograd.Function):
        calls = 0
        forward = staticmethod(lambda ctx, x: x * 1)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            Moody.calls += 1
            return grad * (1 + 1e-9 * Moody.calls)

    with pytest.raises(GradcheckError, match="not reentrant"):
        gradcheck(Moody.apply, numbers())


def test_random_starts_are_those_of_the_generator() -> None:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    torch.manual_seed(3)
    with pytest.raises(GradcheckError) as error:
        gradgradcheck(Cube.apply, (x,))
    shown = str(error.value).partition("analytical")[0]
    assert all(slope in shown for slope in ("-5.5907", "-5.1182", "9.8249"))
