"""Every kind there is, with its category."""

from __future__ import annotations

from dataclasses import replace

from grading.hostile import (
    altered,
    ending,
    escaping,
    exhausting,
    forever,
    forging,
    healing,
    injecting,
    lingering,
    lying,
    malformed,
    meddling,
    names,
    neighbours,
    patching,
    reaching,
    remembering,
    replacing,
    speaking,
)
from grading.hostile.kinds import Kind

CATEGORIES: dict[str, list[Kind]] = {
    "running forever": forever.KINDS,
    "exhausting a resource": exhausting.KINDS,
    "ending the process": ending.KINDS,
    "reaching for what is not its own": reaching.KINDS,
    "leaving its folder": escaping.KINDS,
    "meddling with others": meddling.KINDS,
    "reading its memory": remembering.KINDS,
    "patching": patching.KINDS,
    "replacing": replacing.KINDS,
    "forging": forging.KINDS,
    "healing": healing.KINDS,
    "speaking for the grader": speaking.KINDS,
    "lying": lying.KINDS,
    "staying behind": lingering.KINDS,
    "injecting": injecting.KINDS,
    "malformed": malformed.KINDS,
    "altered": altered.KINDS,
    "odd names": names.KINDS,
    "well-behaved": neighbours.KINDS,
}
COLLECTION: list[Kind] = [
    replace(kind, category=category) for category, kinds in CATEGORIES.items() for kind in kinds
]
FORGED = {kind.name for kind in healing.KINDS}  # in every mode
# What the walls without namespaces have to hold, one or two of each way out.
WITHOUT_NAMESPACES = (
    *("puts-a-link-in-place-of-its-folder", "writes-above-its-folder", "links-that-lead-out"),
    *("mode-of-a-file", "mode-by-an-open-file", "times-of-a-file", "cut-by-its-path"),
    *("flags-by-an-open-file", "many-large-files", "large-files-without-names"),
    *("signals-by-an-owner-of-a-socket", "holds-a-bystander-back", "looks-at-a-bystander"),
    *("sends-from-a-pair-to-a-path", "sends-from-a-pair-to-a-name", "a-file-of-memory"),
    *("turn-a-leaves-files", "turn-a-looks-for-files", "folders-that-resist"),
    *("searches-its-memory-by-an-array-interface", "searches-every-object", "reads-a-neighbour"),
    *("reads-the-home", "this-machine-by-unix-socket", "kills-its-parent", "deletes-its-folder"),
    *("speaks-all-and-is-killed", "lies-by-a-method-of-its-own"),
    *FORGED,
)
IN_WASM = (*("reads-the-home", "lies-by-a-method-of-its-own", "good-all"),)
NEIGHBOURS: list[Kind] = [kind for kind in COLLECTION if kind.category == "well-behaved"]
HARMLESS = ("malformed", "altered", "odd names", "injecting", "well-behaved")  # end by themselves
