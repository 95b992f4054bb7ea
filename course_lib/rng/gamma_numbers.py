"""Gamma and Dirichlet numbers, drawn one after the other as PyTorch's CPU kernels draw them.

How many words a number takes depends on the numbers, so these are loops.

>>> from course_lib.rng.rng import Generator
>>> gamma(Generator(0), np.array([1.0], np.float32)).tolist()
[2.882432699203491]
"""

from __future__ import annotations
