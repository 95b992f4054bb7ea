"""What `draw_module` finds out about a model through its hooks."""

import pytest

from course_lib.viz import draw_module
from course_lib.viz.drawing.diagram import Arrow, Box, Group
from course_lib.viz.reading.calls import record, tensors_in


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


def test_containers_are_frames_inside_frames(lib):
    nn = lib.nn
    inner = nn.Sequential(nn.Linear(2, 2))
    diagram = draw_module(nn.Sequential(inner, nn.Tanh()), lib.zeros(1, 2)).diagram
    assert [(g.title, g.parent, g.tag) for g in diagram.groups] == [
        ("Sequential", "", "6 parameters"),
        ("0: Sequential", "c1", "6 parameters"),
    ]


def residual(lib):
    class Block(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = lib.nn.Linear(2, 2)

        def forward(self, x):
            return x + lib.nn.functional.relu(self.fc(x))

    return Block()


def test_functions_between_modules_are_found_through_grad_fn(lib):
    diagram = draw_module(residual(lib), lib.zeros(1, 2)).diagram
    assert flow(diagram) == [
        ("input", "fc: Linear", "(1, 2)"),
        ("fc: Linear", "ReluBackward0", ""),
        ("input", "AddBackward0", ""),
        ("ReluBackward0", "AddBackward0", ""),
        ("AddBackward0", "output", "(1, 2)"),
    ]


def test_functions_belong_to_the_frame_they_ran_in(lib):
    model = lib.nn.Sequential(residual(lib), lib.nn.Linear(2, 1))
    diagram = draw_module(model, lib.zeros(1, 2)).diagram
    names = titles(diagram)
    frames = {g.title: [names[b] for b in g.boxes] for g in diagram.groups}
    assert frames == {
        "Sequential": ["1: Linear"],
        "0: Block": ["0.fc: Linear", "ReluBackward0", "AddBackward0"],
    }


def test_functions_are_followed_without_any_trainable_parameter(lib):
    model = residual(lib)
    for p in model.parameters():
        p.requires_grad_(False)
    diagram = draw_module(model, lib.zeros(1, 2)).diagram
    assert ("ReluBackward0", "AddBackward0", "") in flow(diagram)
    assert diagram.boxes[1].tag == "6 parameters, frozen"
    assert "6 parameters, 6 of them frozen." in diagram.captions


def test_a_parameter_used_between_modules_has_its_name(lib):
    class Scaled(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = lib.nn.Parameter(lib.ones(2))
            self.fc = lib.nn.Linear(2, 2)

        def forward(self, x):
            return self.fc(x) * self.scale

    diagram = draw_module(Scaled(), lib.zeros(1, 2)).diagram
    assert ("scale", "MulBackward0", "") in flow(diagram)


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


def test_a_module_that_hands_its_input_on_is_still_a_step(lib):
    nn = lib.nn
    model = nn.Sequential(nn.Identity(), nn.Dropout(0.5), nn.ReLU(inplace=True))
    diagram = draw_module(model, lib.zeros(1, 2)).diagram
    assert [(a, b) for a, b, _ in flow(diagram)] == [
        ("input", "0: Identity"),
        ("0: Identity", "1: Dropout"),
        ("1: Dropout", "2: ReLU"),
        ("2: ReLU", "output"),
    ]


def test_several_inputs_and_outputs(lib):
    class Both(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = lib.nn.Linear(2, 2)

        def forward(self, a, b):
            return {"a": self.fc(a), "b": [self.fc(b)]}

    diagram = draw_module(Both(), lib.zeros(1, 2), lib.zeros(3, 2)).diagram
    assert flow(diagram) == [
        ("input 0", "fc: Linear", "(1, 2)"),
        ("input 1", "fc: Linear", "(3, 2)"),
        ("fc: Linear", "output", "(1, 2)"),
        ("fc: Linear", "output", "(3, 2)"),
    ]


def test_indices_are_an_input_too(lib):
    model = lib.nn.Sequential(lib.nn.Embedding(5, 3), lib.nn.Linear(3, 1))
    diagram = draw_module(model, lib.tensor([1, 2])).diagram
    assert flow(diagram)[0] == ("input", "0: Embedding", "(2,)")


def test_a_module_without_children_is_one_box(lib):
    diagram = draw_module(lib.nn.Linear(2, 1), lib.zeros(1, 2)).diagram
    assert [b.title for b in diagram.boxes] == ["input", "Linear", "output"]
    assert diagram.groups == ()


def test_modules_that_are_never_called_are_told(lib):
    model = lib.nn.Sequential(lib.nn.Linear(2, 2))
    model[0].spare = lib.nn.Linear(9, 9)
    model.extra = lib.nn.Linear(1, 1)
    model.forward = lambda x: model[0](x)
    captions = draw_module(model, lib.zeros(1, 2)).diagram.captions
    assert "Never called: extra." in captions


def test_a_model_that_raises_is_drawn_up_to_there(lib):
    model = lib.nn.Sequential(lib.nn.Linear(2, 3), lib.nn.Linear(4, 1))
    picture = draw_module(model, lib.zeros(1, 2))
    stopped = [box for box in picture.diagram.boxes if box.kind == "stale"]
    assert [(b.title, b.lines[-1]) for b in stopped] == [("1: Linear", "raised an error here")]
    assert picture.diagram.captions[-1] == (
        "The model raised RuntimeError: mat1 and mat2 shapes cannot be multiplied (1x3 and 4x1)"
    )


def test_nothing_in_the_model_changes(lib):
    nn = lib.nn
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.5))
    model[2].eval()
    given = lib.ones(4, 2)
    lib.manual_seed(0)
    before = {name: value.tolist() for name, value in model.state_dict().items()}
    draw_module(model, given)
    after = {name: value.tolist() for name, value in model.state_dict().items()}
    assert after == before
    assert [m.training for m in model.modules()] == [True, True, True, False]
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in model.modules())
    assert given.grad_fn is None and not given.requires_grad
    drawn = lib.rand(1).item()
    lib.manual_seed(0)
    assert drawn == lib.rand(1).item()


def test_depth_closes_the_inner_frames(lib):
    nn = lib.nn
    model = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.Tanh()), nn.Linear(2, 1))
    diagram = draw_module(model, lib.zeros(1, 2), depth=1).diagram
    assert [b.title for b in diagram.boxes] == ["input", "0: Sequential", "1: Linear", "output"]
    assert flow(diagram)[1] == ("0: Sequential", "1: Linear", "(1, 2)")
    assert diagram.captions[-1] == "Modules are opened down to depth 1 of 2."


def test_a_large_model_is_opened_as_far_as_there_is_room(lib):
    nn = lib.nn
    deep = nn.Sequential(*(nn.Linear(2, 2) for _ in range(100)))
    diagram = draw_module(nn.Sequential(deep, nn.Tanh()), lib.zeros(1, 2)).diagram
    assert [b.title for b in diagram.boxes] == ["input", "0: Sequential", "1: Tanh", "output"]


def test_without_gradients_the_way_is_guessed_and_said_to_be(lib):
    with lib.no_grad():
        diagram = draw_module(residual(lib), lib.zeros(1, 2)).diagram
    assert flow(diagram) == [
        ("input", "fc: Linear", "(1, 2)"),
        ("fc: Linear", "output", "(1, 2), guessed"),
    ]
    assert [a.kind for a in diagram.arrows] == ["gradient", "guess"]
    assert "no gradient was recorded" in diagram.captions[-1]


def test_several_tensors_on_one_way_are_counted(lib):
    class Product(lib.nn.Module):
        def forward(self, a, b):
            return a * b

    class Square(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.product = Product()

        def forward(self, x):
            return self.product(x, x)

    assert flow(draw_module(Square(), lib.zeros(1, 2)).diagram)[0][2] == "2 x (1, 2)"


def test_frames_are_in_the_drawing_and_in_the_words(lib):
    model = lib.nn.Sequential(lib.nn.Sequential(lib.nn.Linear(2, 3)))
    picture = draw_module(model, lib.zeros(1, 2), legend=True)
    assert picture.text.split("Frames\n")[1].splitlines()[:2] == [
        "Sequential (9 parameters): 0: Sequential",
        "0: Sequential (9 parameters): 0.0: Linear",
    ]
    assert "0: Sequential" in picture.svg.replace("&#160;", " ")
    assert "module with parameters of its own" in picture.svg.replace("&#160;", " ")


def test_tensors_are_found_in_nested_containers(lib):
    a, b, c = lib.zeros(1), lib.ones(2), lib.ones(3)
    assert [tuple(t.shape) for t in tensors_in({"x": [a, (b, None)], "y": c})] == [(1,), (2,), (3,)]


def test_a_recording_keeps_the_order_of_calls(lib):
    model = lib.nn.Sequential(lib.nn.Linear(2, 2), lib.nn.Tanh())
    calls = record(model, (lib.zeros(1, 2),)).calls
    assert [(c.name, c.parent, c.inside) for c in calls] == [
        ("input", -1, 0), ("", -1, 2), ("0", 1, 0), ("1", 1, 0), ("output", -1, 0),
    ]  # fmt: skip


def test_something_else_than_a_module_is_refused():
    with pytest.raises(TypeError, match="draw_module wants a module, not int"):
        draw_module(3)
