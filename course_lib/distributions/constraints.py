"""`torch.distributions.constraints`."""

from course_lib.declare.public import completed as _completed

__getattr__, __dir__ = _completed(globals(), "distributions.constraints")
