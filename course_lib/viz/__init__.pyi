# Written by tools/write_stubs.py; run that again instead of editing this.

from course_lib.viz.drawing.picture import Picture as Picture
from course_lib.viz.drawing.picture import compare as compare
from course_lib.viz.pictures.backward import draw_backward as draw_backward
from course_lib.viz.pictures.boundary import draw_boundary as draw_boundary
from course_lib.viz.pictures.broadcast import draw_broadcast as draw_broadcast
from course_lib.viz.pictures.broadcast import draw_product as draw_product
from course_lib.viz.pictures.curves import draw_errors as draw_errors
from course_lib.viz.pictures.curves import live_curve as live_curve
from course_lib.viz.pictures.descent import draw_descent as draw_descent
from course_lib.viz.pictures.devices import draw_devices as draw_devices
from course_lib.viz.pictures.explanation import explain as explain
from course_lib.viz.pictures.exploring import explore as explore
from course_lib.viz.pictures.fit import draw_fit as draw_fit
from course_lib.viz.pictures.gradient_sizes import draw_gradient_sizes as draw_gradient_sizes
from course_lib.viz.pictures.graph import draw_graph as draw_graph
from course_lib.viz.pictures.image import draw_image as draw_image
from course_lib.viz.pictures.memory import draw_memory as draw_memory
from course_lib.viz.pictures.module import draw_module as draw_module
from course_lib.viz.pictures.nonfinite import draw_nonfinite as draw_nonfinite
from course_lib.viz.pictures.promotion import draw_promotion as draw_promotion
from course_lib.viz.pictures.storage import draw_decisions as draw_decisions
from course_lib.viz.pictures.storage import draw_sharing as draw_sharing
from course_lib.viz.pictures.storage import draw_storage as draw_storage
from course_lib.viz.pictures.strides import draw_axes as draw_axes
from course_lib.viz.pictures.strides import draw_strides as draw_strides
from course_lib.viz.pictures.versions import draw_versions as draw_versions
from course_lib.viz.pictures.versions import record_versions as record_versions

__all__: list[str]
