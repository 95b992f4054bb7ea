"""Neural networks: modules, their parameters, and the functions behind them.

>>> net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
>>> sum(p.numel() for p in net.parameters())
33
"""

from course_lib.calls.missing import complete_module as _completed
from course_lib.nn import functional, init, modules, utils
from course_lib.nn.modules import *
from course_lib.nn.parameter import *

__getattr__, __dir__ = _completed(globals(), "nn")
