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


def test_a_right_gradient_passes() -> None:
    assert gradcheck(torch.exp, numbers())
    assert gradgradcheck(torch.exp, numbers())


def test_a_wrong_gradient_is_shown_beside_the_right_one() -> None:
    with pytest.raises(GradcheckError) as error:
        gradcheck(lambda x: x * x.detach(), numbers())
    assert str(error.value) == (
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        "numerical:tensor([[1.0000, 0.0000],\n        [0.0000, 4.0000]], dtype=torch.float64)\n"
        "analytical:tensor([[0.5000, 0.0000],\n        [0.0000, 2.0000]], dtype=torch.float64)\n"
    )


def test_a_wrong_second_derivative_is_found() -> None:
    assert gradcheck(Cube.apply, numbers())
    with pytest.raises(GradcheckError):
        gradgradcheck(Cube.apply, numbers())


def test_without_raise_exception_the_answer_is_false() -> None:
    assert gradcheck(lambda x: x * x.detach(), numbers(), raise_exception=False) is False


def test_complex_inputs_and_outputs_are_checked() -> None:
    z = torch.tensor([1 + 2j, 0.5 - 1j], dtype=torch.complex128, requires_grad=True)
    assert gradcheck(lambda z: z * z, z)
    with pytest.raises(GradcheckError, match="imaginary part of complex outputs"):
        gradcheck(lambda z: z * z.detach(), z)


def test_single_precision_is_warned_about() -> None:
    x = torch.tensor([1.0], requires_grad=True)
    with pytest.warns(UserWarning, match="is not a double precision"):
        gradcheck(lambda x: x + 0, x, raise_exception=False)


def test_inputs_that_do_not_track_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one input tensor to require gradient"):
        gradcheck(torch.exp, torch.ones(2, dtype=torch.float64))


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


def test_the_function_is_called_as_often_as_by_pytorch_and_below_first() -> None:
    seen = []

    def doubled(x: Any) -> Any:
        seen.append(x[0].item())
        return x * 2

    gradcheck(doubled, (numbers(),))
    assert len(seen) == 6 and seen[:3] == [0.5, 0.5 - 1e-6, 0.5 + 1e-6]
