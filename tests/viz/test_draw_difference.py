"""Two graphs as one: what is added, removed, changed, and what is paired with what."""

import pytest
from programs import programs

# Each makes `before` and `after`; the words: the titles of marked boxes with their marks, and what
# is said.
DIFFERENCES = """
# equal programs
before, after = line(w, b), line(w, b)
> all 7 match
# a new term
before, after = line(w, b), line(w, b) + 0.1 * w.abs().sum()
> AbsBackward0 added
> AddBackward0 added
> MulBackward0 added
> SumBackward0 added
> 4 are added
# what detach cuts off
h = (w * 2).exp()
before, after = (h * b).sum(), (h.detach() * b).sum()
> ExpBackward0 removed
> MulBackward0 changed
> MulBackward0 removed
> w removed
# an exponent
before, after = (w**2).sum(), (w**3).sum()
> PowBackward0 changed
> exponent: 2 \N{RIGHTWARDS ARROW} 3
# a shape
before, after = (torch.ones(n, requires_grad=True).exp().sum() for n in (2, 3))
> ExpBackward0 changed
> SumBackward0 changed
> unnamed changed
> (2,) float32 \N{RIGHTWARDS ARROW} (3,) float32
# values are not compared
before, after = (torch.tensor([n], requires_grad=True).exp() for n in (1.0, 3.0))
# a graph that is a part of the other keeps its functions
before = b.exp().exp().exp()
after = before.exp()
> ExpBackward0 added
# of large graphs what is the same is counted
def chain(function):
    y = b
    for k in range(100):
        y = function(y) if k == 50 else y.exp()
    return y
before, after = chain(torch.exp), chain(torch.tanh)
> ExpBackward0 removed
> TanhBackward0 added
"""


@pytest.mark.parametrize(("code", "words"), programs(DIFFERENCES))
def test_what_differs_is_marked_and_said(lib, run, code, words):
    def line(w, b):
        return ((lib.ones(4, 3) @ w + b).tanh() ** 2).mean()

    w, b = lib.ones(3, 2, requires_grad=True), lib.zeros(2, requires_grad=True)
    picture = run(f"{code}\npicture = draw_difference(before, after)", w=w, b=b, line=line)[
        "picture"
    ]
    kinds = ("added", "removed", "changed")
    marked = {f"{box.title} {box.kind}" for box in picture.diagram.boxes if box.kind in kinds}
    assert marked == {word for word in words if word.endswith(kinds) and word[0] != "4"}
    assert [word for word in words if word not in marked and word not in picture.text] == []
    assert len(picture.diagram.boxes) < 15 and picture.svg.startswith("<svg")
