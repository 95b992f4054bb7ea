"""Pictures of tensors and of their computation graphs.

`draw_graph` shows the functions behind a tensor, `draw_storage` its memory. Everything is read
through
attributes, so real PyTorch tensors are drawn as well. The way of a picture through the files:

    graph.py    builder: walks live objects          (walk, names, values, saved)
    diagram.py  what is to be drawn, as plain data
    dot.py      the same in Graphviz's language      (theme)
    render.py   SVG, made in this process            (svg)
    picture.py  the object that shows itself         (text)
"""

from course_lib.viz.graph import draw_graph
from course_lib.viz.picture import Picture
from course_lib.viz.storage import draw_storage

__all__ = ["Picture", "draw_graph", "draw_storage"]
