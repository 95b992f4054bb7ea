"""Modules: registering, walking, saving, moving, hooks; the texts are PyTorch's."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import weakref

import pytest

import course_lib as torch
from course_lib import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.rest = nn.Sequential(nn.Tanh(), nn.Linear(3, 1, bias=False))
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("kept", torch.arange(3.0))
        self.register_buffer("passing", torch.zeros(1), persistent=False)

    def forward(self, x):
        return self.rest(self.first(x * self.scale))


@pytest.fixture
def net():
    torch.manual_seed(0)
    return Net()


# ---- parameters ----------------------------------------------------------------------------------


def test_a_parameter_shares_memory_and_versions_with_its_data():
    data = torch.zeros(2)
    param = nn.Parameter(data)
    data.add_(1)
    assert param.data_ptr() == data.data_ptr()
    assert param._version == 1


def test_a_parameter_says_what_it_is():
    expected = "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    assert repr(nn.Parameter(torch.ones(2))) == expected


def test_results_of_parameters_are_plain_tensors():
    param = nn.Parameter(torch.ones(2))
    assert {type(param * 2), type(param.data), type(param.detach())} == {torch.Tensor}


def test_integers_cannot_be_trained():
    with pytest.raises(RuntimeError, match="^Only Tensors of floating point and complex dtype"):
        nn.Parameter(torch.tensor([1]))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_a_copied_parameter_is_a_parameter_without_gradient(copied):
    param = nn.Parameter(torch.ones(2))
    param.grad = torch.ones(2)
    other = copied(param)
    assert type(other) is nn.Parameter
    assert other.grad is None
    assert other.requires_grad


def test_a_saved_parameter_is_loaded_as_one():
    buffer = io.BytesIO()
    torch.save(nn.Parameter(torch.ones(2)), buffer)
    buffer.seek(0)
    assert type(torch.load(buffer)) is nn.Parameter


# ---- attributes ----------------------------------------------------------------------------------


def test_what_is_assigned_is_registered_by_kind(net):
    names = [name for name, _ in net.named_parameters()]
    assert names == ["scale", "first.weight", "first.bias", "rest.1.weight"]
    assert [name for name, _ in net.named_buffers()] == ["kept", "passing"]
    assert [name for name, _ in net.named_modules()] == ["", "first", "rest", "rest.0", "rest.1"]


def test_an_assignment_moves_a_name_from_one_registry_to_another(net):
    net.first = nn.Parameter(torch.ones(1))
    assert [name for name, _ in net.named_parameters()] == ["scale", "first", "rest.1.weight"]
    assert [name for name, _ in net.named_children()] == ["rest"]


@pytest.mark.parametrize(
    ("name", "what", "wanted"),
    [
        ("scale", "parameter", "torch.nn.Parameter or None"),
        ("first", "child module", "torch.nn.Module or None"),
        ("kept", "buffer", "torch.nn.Buffer, torch.Tensor or None"),
    ],
)
def test_a_registered_name_keeps_its_kind(net, name, what, wanted):
    with pytest.raises(TypeError) as error:
        setattr(net, name, 3)
    assert str(error.value) == f"cannot assign 'int' as {what} '{name}' ({wanted} expected)"


def test_none_keeps_the_place_of_a_parameter(net):
    net.scale = None
    assert net.scale is None
    assert "scale" in net._parameters
    assert "scale" not in net.state_dict()


def test_a_deleted_parameter_is_gone_everywhere(net):
    del net.scale
    assert not hasattr(net, "scale")
    assert "scale" not in net._parameters


def test_what_enters_the_registry_is_an_attribute(net):
    net._parameters.update(other=nn.Parameter(torch.ones(1)))
    net._modules["added"] = nn.Tanh()
    assert net.other is net._parameters["other"]
    assert isinstance(net.added, nn.Tanh)


def test_a_missing_attribute_is_an_error_in_pythons_words(net):
    with pytest.raises(AttributeError, match="^'Net' object has no attribute 'nothing'$"):
        net.nothing


def test_a_module_that_nobody_holds_is_freed_at_once():
    gc.disable()
    try:
        net = Net()
        gone = weakref.ref(net)
        del net
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("value", [nn.Parameter(torch.ones(1)), nn.Identity()])
def test_assigning_before_init_is_refused(value):
    class Early(nn.Module):
        def __init__(self):
            self.x = value

    with pytest.raises(AttributeError, match="before Module.__init__\\(\\) call$"):
        Early()


# ---- calling, showing, copying -------------------------------------------------------------------


def test_a_module_shows_what_is_inside(net):
    assert repr(net) == (
        "Net(\n"
        "  (first): Linear(in_features=2, out_features=3, bias=True)\n"
        "  (rest): Sequential(\n"
        "    (0): Tanh()\n"
        "    (1): Linear(in_features=3, out_features=1, bias=False)\n"
        "  )\n"
        ")"
    )


def test_a_module_without_forward_says_so():
    with pytest.raises(NotImplementedError) as error:
        nn.Module()(1)
    assert str(error.value) == 'Module [Module] is missing the required "forward" function'


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_copied_module_has_parameters_of_its_own(net, copied):
    other = copied(net)
    assert other.scale is other._parameters["scale"]
    assert other.scale is not net.scale
    other.scale = None
    assert net.scale is not None
    assert other.first(torch.ones(2)).tolist() == net.first(torch.ones(2)).tolist()


# ---- moving --------------------------------------------------------------------------------------


def test_moving_keeps_the_parameter_and_its_gradient_the_same_objects(net):
    net(torch.ones(1, 2)).sum().backward()
    param, grad = net.scale, net.scale.grad
    net.double()
    assert net.scale is param
    assert param.grad is grad
    assert {param.dtype, grad.dtype, net.kept.dtype} == {torch.float64}


def test_modules_are_not_converted_to_integers(net):
    with pytest.raises(TypeError, match="only accepts floating point or complex dtypes"):
        net.to(torch.int64)


def test_zero_grad_forgets_or_fills(net):
    net(torch.ones(1, 2)).sum().backward()
    net.zero_grad(set_to_none=False)
    assert net.scale.grad.tolist() == [0, 0]
    net.zero_grad()
    assert net.scale.grad is None


def test_eval_reaches_every_module_inside(net):
    assert not any(module.training for module in net.eval().modules())


# ---- state ---------------------------------------------------------------------------------------


def test_a_state_has_what_is_persistent(net):
    keys = ["scale", "kept", "first.weight", "first.bias", "rest.1.weight"]
    assert list(net.state_dict()) == keys


def test_a_loaded_state_is_copied(net):
    torch.manual_seed(1)
    other = Net()
    assert repr(net.load_state_dict(other.state_dict())) == "<All keys matched successfully>"
    assert net.first.weight.tolist() == other.first.weight.tolist()
    assert net.first.weight is not other.first.weight


def test_all_that_is_wrong_with_a_state_is_told_at_once(net):
    state = net.state_dict()
    del state["kept"]
    state |= {"scale": torch.ones(3), "more": torch.ones(1)}
    with pytest.raises(RuntimeError) as error:
        net.load_state_dict(state)
    assert str(error.value) == (
        "Error(s) in loading state_dict for Net:\n"
        '\tMissing key(s) in state_dict: "kept". \n'
        '\tUnexpected key(s) in state_dict: "more". \n'
        "\tsize mismatch for scale: copying a param with shape torch.Size([3]) from checkpoint, "
        "the shape in current model is torch.Size([2])."
    )


def test_without_strict_the_keys_come_back(net):
    found = net.load_state_dict({"more": torch.ones(1)}, strict=False)
    assert found.unexpected_keys == ["more"]
    assert len(found.missing_keys) == 5


def test_assign_takes_the_tensors_themselves(net):
    state = {key: value.clone() for key, value in net.state_dict().items()}
    net.load_state_dict(state, assign=True)
    assert net.kept is state["kept"]
    assert net.scale.data_ptr() == state["scale"].data_ptr()
    assert isinstance(net.scale, nn.Parameter)


# ---- hooks ---------------------------------------------------------------------------------------


def test_forward_hooks_see_and_change_what_passes(net):
    net.register_forward_pre_hook(lambda module, args: (args[0] * 0,))
    handle = net.register_forward_hook(lambda module, args, output: (args[0].tolist(), output))
    args, _ = net(torch.ones(1, 2))
    assert args == [[0, 0]]
    handle.remove()
    assert isinstance(net(torch.ones(1, 2)), torch.Tensor)


def test_a_hook_may_see_and_change_keywords(net):
    seen = []
    net.register_forward_pre_hook(
        lambda module, args, kwargs: (args, {"x": kwargs["x"] * 0}), with_kwargs=True
    )
    net.register_forward_hook(
        lambda module, args, kwargs, output: seen.append((args, kwargs["x"].tolist())),
        with_kwargs=True,
    )
    net(x=torch.ones(1, 2))
    assert seen == [((), [[0, 0]])]


def test_backward_hooks_see_the_gradients_of_inputs_and_outputs():
    layer = nn.Linear(2, 1, bias=False)
    layer.weight.data.fill_(3)
    seen = []
    layer.register_full_backward_hook(
        lambda module, inputs, outputs: seen.append((inputs[0].tolist(), outputs[0].tolist()))
    )
    x = torch.ones(1, 2, requires_grad=True)
    (2 * layer(x)).sum().backward()
    assert seen == [([[6, 6]], [[2]])]


def test_a_backward_hook_may_change_the_gradient():
    layer = nn.Linear(1, 1)
    layer.register_full_backward_hook(lambda module, inputs, outputs: (inputs[0] * 0,))
    x = torch.ones(1, 1, requires_grad=True)
    layer(x).sum().backward()
    assert x.grad.tolist() == [[0]] and layer.bias.grad.tolist() == [1]


def test_a_backward_hook_without_tracked_input_warns():
    layer = nn.Linear(1, 1)
    layer.register_full_backward_hook(lambda *args: None)
    with pytest.warns(UserWarning, match="^Full backward hook is firing when gradients"):
        layer(torch.ones(1, 1)).sum().backward()
