"""Pictures of tensors and of their computation graphs.

`draw_graph` shows the functions behind a tensor, `draw_storage` the memory behind it,
`draw_sharing` which tensors have a memory of their own, `draw_backward` the way of the gradients,
`draw_decisions` questions and verdicts; `draw_image` tensors of brightnesses as pictures;
`draw_promotion`, `draw_broadcast` and `draw_versions` show rules at work, `explain` tells what an
error means; `draw_nonfinite` finds the first NaN or infinity, `draw_gradient_sizes` vanishing
gradients, `draw_memory` the bytes kept for backward, `draw_difference` what two graphs do not have
in common, `draw_jacobian` every derivative of a function; `draw_module` shows a model at work;
`draw_fit`, `draw_descent`, `draw_boundary`, `draw_errors` and `live_curve` are plots; `compare`
puts two pictures side by side; `explore` gives a picture sliders. They read PyTorch's public
attributes only, so they draw real PyTorch tensors as well. The way of a picture:

    reading/    walks live objects: `walk`, `names`, `values`, `saved`, `memory`
    pictures/   one file for each function above: what is to be drawn
    drawing/    `diagram`: that, as plain data
                `dot`: the same in Graphviz's language, in the colours of `theme`
                `render`, `svg`: the drawing, made in this process
                `picture`, `text`: the object that shows itself; `export`: PNG and PDF

Where a layout is fixed, `drawing/chart.py` takes the place of Graphviz; for plots `plot.py` does.
"""

from course_lib.viz.drawing import in_browser
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.side_by_side import compare
from course_lib.viz.pictures.axes import draw_axes
from course_lib.viz.pictures.backward import draw_backward
from course_lib.viz.pictures.boundary import draw_boundary
from course_lib.viz.pictures.broadcast import draw_broadcast
from course_lib.viz.pictures.decisions import draw_decisions
from course_lib.viz.pictures.descent import draw_descent
from course_lib.viz.pictures.devices import draw_devices
from course_lib.viz.pictures.difference import draw_difference
from course_lib.viz.pictures.error_curves import draw_errors
from course_lib.viz.pictures.explanation import explain
from course_lib.viz.pictures.exploring import explore
from course_lib.viz.pictures.fit import draw_fit
from course_lib.viz.pictures.gradient_sizes import draw_gradient_sizes
from course_lib.viz.pictures.graph import draw_graph
from course_lib.viz.pictures.image import draw_image
from course_lib.viz.pictures.jacobian import draw_jacobian
from course_lib.viz.pictures.live import live_curve
from course_lib.viz.pictures.memory import draw_memory
from course_lib.viz.pictures.memory_film import record_memory
from course_lib.viz.pictures.module import draw_module
from course_lib.viz.pictures.nonfinite import draw_nonfinite
from course_lib.viz.pictures.product import draw_product
from course_lib.viz.pictures.promotion import draw_promotion
from course_lib.viz.pictures.recording import record_versions
from course_lib.viz.pictures.sharing import draw_sharing
from course_lib.viz.pictures.storage import draw_storage
from course_lib.viz.pictures.strides import draw_strides
from course_lib.viz.pictures.versions import draw_versions

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
    "draw_difference",
    "draw_errors",
    "draw_fit",
    "draw_gradient_sizes",
    "draw_graph",
    "draw_image",
    "draw_jacobian",
    "draw_memory",
    "draw_module",
    "draw_nonfinite",
    "draw_product",
    "draw_promotion",
    "draw_sharing",
    "draw_storage",
    "draw_strides",
    "draw_versions",
    "explain",
    "explore",
    "live_curve",
    "record_memory",
    "record_versions",
]

if in_browser.here():
    in_browser.fetch_matplotlib_for_plots()
