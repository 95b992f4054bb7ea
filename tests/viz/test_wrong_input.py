"""Every wrong input is answered by a sentence: which function, what came, what to do instead."""

import inspect
import re
import traceback

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
    "minus three": lambda lib: -3, "not a number": lambda lib: float("nan"),
}  # fmt: skip
# Calls with one place for what is `wrong`; all else in them is right.
CALLS = """
draw_graph(wrong)
draw_graph(vector, wrong)
draw_graph(vector, show=wrong)
draw_graph(vector, direction=wrong)
draw_graph(vector, max_nodes=wrong)
draw_graph(vector, names=wrong)
draw_graph(vector, params=wrong)
draw_storage(wrong)
draw_storage(vector, wrong)
draw_storage(vector, names=wrong)
draw_strides(wrong)
draw_strides(vector, wrong)
draw_axes(wrong)
draw_axes(lib.ones(2, 3, 4), labels=wrong)
draw_image(wrong)
draw_image(matrix, wrong)
draw_image(matrix, names=wrong)
draw_devices(wrong)
draw_devices(vector, names=wrong)
draw_broadcast(wrong, vector)
draw_broadcast(vector, vector, wrong)
draw_broadcast(vector, vector, op=wrong)
draw_promotion(wrong, vector)
draw_promotion(vector, 2.5, wrong)
draw_product(matrix, wrong)
draw_product(matrix, matrix, wrong)
draw_product(matrix, matrix, at=wrong)
draw_sharing(wrong, {"a": {"b": vector}})
draw_sharing(vector, wrong)
draw_sharing(vector, {"a": wrong})
draw_sharing(vector, {"a": {"b": wrong}})
draw_decisions(wrong)
draw_decisions({"A?": {"yes": wrong}})
draw_backward(wrong)
draw_backward(tracked, wrong)
draw_backward(vector, max_nodes=wrong)
draw_versions(wrong)
draw_versions(vector, names=wrong)
draw_module(wrong, vector)
draw_module(model, wrong)
draw_module(model, vector, depth=wrong)
draw_module(model, vector, max_nodes=wrong)
draw_descent(wrong, [1.0])
draw_descent(parabola, wrong)
draw_descent(parabola, [wrong])
draw_descent(parabola, [1.0], limits=wrong)
draw_descent(lambda w: wrong, [1.0])
draw_boundary(wrong, matrix, [0, 1])
draw_boundary(parabola, wrong, [0, 1])
draw_boundary(parabola, matrix, wrong)
draw_boundary(lambda p: p[:, 0], matrix, [0, 1], threshold=wrong)
draw_boundary(lambda p: p[:, 0], matrix, [0, 1], limits=wrong)
draw_boundary(lambda p: wrong, matrix, [0, 1])
draw_fit(wrong, [1.0, 2.0], [1.0, 2.0])
draw_fit([1.0, 2.0], [1.0, 2.0], wrong)
draw_fit([1.0], [1.0], [1.0], axes=wrong)
draw_boundary(parabola, matrix, [0, 1], axes=wrong)
draw_boundary(parabola, matrix, [0, 1], classes=wrong)
draw_fit([1.0], [1.0], [1.0], limits=wrong)
draw_errors(wrong)
draw_errors({"float32": wrong})
draw_errors({"float32": {0.1: wrong}})
compare(picture, wrong)
compare(picture, picture, titles=wrong)
explain(wrong)
draw_nonfinite(wrong)
draw_nonfinite(tracked, wrong)
draw_nonfinite(tracked, max_nodes=wrong)
draw_nonfinite(tracked, direction=wrong)
draw_gradient_sizes(wrong)
draw_gradient_sizes(tracked, wrong)
draw_gradient_sizes(tracked, measure=wrong)
draw_gradient_sizes(tracked, layout=wrong)
draw_memory(wrong)
draw_memory(tracked, names=wrong)
update(wrong)
""".strip().splitlines()
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


# What is wrong, and what the sentence says of it.
REMEDIES = {
    TypeError: [("draw_graph([x, x])", r"Give them one by one: draw_graph\(a, b\)\."),
        ("draw_graph(np.float64(3))", r"torch\.from_numpy|torch\.tensor"),
        ("draw_graph(model)", r"draw_module\(model, x\)"),
        ('draw_graph("x")', "without quotation marks"),
        ("draw_graph(tracked.grad_fn)", "Give the tensor whose grad_fn it is"),
        ("draw_graph()", "at least one tensor"),
        ('draw_graph(x, max_nodes="a")', "max_nodes wants a whole number .* not 'a'"),
        ("draw_storage(np.ones(2))",
         r"draw_storage wants tensors, not ndarray.*torch\.from_numpy\(array\)"),
        ("draw_strides([x, x])", r"draw_strides\(a, b\)"),
        ("draw_backward([x, x])", r"compare\(draw_backward\(a\), draw_backward\(b\)\)"),
        ("draw_broadcast(x, x, x, x)", r"draw_broadcast\(a \+ b, c, d\)"),
        ("draw_broadcast((2, -1), (2,))", "draw_broadcast wants tensors, numbers or shapes"),
        ("draw_broadcast((2, 1.0), (2,))", "draw_broadcast wants tensors, numbers or shapes"),
        ('draw_decisions({"How?": {"so": "right"}})', "draw_decisions wants"),
        ("draw_module(model)", r"wants an input, .* draw_module\(model, torch.zeros"),
        ("draw_module(model, x, max_node=3)", "unexpected keyword argument 'max_node'"),
        ("draw_module(model, (1, 2))", "wants a tensor for the model to work on, not tuple"),
        ("draw_module(lib.nn.Linear, x)", "not the type Linear. Make one first"),
        ('draw_sharing(x, {"a": 5})', "answers with what was made.*not int"),
        ("compare([picture, picture])", "two pictures or more, not 1"),
        ("draw_boundary(parabola, [[1.0, 2.0]], [0])", "points as a tensor, not list"),
        ('draw_boundary(parabola, matrix, [0, 1], axes=("a",))', "draw_boundary: axes wants"),
        ("draw_boundary(parabola, matrix, [0, 1], classes=[1])", "draw_boundary: classes wants"),
        ("draw_errors({'a': {}})", r"pairs \(eps, error\), for a, not \{\}"),
        ("draw_fit([], [], [])", "one for each point, not an empty list"),
        ('draw_fit([1], ["b"], [1])', "one for each point, not list with 'b' in it"),
        ("draw_fit(matrix, [1], [1])", r"float32 tensor of shape \(2, 2\)"),
        ("update()", "wants a loss"),
        ('explain("RuntimeError")', "explain wants an exception, not str")],
    ValueError: [("draw_graph(x, max_nodes=-3)", "max_nodes wants a whole number from 1 on"),
        ('draw_graph(x, show="colours")', "show wants one of 'values', 'shapes'"),
        ("draw_storage(x, vector.numpy()[::-1])", r"strides \(-4,\). Draw its base, or a copy."),
        ('draw_axes(matrix, labels=["row"])', "wants 2 labels, not 1"),
        ('draw_decisions({q: {"yes": {"a": "right"}} for q in "AB"})', "one question at a time"),
        ('draw_errors({"float32": {0.0: 1.0}})', "above 0 for float32"),
        ("draw_fit([1, 2], lib.ones(3), [1, 2])",
         "as many numbers in each, not 2 of x, 3 of y, 2 of pred"),
        ("draw_gradient_sizes(vector)", "has no graph: give it the loss"),
        ("draw_image(lib.zeros(3))", r"x\[None\]"),
        ("draw_image(lib.zeros(2, 300))", r"x\[::4, ::4\]"),
        ("draw_image(lib.zeros(17, 2, 2))", r"x\[:16\]"),
        ("draw_image(lib.zeros(0, 3))", "no numbers"),
        ('draw_image(matrix.to("meta"))', "numbers that it can read, not .*: it is on the meta"),
        ('draw_image(matrix, matrix, names=["one"])',
         "one name for each of the 2 things drawn, not 1"),
        ("draw_memory(vector)", "Give it the loss before backward"),
        ("draw_nonfinite(tracked, gradient=lib.ones(3))", "gradient= to be a tensor of shape"),
        ("draw_product(x, x)", r"not one of shape \(2,\)"),
        ("draw_product(lib.ones(1, 2, 2), matrix)", "wants two matrices"),
        ("draw_product(lib.ones(7, 2), matrix)", "1 to 6 rows"),
        ("draw_product(matrix, matrix, at=(2, 0))", "is no place in"),
        ('compare(picture, picture, ("only",))', "a title for each of 2 pictures, not 1"),
        ("draw_boundary(parabola, lib.ones(1, 3), [0])", r"shape \(n, 2\), not \(1, 3\)"),
        ("draw_boundary(parabola, lib.ones(0, 2), [])", "It holds no numbers"),
        ("draw_boundary(parabola, matrix / 0, [0, 1])", "finite points, and some hold nan or inf"),
        ("draw_boundary(parabola, matrix, [0, 1.5])", "labels as whole numbers"),
        ("draw_boundary(parabola, matrix, [0, 1], limits=(0, 1))", r"\(-1, 1\)\), not \(0, 1\)"),
        ("draw_boundary(parabola, matrix, [0])", "2 points and 1 labels"),
        ("draw_descent(max, [])", "at least one point"),
        ("draw_descent(max, [(1, 2, 3)])", "one or of two"),
        ("draw_descent(max, [(1, 2), (1,)])", "all alike")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "call", "said"), [(kind, *row) for kind, rows in REMEDIES.items() for row in rows]
)
def test_the_remedy_fits_what_came(lib, kind, call, said):
    with pytest.raises(kind, match=said):
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


def test_what_cannot_be_drawn_is_not_said_to_be_the_fault_of_the_model(lib):
    class Refuses(lib.nn.Linear):
        def register_forward_hook(self, *args, **kwargs):
            raise RuntimeError("no hooks here")

    text = draw_module(Refuses(2, 2), lib.ones(1, 2)).text
    assert "draw_module cannot draw more of it: no hooks here" in text and "raised" not in text
