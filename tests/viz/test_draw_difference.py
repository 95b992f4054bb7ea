"""Two graphs as one: what is added, removed, changed, and what is paired with what."""

from course_lib.viz import draw_difference


def marked(picture):
    return {
        b.title: b.kind for b in picture.diagram.boxes if b.kind in ("added", "removed", "changed")
    }


def line(lib, w, b):
    return ((lib.ones(4, 3) @ w + b).tanh() ** 2).mean()


def parameters(lib):
    return lib.ones(3, 2, requires_grad=True), lib.zeros(2, requires_grad=True)


def test_equal_programs_have_no_difference(lib):
    w, b = parameters(lib)
    picture = draw_difference(line(lib, w, b), line(lib, w, b))
    assert marked(picture) == {} and "all 7 match" in picture.text


def test_a_new_term_is_added(lib):
    w, b = parameters(lib)
    before, after = line(lib, w, b), line(lib, w, b) + 0.1 * w.abs().sum()
    picture = draw_difference(before, after)
    assert set(marked(picture)) >= {"AbsBackward0", "SumBackward0", "MulBackward0"}
    assert set(marked(picture).values()) == {"added"}
    assert "4 are added" in picture.text


def test_what_detach_cuts_off_is_removed(lib):
    w, b = parameters(lib)
    h = (w * 2).exp()
    picture = draw_difference((h * b).sum(), (h.detach() * b).sum())
    found = marked(picture)
    assert found["ExpBackward0"] == found["w"] == "removed" and found.get("b") is None


def test_an_exponent_is_a_change(lib):
    w, b = parameters(lib)
    picture = draw_difference((w**2).sum(), (w**3).sum())
    assert marked(picture) == {"PowBackward0": "changed"}
    assert "exponent: 2 \N{RIGHTWARDS ARROW} 3" in picture.text


def test_a_shape_is_a_change(lib):
    def one(n):
        return lib.ones(n, requires_grad=True).exp().sum()

    picture = draw_difference(one(2), one(3))
    assert marked(picture)["ExpBackward0"] == "changed"
    assert "(2,) float32 \N{RIGHTWARDS ARROW} (3,) float32" in picture.text


def test_values_are_not_compared(lib):
    picture = draw_difference(
        lib.tensor([1.0, 2.0], requires_grad=True).exp(),
        lib.tensor([3.0, 4.0], requires_grad=True).exp(),
    )
    assert marked(picture) == {}


def test_a_graph_that_is_part_of_the_other_keeps_its_functions(lib):
    x = lib.ones(2, requires_grad=True)
    inner = x.exp().exp().exp()
    picture = draw_difference(inner, inner.exp())
    assert list(marked(picture).values()) == ["added"]


def test_of_large_graphs_what_is_the_same_is_counted(lib):
    def chain(function):
        y = x
        for k in range(100):
            y = function(y) if k == 50 else y.exp()
        return y

    x = lib.ones(2, requires_grad=True)
    picture = draw_difference(chain(lambda y: y.exp()), chain(lambda y: y.tanh()))
    assert marked(picture) in ({"TanhBackward0": "added", "ExpBackward0": "removed"},)
    assert len(picture.diagram.boxes) < 10 and "<svg" in picture.svg
