"""Every formula of every operation: against finite differences, twice, and in both modes."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import course_lib as torch
import course_lib.nn.functional as F
from course_lib import lazy as later
from course_lib.core.op import TABLE
from course_lib.ops.layers.recurrent import mkldnn_rnn_layer, packed
from course_lib.ops.layers.softmax import safe_shares
from course_lib.ops.linalg.matmul import baddbmm

# PyTorch warns that this one is young, and so have we.
pytestmark = pytest.mark.filterwarnings("ignore:index_reduce.. is in beta")
ELEMENTWISE = ("promote", "float")

# Whose gradient PyTorch cannot differentiate, or we cannot.
ONCE = ("F.scaled_dot_product_attention", "torch.linalg.eigh", "torch.linalg.svd")

# Operations with a formula that no call may reach, and why that is right.
UNREACHED = {
    "_uniform _normal _random_between _random_below _random_any _bernoulli_number "
    "_exponential _bernoulli _normal_mean _normal_std _normal_mean_std": "draws random "
    "numbers: the gradient is zero",
    "_unique2": "PyTorch has no gradient for it, only a node",
    "floor_divide flash_back to_meta": "PyTorch refuses to differentiate it",
    "linalg_lstsq": "we refuse to differentiate it",
    "linalg_vector_norm": "another name for an operation that is called",
    "_read_again at_largest rows_taken": "part of a first derivative's derivative: "
    "its own formula is a third one",
}

# Whose domain is not what the table says.
SPECIAL = {"rounded_div": "x.div(y, rounding_mode='floor')"}

later.read_all()
EXCUSED = {name for names in UNREACHED for name in names.split()}


def from_table() -> list[str]:
    """Calls of the elementwise operations with one or two operands, made from their signatures."""
    calls = []
    for name, op in TABLE.items():
        if name in EXCUSED:
            continue
        if name in SPECIAL:
            calls.append(SPECIAL[name])
        elif op.formulas and op.kind_name in ELEMENTWISE and op.layout == "inputs":
            required = [p for p in op.params if p not in op.signature.defaults]
            text = {("self",): f"x.{name}()", ("self", "other"): f"x.{name}(y)"}
            if tuple(required) in text and hasattr(torch.Tensor, name):
                calls.append(text[tuple(required)])
    return calls


TEXT = Path(__file__).with_name("calls.txt").read_text(encoding="utf-8")
LINES = [line for line in TEXT.splitlines() if not line.startswith("#")]
ALL = list(dict.fromkeys([*from_table(), *(one for line in LINES for one in line.split("   "))]))


def inputs(scattered: bool = False) -> dict[str, Any]:
    """The operands, leaves that track; `scattered`, with gaps in memory and columns first."""
    draw = np.random.default_rng(3)
    shapes = {"x": (2, 3), "y": (2, 3), "m": (3, 3), "n": (3, 3), "v": (3,), "s": ()}
    found: dict[str, Any] = {}
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        values = 0.2 + 0.7 * (draw.permutation(size) + draw.uniform(0.1, 0.9, size)) / size
        found[name] = torch.tensor(values.reshape(shape).tolist(), dtype=torch.float64)
    found["z"] = found["x"] + 1j * found["y"]
    if scattered:
        found = {name: spread_out(value) for name, value in found.items()}
    return {name: value.detach().requires_grad_() for name, value in found.items()}


def spread_out(value: Any) -> Any:
    """The same elements, every second place of a column-first memory."""
    order = tuple(range(value.dim()))[::-1]
    wide = torch.zeros((*value.permute(order).shape, 2), dtype=value.dtype)
    wide[..., 0] = value.permute(order)
    return wide[..., 0].permute(order)


def function(call: str, names: dict[str, Any]) -> tuple[Any, tuple[Any, ...]]:
    """The call as a function of the operands that occur in it, and these operands."""
    code = compile(call, call, "eval")
    used = [name for name in names if name in code.co_names]
    fixed = {"torch": torch, "i": torch.tensor([1, 0]), "j": torch.tensor([[0, 1, 1], [1, 0, 0]])}
    fixed.update(F=F, safe_softmax=safe_shares, lstm=lstm, packed=packed, attended=baddbmm)
    fixed["k"] = torch.tensor([[5, 1, 3], [0, 2, 4]])
    return lambda *args: eval(code, fixed, dict(zip(used, args, strict=True))), tuple(
        names[name] for name in used
    )


def lstm(*given: Any) -> Any:
    """A layer as one operation, with the same biases twice."""
    input, weight_ih, weight_hh, bias, more, hidden, memory = given
    tensors = [input, weight_ih, weight_hh, bias, more.repeat(4), hidden, memory]
    return mkldnn_rnn_layer(tensors, *tensors, False)


def outputs_of(answer: Any) -> list[Any]:
    """The outputs that have a gradient."""
    answer = answer if isinstance(answer, tuple) else (answer,)
    return [out for out in answer if isinstance(out, torch.Tensor) and out.requires_grad]


@pytest.mark.parametrize("call", ALL)
def test_the_first_derivative_is_that_of_finite_differences(call: str) -> None:
    run, operands = function(call, inputs())
    assert torch.autograd.gradcheck(run, operands, check_undefined_grad=False)


@pytest.mark.parametrize("call", ALL)
def test_the_second_derivative_is_that_of_finite_differences(call: str) -> None:
    run, operands = function(call, inputs())
    first = torch.autograd.grad(
        [out.sum() for out in map(real, outputs_of(run(*operands)))],
        operands,
        create_graph=True,
        allow_unused=True,
    )
    if call.startswith(ONCE):
        with pytest.raises(RuntimeError, match="derivative for .* is not impl|the course does not"):
            torch.autograd.gradgradcheck(run, operands)
        return
    if any(g is not None and g.requires_grad for g in first):
        assert torch.autograd.gradgradcheck(run, operands, check_undefined_grad=False)


def real(value: Any) -> Any:
    """A real tensor to add up."""
    return torch.view_as_real(value) if value.is_complex() else value


# Where one factor lies otherwise in memory, some processors' products add in another order.
PRODUCTS = re.compile(r"mm\(|mv\(|matmul|dot|linear|conv|lstm|gru|rnn|attention|einsum|linalg|@")


@pytest.mark.parametrize("call", ALL)
def test_arrays_and_tensors_give_the_same_bits(call: str) -> None:
    grads = []
    for create_graph in (False, True):
        run, operands = function(call, inputs())
        outs = outputs_of(run(*operands))
        starts = [torch.full_like(out, 0.75).detach() for out in outs]
        grads.append(
            torch.autograd.grad(
                outs, operands, starts, create_graph=create_graph, allow_unused=True
            )
        )
    for plain, recorded in zip(*grads, strict=True):
        assert (plain is None) == (recorded is None)
        if plain is not None:
            assert plain.dtype == recorded.dtype
            if PRODUCTS.search(call):
                assert torch.allclose(plain, recorded, rtol=1e-14, atol=1e-15)
            else:
                assert plain.tolist() == recorded.tolist()


@pytest.mark.parametrize("call", ALL)
def test_scattered_operands_give_the_same_gradients(call: str) -> None:
    if "as_strided" in call or "view(" in call or "view_copy" in call:
        return  # means memory, not elements
    grads = []
    for scattered in (False, True):
        run, operands = function(call, inputs(scattered))
        outs = outputs_of(run(*operands))
        starts = [torch.full_like(out, 0.75).detach() for out in outs]
        grads.append(torch.autograd.grad(outs, operands, starts, allow_unused=True))
    for dense, scattered_one in zip(*grads, strict=True):
        assert (dense is None) == (scattered_one is None)
        if dense is not None:
            assert torch.allclose(dense, scattered_one)


@pytest.mark.parametrize("call", from_table())
def test_elementwise_formulas_hold_for_0_dim_tensors(call: str) -> None:
    names = {name: value.sum() / 6 for name, value in inputs().items() if name in "xy"}
    names = {name: value.detach().requires_grad_() for name, value in names.items()}
    run, operands = function(call, names)
    assert torch.autograd.gradcheck(run, operands, check_undefined_grad=False)


IN_PLACE = [c for c in from_table() if hasattr(torch.Tensor, c.partition("(")[0][2:] + "_")]


@pytest.mark.parametrize("call", IN_PLACE)
def test_in_place_gives_the_same_values_and_gradients(call: str) -> None:
    name, _, rest = call.partition("(")
    answers = []
    for text in (call, f"{name}_({rest}"):
        run, operands = function(text.replace("x.", "(x * 1).", 1), inputs())
        out = run(*operands)
        grads = torch.autograd.grad(out.sum(), operands)
        answers.append([out.tolist(), *(g.tolist() for g in grads)])
    assert answers[0] == answers[1]


def test_no_formula_is_left_out() -> None:
    reached: set[str] = set()
    for call in ALL:
        run, operands = function(call, inputs())
        outs = outputs_of(run(*operands))
        first = torch.autograd.grad(
            outs,
            operands,
            [torch.ones_like(out).detach().requires_grad_() for out in outs],
            create_graph=True,
            allow_unused=True,
        )
        stack = [out.grad_fn for out in [*outs, *first] if out is not None]
        seen = set()
        while stack:
            node = stack.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            reached.update([node.op.name] if hasattr(node, "op") else [])
            stack += [nxt for nxt, _ in node.next_functions]
    wanted = {name for name, op in TABLE.items() if op.formulas}
    assert sorted(wanted - reached - EXCUSED) == []
