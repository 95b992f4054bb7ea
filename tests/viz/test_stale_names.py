"""Which variable an overwritten saved tensor is: said where it can be known, and never guessed."""

import pytest
from programs import programs

# Each makes `z`; the words are the lines in the boxes of its picture that are marked STALE.
PROGRAMS = """
# an argument keeps its name through recorded writes
w = x * 1
a = x * w
z = a * w
a.add_(1)
a[0] = 5
z = z.sum()
> self = a: saved at version 0, now 2
# a leaf keeps its name through a write that is not recorded
w = torch.ones(2, requires_grad=True)
z = (x * w).sum()
with torch.no_grad():
    w -= 0.5
> other = w: saved at version 0, now 1
# two arguments alike are told apart
a, b = x * 2, x * 3
z = (a * b).sum()
a.add_(1)
b.add_(1)
> other = b: saved at version 0, now 1
> self = a: saved at version 0, now 1
# a result keeps its name through writes of both kinds
y = x.exp()
z = y.sum()
y.add_(1)
y.mul_(2)
with torch.no_grad():
    y.zero_()
> result = y: saved at version 0, now 3
# a result keeps its name through recorded writes
y = x.exp()
z = y.sum()
y.add_(1)
y.mul_(2)
> result = y: saved at version 0, now 2
# what was made out of a result is not taken for it
deep = {'in': {'y': x.exp()}}
z = deep['in']['y'].sum()
deep['in']['y'].add_(1)
w = deep['in']['y'] + 1
w.add_(1)
assert w._version == 1
> result: saved at version 0, now 1
# an argument without a name gets none
deep = {'in': {'a': x * 2}}
z = (deep['in']['a'] * x).mul(3).sum()
deep['in']['a'].add_(1)
b = x * 2
b.add_(1)
> self: saved at version 0, now 1
# a given name counts too
deep = {'in': {'a': x * 2}}
z = (deep['in']['a'] * x).sum()
deep['in']['a'].add_(1)
given = lambda: {'weight': deep['in']['a']}
> self = weight: saved at version 0, now 1
# one of several that a function of the reader saved is named
class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b
    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad * b, grad * a
first, second = x * 2, x * 3
z = Product.apply(first, second).sum()
second.add_(1)
> saved_tensors[1] = second: saved at version 0, now 1
"""


@pytest.mark.parametrize(("code", "lines"), programs(PROGRAMS))
def test_a_stale_tensor_has_its_name(run, code, lines):
    draw = "\npicture = draw_graph(z, show='versions', names=given())"
    boxes = run(code + draw, given=lambda: None)["picture"].diagram.boxes
    assert [line for box in boxes if box.kind == "stale" for line in box.lines] == lines
