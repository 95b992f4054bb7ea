"""Property tests try the same examples each time, a busy machine is no failure, and a warning that
comes once in a process is seen by each test."""

from hypothesis import settings

import course_lib

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
course_lib.set_warn_always(True)
