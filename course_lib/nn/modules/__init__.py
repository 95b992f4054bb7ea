"""PyTorch's older name for `torch.nn`: the same classes."""

from course_lib.calls.missing import complete_module as _completed
from course_lib.nn.activation import *
from course_lib.nn.attention import *
from course_lib.nn.cells import *
from course_lib.nn.containers import *
from course_lib.nn.conv import *
from course_lib.nn.dropout import *
from course_lib.nn.linear import *
from course_lib.nn.loss import *
from course_lib.nn.module import *
from course_lib.nn.modules import module as module
from course_lib.nn.normalization import *
from course_lib.nn.pooling import *
from course_lib.nn.recurrent import *
from course_lib.nn.sparse import *
from course_lib.nn.upsampling import *

__all__ = [name for name in globals() if name[0].isupper()]
__getattr__, __dir__ = _completed(globals(), "nn")
