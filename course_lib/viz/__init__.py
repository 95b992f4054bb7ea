"""Pictures of tensors and of their computation graphs.

`draw_graph` shows the functions behind a tensor, `draw_storage` the memory behind it,
`draw_sharing` which tensors have a memory of their own, `draw_backward` the way of the gradients,
`draw_decisions` questions and verdicts; `draw_promotion`, `draw_broadcast` and `draw_versions` show
rules at work, `explain` tells what an error means; `draw_module` shows a model at work;
`draw_descent`, `draw_boundary`, `draw_errors` and `live_curve` are plots; `compare` puts two
pictures side by side. They read PyTorch's public attributes only, so they draw real PyTorch tensors
as well. The way of a picture:

    graph.py    builder: walks live objects          (walk, names, values, saved)
    diagram.py  what is to be drawn, as plain data
    dot.py      the same in Graphviz's language      (theme)
    render.py   SVG, made in this process            (svg)
    picture.py  the object that shows itself         (text)
    export.py   PNG and PDF of any of them

Where a layout is fixed, `chart.py` takes the place of Graphviz; for plots `plot.py` does.
"""

from course_lib.viz.axes import draw_axes
from course_lib.viz.backward import draw_backward
from course_lib.viz.boundary import draw_boundary
from course_lib.viz.broadcast import draw_broadcast
from course_lib.viz.decisions import draw_decisions
from course_lib.viz.descent import draw_descent
from course_lib.viz.devices import draw_devices
from course_lib.viz.error_curves import draw_errors
from course_lib.viz.explanation import explain
from course_lib.viz.graph import draw_graph
from course_lib.viz.live import live_curve
from course_lib.viz.module import draw_module
from course_lib.viz.picture import Picture
from course_lib.viz.product import draw_product
from course_lib.viz.promotion import draw_promotion
from course_lib.viz.recording import record_versions
from course_lib.viz.sharing import draw_sharing
from course_lib.viz.side_by_side import compare
from course_lib.viz.storage import draw_storage
from course_lib.viz.strides import draw_strides
from course_lib.viz.versions import draw_versions

__all__ = [
    "Picture",
    "compare",
    "draw_axes",
    "draw_backward",
    "draw_boundary",
    "draw_broadcast",
    "draw_decisions",
    "draw_descent",
    "draw_devices",
    "draw_errors",
    "draw_graph",
    "draw_module",
    "draw_product",
    "draw_promotion",
    "draw_sharing",
    "draw_storage",
    "draw_strides",
    "draw_versions",
    "explain",
    "live_curve",
    "record_versions",
]
