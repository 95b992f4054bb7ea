"""Pictures of tensors and of their computation graphs.

Among them: `draw_graph` shows the functions behind a tensor, `draw_storage` the memory behind it,
`draw_backward` the way of the gradients, `draw_versions` which writes spoil what was saved,
`draw_module` a model at work; `explain` tells what an error means, `compare` puts two pictures side
by side, and `explore` gives a picture sliders. The gallery (docs/gallery.md) shows all of them.
They read PyTorch's public attributes only, so they draw real PyTorch tensors as well, and for those
nothing else of this package is read. The way of a picture:

    reading/    what live objects say: `walk`, `names`, `values`, `saved`, `memory`, `calls`, `code`
    remedies/   what `explain` knows: `causes.txt`, and what finds a cause in live objects
    pictures/   what is to be drawn: a file for each picture, or for a few that belong together
    drawing/    `diagram`: that, as plain data
                `dot`: the same in Graphviz's language, in the colours of `theme`
                `render`, `svg`: the drawing, made in this process
                `picture`, `text`: the object that shows itself; `files`: HTML, PNG, PDF

Where a layout is fixed, `drawing/sheet.py` takes the place of Graphviz; for plots `plot.py` does.
"""

from importlib import import_module
from typing import Any

from course_lib.viz.drawing import in_browser

HOMES = {  # the file of each name: it is read when the name is first used
    "Picture": "drawing.picture",
    "compare": "drawing.picture",
    "draw_axes": "pictures.strides",
    "draw_backward": "pictures.backward",
    "draw_boundary": "pictures.boundary",
    "draw_broadcast": "pictures.broadcast",
    "draw_decisions": "pictures.storage",
    "draw_descent": "pictures.descent",
    "draw_devices": "pictures.devices",
    "draw_errors": "pictures.curves",
    "explain": "pictures.explanation",
    "explore": "pictures.exploring",
    "draw_fit": "pictures.fit",
    "draw_gradient_sizes": "pictures.gradient_sizes",
    "draw_graph": "pictures.graph",
    "draw_image": "pictures.image",
    "live_curve": "pictures.curves",
    "draw_memory": "pictures.memory",
    "draw_module": "pictures.module",
    "draw_nonfinite": "pictures.nonfinite",
    "draw_product": "pictures.broadcast",
    "draw_promotion": "pictures.promotion",
    "record_versions": "pictures.versions",
    "draw_sharing": "pictures.storage",
    "draw_storage": "pictures.storage",
    "draw_strides": "pictures.strides",
    "draw_versions": "pictures.versions",
}
__all__ = sorted(HOMES)

if in_browser.runs_in_browser():
    in_browser.fetch_matplotlib_for_plots()


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
