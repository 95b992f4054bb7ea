"""Every kind there is, with its category."""

from __future__ import annotations

from dataclasses import replace

from classroom.grading.hostile import (
    altered,
    ending,
    exhausting,
    forever,
    forging,
    injecting,
    malformed,
    names,
    neighbours,
    patching,
    reaching,
)
from classroom.grading.hostile.kinds import Kind

CATEGORIES: dict[str, list[Kind]] = {
    "running forever": forever.KINDS,
    "exhausting a resource": exhausting.KINDS,
    "ending the process": ending.KINDS,
    "reaching for what is not its own": reaching.KINDS,
    "patching": patching.KINDS,
    "forging": forging.KINDS,
    "injecting": injecting.KINDS,
    "malformed": malformed.KINDS,
    "altered": altered.KINDS,
    "odd names": names.KINDS,
    "well-behaved": neighbours.KINDS,
}
COLLECTION: list[Kind] = [
    replace(kind, category=category) for category, kinds in CATEGORIES.items() for kind in kinds
]
NEIGHBOURS: list[Kind] = [kind for kind in COLLECTION if kind.category == "well-behaved"]
HARMLESS = ("malformed", "altered", "odd names", "injecting", "well-behaved")  # end by themselves
