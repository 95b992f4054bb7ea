"""What is done to the parameters of a whole model at once."""

from course_lib.nn.utils import rnn as rnn
from course_lib.nn.utils.clipping import *
from course_lib.nn.utils.spectral_norm import *
from course_lib.nn.utils.vectors import *
from course_lib.nn.utils.weight_norm import *
