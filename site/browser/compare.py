"""Run lessons and solutions in Pyodide under Node, and compare each cell with its stored output.

    python site/browser/compare.py                     every lesson and every solution
    python site/browser/compare.py --third 1           a third of them
    python site/browser/compare.py notebooks/07*.ipynb
    python site/browser/compare.py --json              one line of JSON per notebook, for programs

The rules of the comparison are nbval's: pictures of pixels, counters and tracebacks are not
compared, everything else is, letter by letter. The exit status is 0 if all cells agree, or differ
as `expected.json` says with a reason; 1 if one does not; 2 if nothing could be run.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import edition
import parts

FOLDERS = ("notebooks", "solutions")
EXPECTED = Path(__file__).parent / "expected.json"
OVERWRITTEN = re.compile(r".*\r(?=[^\n])")  # a line that was written again in place
PIXELS = ("image/png", "image/jpeg")
PLOT = ' d="M '  # as matplotlib writes it; no other drawing of ours has a blank there
SAID = re.compile(r'(?:aria-label|alt)="[^"]*"|<pre[^>]*>[^<]*</pre>')
A_TURN = 4  # notebooks for one Pyodide: a start costs as much as a notebook
WIDGET = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Difference:
    """One cell that shows something else in Pyodide."""

    cell: str  # its id
    source: str
    stored: str
    shown: str
    reason: str = ""  # why that is as it should be


def differences(notebook: Path, answer: dict[str, Any]) -> Iterator[Difference]:
    """The cells of which Pyodide shows something else than what is stored."""
    reasons = json.loads(EXPECTED.read_text("utf-8")).get(notebook.stem, {})
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    for cell, outputs in zip(code, answer["cells"], strict=True):
        stored, shown = comparable(cell["outputs"]), comparable(outputs)
        if not alike(stored, shown) and "nbval-ignore-output" not in cell["metadata"].get(
            "tags", ()
        ):
            there, here = first_difference(stored, shown)
            source = "".join(cell["source"]).strip().splitlines()[0]
            yield Difference(cell["id"], source, there, here, reasons.get(cell["id"], ""))


def comparable(outputs: list[dict[str, Any]]) -> dict[str, str]:
    """What counts of the outputs of a cell, by kind: text, whatever pieces it came in."""
    found: dict[str, str] = {}
    for output in outputs:
        kind = output["output_type"]
        if kind == "stream":
            pieces = {output["name"]: written(output["text"])}
        elif kind == "error":  # the kernel writes <class 'ValueError'> for ValueError
            name = output["ename"].removeprefix("<class '").removesuffix("'>").split(".")[-1]
            pieces = {"error": f"{name}: {output['evalue']}"}
        else:
            data = output["data"]
            pieces = {f"{kind} {name}": data[name] for name in data if name not in PIXELS}
            pieces.pop(f"{kind} {WIDGET}", None)
        for name, piece in pieces.items():
            found[name] = found.get(name, "") + written(piece)
    return {name: OVERWRITTEN.sub("", opened(text)) for name, text in found.items()}


def opened(text: str) -> str:
    """`text`, with the pictures in it readable."""
    return re.sub(
        r"data:image/svg\+xml;base64,([\w+/=]+)", lambda m: b64decode(m[1]).decode(), text
    )


def alike(stored: dict[str, str], shown: dict[str, str]) -> bool:
    """Whether the two say the same letter by letter; plots by matplotlib: in words.

    The browser's matplotlib is an older one: it leaves more room beside the axes, and so its ticks
    and lines are elsewhere.  What a plot says of its numbers, in its text form and to readers who
    do not see it, has to be the same.
    """
    if stored.keys() != shown.keys():
        return False
    pairs = [(stored[kind], shown[kind]) for kind in stored]
    return all(one == other or is_same_plot(one, other) for one, other in pairs)


def is_same_plot(one: str, other: str) -> bool:
    """Whether both are plots by matplotlib that say the same."""
    return PLOT in one and PLOT in other and SAID.findall(one) == SAID.findall(other)


def written(piece: Any) -> str:
    """A piece of output as one text."""
    if isinstance(piece, list):
        return "".join(piece)
    return piece if isinstance(piece, str) else json.dumps(piece, sort_keys=True)


def first_difference(stored: dict[str, str], shown: dict[str, str]) -> tuple[str, str]:
    """The first place where the two differ, some words before and after it."""
    for name in dict.fromkeys((*stored, *shown)):
        one, other = stored.get(name), shown.get(name)
        if one is None or other is None:
            return tuple(
                f"no {name}" if x is None else f"{name}: {x[:160]!r}" for x in (one, other)
            )
        if one != other:
            at = len(os.path.commonprefix([one, other]))
            return tuple(f"{name}: …{x[max(0, at - 60) : at + 100]!r}" for x in (one, other))
    raise AssertionError("they are equal")


# ---- running -------------------------------------------------------------------------------------


def answers(notebooks: list[Path], jobs: int) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What Pyodide shows for each notebook, as it comes."""
    with tempfile.TemporaryDirectory() as place:
        pyodide, course = Path(place) / "pyodide", Path(place) / "course"
        edition.make_pyodide(pyodide)
        for folder in FOLDERS:
            shutil.copytree(parts.ROOT / folder, course / folder)

        def run(some: list[Path]) -> list[dict[str, Any]]:
            names = [notebook.relative_to(parts.ROOT).as_posix() for notebook in some]
            said = Path(place) / names[0].replace("/", "-")
            words = [parts.program("node"), str(Path(__file__).parent / "run.mjs")]
            words += [str(pyodide), str(course), str(said), *names]
            done = subprocess.run(words, capture_output=True, text=True)
            lines = said.read_text("utf-8").splitlines() if said.exists() else []
            found = [json.loads(line) for line in lines]
            ended = {"fatal": f"Pyodide ended: {done.stderr.strip()[-1000:]}"}
            return found + [ended] * (len(some) - len(found))

        turns = [notebooks[k : k + A_TURN] for k in range(0, len(notebooks), A_TURN)]
        with ThreadPoolExecutor(jobs) as pool:
            for some, found in zip(turns, pool.map(run, turns)):
                yield from zip(some, found)


def chosen(words: list[str], third: int | None) -> list[Path]:
    """The notebooks that were asked for; all of them where none is named."""
    if words:
        return [Path(word).resolve() for word in words]
    found = [path for folder in FOLDERS for path in sorted((parts.ROOT / folder).glob("*.ipynb"))]
    return found if third is None else found[third - 1 :: 3]


def main(words: list[str]) -> int:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", help="notebooks of notebooks/ and solutions/")
    parser.add_argument("--third", type=int, choices=(1, 2, 3), help="every third notebook")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--json", action="store_true", help="one line of JSON per notebook")
    options = parser.parse_args(words)
    begin, cells, same, unexpected = time.monotonic(), 0, 0, 0
    try:
        for path, answer in answers(chosen(options.notebooks, options.third), options.jobs):
            if "fatal" in answer:
                unexpected += 1
                report = {"notebook": path.stem, "fatal": answer["fatal"]}
                print(json.dumps(report) if options.json else f"{path.stem}: {answer['fatal']}")
                continue
            found = list(differences(path, answer))
            count = len(answer["cells"])
            cells, same = cells + count, same + count - len(found)
            unexpected += sum(not one.reason for one in found)
            show(path, count, found, answer, options.json)
    except parts.Missing as missing:
        print(f"compare.py: {missing}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("compare.py: stopped", file=sys.stderr)
        return 130
    if not options.json:
        seconds = time.monotonic() - begin
        print(f"{same} of {cells} cells are the same, {cells - same} differ ({seconds:.0f} s)")
        if unexpected:
            print(f"{unexpected} differences have no reason in expected.json")
    return 1 if unexpected else 0


def show(path: Path, count: int, found: list[Difference], answer: Any, as_json: bool) -> None:
    """Print what came out for one notebook."""
    if as_json:
        lines = [vars(one) for one in found]
        print(json.dumps({"notebook": path.stem, "cells": count, "differences": lines}), flush=True)
        return
    place = f"{path.parent.name}/{path.stem}"
    plots = ", with plots" if answer["plots"] else ""
    print(f"{place}: {count - len(found)} of {count} the same, {answer['seconds']:.1f} s{plots}")
    for one in found:
        print(f"  {one.cell} | {one.source}")
        if one.reason:
            print(f"      as it should be: {one.reason}")
        else:
            print(f"      stored {one.stored}\n      shown  {one.shown}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
