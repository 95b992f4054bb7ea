"""All forms of an operation from one declaration: function, method, in place, `out=`, view."""

import course_lib.core  # first, and whole
