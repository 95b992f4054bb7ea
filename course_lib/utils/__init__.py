"""`torch.utils`: what stands beside the library proper."""

from course_lib.utils import checkpoint as checkpoint
from course_lib.utils import data as data
from course_lib.utils import dlpack as dlpack
