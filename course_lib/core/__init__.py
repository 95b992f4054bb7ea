"""What the lessons teach: tensors, operations, the graph, the engine, views and writes.

Whichever of our files is read first, Tensor is whole: autograd gives it what it lacks here, such as
setters.  That is no import of what the core stands on, any more than a `Later` is: Note [Later].
"""

from importlib import import_module as _import_module

_import_module("course_lib.autograd")
