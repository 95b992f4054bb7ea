"""The generator behind every random number: the Mersenne Twister, its seed and its state.

A generator is a stream of 32-bit words that depends only on the seed.  `samplers.py` and
`gaussian.py` turn words into numbers; they take exactly the words that PyTorch's CPU kernels take,
in the same order.  So the same seed gives the same numbers, and `get_state()` the same bytes.

    seed ──▶ 624 words ──twist──▶ 624 words ──twist──▶ …
                 └─ temper ─▶ w0 w1 w2 …   one word: float32, small integers
                                           two words, the first one high: float64, large integers
"""

import os
from typing import Any, Self

import numpy as np

from course_lib.words import errors

DEFAULT_SEED = 67280421310721  # what `Generator()` starts from until it is seeded
_WORDS = 624  # the length of the recurrence
_SIXTY_FOUR_BITS = 2**64 - 1
_THIRTY_TWO = np.array(32, np.uint64)

# The memory of PyTorch's state object, 5056 bytes: (name, type, offset), gaps are padding.
_FIELDS = [
    ("seed", "<u8", 0),
    ("left", "<i4", 8),  # words until the next twist, plus one
    ("seeded", "<i4", 12),
    ("next", "<u8", 16),  # position among the 624
    ("key", ("<u8", (_WORDS,)), 24),
    ("normal_y", "<f8", 5024),
    ("normal_is_valid", "<i4", 5040),
]
_NAMES, _FORMATS, _OFFSETS = zip(*_FIELDS, strict=True)
_STATE = np.dtype({"names": _NAMES, "formats": _FORMATS, "offsets": _OFFSETS, "itemsize": 5056})


class Generator:
    """A source of random numbers with a seed and a state.

    >>> Generator().manual_seed(0)._words(3).tolist()
    [2357136044, 2546248239, 3071714933]
    """

    # `_engine` runs the recurrence; `_seeder` is the public way to seed it.  Both are made at the
    # first draw, because importing numpy.random would be the slowest part of `import course_lib`.
    __slots__ = ("__weakref__", "_engine", "_fresh", "_seed", "_seeder", "_spare")

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._engine: Any = None
        self._seeder: Any = None
        self.manual_seed(seed)

    # ---- seeds --------------------------------------------------------------------------------

    def manual_seed(self, seed: int) -> Self:
        """Restart the generator from `seed`; returns the generator itself.

        A negative seed counts back from 2**64.

        >>> Generator().manual_seed(-1).initial_seed() == 2**64 - 1
        True
        """
        if isinstance(seed, bool) or not hasattr(seed, "__index__"):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        seed = seed.__index__()
        if not -(2**63) <= seed <= _SIXTY_FOUR_BITS:
            raise ValueError(errors.LONG_OVERFLOW)
        self._seed = seed & _SIXTY_FOUR_BITS
        self._fresh = True  # nothing drawn since seeding: `get_state` writes this state differently
        self._spare: float | None = None  # the second value of a Box-Muller pair, for the next call
        if self._engine is not None:
            self._seeder.seed(self._seed & 0xFFFFFFFF)
        return self

    def seed(self) -> int:
        """Restart the generator from a seed that the operating system supplies; returns it."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the generator was last started from, however much was drawn since."""
        return self._seed

    # ---- words --------------------------------------------------------------------------------

    def _start(self) -> None:
        self._engine = np.random.MT19937(0)
        self._seeder = np.random.RandomState(self._engine)
        self._seeder.seed(self._seed & 0xFFFFFFFF)

    def _words(self, count: int) -> np.ndarray:
        """The next `count` 32-bit words, as uint64."""
        if self._engine is None:
            self._start()
        if count:
            self._fresh = False
        return self._engine.random_raw(count)

    def _long_words(self, count: int) -> np.ndarray:
        """The next `count` 64-bit words, each made of two words, of which the first is high."""
        pairs = self._words(2 * count)
        high = pairs[0::2] << _THIRTY_TWO
        high |= pairs[1::2]
        return high

    # ---- state --------------------------------------------------------------------------------

    def get_state(self) -> np.ndarray:
        """The state as 5056 bytes, the same bytes as PyTorch's.

        >>> Generator().manual_seed(3).get_state()[:12].tolist()
        [3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
        """
        if self._engine is None:
            self._start()
        engine = self._engine.state["state"]
        position = int(engine["pos"])
        state = np.zeros(1, _STATE)
        state["seed"], state["seeded"] = self._seed, 1
        state["left"] = _WORDS + 1 - position
        state["next"] = 0 if self._fresh else position
        state["key"] = engine["key"]
        if self._spare is not None:
            state["normal_y"], state["normal_is_valid"] = self._spare, 1
        return state.view(np.uint8)

    def set_state(self, state: np.ndarray) -> Self:
        """This generator, continuing from the point where `state` was taken.

        >>> g = Generator()
        >>> before = g.get_state()
        >>> bool((g._words(5) == g.set_state(before)._words(5)).all())
        True
        """
        if state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if state.size != _STATE.itemsize:
            raise RuntimeError(errors.state_size(_STATE.itemsize, state.size))
        new = np.ascontiguousarray(state).reshape(-1).view(_STATE)[0]
        left, following = int(new["left"]), int(new["next"])
        if not new["seeded"] or not 0 < left <= _WORDS or following > _WORDS:
            raise RuntimeError("Invalid mt19937 state")
        if self._engine is None:
            self._start()
        key = (new["key"] & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        inner = {"key": key, "pos": _WORDS + 1 - left}
        self._engine.state = {"bit_generator": "MT19937", "state": inner}
        self._seed, self._fresh = int(new["seed"]), left == 1 and following == 0
        self._spare = float(new["normal_y"]) if new["normal_is_valid"] else None
        return self
