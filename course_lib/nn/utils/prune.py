"""`torch.nn.utils.prune`: elements of a parameter that become zero, and stay zero.

>>> prune = torch.nn.utils.prune
>>> layer = prune.random_structured(torch.nn.Linear(3, 2), "weight", amount=1, dim=1)
>>> layer.weight_mask.sum()
tensor(4.)
"""

from course_lib.declare.public import completed as _completed

__getattr__, __dir__ = _completed(globals(), "nn.utils.prune")
