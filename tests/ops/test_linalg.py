"""Linear algebra: which decompositions have gradients."""

import pytest

import course_lib as torch
from course_lib.autograd import gradcheck


def with_gradient(*shape, kind=torch.float64):
    torch.manual_seed(0)
    return torch.randn(*shape, dtype=kind, requires_grad=True)


FACTORS = {
    "eigenvalues": lambda a: torch.linalg.eigvalsh(a @ a.mT.conj()),
    "singular values": lambda a: torch.linalg.svd(a).S,
}


@pytest.mark.parametrize("shape", [(3, 3), (3, 2), (2, 3), (2, 3, 2)], ids=str)
@pytest.mark.parametrize("kind", [torch.float64, torch.complex128], ids=str)
@pytest.mark.parametrize("name", FACTORS)
def test_values_of_factors_have_gradients(name, kind, shape):
    assert gradcheck(FACTORS[name], with_gradient(*shape, kind=kind))


@pytest.mark.parametrize("name", ["svd", "eigh", "lstsq"])
def test_the_others_have_no_gradient_here(name):
    given = [with_gradient(2, 2) for _ in range(2 if name == "lstsq" else 1)]
    found = getattr(torch.linalg, name)(*given)
    with pytest.raises(NotImplementedError, match=r"the gradient of .*; the course"):
        found[-1 if name == "eigh" else 0].sum().backward()
