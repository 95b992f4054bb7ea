"""The text of a tensor. What is compared between libraries is the numbers in it."""

import re
from typing import Any

import numpy as np

from benchmarks.workload import Step, Workload

LACKS = {
    "autograd": "has NumPy's own arrays",
    "micrograd": "has single numbers only",
}
large = Workload("repr-large", "repr of 1e6 elements", goal=0.2, goal_by_hand=0.9, lacks=LACKS)
small = Workload("repr-small", "repr of 10 × 10", goal=0.1, goal_by_hand=0.4, lacks=LACKS)


def quarters(*shape: int) -> np.ndarray:
    """Numbers that four digits and eight show alike."""
    return (np.random.default_rng(7).integers(-400, 400, shape) / 4).astype(np.float32)


def numbers(text: str) -> np.ndarray:
    """The numbers that a text shows.

    >>> numbers("tensor([[ 1.2500, -2.],\\n [3.5, ...]])")
    array([ 1.25, -2.  ,  3.5 ])
    """
    return np.array([float(found) for found in re.findall(r"-?\d+\.\d*", text)])


def register(workload: Workload, *shape: int) -> None:
    def for_arrays(value: Any) -> Step:
        return lambda: (repr(value),)

    workload.makers.update(
        torch=lambda torch: for_arrays(torch.from_numpy(quarters(*shape))),
        mygrad=lambda mg: for_arrays(mg.tensor(quarters(*shape))),
        numpy=lambda _: for_arrays(quarters(*shape)),
    )


register(large, 1_000_000)
register(small, 10, 10)
