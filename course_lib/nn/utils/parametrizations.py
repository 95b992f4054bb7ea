"""`torch.nn.utils.parametrizations`: weights with a length of their own, or a bounded one.

>>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
>>> list(layer.state_dict())
['bias', 'parametrizations.weight.original0', 'parametrizations.weight.original1']
"""

from course_lib.declare.public import completed as _completed

__getattr__, __dir__ = _completed(globals(), "nn.utils.parametrizations")
