"""What the lessons teach: tensors, operations, the graph, the engine, views and writes.

Tensor gets some of its attributes, such as setters, from `course_lib.autograd`, which is above the
core.  It is imported here so that Tensor is complete whichever file a program reads first.
"""

from importlib import import_module as _import_module

_import_module("course_lib.autograd")
