"""Lines that a type checker refuses, each for the reason beside it (see tests/test_stubs.py)."""

import course_lib as torch

x = torch.ones(2)
torch.sinn(x)  # attr-defined
x.backwards()  # attr-defined
x.sin(1)  # call-arg
x.sum(keepdims=True)  # call-overload
torch.sin("a")  # arg-type
torch.add(x, "a")  # arg-type
x.shape = (2, 1)  # assignment
x.max(0).value  # attr-defined
torch.zeros("a")  # arg-type
torch.linalg.dett(x)  # attr-defined
