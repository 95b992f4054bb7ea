"""`draw_module`: a model as it is called on an input, modules inside modules, shapes on the way."""

import inspect
from typing import Any

from course_lib.viz.drawing.diagram import replace
from course_lib.viz.drawing.picture import Picture, picture_of
from course_lib.viz.pictures.module_diagram import diagram_of
from course_lib.viz.reading import arguments
from course_lib.viz.reading.calls import named_inputs, record
from course_lib.viz.reading.models import modules_of, tensors_in

DIRECTIONS = ("down", "right")


def draw_module(
    model: Any,
    *inputs: Any,
    kwargs: dict[str, Any] | None = None,
    depth: int | None = None,
    fold: bool | None = None,
    max_nodes: int = 30,
    direction: str = "down",
    legend: bool = False,
    **keywords: Any,
) -> Picture:
    """The picture of what a module does with an input: modules as frames, and in them the modules
    and operations that they call, with the shapes of what goes in and comes out.

    The model is called once, as `model(*inputs, **keywords)`: `draw_module(model, x, mask=mask)`.
    A keyword of the model that is also an option here goes into `kwargs={"depth": ...}`. The call
    is in evaluation mode, and the model is left as it was; if it raises, the picture ends there and
    says where and why.

    The picture opens modules as far as `max_nodes` boxes allow. In a notebook or a saved page the
    others open by a click or Enter where they stand, Esc shuts them, and `/` finds a name.
    `depth` says how deep modules are opened instead. Of equal parts in a row, such as the layers of
    an encoder, only the first is drawn where all would be more than 20 boxes; `fold=True` and
    `fold=False` decide otherwise.
    `direction="right"` draws from left to right.

    >>> from course_lib import nn, zeros
    >>> draw_module(nn.Sequential(nn.Linear(2, 3), nn.ReLU()), zeros(1, 2))
    Sequential on an input of shape (1, 2)
    Arrows: the way values go, with their shapes.
    9 parameters.
    <BLANKLINE>
    input
        -> 0 (1, 2)
    0: Linear  9 parameters
        weight (3, 2), bias (3,)
        -> 1 (1, 3)
    1: ReLU
        -> output (1, 3)
    output
    <BLANKLINE>
    Frames
    Sequential (9 parameters): 0: Linear, 1: ReLU
    """
    arguments.module("draw_module", model)
    if depth is not None:
        arguments.count("draw_module", "depth", depth, least=0)
    arguments.count("draw_module", "max_nodes", max_nodes)
    arguments.one_of("draw_module", "direction", direction, DIRECTIONS)
    given = {**keywords, **(kwargs or {})}
    _check(model, inputs, given)
    recording = record(model, inputs, given)
    if recording.error and not any(True for _ in tensors_in((inputs, given))):
        kinds = ", ".join(arguments.came(thing) for thing in (*inputs, *given.values()))
        raise TypeError(
            f"draw_module wants a tensor for the model to work on, not {kinds}. "
            f"For example: draw_module(model, {_example(model)})."
        ) from recording.error
    diagram = diagram_of(model, recording, depth, fold, max_nodes)
    return picture_of(replace(diagram, direction=direction, legend=legend))


def _check(model: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """A sentence for what cannot be called, before it is."""
    try:
        named_inputs(model, inputs, keywords)
    except TypeError as error:
        if not inputs and not keywords:
            raise TypeError(
                "draw_module wants an input, since it calls the model. "
                f"For example: draw_module(model, {_example(model)})."
            ) from None
        wants = inspect.signature(model.forward)
        raise TypeError(
            f"draw_module wants what {type(model).__name__}.forward{wants} takes: {error}."
        ) from None


def _example(model: Any) -> str:
    """An input that could fit, as one would write it."""
    for _, module in modules_of(model):
        if hasattr(module, "num_embeddings"):
            return "torch.tensor([[0, 1]])"
        if hasattr(module, "in_features"):
            return f"torch.zeros(1, {module.in_features})"
        if hasattr(module, "in_channels"):
            sides = ", 32" * (len(tuple(module.weight.shape)) - 2)
            return f"torch.zeros(1, {module.in_channels}{sides})"
        if hasattr(module, "input_size"):
            return f"torch.zeros(1, 5, {module.input_size})"
    return "torch.zeros(1, 3)"
