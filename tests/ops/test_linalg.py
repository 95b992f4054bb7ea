"""Linear algebra: gradients of decompositions, and what is saved."""

import gc
import weakref

import pytest

import course_lib as torch
from course_lib.autograd import gradcheck


def test_a_singular_matrix_is_named_with_its_place_and_pivot():
    matrices = torch.stack([torch.eye(2), torch.ones(2, 2)])
    with pytest.raises(torch.linalg.LinAlgError, match=r"Batch element 1.*diagonal element 2"):
        torch.linalg.inv(matrices)


# ---- gradients of decompositions -----------------------------------------------------------------


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


def test_saved_factors_are_checked_and_make_no_reference_cycle():
    u, _, _ = torch.linalg.svd(with_gradient(3, 3))
    node = u.grad_fn
    assert node._saved_U.grad_fn is node and node._saved_Vh.output_nr == 2
    u.detach().add_(1)
    with pytest.raises(RuntimeError, match="output 0 of LinalgSvd, is at version 1"):
        u.sum().backward()
    alive = weakref.ref(u)
    gc.disable()
    try:
        del u, node
        assert alive() is None
    finally:
        gc.enable()


def test_a_quick_product_keeps_only_what_its_gradients_need():
    x, w = torch.ones(2, 3), torch.ones(3, 2, requires_grad=True)
    node = (x @ w).grad_fn
    assert node._saved_mat2 is None and node._saved_self is x


def test_a_quick_product_sees_later_writes():
    x, w = torch.ones(2, 3), torch.ones(3, 2, requires_grad=True)
    y = x @ w
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
