"""`torch.optim`: optimizers, which update parameters from their gradients, and rate schedules.

>>> w = torch.tensor([1.], requires_grad=True)
>>> optimizer = torch.optim.SGD([w], lr=0.1)
>>> for _ in range(3):
...     optimizer.zero_grad()
...     (w * w).sum().backward()
...     optimizer.step()
>>> w
tensor([0.5120], requires_grad=True)
"""

from course_lib.calls.missing import complete_module as _completed
from course_lib.optim import lr_scheduler
from course_lib.optim.adam import Adam, AdamW
from course_lib.optim.optimizer import Optimizer
from course_lib.optim.rmsprop import RMSprop
from course_lib.optim.sgd import SGD

__getattr__, __dir__ = _completed(globals(), "optim")
