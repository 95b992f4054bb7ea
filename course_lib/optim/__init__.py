"""`torch.optim`: rules that turn gradients into better parameters, and plans for their rates.

>>> w = torch.tensor([1.], requires_grad=True)
>>> optimizer = torch.optim.SGD([w], lr=0.1)
>>> for _ in range(3):
...     optimizer.zero_grad()
...     (w * w).sum().backward()
...     optimizer.step()
>>> w
tensor([0.5120], requires_grad=True)
"""

from course_lib.facts.names import no_name as _no_name
from course_lib.optim import lr_scheduler
from course_lib.optim.adadelta import Adadelta
from course_lib.optim.adagrad import Adagrad
from course_lib.optim.adam import Adam, AdamW
from course_lib.optim.adamax import Adamax
from course_lib.optim.asgd import ASGD
from course_lib.optim.nadam import NAdam
from course_lib.optim.optimizer import Optimizer
from course_lib.optim.radam import RAdam
from course_lib.optim.rmsprop import RMSprop
from course_lib.optim.rprop import Rprop
from course_lib.optim.sgd import SGD

__all__ = [
    "ASGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SGD",
    "lr_scheduler",
]


def __getattr__(name: str) -> object:
    raise _no_name("torch.optim", name)
