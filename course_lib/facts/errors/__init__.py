"""Every sentence a student can meet: PyTorch's wording, one file per subject.

A file is read when the first of its sentences is needed: Note [Later].
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from course_lib.facts.errors.adaptive import *
    from course_lib.facts.errors.arguments import *
    from course_lib.facts.errors.bags import *
    from course_lib.facts.errors.creation import *
    from course_lib.facts.errors.ctc import *
    from course_lib.facts.errors.elementwise import *
    from course_lib.facts.errors.export import *
    from course_lib.facts.errors.functional import *
    from course_lib.facts.errors.gathering import *
    from course_lib.facts.errors.gradients import *
    from course_lib.facts.errors.indexing import *
    from course_lib.facts.errors.instances import *
    from course_lib.facts.errors.joining import *
    from course_lib.facts.errors.layers import *
    from course_lib.facts.errors.linalg import *
    from course_lib.facts.errors.loading import *
    from course_lib.facts.errors.losses import *
    from course_lib.facts.errors.margins import *
    from course_lib.facts.errors.matrices import *
    from course_lib.facts.errors.modules import *
    from course_lib.facts.errors.neural import *
    from course_lib.facts.errors.random import *
    from course_lib.facts.errors.recurrent import *
    from course_lib.facts.errors.reduce import *
    from course_lib.facts.errors.reparametrized import *
    from course_lib.facts.errors.resampling import *
    from course_lib.facts.errors.saving import *
    from course_lib.facts.errors.schedules import *
    from course_lib.facts.errors.shapes import *
    from course_lib.facts.errors.training import *
    from course_lib.facts.errors.types import *
    from course_lib.facts.errors.views import *
    from course_lib.facts.errors.windows import *
    from course_lib.facts.errors.writing import *
else:
    from course_lib.facts import homes, later

    __getattr__ = later.fetch(globals(), homes.SENTENCES)
