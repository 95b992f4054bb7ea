"""`torch.random`: the default generator's seed and state."""

from course_lib.calls.missing import complete_module as _completed
from course_lib.ops.make.generator import (
    default_generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__all__ = ["default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed"]
__all__ += ["seed", "set_rng_state"]

__getattr__, __dir__ = _completed(globals(), "random")
