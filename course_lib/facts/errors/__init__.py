"""Every sentence a student can meet: PyTorch's wording, one file per subject."""

from course_lib.facts.errors.arguments import *
from course_lib.facts.errors.creation import *
from course_lib.facts.errors.elementwise import *
from course_lib.facts.errors.export import *
from course_lib.facts.errors.functional import *
from course_lib.facts.errors.gathering import *
from course_lib.facts.errors.gradients import *
from course_lib.facts.errors.indexing import *
from course_lib.facts.errors.joining import *
from course_lib.facts.errors.layers import *
from course_lib.facts.errors.linalg import *
from course_lib.facts.errors.loading import *
from course_lib.facts.errors.losses import *
from course_lib.facts.errors.matrices import *
from course_lib.facts.errors.modules import *
from course_lib.facts.errors.neural import *
from course_lib.facts.errors.random import *
from course_lib.facts.errors.recurrent import *
from course_lib.facts.errors.reduce import *
from course_lib.facts.errors.schedules import *
from course_lib.facts.errors.shapes import *
from course_lib.facts.errors.training import *
from course_lib.facts.errors.types import *
from course_lib.facts.errors.views import *
from course_lib.facts.errors.windows import *
from course_lib.facts.errors.writing import *
