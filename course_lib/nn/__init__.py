"""Neural networks: modules, their parameters, and the functions behind them.

>>> net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
>>> sum(p.numel() for p in net.parameters())
33
"""

from course_lib.declare.public import completed as _completed
from course_lib.nn import functional, init, modules, utils
from course_lib.nn.activation import *
from course_lib.nn.attention import *
from course_lib.nn.cells import *
from course_lib.nn.containers import *
from course_lib.nn.conv import *
from course_lib.nn.dropout import *
from course_lib.nn.linear import *
from course_lib.nn.loss import *
from course_lib.nn.module import *
from course_lib.nn.normalization import *
from course_lib.nn.parameter import *
from course_lib.nn.pooling import *
from course_lib.nn.recurrent import *
from course_lib.nn.sparse import *
from course_lib.nn.upsampling import *

__getattr__, __dir__ = _completed(globals(), "nn")
