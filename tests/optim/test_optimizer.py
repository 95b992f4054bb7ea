"""Groups, state, hooks and refusals: what every optimizer has."""

from __future__ import annotations

import copy
import pickle

import pytest

import course_lib as torch

KINDS = ["SGD", "Adam", "AdamW", "RMSprop"]


def weights(*size: int) -> torch.Tensor:
    return torch.zeros(*(size or (2,)), requires_grad=True)


def stepped(kind: str, **options):
    """An optimizer after one step, and its parameter."""
    param = weights()
    param.grad = torch.tensor([1.0, -2.0])
    optimizer = getattr(torch.optim, kind)([param], **options)
    optimizer.step()
    return optimizer, param


# ---- groups --------------------------------------------------------------------------------------


def test_a_repr_lists_the_options_of_each_group():
    optimizer = torch.optim.SGD([{"params": weights()}, {"params": weights(), "lr": 3}], lr=0.5)
    options = (
        "    dampening: 0\n    differentiable: False\n    foreach: None\n    fused: None\n"
        "    lr: {}\n    maximize: False\n    momentum: 0\n    nesterov: False\n"
        "    weight_decay: 0\n"
    )
    first, second = options.format(0.5), options.format(3)
    assert repr(optimizer) == f"SGD (\nParameter Group 0\n{first}\nParameter Group 1\n{second})"


@pytest.mark.parametrize(
    ("params", "kind", "message"),
    [
        (lambda: [], ValueError, "optimizer got an empty parameter list"),
        (
            weights,
            TypeError,
            "params argument given to the optimizer should be an iterable of Tensors or dicts, "
            "but got torch.FloatTensor",
        ),
        (
            lambda: [1],
            TypeError,
            "optimizer can only optimize Tensors, but one of the params is int",
        ),
        (lambda: [weights() * 2], ValueError, "can't optimize a non-leaf Tensor"),
    ],
)
def test_what_is_no_list_of_parameters_is_refused(params, kind, message):
    with pytest.raises(kind) as error:
        torch.optim.SGD(params())
    assert str(error.value) == message


def test_a_parameter_belongs_to_one_group():
    w = weights()
    with pytest.raises(ValueError, match="some parameters appear in more than one parameter group"):
        torch.optim.SGD([{"params": [w]}, {"params": [w]}])


def test_a_parameter_twice_in_a_group_is_warned_of():
    w = weights()
    with pytest.warns(UserWarning, match="duplicate parameters"):
        torch.optim.SGD([w, w])


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("SGD", {"lr": -1.0}, "Invalid learning rate: -1.0"),
        ("SGD", {"momentum": -1.0}, "Invalid momentum value: -1.0"),
        ("SGD", {"nesterov": True}, "Nesterov momentum requires a momentum and zero dampening"),
        ("Adam", {"eps": -1.0}, "Invalid epsilon value: -1.0"),
        ("Adam", {"betas": (0.9, 1.0)}, "Invalid beta parameter at index 1: 1.0"),
        ("AdamW", {"weight_decay": -1.0}, "Invalid weight_decay value: -1.0"),
        ("RMSprop", {"alpha": -1.0}, "Invalid alpha value: -1.0"),
    ],
)
def test_an_option_out_of_range_is_refused(kind, options, message):
    with pytest.raises(ValueError) as error:
        getattr(torch.optim, kind)([weights()], **options)
    assert str(error.value) == message


# ---- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_writes_into_the_parameter_itself(kind):
    param = weights()
    memory, param.grad = param.data_ptr(), torch.ones(2)
    other = weights()
    getattr(torch.optim, kind)([param, other]).step()
    writes = 2 if kind == "AdamW" else 1
    assert (param.data_ptr(), param._version, param.is_leaf) == (memory, writes, True)
    assert other._version == 0  # it has no gradient


@pytest.mark.parametrize("kind", KINDS)
def test_maximize_goes_the_other_way(kind):
    down = stepped(kind)[1].detach()
    up = stepped(kind, maximize=True)[1].detach()
    assert torch.equal(up, -down)


def test_a_closure_computes_gradients_and_its_loss_is_given_back():
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.25)

    def closure():
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    assert (optimizer.step(closure).item(), w.item()) == (1.0, 0.5)


def test_zero_grad_forgets_the_gradient_or_makes_it_zero():
    optimizer, param = stepped("SGD")
    before = param.grad
    optimizer.zero_grad(set_to_none=False)
    assert param.grad is before and before.tolist() == [0.0, 0.0]
    optimizer.zero_grad()
    assert param.grad is None


@pytest.mark.parametrize("kind", KINDS)
def test_options_of_other_implementations_change_nothing_or_are_refused(kind):
    assert torch.equal(stepped(kind, foreach=True)[1], stepped(kind)[1])
    with pytest.raises(NotImplementedError, match="the course does not"):
        stepped(kind, differentiable=True)


# ---- to a file and back --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_loaded_state_goes_on_as_if_nothing_had_happened(kind):
    def train(optimizer, param, steps):
        for _ in range(steps):
            param.grad = torch.sin(param.detach()) + 1
            optimizer.step()

    make = getattr(torch.optim, kind)
    whole = torch.ones(3, requires_grad=True)
    train(make([whole], lr=0.1), whole, 4)
    half = torch.ones(3, requires_grad=True)
    first = make([half], lr=0.1)
    train(first, half, 2)
    second = make([half], lr=7.0)
    second.load_state_dict(first.state_dict())
    train(second, half, 2)
    assert torch.equal(whole, half)


def test_a_loaded_state_takes_the_dtype_of_its_parameter_but_steps_stay_float32():
    saved = stepped("Adam")[0].state_dict()
    param = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([param])
    optimizer.load_state_dict(saved)
    state = optimizer.state[param]
    assert (state["exp_avg"].dtype, state["step"].dtype) == (torch.float64, torch.float32)


def test_a_state_for_other_groups_is_refused():
    one, two = torch.optim.SGD([weights()]), torch.optim.SGD([weights(), weights()])
    with pytest.raises(ValueError, match="doesn't match the size of optimizer's group"):
        two.load_state_dict(one.state_dict())


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_of_an_optimizer_has_its_state(copied):
    optimizer, _ = stepped("Adam")
    other = copied(optimizer)
    assert str(other.state_dict()) == str(optimizer.state_dict())


def test_an_optimizer_that_is_not_there_is_named_in_pytorchs_words():
    with pytest.raises(AttributeError, match="module 'torch.optim' has no attribute 'Fastest'"):
        _ = torch.optim.Fastest
