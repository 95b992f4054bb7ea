"""What is done to the parameters of a whole model at once."""

from course_lib.declare.public import completed as _completed
from course_lib.nn.utils import parametrizations as parametrizations
from course_lib.nn.utils import parametrize as parametrize
from course_lib.nn.utils import prune as prune
from course_lib.nn.utils import rnn as rnn

__getattr__, __dir__ = _completed(globals(), "nn.utils")
