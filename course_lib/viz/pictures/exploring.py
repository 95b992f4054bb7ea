"""`explore`: sliders over a picture; each move of one draws it again."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_lib.viz.drawing.alive import in_a_notebook
from course_lib.viz.drawing.picture import format_pre
from course_lib.viz.reading import arguments

EXAMPLE = "explore(picture, start=range(4))"
WITHOUT = "No sliders here: change the numbers in the function, and run the cell again."


def explore(draw: Callable[..., Any], **choices: Sequence[Any]) -> None:
    """Shows what `draw` gives back, with a slider for each of its parameters that is named.

    A parameter goes through the values of its `range` or list and begins at its default, or at the
    first of them. A combination that `draw` refuses shows the error in place of the picture. Where
    no sliders can be shown, in a terminal or on an exported page, the first picture is. Raises
    `TypeError` or `ValueError` for what cannot become a slider.

    >>> import course_lib as torch
    >>> from course_lib.viz import draw_storage
    >>> row = torch.tensor([10, 20, 30])
    >>> def cut(start=1):
    ...     return row[start:]
    >>> explore(cut, start=range(3))
    tensor([20, 30])
    """
    arguments.function("explore", "a function that gives back a picture", draw, EXAMPLE)
    values = {name: slider_values(name, given) for name, given in choices.items()}
    at = beginning(draw, values)
    shown = draw(**at)
    if shown is None:
        raise TypeError(
            "explore wants a function that gives back a picture, and this one gave back None. "
            "End it with return."
        )
    if not in_a_notebook():
        print(shown)
        return
    from IPython.display import display

    sliders = _Sliders(values, at)
    display(sliders)
    handle = display(shown, display_id=True)

    def again(_: Any) -> None:
        now = {name: slider.value for name, slider in sliders.widgets.items()}
        try:
            handle.update(draw(**now))
        except Exception as error:  # of this combination: it is what there is to see
            handle.update(_Refused(error))

    for slider in sliders.widgets.values():
        slider.observe(again, "value")


class _Sliders:
    """A slider for each parameter, as an output: widgets where a page has them, and one line where
    it has not, or where ipywidgets is not installed."""

    def __init__(self, values: Mapping[str, list[Any]], at: Mapping[str, Any]) -> None:
        told = (f"{name}: {at[name]} ({v[0]} to {v[-1]})" for name, v in values.items())
        self.description = ", ".join(told)
        self.widgets: dict[str, Any] = {}
        self.box: Any = None
        try:
            import ipywidgets
        except ImportError:
            return
        for name, listed in values.items():
            self.widgets[name] = ipywidgets.SelectionSlider(
                options=[(str(value), value) for value in listed], value=at[name],
                description=name, style={"description_width": "initial"},
            )  # fmt: skip
        self.box = ipywidgets.VBox(list(self.widgets.values()))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = self.box._repr_mimebundle_() if self.widgets else {}
        return {**bundle, "text/plain": f"{self.description}\n{WITHOUT}"}  # not the repr of the box


class _Refused:
    """An error that takes the place of a picture."""

    def __init__(self, error: Exception) -> None:
        self.said = f"{type(error).__name__}: {error}"

    def __repr__(self) -> str:
        return self.said

    def _repr_html_(self) -> str:
        return f"<p>No picture for these numbers:</p>{format_pre(self.said)}"


def slider_values(name: str, given: Any) -> list[Any]:
    """The values that a slider goes through."""
    if isinstance(given, tuple) and len(given) == 2:
        raise ValueError(
            f"explore: {name} wants all its values, not {given!r}. "
            f"Write range({given[0]!r}, ...) for all in between, or [{given[0]!r}, {given[1]!r}]."
        )
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise TypeError(
            f"explore: {name} wants a range or a list of values, not {arguments.came(given)}. "
            f"For example: {EXAMPLE}."
        )
    if len(given) < 2:
        raise ValueError(f"explore: {name} wants at least two values, not {list(given)!r}.")
    return list(given)


def beginning(draw: Callable[..., Any], values: Mapping[str, list[Any]]) -> dict[str, Any]:
    """The value that each slider begins at."""
    parameters = inspect.signature(draw).parameters
    at = {}
    for name, listed in values.items():
        if name not in parameters:
            known = ", ".join(parameters) or "none"
            raise TypeError(
                f"explore wants names of the function's parameters ({known}), not {name!r}."
            )
        default = parameters[name].default
        at[name] = listed[0] if default is inspect.Parameter.empty else default
        if at[name] not in listed:
            raise ValueError(
                f"explore: {name} wants its default {default!r} among its values {listed!r}."
            )
    return at
