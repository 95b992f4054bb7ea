"""Calls that do not fit are answered in PyTorch's words, with a note; calls that fit cost little.

The sentences themselves are compared with PyTorch's in tests/oracle/cases/arguments.txt.
"""

import operator
import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import course_lib as torch
import course_lib.nn.functional as F
from course_lib.calls.arguments import Parameters
from course_lib.calls.overloads import Overloads, names, overloads, table
from course_lib.homes import LEFT_OUT
from course_lib.words import notes
from course_lib.words.tracebacks import shorten_traceback

KINDS = [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop]


def test_every_recorded_signature_can_be_read_and_written_again():
    every = [one for place, name in table() for one in Overloads(place, name).signatures]
    assert len(every) > 1000
    for signature in every:
        assert str(signature).startswith("(") and str(signature).endswith(")")


def test_a_call_is_compared_with_the_signatures_once_for_the_classes_of_its_arguments():
    x, accepted = torch.ones(2, 2), Overloads("Tensor", "sum")
    accepted.examine((x, 0), {"keepdim": True})
    assert {*accepted.seen} == {(torch.Tensor, int, "keepdim", bool)}
    with pytest.raises(TypeError):
        accepted.examine((x, True), {})
    with pytest.raises(TypeError):
        accepted.examine((x, 0), {"keepdim": 1})
    assert len(accepted.seen) == 1


def test_the_first_signature_that_fits_is_taken():
    assert overloads("Tensor", "sum").fit((1,), {}) == {"dim": 1}
    assert overloads("Tensor", "view").fit((2, 3), {}) == {"size": (2, 3)}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: torch.bmm(x[None], x[None], torch.half), "(out_dtype=…); the course"),
        (lambda x: x.expand(2, 3, implicit=True), "expand(implicit=…); the course does not"),
        (lambda x: torch.mm(x, x, out=1), "out=int"),  # told before a wrong shape
        (lambda x: torch.exp(np.ones(2)), "must be Tensor, not numpy.ndarray"),
        (lambda x: x.argmax(True), "must be int, not bool"),
        (lambda x: torch.Tensor.sin(1), "doesn't apply to a 'int' object"),
        (lambda x: x.new_tensor(1, 2), "takes 1 positional argument but 2 were given"),
        (lambda x: x.sum(2**70), "Overflow when unpacking long long"),
        (lambda x: F.scaled_dot_product_attention(x, x, x, enable_gqa=True), "ion(enable_gqa=…)"),
        (lambda x: torch.linalg.lstsq(x, x, driver="gels"), "torch.linalg.lstsq(driver=…); the"),
        (lambda x: torch.linalg.lstsq(x, x, driven="gels"), "unexpected keyword argument 'driven'"),
        *((lambda x, k=k: k([x.requires_grad_()], differentiable=True), "does not") for k in KINDS),
    ],
)
def test_a_call_that_does_not_fit_is_refused_in_pytorchs_words(call, words):
    with pytest.raises((TypeError, ValueError, NotImplementedError), match=re.escape(words)):
        call(torch.ones(2, 3))


def test_signatures_are_read_only_when_a_call_fails():
    code = (
        "import course_lib as torch; from course_lib.calls import overloads\n"
        "torch.ones(2).sum(); assert not overloads.text.cache_info().currsize\n"
        "try: torch.sin(1.0)\n"
        "except TypeError: assert overloads.text.cache_info().currsize\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- names ---------------------------------------------------------------------------------------


def test_a_name_that_is_nowhere_has_no_note():
    with pytest.raises(AttributeError, match="module 'torch' has no attribute 'foo'") as caught:
        torch.foo
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize(
    ("owner", "place"),
    [(torch, "torch"), (torch.ones(1), "torch.Tensor"), (torch.linalg, "torch.linalg")],
)
def test_a_name_that_only_pytorch_has_is_said_by_name(owner, place):
    with pytest.raises(AttributeError) as caught:
        owner.lu_solve
    assert str(caught.value).startswith(f"PyTorch has {place}.lu_solve; the course does not.")
    assert not hasattr(owner, "lu_solve")


WHY = {
    "compiles nothing": "jit fx onnx compile export nn.Module.compile",
    "no kernels to measure": "profiler",
    "zeros too": "sparse sparse_coo_tensor optim.SparseAdam Tensor.to_sparse",
    "no quantized ones": "quantization ao quantize_per_tensor",
    "one process": "distributed nn.SyncBatchNorm",
    "dtypes of the inputs": "autocast",
    "computes derivatives backward": "autograd.forward_ad",
    "one size": "nested",
    "on the CPU": "cuda.Stream",
    "Use PyTorch itself": "utils.tensorboard",
}
FAMILIES = [(f"torch.{name}", reason) for reason, names in WHY.items() for name in names.split()]


@pytest.mark.parametrize(("name", "reason"), FAMILIES)
def test_a_family_that_the_course_does_not_have_says_why(name, reason):
    place, _, last = name.rpartition(".")
    owner: Any = torch
    for part in place.split(".")[1:]:
        owner = getattr(owner, part)
    with pytest.raises(AttributeError) as caught:
        getattr(owner() if owner is torch.nn.Module else owner, last)
    assert str(caught.value).startswith(f"PyTorch has {name}; the course does not.")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("from course_lib import jit", "torch.jit"),
        ("import course_lib.fx", "torch.fx"),
        ("import course_lib.distributed.rpc", "torch.distributed"),
        ("from course_lib.nn import Linear, SyncBatchNorm", "torch.nn.SyncBatchNorm"),
        ("from course_lib.cuda.amp import autocast", "torch.cuda.amp"),
        ("from course_lib.utils.tensorboard import SummaryWriter", "torch.utils.tensorboard"),
    ],
)
def test_an_import_says_it_too(statement, name):
    with pytest.raises(ImportError) as caught:
        exec(statement)
    assert str(caught.value).startswith(f"PyTorch has {name}; the course does not.")


def test_an_import_of_a_name_that_is_nowhere_has_pythons_message():
    with pytest.raises(ImportError, match="cannot import name 'foo' from 'course_lib'"):
        exec("from course_lib import foo")
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'course_lib\.foo'"):
        exec("import course_lib.foo")


def test_what_is_left_out_of_tensors_is_listed():
    public = {name for name in names("Tensor") if not name.startswith("_")}
    assert set(LEFT_OUT.split()) == {n for n in public if not hasattr(torch.Tensor, n)}
    assert not set(LEFT_OUT.split()) & set(dir(torch.ones(1)))


def test_neither_tensors_nor_nodes_have_a_getattr():
    """Note [No __getattr__]: with one, each attribute that is there is found the long way."""
    x = torch.nn.Parameter(torch.ones(2))
    for value in (x, (x * 2).grad_fn, x[0].grad_fn, (x * 2).detach(), x.sum().grad_fn):
        assert not hasattr(type(value), "__getattr__")


# ---- notes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("compute", [operator.add, operator.mod, operator.ipow])
def test_a_note_names_a_lesson_and_leaves_the_message_alone(compute):
    with pytest.raises(RuntimeError, match="at non-singleton dimension 0\n") as caught:
        compute(torch.ones(3), torch.ones(2))
    assert caught.value.__notes__[0].startswith(notes.note(str(caught.value)))


def test_a_note_names_explain_where_nothing_shows_it_by_itself(monkeypatch):
    for others in ({"IPython": None}, {}):
        monkeypatch.setattr(notes.sys, "modules", others)
        with pytest.raises(RuntimeError) as caught:
            torch.ones(3) + torch.ones(2)
        assert ("course_lib.viz.explain(error)" in caught.value.__notes__[0]) != bool(others)


def test_every_note_is_one_sentence_or_two_and_a_lesson_for_what_is_really_raised():
    facts = (Path(__file__).parents[1] / "oracle/facts").glob("*.json")
    raised = "".join([path.read_text(encoding="utf-8") for path in facts])
    for words, text in notes.notes().items():
        assert words in raised and re.search(r"[.] Lesson: [0-2][0-9]_[a-z_]+$", text)


# ---- tracebacks ----------------------------------------------------------------------------------


def frames(tb):
    """The names of the functions of a traceback."""
    return [frame.name for frame in traceback.extract_tb(tb)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x.view(7),
        lambda x: torch.softmax(x, 7),
        lambda x: x.sum(7),
        lambda x: x + x[0, 0:2],
    ],
    ids=["view", "unrolled", "reduction", "hot path"],
)
def test_a_traceback_ends_at_the_students_line(wrong):
    with pytest.raises((RuntimeError, IndexError)) as caught:
        wrong(torch.ones(2, 3))
    whole = caught.value.__traceback__
    assert len(frames(whole)) > 1
    own = test_a_traceback_ends_at_the_students_line.__name__
    assert frames(shorten_traceback(whole)) == [own, "<lambda>"]


def test_a_warning_names_the_students_line():
    with pytest.warns(UserWarning, match="uint8") as caught:
        torch.ones(2)[torch.tensor([1, 0], dtype=torch.uint8)]
    assert [warning.filename for warning in caught] == [__file__]


def test_a_students_hook_stays_in_the_traceback():
    def hook(grad):
        raise ZeroDivisionError

    x = torch.ones(2, requires_grad=True)
    x.register_hook(hook)
    with pytest.raises(ZeroDivisionError) as caught:
        (x * 2).sum().backward()
    assert frames(shorten_traceback(caught.value.__traceback__))[1:] == ["hook"]


def test_the_traceback_of_another_error_is_the_same_object():
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0
    assert shorten_traceback(caught.value.__traceback__) is caught.value.__traceback__


def test_a_notebook_shows_the_students_line_last_and_the_note():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = ["import course_lib as torch", "x = torch.ones(2, 3)\nx.view(7)"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
    nbclient.NotebookClient(book, allow_errors=True, timeout=300).execute()
    [error] = [out for out in book.cells[1].outputs if out.output_type == "error"]
    shown = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(error.traceback))
    assert error.evalue == "shape '[7]' is invalid for input of size 6"
    assert "----> 2 x.view(7)" in shown and "course_lib" not in shown
    assert "Lesson: 07_reshape_vs_view" in shown


def test_keywords_are_put_in_the_order_of_the_parameters_whatever_their_order():
    def kernel(self, dim, keepdim=False, *, dtype=None): ...

    own = Parameters(kernel)
    given = {"dtype": 2, "keepdims": True, "axis": 1, "input": "x"}
    assert list(own.bind((), given).items()) == [
        ("self", "x"), ("dim", 1), ("keepdim", True), ("dtype", 2)
    ]  # fmt: skip
    for args, wrong in {(): {"dim"}, (1, 2): {"axis"}, (1,): {"other"}, (1, 2, 3, 4): ()}.items():
        with pytest.raises(TypeError):
            own.bind(args, dict.fromkeys(wrong))
    with pytest.raises(TypeError):  # twice
        own.bind((1,), {"dim": 1, "axis": 1})
