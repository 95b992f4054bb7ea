"""A workload: one piece of mathematics, written for each library, and what is to be reached."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Step = Callable[[], Any]  # does the work once; what it returns is compared between libraries


@dataclass(frozen=True)
class Workload:
    """What is measured.

    `makers` has, by name of library, a function that takes the library's module and prepares a
    `Step`. The one for "torch" serves `course_lib` too: both run the very same code.
    """

    name: str
    title: str
    goal: float | None = None  # times PyTorch
    goal_by_hand: float | None = None  # times NumPy written by hand
    lacks: dict[str, str] = field(default_factory=dict)  # library: why it cannot take part
    memory: bool = False  # peak memory instead of time
    slow: bool = False  # a step takes a second: not repeated within a round
    makers: dict[str, Callable[[Any], Step]] = field(default_factory=dict)

    def written_for(self, library: str) -> Callable:
        """Say that the decorated function prepares the step for this library."""

        def register(make: Callable[[Any], Step]) -> Callable[[Any], Step]:
            self.makers[library] = make
            return make

        return register

    def maker(self, library: str) -> Callable[[Any], Step] | None:
        """What prepares the step for a library; None if it takes no part."""
        return self.makers.get("torch" if library == "course_lib" else library)
