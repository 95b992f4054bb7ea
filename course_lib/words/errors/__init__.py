"""Every error message that a student can meet, in PyTorch's words, one file per subject.

A file is read when one of its messages is first needed: Note [Later].
"""

from course_lib import homes, lazy

__getattr__ = lazy.fetch(globals(), homes.SENTENCES)
