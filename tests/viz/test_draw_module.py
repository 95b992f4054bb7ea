"""What `draw_module` finds out about a model through its hooks."""

import copy
import sys

import pytest

from course_lib.viz import draw_module
from course_lib.viz.drawing.diagram import Arrow, Box, Group
from course_lib.viz.reading.models import with_tensors
from course_lib.viz.reading.operations import operation_of


def titles(diagram):
    return {box.id: box.title for box in diagram.boxes}


def flow(diagram):
    """Arrows by title, with the shapes on them."""
    names = titles(diagram)
    return [(names[a.tail], names[a.head], a.label) for a in diagram.arrows]


def test_a_chain_is_a_frame_with_a_box_for_each_call(lib):
    model = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.ReLU())
    diagram = draw_module(model, lib.zeros(4, 2)).diagram
    assert diagram.boxes == (
        Box("c0", "input", "input"),
        Box("c2", "layer", "0: Linear", ("weight (3, 2), bias (3,)",), "9 parameters"),
        Box("c3", "module", "1: ReLU"),
        Box("c4", "result", "output"),
    )
    assert diagram.arrows == (
        Arrow("c0", "c2", label="(4, 2)"),
        Arrow("c2", "c3", label="(4, 3)"),
        Arrow("c3", "c4", label="(4, 3)"),
    )
    assert diagram.groups == (Group("c1", "Sequential", ("c2", "c3"), "", "9 parameters"),)


def model(lib, forward, name="Model", **parts):
    """A module of the reader's: its parts, and this function as `forward`."""
    made = type(name, (lib.nn.Module,), {"forward": forward})()
    for word, part in parts.items():
        setattr(made, word, part)
    return made


def residual(lib):
    relu = lib.nn.functional.relu
    return model(lib, lambda m, x: x + relu(m.fc(x)), "Block", fc=lib.nn.Linear(2, 2))


def test_functions_between_modules_are_found_and_belong_to_the_frame_they_ran_in(lib):
    model = lib.nn.Sequential(residual(lib), lib.nn.Linear(2, 1))
    picture = draw_module(model, lib.zeros(1, 2))
    assert flow(picture.diagram) == [
        ("input", "fc: Linear", "(1, 2)"),
        ("fc: Linear", "relu", "(1, 2)"),
        ("input", "add", "(1, 2)"),
        ("relu", "add", "(1, 2)"),
        ("add", "1: Linear", "(1, 2)"),
        ("1: Linear", "output", "(1, 1)"),
    ]
    names = titles(picture.diagram)
    frames = {g.title: [names[b] for b in g.boxes] for g in picture.diagram.groups}
    assert frames == {"Sequential": ["1: Linear"], "0: Block": ["fc: Linear", "relu", "add"]}
    with lib.no_grad():  # where no gradients are recorded it is the same
        assert draw_module(model, lib.zeros(1, 2)).text == picture.text


def test_a_module_called_twice_is_recognised(lib):
    nn = lib.nn
    shared = nn.Linear(2, 2)
    diagram = draw_module(nn.Sequential(shared, nn.Tanh(), shared), lib.zeros(1, 2)).diagram
    both = [b for b in diagram.boxes if "Linear" in b.title]
    assert [(b.title, b.tag, b.dashed) for b in both] == [
        ("0, 2: Linear", "6 parameters, call 1 of 2", False),
        ("0, 2: Linear", "6 parameters, call 2 of 2", True),
    ]
    assert "6 parameters." in diagram.captions


def without_gradients(lib, model, x):
    with lib.no_grad():
        h = model.a(x).mul(2).add_(1)
        h[0] = x[0]
    return model.b(h)


ENDS = ("input", "output")
# the way from `a` to `b`; "->" means that no gradient comes back
UNRECORDED = {
    "detach": (lambda lib, m, x: m.b(m.a(x).detach()), "a->detach detach->b"),
    "data": (lambda lib, m, x: m.b(m.a(x).data), "a->data data->b"),
    "straight through": (lambda lib, m, x: m.b((z := m.a(x)) + (z.round() - z).detach()),
        "a-round round-sub a-sub sub->detach a-add detach->add add-b"),
    "argmax": (lambda lib, m, x: m.b(m.a(x).argmax(-1)[:, None] == x),
        "a->argmax argmax->index index->eq eq->b"),
    "where": (lambda lib, m, x: m.b(lib.where((z := m.a(x)) > 0, z, z * 2)),
        "a->gt a-mul a-where mul-where gt->where where-b"),
    "no_grad": (without_gradients,
        "a->mul mul->add add->write into a view index->write into a view write into a view->b"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNRECORDED)
def test_what_autograd_does_not_record_is_on_the_way(lib, case):
    forward, expected = UNRECORDED[case]
    parts = {"a": lib.nn.Linear(2, 2), "b": lib.nn.Identity()}
    made = model(lib, lambda m, x: forward(lib, m, x), **parts)
    diagram = draw_module(made, lib.ones(2, 2)).diagram
    titles = {box.id: box.title.partition(":")[0] for box in diagram.boxes}
    inner = [a for a in diagram.arrows if {titles[a.tail], titles[a.head]}.isdisjoint(ENDS)]
    ways = [(titles[a.tail], "->" if a.kind == "broken" else "-", titles[a.head]) for a in inner]
    assert " ".join(map("".join, ways)) == expected
    assert all((a.kind == "broken") == a.label.endswith(", no gradient") for a in inner)
    assert "Dashed: no gradient comes back on these ways." in diagram.captions


def test_the_profiler_of_the_reader_goes_on(lib):
    sys.setprofile(profiler := lambda *_: None)
    try:
        draw_module(residual(lib), lib.zeros(1, 2))
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(None)


def test_several_tensors_on_one_way_are_counted(lib):
    product = model(lib, lambda m, a, b: a * b)
    square = model(lib, lambda m, x: m.product(x, x), product=product)
    assert flow(draw_module(square, lib.zeros(1, 2)).diagram)[0][2] == "2 x (1, 2)"


# ---- operations ----


def test_several_functions_become_the_operation_of_the_program(lib):
    functional = lib.nn.functional
    x, w = lib.ones(2, 5, 4).requires_grad_(), lib.ones(3, 4).requires_grad_()
    made = [
        functional.linear(x, w, lib.zeros(3)),
        x @ x.transpose(-2, -1),
        x.transpose(0, 1).reshape(5, 8),
        x @ w[0],
        1 - x,
    ]
    names = [operation_of(y.grad_fn).name for y in made]
    assert names[:3] + names[4:] == ["linear", "matmul", "reshape", "sub"]


# ---- folding ----


def chain(lib, length):
    def forward(m, x):
        for block in m.blocks:
            x = block(x)
        return x

    first = residual(lib)
    blocks = [first, *(copy.deepcopy(first) for _ in range(length - 1))]
    return model(lib, forward, "Chain", blocks=lib.nn.ModuleList(blocks))


def test_equal_blocks_are_drawn_once_when_all_would_be_many_or_the_reader_says_so(lib):
    diagram = draw_module(chain(lib, 8), lib.zeros(1, 2)).diagram
    assert [b.title for b in diagram.boxes] == [
        "input", "fc: Linear", "relu", "add", "blocks.1 ... blocks.7: Block", "output",
    ]  # fmt: skip
    assert diagram.boxes[4].tag == "7 more, 42 parameters"
    assert flow(diagram)[-2:] == [
        ("add", "blocks.1 ... blocks.7: Block", "(1, 2)"),
        ("blocks.1 ... blocks.7: Block", "output", "(1, 2)"),
    ]
    for length, options, boxes in ((4, {}, 14), (4, {"fold": True}, 6), (8, {"fold": False}, 26)):
        drawn = draw_module(chain(lib, length), lib.zeros(1, 2), **options).diagram
        assert len(drawn.boxes) == boxes


def test_blocks_of_other_shapes_are_not_equal(lib):
    uneven = chain(lib, 8)
    uneven.blocks[4].fc = lib.nn.Linear(2, 2, bias=False)
    titles_shown = titles(draw_module(uneven, lib.zeros(1, 2)).diagram).values()
    assert "blocks.1 ... blocks.3: Block" in titles_shown
    assert "blocks.6, blocks.7: Block" in titles_shown


def test_the_steps_of_a_cell_are_counted_all(lib):
    def forward(m, x):
        state, states = lib.zeros(x.shape[0], 6), []
        for t in range(x.shape[1]):
            state = m.cell(x[:, t], state)
            states.append(state)
        return lib.stack(states, 1)

    steps = model(lib, forward, "Steps", cell=lib.nn.GRUCell(4, 6))
    diagram = draw_module(steps, lib.zeros(2, 12, 4)).diagram
    assert [g.title for g in diagram.groups] == ["Steps", "repeated 12 times"]
    assert ("11 more times", "stack", "11 x (2, 6)") in flow(diagram)


# ---- what is given ----


def test_keywords_go_to_the_model(lib):
    """One of them is an option of `draw_module` too."""

    def forward(m, x, mask=None, depth=None):
        return m.fc(x if mask is None else x * mask)

    asked = model(lib, forward, fc=lib.nn.Linear(2, 2))
    diagram = draw_module(asked, lib.zeros(1, 2), mask=lib.ones(1, 2)).diagram
    assert [b.title for b in diagram.boxes[:2]] == ["input x", "input mask"]
    given = {"depth": lib.ones(1)}
    diagram = draw_module(asked, lib.zeros(1, 2), kwargs=given, depth=0).diagram
    assert diagram.boxes[1].title == "input depth"


def test_containers_keep_what_is_not_a_tensor(lib):
    given = {"a": [lib.zeros(1), object()]}
    changed = with_tensors(given, lambda tensor: tensor + 1)
    assert changed["a"][1] is given["a"][1] and changed["a"][0].tolist() == [1.0]
    assert given["a"][0].tolist() == [0.0]


def test_nothing_in_the_model_its_input_or_the_random_numbers_changes(lib):
    def forward(m, x):
        m.seen.add_(1)
        m.state = m.fc(m.drop(m.norm(x)) + lib.rand(1, 2))
        return m.state

    nn = lib.nn
    parts = {"fc": nn.Linear(2, 2), "norm": nn.BatchNorm1d(2), "drop": nn.Dropout(0.5)}
    noisy, given = model(lib, forward, state=None, **parts), lib.ones(4, 2)
    noisy.register_buffer("seen", lib.zeros(1))
    noisy.drop.eval()
    noisy.fc.weight.requires_grad_(False)
    noisy.fc.bias.grad = lib.ones(2)
    before = {name: value.tolist() for name, value in noisy.state_dict().items()}
    lib.manual_seed(0)
    expected = lib.rand(1).item()
    lib.manual_seed(0)
    draw_module(noisy, given)
    assert lib.rand(1).item() == expected
    assert {name: value.tolist() for name, value in noisy.state_dict().items()} == before
    assert [m.training for m in noisy.modules()] == [True, True, True, False]
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in noisy.modules())
    assert noisy.state is None and given.grad_fn is None and not given.requires_grad
    assert noisy.fc.bias.grad.tolist() == [1.0, 1.0] and not noisy.fc.weight.requires_grad


def test_no_arrow_is_drawn_over_the_title_of_a_frame(lib):
    svg = draw_module(chain(lib, 8), lib.zeros(1, 2)).svg
    last_arrow = svg.rindex("<polygon")
    assert last_arrow < svg.rindex(">blocks.0: Block<") and last_arrow < svg.rindex(">Chain<")
