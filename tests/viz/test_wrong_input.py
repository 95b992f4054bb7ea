"""Every wrong input is answered by a sentence: which function, what came, what to do instead."""

import inspect
import re
import traceback

import numpy as np
import pytest

import course_lib.viz
from course_lib.viz import (
    Picture,
    compare,
    draw_axes,
    draw_backward,
    draw_boundary,
    draw_broadcast,
    draw_decisions,
    draw_descent,
    draw_devices,
    draw_difference,
    draw_errors,
    draw_fit,
    draw_gradient_sizes,
    draw_graph,
    draw_image,
    draw_jacobian,
    draw_memory,
    draw_module,
    draw_nonfinite,
    draw_product,
    draw_promotion,
    draw_sharing,
    draw_storage,
    draw_strides,
    draw_versions,
    explain,
    live_curve,
)


def tracked(lib):
    return lib.ones(2, requires_grad=True) * 2


def parabola(w):
    return w * w


class Unready:
    """Says nothing useful about itself."""


# What reaches a function in the place of what it wants; made anew for each test.
WRONG = {
    "a number": lambda lib: 5,
    "a text": lambda lib: "x",
    "None": lambda lib: None,
    "a list of numbers": lambda lib: [1.0, 2.0],
    "an array": lambda lib: np.ones(3),
    "an array of objects": lambda lib: np.array(["a", None]),
    "a list of tensors": lambda lib: [lib.ones(2), lib.ones(2)],
    "a dict": lambda lib: {"x": 5},
    "an empty dict": lambda lib: {},
    "a dict of tensors": lambda lib: {"x": lib.ones(2)},
    "a module": lambda lib: lib.nn.Linear(2, 2),
    "a class of modules": lambda lib: lib.nn.Linear,
    "a class": lambda lib: int,
    "a function": lambda lib: parabola,
    "a generator": lambda lib: (k for k in range(2)),
    "a grad_fn": lambda lib: (lib.ones(2, requires_grad=True) * 2).grad_fn,
    "a picture": lambda lib: Picture("a", "a"),
    "an object": lambda lib: Unready(),
    "minus three": lambda lib: -3,
    "not a number": lambda lib: float("nan"),
}
# function: a call with one place to put it, what is right in that place
CALLS = {
    "draw_graph": lambda lib, wrong: draw_graph(wrong),
    "draw_graph 2": lambda lib, wrong: draw_graph(lib.ones(2), wrong),
    "draw_graph show": lambda lib, wrong: draw_graph(lib.ones(2), show=wrong),
    "draw_graph direction": lambda lib, wrong: draw_graph(lib.ones(2), direction=wrong),
    "draw_graph max_nodes": lambda lib, wrong: draw_graph(lib.ones(2), max_nodes=wrong),
    "draw_graph names": lambda lib, wrong: draw_graph(lib.ones(2), names=wrong),
    "draw_graph params": lambda lib, wrong: draw_graph(lib.ones(2), params=wrong),
    "draw_storage": lambda lib, wrong: draw_storage(wrong),
    "draw_storage 2": lambda lib, wrong: draw_storage(lib.ones(2), wrong),
    "draw_storage names": lambda lib, wrong: draw_storage(lib.ones(2), names=wrong),
    "draw_strides": lambda lib, wrong: draw_strides(wrong),
    "draw_strides 2": lambda lib, wrong: draw_strides(lib.ones(2), wrong),
    "draw_axes": lambda lib, wrong: draw_axes(wrong),
    "draw_axes labels": lambda lib, wrong: draw_axes(lib.ones(2, 3, 4), labels=wrong),
    "draw_image": lambda lib, wrong: draw_image(wrong),
    "draw_image 2": lambda lib, wrong: draw_image(lib.ones(2, 2), wrong),
    "draw_image names": lambda lib, wrong: draw_image(lib.ones(2, 2), names=wrong),
    "draw_devices": lambda lib, wrong: draw_devices(wrong),
    "draw_devices names": lambda lib, wrong: draw_devices(lib.ones(2), names=wrong),
    "draw_broadcast": lambda lib, wrong: draw_broadcast(wrong, lib.ones(2)),
    "draw_broadcast 3": lambda lib, wrong: draw_broadcast(lib.ones(2), lib.ones(2), wrong),
    "draw_broadcast op": lambda lib, wrong: draw_broadcast(lib.ones(2), lib.ones(2), op=wrong),
    "draw_promotion": lambda lib, wrong: draw_promotion(wrong, lib.ones(2)),
    "draw_promotion 3": lambda lib, wrong: draw_promotion(lib.ones(2), 2.5, wrong),
    "draw_product": lambda lib, wrong: draw_product(lib.ones(2, 2), wrong),
    "draw_product 3": lambda lib, wrong: draw_product(lib.ones(2, 2), lib.ones(2, 2), wrong),
    "draw_product at": lambda lib, wrong: draw_product(lib.ones(2, 2), lib.ones(2, 2), at=wrong),
    "draw_sharing": lambda lib, wrong: draw_sharing(wrong, {"a": {"b": lib.ones(2)}}),
    "draw_sharing branches": lambda lib, wrong: draw_sharing(lib.ones(2), wrong),
    "draw_sharing branch": lambda lib, wrong: draw_sharing(lib.ones(2), {"a": wrong}),
    "draw_sharing made": lambda lib, wrong: draw_sharing(lib.ones(2), {"a": {"b": wrong}}),
    "draw_decisions": lambda lib, wrong: draw_decisions(wrong),
    "draw_decisions below": lambda lib, wrong: draw_decisions({"A?": {"yes": wrong}}),
    "draw_backward": lambda lib, wrong: draw_backward(wrong),
    "draw_backward max_steps": lambda lib, wrong: draw_backward(lib.ones(2), max_steps=wrong),
    "draw_versions": lambda lib, wrong: draw_versions(wrong),
    "draw_versions names": lambda lib, wrong: draw_versions(lib.ones(2), names=wrong),
    "draw_module": lambda lib, wrong: draw_module(wrong, lib.ones(2)),
    "draw_module input": lambda lib, wrong: draw_module(lib.nn.Linear(2, 2), wrong),
    "draw_module depth": lambda lib, wrong: draw_module(
        lib.nn.Linear(2, 2), lib.ones(2), depth=wrong
    ),
    "draw_module max_nodes": lambda lib, wrong: draw_module(
        lib.nn.Linear(2, 2), lib.ones(2), max_nodes=wrong
    ),
    "draw_descent": lambda lib, wrong: draw_descent(wrong, [1.0]),
    "draw_descent path": lambda lib, wrong: draw_descent(parabola, wrong),
    "draw_descent point": lambda lib, wrong: draw_descent(parabola, [wrong]),
    "draw_descent limits": lambda lib, wrong: draw_descent(parabola, [1.0], limits=wrong),
    "draw_descent loss": lambda lib, wrong: draw_descent(lambda w: wrong, [1.0]),
    "draw_boundary": lambda lib, wrong: draw_boundary(wrong, lib.ones(2, 2), [0, 1]),
    "draw_boundary points": lambda lib, wrong: draw_boundary(parabola, wrong, [0, 1]),
    "draw_boundary labels": lambda lib, wrong: draw_boundary(parabola, lib.ones(2, 2), wrong),
    "draw_boundary threshold": lambda lib, wrong: draw_boundary(
        lambda p: p[:, 0], lib.ones(2, 2), [0, 1], threshold=wrong
    ),
    "draw_boundary limits": lambda lib, wrong: draw_boundary(
        lambda p: p[:, 0], lib.ones(2, 2), [0, 1], limits=wrong
    ),
    "draw_boundary answer": lambda lib, wrong: draw_boundary(
        lambda p: wrong, lib.ones(2, 2), [0, 1]
    ),
    "draw_fit": lambda lib, wrong: draw_fit(wrong, [1.0, 2.0], [1.0, 2.0]),
    "draw_fit predicted": lambda lib, wrong: draw_fit([1.0, 2.0], [1.0, 2.0], wrong),
    "draw_fit axes": lambda lib, wrong: draw_fit([1.0], [1.0], [1.0], axes=wrong),
    "draw_fit limits": lambda lib, wrong: draw_fit([1.0], [1.0], [1.0], limits=wrong),
    "draw_errors": lambda lib, wrong: draw_errors(wrong),
    "draw_errors points": lambda lib, wrong: draw_errors({"float32": wrong}),
    "draw_errors error": lambda lib, wrong: draw_errors({"float32": {0.1: wrong}}),
    "compare": lambda lib, wrong: compare(Picture("a", "a"), wrong),
    "compare titles": lambda lib, wrong: compare(
        Picture("a", "a"), Picture("b", "b"), titles=wrong
    ),
    "explain": lambda lib, wrong: explain(wrong),
    "draw_nonfinite": lambda lib, wrong: draw_nonfinite(wrong),
    "draw_nonfinite gradient": lambda lib, wrong: draw_nonfinite(tracked(lib), wrong),
    "draw_nonfinite max_nodes": lambda lib, wrong: draw_nonfinite(tracked(lib), max_nodes=wrong),
    "draw_nonfinite direction": lambda lib, wrong: draw_nonfinite(tracked(lib), direction=wrong),
    "draw_gradient_sizes": lambda lib, wrong: draw_gradient_sizes(wrong),
    "draw_gradient_sizes gradient": lambda lib, wrong: draw_gradient_sizes(tracked(lib), wrong),
    "draw_gradient_sizes measure": lambda lib, wrong: draw_gradient_sizes(
        tracked(lib), measure=wrong
    ),
    "draw_gradient_sizes layout": lambda lib, wrong: draw_gradient_sizes(
        tracked(lib), layout=wrong
    ),
    "draw_memory": lambda lib, wrong: draw_memory(wrong),
    "draw_memory names": lambda lib, wrong: draw_memory(tracked(lib), names=wrong),
    "draw_difference": lambda lib, wrong: draw_difference(wrong, tracked(lib)),
    "draw_difference 2": lambda lib, wrong: draw_difference(tracked(lib), wrong),
    "draw_jacobian": lambda lib, wrong: draw_jacobian(wrong, lib.ones(2)),
    "draw_jacobian input": lambda lib, wrong: draw_jacobian(parabola, wrong),
    "draw_jacobian result": lambda lib, wrong: draw_jacobian(lambda x: wrong, lib.ones(2)),
    "draw_jacobian gradient": lambda lib, wrong: draw_jacobian(
        parabola, lib.ones(2), gradient=wrong
    ),
    "update": lambda lib, wrong: live_curve().update(wrong),
}
RAW = (
    "object is not|not supported|has no attribute|unpack|not iterable|index out of"
    "|could not convert|positional argument|unhashable|must be|ambiguous"
)


# These can be called, so what they say then is not ours to answer.
CALLABLE = ("a module", "a class of modules", "a class", "a function", "a grad_fn")
EVERY = [
    (call, wrong)
    for call in CALLS
    for wrong in WRONG
    if call not in ("draw_descent", "draw_boundary", "draw_jacobian") or wrong not in CALLABLE
]


@pytest.mark.parametrize(("call", "wrong"), EVERY)
def test_a_wrong_input_is_answered_by_a_sentence(lib, call, wrong):
    try:
        picture = CALLS[call](lib, WRONG[wrong](lib))
    except (TypeError, ValueError) as error:
        said = str(error)
        assert said.startswith((call.split()[0], "a picture")), said
        assert not re.search(RAW, said) and " wants " in said and said.endswith("."), said
        where = traceback.extract_tb(error.__traceback__)[-1].filename
        assert "course_lib/viz" in where.replace("\\", "/"), where
    else:  # then it was not wrong: what comes back can be shown
        assert picture is None or (picture.text and picture.alt)
        if picture is not None:
            picture._repr_mimebundle_()


def test_every_picture_is_among_the_calls():
    called = {call.split()[0] for call in CALLS}
    drawing = {name for name in course_lib.viz.__all__ if name.startswith("draw_")}
    assert drawing <= called


def test_options_go_by_name_and_have_the_same_words_everywhere():
    """What goes by position is what is drawn, and `question`, `gradient`, which need no name."""
    words = set(
        """
        at axes depth direction kwargs fold gradient labels layout legend limits max_nodes
        max_steps measure names op params show threshold title
        """.split()
    )
    drawn = set(
        """
        a after b before branches classifier errors function gradient inputs keywords labels
        loss model more of output outputs path points predicted question tensor tensors tree x y
        """.split()
    )
    for name in course_lib.viz.__all__:
        if name.startswith("draw_"):
            for option in inspect.signature(getattr(course_lib.viz, name)).parameters.values():
                known = words if option.kind is option.KEYWORD_ONLY else drawn
                assert option.name in known, f"{name}({option.name})"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda lib, x: draw_graph([x, x]), r"Give them one by one: draw_graph\(a, b\)\."),
        (lambda lib, x: draw_storage(np.ones(2)), r"torch\.from_numpy\(array\)"),
        (lambda lib, x: draw_graph(np.float64(3)), r"torch\.from_numpy|torch\.tensor"),
        (lambda lib, x: draw_graph(lib.nn.Linear(2, 2)), r"draw_module\(model, x\)"),
        (lambda lib, x: draw_graph("x"), "without quotation marks"),
        (lambda lib, x: draw_graph((x * 2).grad_fn), "Give the tensor whose grad_fn it is"),
        (lambda lib, x: draw_strides([x, x]), r"draw_strides\(a, b\)"),
        (
            lambda lib, x: draw_backward([x, x]),
            r"compare\(draw_backward\(a\), draw_backward\(b\)\)",
        ),
        (lambda lib, x: draw_broadcast(x, x, x, x), r"draw_broadcast\(a \+ b, c, d\)"),
        (lambda lib, x: draw_graph(x, max_nodes=-3), "max_nodes wants a whole number from 1 on"),
        (lambda lib, x: draw_graph(x, max_nodes="a"), "max_nodes wants a whole number .* not 'a'"),
        (lambda lib, x: draw_module(lib.nn.Linear(2, 2)), r"draw_module\(model, torch.zeros"),
        (lambda lib, x: draw_module(lib.nn.Linear, x), "Make one first"),
        (lambda lib, x: draw_product(x, x), r"not one of shape \(2,\)"),
        (lambda lib, x: draw_sharing(x, {"a": 5}), "answers with what was made.*not int"),
    ],
)
def test_the_remedy_fits_what_came(lib, call, said):
    with pytest.raises((TypeError, ValueError), match=said):
        call(lib, lib.ones(2, requires_grad=True))


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


def test_what_cannot_be_drawn_is_not_said_to_be_the_fault_of_the_model(lib):
    class Refuses(lib.nn.Linear):
        def register_forward_hook(self, *args, **kwargs):
            raise RuntimeError("no hooks here")

    text = draw_module(Refuses(2, 2), lib.ones(1, 2)).text
    assert "draw_module cannot draw more of it: no hooks here" in text and "raised" not in text
