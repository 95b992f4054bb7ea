"""What `explain` knows: one entry for each cause of an error, and what finds it in live objects."""

import functools
from pathlib import Path

from course_lib.viz.remedies import finders
from course_lib.viz.remedies.remedy import Remedy, Seen, remedies

CAUSES = Path(__file__).with_name("causes.txt")


@functools.cache
def load_remedies() -> list[Remedy]:
    """All remedies, in the order in which they are tried."""
    return remedies(CAUSES.read_text(encoding="utf-8"), vars(finders))


def explain_error(seen: Seen) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """The title of an error, what happened and what to do; None when nothing is known.

    Of several remedies for one message, the first whose cause is found in the live objects counts.
    """
    for remedy in load_remedies():
        words = remedy.describe(seen)
        if words is not None:
            return remedy.title, *words
    return None
