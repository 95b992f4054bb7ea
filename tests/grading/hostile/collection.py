"""Every kind there is, with its category."""

from dataclasses import replace
from importlib import import_module

from grading.hostile.kinds import Kind

MODULES = {
    "running forever": "forever",
    "exhausting a resource": "exhausting",
    "ending the process": "ending",
    "reaching for what is not its own": "reaching",
    "leaving its folder": "escaping",
    "meddling with others": "meddling",
    "reading its memory": "remembering",
    "patching": "patching",
    "replacing": "replacing",
    "forging": "forging",
    "healing": "healing",
    "speaking for the grader": "speaking",
    "lying": "lying",
    "staying behind": "lingering",
    "injecting": "injecting",
    "malformed": "malformed",
    "altered": "altered",
    "odd names": "names",
    "well-behaved": "neighbours",
}
CATEGORIES: dict[str, list[Kind]] = {
    category: import_module(f"grading.hostile.{name}").KINDS for category, name in MODULES.items()
}
COLLECTION: list[Kind] = [
    replace(kind, category=category) for category, kinds in CATEGORIES.items() for kind in kinds
]
FORGED = {kind.name for kind in CATEGORIES["healing"]}  # in every mode
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
