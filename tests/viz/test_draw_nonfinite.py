"""Where NaN and infinities begin, and where they spread."""

from course_lib.viz import draw_nonfinite


def test_what_spreads_is_marked_and_what_is_finite_is_not(lib):
    x = lib.tensor([0.0, 1.0], requires_grad=True)
    w = lib.tensor([1.0, 1.0], requires_grad=True)
    diagram = draw_nonfinite((x.log() + w).sum()).diagram
    kinds = {box.title: box.kind for box in diagram.boxes}
    assert kinds["AddBackward0"] == kinds["SumBackward0"] == "spread"
    assert kinds["w"] == "leaf"
    assert sum(arrow.kind == "spread" for arrow in diagram.arrows) == 3


def test_of_a_large_graph_the_way_from_the_origin_is_drawn(lib):
    x = lib.tensor([0.0], requires_grad=True)
    bad, h = x.log(), lib.tensor([1.0], requires_grad=True)
    for _ in range(80):
        bad, h = bad * 2, h * 2
    diagram = draw_nonfinite(bad.sum()).diagram
    assert "LogBackward0" in [box.title for box in diagram.boxes] and len(diagram.boxes) < 30
    finite = draw_nonfinite(h.sum(), max_nodes=5).diagram
    assert finite.captions[-1] == "6 of 81 functions are drawn."
    boxes = draw_nonfinite((x.log() * h).sum()).diagram.boxes
    counted = [(box.title, box.lines) for box in boxes if box.kind == "fold"]
    assert counted == [("... 80 more functions", ("80 x MulBackward0", "1 leaf"))]
    assert "functions are drawn: the way from where it begins" in diagram.captions[-1]
