"""Every wrong input is answered by a sentence: which function, what came, what to do instead."""

import ast
import builtins
import inspect
import re
import traceback
from pathlib import Path

import numpy as np
import pytest

from course_lib import viz
from course_lib.viz import Picture, draw_graph, draw_module, draw_strides


def scope(lib, **more):
    """The names in calls, each made anew."""
    x = lib.ones(2, requires_grad=True)
    names = {name: getattr(viz, name) for name in viz.__all__} | {"lib": lib, "np": np, "x": x}
    names |= {"vector": lib.ones(2), "matrix": lib.ones(2, 2), "tracked": x * 2}
    names |= {"model": lib.nn.Linear(2, 2), "picture": Picture("a", "a"), "parabola": parabola}
    names |= {"pair": ("a", "b"), "place": (0, 0), "limits": (0.0, 1.0), "labels": [0, 1]}
    names |= {"numbers": [1.0, 2.0], "first": lambda p: p[:, 0], "error": ValueError("a")}
    return names | {"update": viz.live_curve().update} | more


def parabola(w):
    return w * w


class Unready:
    """Says nothing useful about itself."""


# What reaches a function in the place of what it wants; made anew for each test.
WRONG = {
    "a number": lambda lib: 5, "a text": lambda lib: "x", "None": lambda lib: None,
    "a list of numbers": lambda lib: [1.0, 2.0], "an array": lambda lib: np.ones(3),
    "an array of objects": lambda lib: np.array(["a", None]),
    "a list of tensors": lambda lib: [lib.ones(2), lib.ones(2)], "a dict": lambda lib: {"x": 5},
    "an empty dict": lambda lib: {}, "a dict of tensors": lambda lib: {"x": lib.ones(2)},
    "a module": lambda lib: lib.nn.Linear(2, 2), "a class of modules": lambda lib: lib.nn.Linear,
    "a class": lambda lib: int, "a function": lambda lib: parabola,
    "a generator": lambda lib: (k for k in range(2)),
    "a grad_fn": lambda lib: (lib.ones(2, requires_grad=True) * 2).grad_fn,
    "a picture": lambda lib: Picture("a", "a"), "an object": lambda lib: Unready(),
    "a sparse tensor": lambda lib: lib.eye(2).to_sparse() if hasattr(lib, "sparse_coo") else 5,
    "a nested tensor": lambda lib: lib.nested.as_nested_tensor([lib.ones(2), lib.ones(1)])
    if hasattr(lib, "nested") else 5,
    "minus three": lambda lib: -3, "not a number": lambda lib: float("nan"),
}  # fmt: skip
# Right calls, then wrong ones, each with the error and what the sentence says of it.
TEXT = Path(__file__).with_name("wrong_input.txt").read_text(encoding="utf-8")
RIGHT, REMEDIES = map(str.splitlines, TEXT.split("\n\n"))


def places(call):
    """The call with each argument, and each part of one, as `wrong` in turn."""
    made = ast.parse(call, mode="eval").body
    waiting = [*made.args, *(option.value for option in made.keywords)]
    for node in waiting:
        waiting += [*getattr(node, "values", ()), *getattr(node, "elts", ())]
        yield f"{call[: node.col_offset]}wrong{call[node.end_col_offset :]}"


CALLS = [place for call in RIGHT for place in places(call)]
CALLS += ["draw_descent(lambda w: wrong, [1.0])", "draw_boundary(lambda p: wrong, matrix, labels)"]
CALLS += ["draw_promotion(vector, 2.5, wrong)", "draw_product(matrix, matrix, wrong)"]
RAW = (
    "object is not|not supported|has no attribute|unpack|not iterable|index out of"
    "|could not convert|positional argument|unhashable|must be|ambiguous"
)


# These can be called, so what they say then is not ours to answer.
CALLABLE = ("a module", "a class of modules", "a class", "a function", "a grad_fn")
WANT_FUNCTIONS = ("draw_descent(wrong", "draw_boundary(wrong")
EVERY = [
    (call, wrong)
    for call in CALLS
    for wrong in WRONG
    if not call.startswith(WANT_FUNCTIONS) or wrong not in CALLABLE
]


@pytest.mark.parametrize("call", RIGHT)
def test_what_is_right_in_all_other_places_is_right(lib, call):
    eval(call, scope(lib))


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
@pytest.mark.parametrize(("call", "wrong"), EVERY)
def test_a_wrong_input_is_answered_by_a_sentence(lib, call, wrong):
    try:
        picture = eval(call, scope(lib, wrong=WRONG[wrong](lib)))
    except (TypeError, ValueError) as error:
        said = str(error)
        assert said.startswith((call.partition("(")[0], "a picture")), said
        assert not re.search(RAW, said) and " wants " in said and said.endswith("."), said
        where = traceback.extract_tb(error.__traceback__)[-1].filename
        assert "course_lib/viz" in where.replace("\\", "/"), where
    else:  # then it was not wrong: what comes back can be shown
        assert picture is None or (picture.text and picture.alt)
        if picture is not None:
            picture._repr_mimebundle_()


def test_every_picture_is_among_the_calls():
    called = {call.partition("(")[0] for call in CALLS}
    assert {name for name in viz.__all__ if name.startswith("draw_")} <= called


def test_options_go_by_name_and_have_the_same_words_everywhere():
    """What goes by position is what is drawn, and `question`, `gradient`, which need no name."""
    words = set(
        """
        at axes classes depth direction kwargs fold gradient labels layout legend limits max_nodes
        measure names op params show threshold title
        """.split()
    )
    drawn = set(
        """
        a after b before branches classifier errors function gradient inputs keywords labels
        loss model more of output outputs path points predicted question tensor tensors tree x y
        """.split()
    )
    for name in viz.__all__:
        if name.startswith("draw_"):
            for option in inspect.signature(getattr(viz, name)).parameters.values():
                known = words if option.kind is option.KEYWORD_ONLY else drawn
                assert option.name in known, f"{name}({option.name})"


@pytest.mark.parametrize("row", REMEDIES)
def test_the_remedy_fits_what_came(lib, row):
    kind, call, said = re.fullmatch("(.*?): (.*) -> (.*)", row).groups()
    with pytest.raises(getattr(builtins, kind), match=said):
        eval(call, scope(lib))


def test_pairs_of_names_and_parameters_are_taken_as_they_come(lib):
    model = lib.nn.Linear(2, 1)
    y = model(lib.ones(1, 2))
    for pairs in (model.named_parameters(), list(model.named_parameters()), model):
        text = draw_graph(y, names={"y": y}, params=pairs).text
        assert "\nweight" in text.replace(", model.weight", "") or "weight" in text


def test_several_walks_stand_side_by_side(lib):
    a = lib.tensor([[1, 2, 3], [4, 5, 6]])
    t = a.t()
    both = draw_strides(a, t)
    assert both.text == f"{draw_strides(a).text}\n\n{draw_strides(t).text}"
    assert both.svg.count("<svg") == 3


@pytest.mark.parametrize(
    "name",
    ["modules", "parameters", "children", "named_modules", "named_parameters", "buffers",
     "register_forward_hook", "register_forward_pre_hook"],
)  # fmt: skip
def test_an_attribute_may_hide_a_method_of_the_module(lib, name):
    model = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.ReLU())
    usual, x = draw_module(model, lib.ones(1, 2)).text, lib.ones(1, 2)
    setattr(model, name, 1)
    y = model(x)
    assert draw_module(model, x).text == usual
    assert "model.0.weight  leaf" in draw_graph(y).text  # the names of a model in the scope
    assert "0.weight  leaf" in draw_graph(y, params=model).text
