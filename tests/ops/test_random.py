"""Random tensors: seeds, generators, layouts.  The numbers themselves are recorded from PyTorch."""

from __future__ import annotations

import copy
import pickle

import pytest

import course_lib as torch

FILLS = ["uniform_", "normal_", "random_"]


def test_the_same_seed_gives_the_same_numbers():
    torch.manual_seed(5)
    first = torch.rand(7), torch.randn(20), torch.randperm(9)
    torch.manual_seed(5)
    again = torch.rand(7), torch.randn(20), torch.randperm(9)
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


def test_a_generator_of_its_own_leaves_the_default_one_alone():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    torch.rand(100, generator=torch.Generator())
    assert torch.equal(torch.rand(3), expected)


def test_fork_rng_gives_the_state_back_also_after_an_exception():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    with pytest.raises(ZeroDivisionError), torch.random.fork_rng():
        torch.rand(10)
        raise ZeroDivisionError
    assert torch.equal(torch.rand(3), expected)


def test_nothing_is_drawn_for_a_tensor_without_memory():
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    torch.rand(100, device="meta")
    torch.empty(100, device="meta").normal_()
    assert torch.equal(torch.rand(3), expected)


def test_a_pickled_generator_continues_where_it_was():
    generator = torch.Generator().manual_seed(3)
    torch.rand(5, generator=generator)
    twin = pickle.loads(pickle.dumps(generator))
    other = copy.deepcopy(generator)
    expected = torch.rand(4, generator=generator)
    assert torch.equal(torch.rand(4, generator=twin), expected)
    assert torch.equal(torch.rand(4, generator=other), expected)


@pytest.mark.parametrize("name", FILLS)
def test_filling_a_view_writes_into_its_base(name):
    base = torch.zeros(4, 4)
    getattr(base[:, 1], name)()
    assert base._version == 1
    assert not base[:, 0].any()


@pytest.mark.parametrize("name", FILLS)
def test_filling_a_result_cuts_its_gradient_off(name):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    getattr(y, name)()
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 0]


@pytest.mark.parametrize("name", FILLS)
def test_filling_a_leaf_is_refused(name):
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        getattr(torch.ones(3, requires_grad=True), name)()


def test_filling_a_leaf_inside_no_grad_is_how_parameters_begin():
    weight = torch.empty(3, 3, requires_grad=True)
    with torch.no_grad():
        weight.uniform_(-1, 1)
    assert weight.is_leaf
    assert weight.requires_grad


def test_filling_part_of_a_result_leaves_the_gradient_of_the_rest():
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    y[0:1].uniform_()
    y.sum().backward()
    assert x.grad.tolist() == [0, 2, 2]


def test_normal_takes_the_standard_deviation_and_not_the_variance():
    torch.manual_seed(0)
    assert abs(torch.normal(0.0, 3.0, (20000,)).std().item() - 3) < 0.05


def test_every_permutation_of_three_turns_up():
    torch.manual_seed(0)
    assert len({tuple(torch.randperm(3).tolist()) for _ in range(100)}) == 6
