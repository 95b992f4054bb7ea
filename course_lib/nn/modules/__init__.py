"""PyTorch's older name for `torch.nn`: the same classes."""

from course_lib.nn.activation import *
from course_lib.nn.adaptive import *
from course_lib.nn.attention import *
from course_lib.nn.cells import *
from course_lib.nn.containers import *
from course_lib.nn.conv import *
from course_lib.nn.curves import *
from course_lib.nn.decoder import *
from course_lib.nn.distance import *
from course_lib.nn.dropout import *
from course_lib.nn.flatten import *
from course_lib.nn.folding import *
from course_lib.nn.instance_norm import *
from course_lib.nn.linear import *
from course_lib.nn.loss import *
from course_lib.nn.margin_losses import *
from course_lib.nn.module import *
from course_lib.nn.modules import module as module
from course_lib.nn.normalization import *
from course_lib.nn.padding import *
from course_lib.nn.parameter_containers import *
from course_lib.nn.pooling import *
from course_lib.nn.recurrent import *
from course_lib.nn.resampling import *
from course_lib.nn.sparse import *
from course_lib.nn.thresholds import *
from course_lib.nn.transformer import *
