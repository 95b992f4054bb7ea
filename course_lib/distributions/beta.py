"""`torch.distributions.beta`."""

from course_lib.declare.public import completed as _completed

__getattr__, __dir__ = _completed(globals(), "distributions.beta")
