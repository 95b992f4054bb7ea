"""What `explain` says of errors: of the library's and of PyTorch's own."""

import contextlib
import linecache
import re
import sys

import numpy as np
import pytest

from course_lib.viz import explain, record_versions
from course_lib.viz.pictures.remedies import REMEDIES
from course_lib.viz.reading.writers import writers


def error_of(run, *given):
    with pytest.raises(Exception) as caught:
        run(*given)
    return caught.value


def lines_of(error):
    return re.sub(r"line \d+", "line", explain(error).text).splitlines()


def overwritten(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    loss.backward()


def test_an_overwritten_tensor_is_named_with_function_versions_and_line(lib):
    error = error_of(overwritten, lib)
    assert lines_of(error) == [
        "y was overwritten, but ExpBackward0 still needs it",
        "Raised by line: loss.backward()",
        "What happened",
        "    ExpBackward0 saved y, its own result (shape (2,), float32), at version 0.",
        "    Now it is at version 1: written in place once since.",
        "    The code writes into it in line: y.add_(1)",
        "What to do",
        "    Leave the saved tensor alone and make a new one: y = y.add(1) instead of y.add_(1).",
        "    Or run y.add_(1) only after backward.",
        f"PyTorch says: {error}",
    ]


def test_the_line_is_the_one_in_the_file(lib):
    first = overwritten.__code__.co_firstlineno
    text = explain(error_of(overwritten, lib)).text
    assert f"line {first + 4}: y.add_(1)" in text
    assert f"Raised by line {first + 5}: loss.backward()" in text


def test_an_argument_is_told_apart_from_a_result(lib):
    def run():
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        factor = lib.tensor([3.0, 4.0])
        z = x * factor
        factor *= 2
        (z + 1).sum().backward()

    text = explain(error_of(run)).text
    assert "MulBackward0 saved factor, its argument other" in text
    assert ": factor *= 2" in text


def test_a_write_through_a_view_is_found(lib):
    def run():
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = x.sigmoid()
        front = y[:1]
        loss = y.sum()
        front.zero_()
        loss.backward()

    text = explain(error_of(run)).text
    assert text.startswith("y was overwritten, but SigmoidBackward0")
    assert ": front.zero_()" in text


def test_a_film_tells_the_line_for_certain(lib):
    def hidden(tensor):
        tensor.mul_(2)

    def run():
        with record_versions():
            x = lib.tensor([1.0, 2.0], requires_grad=True)
            y = x.tanh()
            loss = y.sum()
            hidden(y)
            loss.backward()

    assert any(line == "    It was written by line: hidden(y)" for line in lines_of(error_of(run)))


def test_without_a_line_the_film_is_recommended(lib):
    def run():
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        loss = x.exp().add_(1).sum()
        loss.backward()

    text = explain(error_of(run)).text
    assert text.startswith("A tensor without a name was overwritten, but ExpBackward0")
    assert "record_versions()" in text


def test_with_the_words_of_anomaly_mode_it_is_still_known(lib):
    def run():
        with lib.autograd.set_detect_anomaly(True):
            overwritten(lib)

    with pytest.warns(UserWarning):
        error = error_of(run)
    assert "ExpBackward0 saved y, its own result" in explain(error).text


def test_the_last_of_several_functions_is_blamed(lib):
    def run():
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        w = lib.tensor([3.0, 4.0])
        y = x.exp()
        z = y * w
        loss = z.sum()
        y.add_(1)
        w.mul_(2)
        loss.backward()

    assert explain(error_of(run)).text.startswith("w was overwritten, but MulBackward0")


def test_a_function_of_the_reader_is_blamed_and_its_caller_read(lib):
    class Square(lib.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    def run():
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        y = x * 1
        z = Square.apply(y)
        y.add_(1)
        z.sum().backward()

    text = explain(error_of(run)).text
    assert text.startswith("y was overwritten, but SquareBackward still needs it")
    assert "The code writes into it in" in text and ": y.add_(1)" in text


# ---- advice in the reader's names ----


def written(code):
    """A program in which a line overwrites `s`, which was saved."""

    def run(lib):
        scope = {"__name__": "__main__", "torch": lib, "get_ipython": None}
        start = "s = torch.tensor([1.0, 2.0], requires_grad=True).exp()\nt = s.sum()\nv = s[:1]"
        scope["In"] = ["", start, code, "t.backward()"]
        for n, cell in enumerate(scope["In"]):
            exec(compile(cell, f"cell {n}", "exec"), scope)

    return run


IN_PLACE = {
    "s += 1": "make a new one: s = s + 1 instead of s += 1.",
    "s *= t + 1": "make a new one: s = s * (t + 1) instead of s *= t + 1.",
    "s.mul_(2)": "make a new one: s = s.mul(2) instead of s.mul_(2).",
    "v.clamp_(0, 1)": "make a new one: v = v.clamp(0, 1) instead of v.clamp_(0, 1).",
    "s[0] = 3": "write into a copy: s = s.clone(), then s[0] = 3.",
    "s[0].mul_(3)": "write into a copy: s = s.clone(), then s[0].mul_(3).",
    "s.normal_()": "write into a copy: s = s.clone(), then s.normal_().",
    "with torch.no_grad(): torch.add(s, 1, out=s)": "make a new one: s = torch.add(s, 1) instead "
    "of torch.add(s, 1, out=s).",
    "for k in range(2): s -= k": "make a new one: s = s - k instead of s -= k.",
}


@pytest.mark.parametrize("code", IN_PLACE)
def test_what_to_do_is_said_in_the_readers_names(lib, code):
    lines = explain(error_of(written(code), lib)).text.splitlines()
    todo = lines[lines.index("What to do") + 1 : -1]
    assert todo == [
        f"    Leave the saved tensor alone and {IN_PLACE[code]}",
        f"    Or run {code} only after backward.",
    ]


def test_following_the_advice_about_a_write_helps(lib):
    scope = {"torch": lib}
    for code in ("s = s + 1", "s = s.mul(2)", "s = s.clone(); s[0] = 3"):
        exec("x = torch.tensor([1.0, 2.0], requires_grad=True)\ns = x.exp()\nt = s.sum()", scope)
        exec(f"{code}\nt.backward()", scope)
        assert scope["x"].grad is not None


def test_a_parameter_is_not_to_be_made_anew(lib):
    def run():
        x = lib.tensor([1.0, 2.0], requires_grad=True)
        w = lib.tensor([3.0, 4.0], requires_grad=True)
        z = (x * w).sum()
        with lib.no_grad():
            w -= 0.5
        z.backward()

    text = explain(error_of(run)).text
    assert "Run backward before w -= 0.5." in text and "w = w" not in text


def test_of_a_called_function_the_tensor_that_it_writes_is_named(lib):
    def hidden(tensor):
        tensor.mul_(2)

    def run():
        with record_versions():
            x = lib.tensor([1.0, 2.0], requires_grad=True)
            s = x.tanh()
            t = s.sum()
            hidden(s)
            t.backward()

    assert "    Give it a copy: s.clone()." in lines_of(error_of(run))


def test_the_weight_behind_a_saved_view_is_named_and_the_step_blamed(lib):
    def run(film):
        model = lib.nn.Linear(2, 1)
        two = lib.nn.Linear(1, 1)
        optimizer = lib.optim.SGD(two.parameters(), lr=0.1)
        with film:
            loss = two(model(lib.ones(3, 2))).sum()
            loss.backward(retain_graph=True)
            optimizer.step()
            loss.backward()

    without = explain(error_of(run, contextlib.nullcontext())).text
    assert without.startswith("A view of two.weight was overwritten, but AddmmBackward0")
    assert "If the step of an optimizer wrote it: run every backward before the step" in without
    assert "Run backward before optimizer.step()." in explain(error_of(run, record_versions())).text


def error_of_code(lib, code, **scope):
    """The error of a program that stands in a file of its own."""
    name = f"<program {code}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    scope |= {"__name__": "__main__", "torch": lib, "np": np}
    return error_of(exec, compile(code, name, "exec"), scope)


def todo_of(error):
    lines = explain(error).text.splitlines()
    return "\n".join(lines[lines.index("What to do") + 1 : -1])


def test_remedies_use_the_readers_names_too(lib):
    weights = leaf(lib)

    def run(code):
        out = weights * 2
        first, second = out.unbind(0)
        return todo_of(
            error_of_code(lib, code, weights=weights, out=out, first=first, second=second)
        )

    assert "Make one number of it first: out.sum() or out.mean()." in run("out.backward()")
    assert "(out + 1).sum()" in run("(out + 1).backward()")
    assert "torch.ones_like(out)" in run("torch.autograd.grad(out, weights)")
    assert "new = weights - 0.1 instead of weights -= 0.1." in run("weights -= 0.1")
    assert "new = weights.clone(), then new.zero_(), instead of" in run("weights.zero_()")
    assert "copy = weights.clone(); copy[0] = 1." in run("weights[0] = 1")
    assert "out.detach().numpy()" in run("out.numpy()")
    assert "new = second + 1 instead of second += 1." in run("second += 1")
    assert "Take out.detach()" in run("out.requires_grad_(False)")


IN_NAMES = {
    "e = torch.ones(3).expand(2, 3)\ne.add_(1)": "first: e = e.clone(), then e.add_(1).",
    "n = torch.tensor([1])\nn /= 2": "new = n / 2 instead of n /= 2.",
    "y = x * 2\ntorch.optim.SGD([y], lr=1)": "leaf = y.detach().requires_grad_()",
    "import copy\ny = x * 2\ncopy.deepcopy(y)": "y.detach().clone()",
    "with torch.inference_mode():\n    i = x * 2\ni + x * i": "outside of the block: i.clone()",
    "v = torch.ones(2, 3)\nw = v.t().view(6)": "v.t().reshape(...) instead of v.t().view(...)",
    "if x == 1:\n    pass": "(x == 1).all() or (x == 1).any()",
    "while not x:\n    pass": "x.all() or x.any()",
    "y = x * 1\nz = 2 * y.grad": "y.retain_grad() before backward",
    "x.grad.zero_()": "Compute the loss from x and run loss.backward() before this line.",
    "c = torch.ones(1)\nc - c.grad": "c.requires_grad_()",
}


@pytest.mark.filterwarnings("ignore:The .grad attribute")
@pytest.mark.parametrize("code", IN_NAMES)
def test_the_variable_of_the_line_is_named(lib, code):
    assert IN_NAMES[code] in todo_of(error_of_code(lib, code, x=leaf(lib)))


def test_nothing_is_said_about_another_none(lib):
    error = error_of_code(lib, "a = None\na * x", x=leaf(lib))
    assert explain(error).text.startswith("This error is not among those")


def test_an_expression_that_is_too_long_is_not_repeated(lib):
    z = leaf(lib)
    error = error_of(lambda: (z * 1111111111 + z * 2222222222 + z * 3333333333).backward())
    assert "Make one number of it first: result.sum() or result.mean()." in todo_of(error)


# ---- other errors ----


def leaf(lib):
    return lib.tensor([1.0, 2.0], requires_grad=True)


OWN = """
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        return inputs[0][:]
    @staticmethod
    def backward(ctx, grad):
        return grad
"""
HOOKED = """
model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(inplace=True))
model[0].register_full_backward_hook(lambda *given: None)
model(x)
"""
OTHERS = {
    "The graph has been used up": "y = (x * x).sum()\ny.backward()\ny.backward()",
    "There is no graph to walk through": "torch.tensor([1.0]).sum().backward()",
    "A leaf would be written into": "x += 1",
    "A part of a leaf would be written into": "x[0] = 1.0",
    "backward does not know with what to start": "(x * 2).backward()",
    "The gradient does not have the shape of the result": "(x * 2).backward(torch.tensor([1.0]))",
    "A result does not depend on that tensor": "torch.autograd.grad((x * 1).sum(), x * 2)",
    "Gradients are wanted for a tensor that does not require grad": "torch.autograd.grad("
    "x.sum(), torch.ones(1))",
    "Integers and bools have no gradients": "torch.tensor([1], requires_grad=True)",
    "NumPy would not record what is done with it": "x.numpy()",
    "One of several views would be written into": "first, _ = (x * 1).unbind(0)\nfirst.add_(1)",
    "A view without history would be written into with history": "with torch.no_grad():\n"
    "    part = x[:1]\npart.add_(1)",
    "A computed tensor requires grad because what it was computed from does": "(x * 2)"
    ".requires_grad_(False)",
    "A view cannot be cut off in place": "(x * 1)[0].detach_()",
    "The gradient that the line uses is None": "y = x - 0.1 * x.grad",
    "Several elements of the tensor share one place in memory": "x.detach().expand(2, 2).add_(1)",
    "The result does not fit into the tensor that is written into": "c = torch.ones(1, 3)\n"
    "c *= torch.ones(2, 1)",
    "The result has a dtype that the tensor cannot hold": "n = torch.tensor([1, 2])\nn += 0.5",
    "Something next to a full backward hook would be written into": HOOKED,
    "A view that a function of your own gave back would be written into": OWN
    + "q = Own.apply(x * 1)\nq.mul_(2)",
    "A backward of your own returns too few or too many gradients": OWN
    + "Own.apply(x, x * 2).sum().backward()",
    "The optimizer was given the result of an operation": "torch.optim.SGD([x * 2], lr=0.1)",
    "The result of an operation cannot be copied with its history": "__import__('copy').deepcopy("
    "x * 2)",
    "A tensor made under inference_mode() is used where autograd records": "with "
    "torch.inference_mode():\n    i = torch.ones(2)\ni * x",
    "NaN begins in the backward pass": "with torch.autograd.set_detect_anomaly(True):\n"
    "    ((x - x).sqrt() * 0).sum().backward()",
    "The elements do not lie in the order that the view would need": "torch.ones(2, 3).t().view(6)",
    "A tensor with several elements is neither true nor false": "bool(x > 1)",
}


@pytest.mark.filterwarnings("ignore:Error detected in")
@pytest.mark.parametrize("title", OTHERS)
def test_each_known_error_has_its_explanation(lib, title):
    error = error_of_code(lib, OTHERS[title], x=leaf(lib))
    lines = explain(error).text.splitlines()
    assert lines[0] == title and f"PyTorch says: {error}".startswith(lines[-1])
    assert "What happened" in lines and "What to do" in lines


def test_every_remedy_is_met_by_an_error():
    assert {remedy.title for remedy in REMEDIES} == set(OTHERS)


def test_following_the_advice_helps(lib):
    x = leaf(lib)
    y = x * 2
    y.backward(gradient=lib.ones_like(y))
    with lib.no_grad():
        x -= 1
    assert x.grad.tolist() == [2.0, 2.0] and x.tolist() == [0.0, 1.0]


def test_an_unknown_error_is_admitted():
    picture = explain(KeyError("coffee"))
    assert picture.text.splitlines()[0] == (
        "This error is not among those that can be explained here"
    )
    assert "PyTorch says" not in picture.text and "KeyError: 'coffee'" in picture.text


def test_without_an_argument_the_last_error_is_explained(lib, monkeypatch):
    error = error_of_code(lib, "x += 1", x=leaf(lib))
    monkeypatch.setattr(sys, "last_value", error, raising=False)
    assert explain().text.startswith("A leaf would be written into")


def test_without_any_error_it_says_so(monkeypatch):
    monkeypatch.delattr(sys, "last_value", raising=False)
    assert explain().text == "No error has been shown yet: there is nothing to explain."


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="explain wants an exception, not str"):
        explain("RuntimeError")


# ---- lines that write ----


@pytest.mark.parametrize(
    "code",
    ["y.add_(1)", "y += 1", "y[0] = 1", "y[0] += 1", "y[0].zero_()", "torch.exp(x, out=y)",
     "y[0][1].mul_(2).add_(1)", "for k in range(2): y -= k", "z = y.mul_(2) + 1"],
)  # fmt: skip
def test_a_line_that_writes_is_seen(code):
    assert writers(code, {"y"}) == [1]


@pytest.mark.parametrize(
    "code", ["y = y + 1", "y.add(1)", "z[0] = y", "z.add_(y)", "y.requires_grad_()", "y == 1", "%%"]
)
def test_a_line_that_only_reads_is_not(code):
    assert writers(code, {"y"}) == []


def test_the_magics_of_a_notebook_are_passed_over():
    assert writers("%matplotlib inline\ny += 1", {"y"}) == [2]


def test_in_a_notebook_all_cells_are_read(lib):
    start = "x = torch.tensor([1.0], requires_grad=True)\ny = x.exp()\nz = y.sum()"
    cells = ["", start, "y *= 2", "z.backward()"]
    scope = {"__name__": "__main__", "torch": lib, "In": cells, "get_ipython": None}

    def run():
        for n, cell in enumerate(cells):
            exec(compile(cell, f"cell {n}", "exec"), scope)

    assert "The code writes into it in In [2], line 1: y *= 2" in explain(error_of(run)).text
