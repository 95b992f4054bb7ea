"""Linear algebra against NumPy, over shapes that nobody would write down."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch
from course_lib.autograd import gradcheck

sizes = st.integers(0, 4)


def matrix(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def tensor(array, requires_grad=False):
    return torch.from_numpy(array.copy()).requires_grad_(requires_grad)


@given(sizes, sizes, sizes, st.lists(st.integers(1, 3), max_size=2), st.booleans(), st.booleans())
def test_matmul_is_numpys(m, k, n, batch, left, right):
    a = matrix(*(batch if left else []), m, k, seed=1)
    b = matrix(*(batch if right else []), k, n, seed=2)
    found = torch.matmul(tensor(a), tensor(b))
    assert np.allclose(found.numpy(), a @ b) and tuple(found.shape) == (a @ b).shape


@pytest.mark.parametrize(
    "equation, shapes",
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("ii->i", [(3, 3)]),
        ("ii", [(3, 3)]),
        ("i,j,k->kji", [(2,), (3,), (4,)]),
        ("...ij,...kj->...ik", [(5, 2, 3), (4, 3)]),
        ("abc,cd,de->eab", [(2, 3, 4), (4, 5), (5, 2)]),
        ("ij,ij->", [(2, 3), (2, 3)]),
        ("ba,b->", [(3, 2), (3,)]),
    ],
)
def test_einsum_is_numpys(equation, shapes):
    arrays = [matrix(*shape, seed=n) for n, shape in enumerate(shapes)]
    found = torch.einsum(equation, *map(tensor, arrays))
    assert np.allclose(found.numpy(), np.einsum(equation, *arrays))


@pytest.mark.parametrize("p", [0.5, 1, 1.5, 2, 3, float("inf"), -1])
def test_the_gradient_of_a_norm_points_where_it_grows(p):
    x = tensor(matrix(3, 2), requires_grad=True)
    torch.linalg.vector_norm(x, p).backward()
    step = 1e-6 * tensor(matrix(3, 2, seed=5))
    with torch.no_grad():
        low, high = (torch.linalg.vector_norm(x + s * step, p).item() for s in (-1, 1))
    assert high - low == pytest.approx(2 * (x.grad * step).sum().item(), rel=1e-4)


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
