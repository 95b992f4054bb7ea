"""Which variable an overwritten saved tensor is: said where it can be known, and never guessed."""

from course_lib.viz import draw_graph


def stale(picture):
    """The lines in the boxes marked STALE."""
    boxes = picture.diagram.boxes
    return [line for box in boxes if box.kind == "stale" for line in box.lines]


def test_an_argument_keeps_its_name_through_recorded_writes(lib, x):
    w = lib.tensor([3.0, 4.0], requires_grad=True)
    a = x * w
    z = a * w
    a.add_(1)
    a[0] = 5
    assert stale(draw_graph(z.sum(), show="versions")) == ["self = a: saved at version 0, now 2"]


def test_a_leaf_keeps_its_name_through_a_write_that_is_not_recorded(lib, x):
    w = lib.tensor([3.0, 4.0], requires_grad=True)
    z = (x * w).sum()
    with lib.no_grad():
        w -= 0.5
    assert stale(draw_graph(z, show="versions")) == ["other = w: saved at version 0, now 1"]


def test_two_arguments_alike_are_told_apart(x):
    a, b = x * 2, x * 3
    z = (a * b).sum()
    a.add_(1)
    b.add_(1)
    assert stale(draw_graph(z, show="versions")) == [
        "other = b: saved at version 0, now 1",
        "self = a: saved at version 0, now 1",
    ]


def test_a_result_keeps_its_name(lib, x):
    y = x.exp()
    z = y.sum()
    y.add_(1)
    y.mul_(2)
    assert stale(draw_graph(z, show="versions")) == ["result = y: saved at version 0, now 2"]
    with lib.no_grad():
        y.zero_()
    assert stale(draw_graph(z, show="versions")) == ["result = y: saved at version 0, now 3"]


def test_what_was_made_out_of_a_result_is_not_taken_for_it(x):
    things = {"deep": {"y": x.exp()}}  # too deep for a name
    z = things["deep"]["y"].sum()
    things["deep"]["y"].add_(1)
    w = things["deep"]["y"] + 1
    w.add_(1)
    assert w._version == 1
    assert stale(draw_graph(z, show="versions")) == ["result: saved at version 0, now 1"]


def test_an_argument_without_a_name_gets_none(x):
    hidden = {"deep": {"a": x * 2}}
    z = (hidden["deep"]["a"] * x).mul(3)
    hidden["deep"]["a"].add_(1)
    b = x * 2
    b.add_(1)
    assert stale(draw_graph(z.sum(), show="versions")) == ["self: saved at version 0, now 1"]


def test_a_given_name_counts_too(x):
    hidden = {"deep": {"a": x * 2}}
    z = (hidden["deep"]["a"] * x).sum()
    hidden["deep"]["a"].add_(1)
    assert stale(draw_graph(z, show="versions", names={"weight": hidden["deep"]["a"]})) == [
        "self = weight: saved at version 0, now 1"
    ]


def test_one_of_several_that_a_function_of_the_reader_saved_is_named(lib):
    class Product(lib.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a * b

        @staticmethod
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            return grad * b, grad * a

    x = lib.tensor([1.0, 2.0], requires_grad=True)
    first, second = x * 2, x * 3
    z = Product.apply(first, second).sum()
    second.add_(1)
    assert stale(draw_graph(z, show="versions")) == [
        "saved_tensors[1] = second: saved at version 0, now 1"
    ]
