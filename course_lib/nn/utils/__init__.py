"""What is done to the parameters of a whole model at once."""

from course_lib.calls.missing import complete_module as _completed
from course_lib.nn.utils import clip_grad as clip_grad
from course_lib.nn.utils import rnn as rnn
from course_lib.nn.utils.clip_grad import *

__getattr__, __dir__ = _completed(globals(), "nn.utils")
