"""Which variable an overwritten saved tensor is: said where it can be known, and never guessed."""

import pytest

DEEP = "deep = {'in': {'a': x * 2}}\n"  # too deep for a name
OWN = """
class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b
    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad * b, grad * a
"""
# A program that makes `z`, and the lines in the boxes of its picture that are marked STALE.
PROGRAMS = {
    "an argument keeps its name through recorded writes": (
        "w = x * 1\na = x * w\nz = a * w\na.add_(1)\na[0] = 5\nz = z.sum()",
        ["self = a: saved at version 0, now 2"],
    ),
    "a leaf keeps its name through a write that is not recorded": (
        "w = torch.ones(2, requires_grad=True)\nz = (x * w).sum()\n"
        "with torch.no_grad():\n    w -= 0.5",
        ["other = w: saved at version 0, now 1"],
    ),
    "two arguments alike are told apart": (
        "a, b = x * 2, x * 3\nz = (a * b).sum()\na.add_(1)\nb.add_(1)",
        ["other = b: saved at version 0, now 1", "self = a: saved at version 0, now 1"],
    ),
    "a result keeps its name through writes of both kinds": (
        "y = x.exp()\nz = y.sum()\ny.add_(1)\ny.mul_(2)\nwith torch.no_grad():\n    y.zero_()",
        ["result = y: saved at version 0, now 3"],
    ),
    "a result keeps its name through recorded writes": (
        "y = x.exp()\nz = y.sum()\ny.add_(1)\ny.mul_(2)",
        ["result = y: saved at version 0, now 2"],
    ),
    "what was made out of a result is not taken for it": (
        "deep = {'in': {'y': x.exp()}}\nz = deep['in']['y'].sum()\ndeep['in']['y'].add_(1)\n"
        "w = deep['in']['y'] + 1\nw.add_(1)\nassert w._version == 1",
        ["result: saved at version 0, now 1"],
    ),
    "an argument without a name gets none": (
        DEEP + "z = (deep['in']['a'] * x).mul(3).sum()\ndeep['in']['a'].add_(1)\n"
        "b = x * 2\nb.add_(1)",
        ["self: saved at version 0, now 1"],
    ),
    "a given name counts too": (
        DEEP + "z = (deep['in']['a'] * x).sum()\ndeep['in']['a'].add_(1)\n"
        "given = lambda: {'weight': deep['in']['a']}",
        ["self = weight: saved at version 0, now 1"],
    ),
    "one of several that a function of the reader saved is named": (
        OWN + "first, second = x * 2, x * 3\nz = Product.apply(first, second).sum()\n"
        "second.add_(1)",
        ["saved_tensors[1] = second: saved at version 0, now 1"],
    ),
}


@pytest.mark.parametrize("asked", PROGRAMS)
def test_a_stale_tensor_has_its_name(run, asked):
    code, expected = PROGRAMS[asked]
    draw = "\npicture = draw_graph(z, show='versions', names=given())"
    boxes = run(code + draw, given=lambda: None)["picture"].diagram.boxes
    assert [line for box in boxes if box.kind == "stale" for line in box.lines] == expected
