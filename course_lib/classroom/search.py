"""`search`: words in all lessons, exercises, the glossary, the cheat sheet and the error index.

The index is made from the course's own files when it is first asked, and nothing leaves here: a
page of text for each heading, without anything that a cell shows, and one for each error. Pages are
ranked by Okapi BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), where a
word of the heading counts for several. Signs, and what beginners call things, count as the words
that `meant.txt` has for them. `lab/src/search.js` ranks by this index for home page and website.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from course_lib.classroom import content
from course_lib.classroom.copies import text_of
from course_lib.classroom.page import Page, inline, show
from course_lib.classroom.progress import to_root

MOST = 8  # results
SATURATION, LENGTH = 1.2, 0.75  # the usual constants of BM25: k₁ and b
OF_HEADING, OF_TITLE, OF_CODE = 6.0, 6.0, 0.5  # how much a word counts there; 1 in the text
OF_EXERCISES, OF_ERRORS = 0.65, 0.75
OF_MEANT = 0.5  # how much a word counts in a question that only means it
AT_MOST = 2  # of one file among all results, and of all errors: many of them have the same words
MEANT = Path(__file__).with_name("meant.txt")
SHORTEST, EXCERPT = 25, 150  # letters
SILENT = {
    *("a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how"),
    *("i", "in", "is", "it", "my", "not", "of", "on", "or", "that", "the", "this", "to", "was"),
    *("what", "when", "where", "which", "why", "with", "you", "your"),
    *("all", "between", "course", "difference", "into", *"bcdefghjklmnopqrstuvwxyz0123456789"),
}


@dataclass(frozen=True)
class Passage:
    """The text under one heading of a file."""

    file: str  # relative to the workspace
    title: str  # of the file
    heading: str
    place: str  # what a link to the file ends with to lead to the heading
    text: str
    code: str = ""

    @property
    def link(self) -> str:
        """Where it stands, as JupyterLab finds it from the folder of the workspace."""
        return quote(self.file) + self.place

    @property
    def worth(self) -> float:
        """A lesson explains what an exercise only asks, and what an error is an example of."""
        less = {content.FOLDERS[1]: OF_EXERCISES, content.ERRORS: OF_ERRORS}
        return less.get(self.file.rpartition("/")[0], 1.0)

    @property
    def name(self) -> str:
        """The file and the heading, as a reader meets them."""
        return self.title if self.heading == self.title else f"{self.title} › {self.heading}"

    def excerpt(self, words: set[str]) -> str:
        """The sentence with most of the words, shortened; no scrap or question if it can be."""
        sentences = [" ".join(one.split()) for one in re.split(r"(?<=[.:?!])\s|\n", self.text)]

        def fit(one: str) -> tuple[int, bool, bool]:
            return len(words & set(terms(one))), len(one) >= SHORTEST, not one.endswith("?")

        best = max(sentences, key=fit, default="")
        return best if len(best) <= EXCERPT else best[:EXCERPT].rsplit(" ", 1)[0] + " …"


def search(words: str) -> None:
    """Show where the course speaks of `words`, with links, the best place first.

    Raises TypeError if `words` is no text.
    """
    if not isinstance(words, str):
        raise TypeError(f'search() takes words in quotes, as in search("view copy"), not {words!r}')
    found = find(words)
    wanted = set(weigh_terms(words))
    if not found:
        show(Page(f"Nothing in the course speaks of {words!r}. Try another word for it."))
        return
    lines, items = [], []
    for passage in found:
        excerpt = passage.excerpt(wanted)
        lines += [f"{passage.name}  ({passage.file})", f"    {excerpt}"]
        link = f'<a href="{escape(to_root() + passage.link)}">{inline(passage.name)}</a>'
        items.append(f"<li>{link}<br>{escape(excerpt)}</li>")
    show(Page("\n".join(lines), html=f"<ol>{''.join(items)}</ol>"))


def find(words: str, most: int = MOST, within: str = "") -> list[Passage]:
    """The passages about `words`, the best first, no more than `most`; [] where there are none.

    `within` is how the names of their files begin.

    >>> find("where does a stride come from", most=1)[0].title
    '05 · Storage and strides'
    """
    passages, weights, holders = _index(content.root())
    mean = sum(sum(found.values()) for found in weights) / len(weights)
    scores: dict[int, float] = defaultdict(float)
    for term, counts in weigh_terms(words).items():
        among = holders.get(term, [])
        rarity = counts * math.log(1 + (len(passages) - len(among) + 0.5) / (len(among) + 0.5))
        for place in among:
            weight, length = weights[place][term], sum(weights[place].values())
            bound = SATURATION * (1 - LENGTH + LENGTH * length / mean)
            scores[place] += rarity * weight * (SATURATION + 1) / (weight + bound)
    best = sorted(scores, key=lambda place: -scores[place] * passages[place].worth)
    found = [passages[place] for place in best if passages[place].file.startswith(within)]
    return (found if within else _limit_per_file(found))[:most]


def _limit_per_file(found: list[Passage]) -> list[Passage]:
    """The passages without those whose file, or whose kind, has enough before them."""
    counts: dict[str, int] = defaultdict(int)
    kept = []
    for passage in found:
        kind = content.ERRORS if passage.file.startswith(content.ERRORS) else passage.file
        counts[kind] += 1
        if counts[kind] <= AT_MOST:
            kept.append(passage)
    return kept


def index() -> dict[str, Any]:
    """What the home page in JupyterLab needs to find the same passages in the same order."""
    passages, weights, holders = _index(content.root())
    postings = {
        term: [number for place in among for number in (place, weights[place][term])]
        for term, among in sorted(holders.items())
    }
    return {
        "silent": sorted(SILENT),
        "signs": _signs(),
        "meant": _load_synonyms(),
        "kinds": [content.ERRORS],
        "most": AT_MOST,
        "passages": [[p.file, p.name, p.place, p.text, p.worth] for p in passages],
        "lengths": [sum(found.values()) for found in weights],
        "postings": postings,
    }


def weigh_terms(words: str) -> dict[str, float]:
    """The terms of a question with how much each counts, those that it only means too.

    >>> weigh_terms("average with @")
    {'average': 1.0, '@': 1.0, 'matrix': 1.0, 'product': 1.0, 'matmul': 1.0, 'mean': 0.5}
    """
    signs = "|".join(map(re.escape, _signs()))
    given = dict.fromkeys(terms(words, signs), 1.0)
    found = dict(given)
    for key, more, counts in _load_synonyms():
        if all(term in given for term in key):
            found |= {term: counts for term in more if term not in found}
    return found


def _signs() -> list[str]:
    """The signs that have a meaning, long ones first."""
    signs = {term for key, *_ in _load_synonyms() for term in key if not terms(term)}
    return sorted(signs, key=lambda sign: (-len(sign), sign))


@cache
def _load_synonyms() -> list[tuple[list[str], list[str], float]]:
    """Terms that are asked for, those that they mean, and how much these count."""
    lines = MEANT.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" means ") for line in lines if not line.startswith("# ")]
    rows = [(key, more) for left, more in pairs for key in left.split(" | ")]
    return [(terms(a) or [a], terms(b), OF_MEANT if terms(a) else 1.0) for a, b in rows]


def terms(text: str, signs: str = "") -> list[str]:
    """The words of a text that are worth looking for, without common endings.

    >>> terms("How do I copy views of `requires_grad_()`?")
    ['copy', 'view', 'requires_grad', 'require', 'grad']
    """
    found = []
    for word in re.findall(f"[a-z0-9_]+{signs and '|' + signs}", text.lower()):
        word = word.strip("_")
        parts = word.split("_")
        found += [word, *map(_stem, parts)] if len(parts) > 1 else [_stem(word)]
    return [word for word in found if word and word not in SILENT]


def _stem(word: str) -> str:
    """A word without the endings that a question and its answer most often differ in.

    >>> [_stem(word) for word in ("copies", "views", "copying", "shared", "class", "strided")]
    ['copy', 'view', 'copy', 'share', 'class', 'stride']
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ed", "ing")) and len(word) > 5:
        word = word.removesuffix("ing").removesuffix("ed")
        return word + "e" if word.endswith(("ang", "ar", "at", "av", "id", "ov")) else word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


@cache
def _index(root: Path) -> tuple[list[Passage], list[dict[str, float]], dict[str, list[int]]]:
    """All passages; for each the weight of its terms; for each term the passages that hold it."""
    passages, weights = list(_passages(root)), []
    holders: dict[str, list[int]] = {}
    for place, passage in enumerate(passages):
        found: dict[str, float] = defaultdict(float)
        for part, weight in (
            (passage.heading, OF_HEADING),
            (passage.title, OF_TITLE),
            (passage.text, 1.0),
            (passage.code, OF_CODE),
        ):
            for term in terms(part):
                found[term] += weight
        weights.append(found)
        for term in found:
            holders.setdefault(term, []).append(place)
    return passages, weights, holders


def _passages(root: Path) -> Iterator[Passage]:
    for name in content.names(root):
        path = root / name
        if name.endswith(".ipynb"):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            yield from _of_cells(
                name, [(cell["cell_type"], text_of(cell), cell.get("id", "")) for cell in cells]
            )
        elif name.endswith(".md") and name.startswith(content.LOOK_UP) and path.stem != "README":
            yield from _of_cells(name, [("markdown", path.read_text(encoding="utf-8"), "")])


def _of_cells(name: str, cells: list[tuple[str, str, str]]) -> list[Passage]:
    """Cut a file at its headings, the page of an error nowhere; what stands in fences is code."""
    headings = r"# (.+)" if name.startswith(content.ERRORS) else r"#+ (.+)"
    text: list[str] = []
    code: list[str] = []
    parts: list[tuple[str, str, list[str], list[str]]] = []
    for kind, words, cell in cells:
        if kind == "code":
            code.append(words)
            continue
        fenced = False
        for line in re.sub(r"(?m)^\*\*(?:Next|Before)\*\*.*", "", words).splitlines():
            fenced ^= line.startswith("```")
            if not fenced and (found := re.match(headings, line)):
                text, code = [], []
                place = content.cell_place(cell) or f"#{_anchor(found[1])}"
                parts.append((found[1], place, text, code))
            elif fenced:
                code.append(line)
            elif text and text[-1] and line and not re.match(r"\s*([*-]\s|\d+\.\s|[|>])", line):
                text[-1] += f" {_plain(line)}"  # a paragraph goes on
            else:
                text.append(_plain(line))
    title = parts[0][0] if parts else ""
    return [
        Passage(name, title, head, place * (head != title), "\n".join(words), "\n".join(lines))
        for head, place, words, lines in parts
    ]


def _anchor(heading: str) -> str:
    """What JupyterLab calls the place of a heading in a page of Markdown.

    >>> _anchor("What does `view` do?")
    'What-does-view-do?'
    """
    return re.sub(r"\s+", "-", heading.replace("`", ""))


def _plain(line: str) -> str:
    """A line of Markdown as it is read: links by their words, no marks, no tags.

    >>> _plain("* `x` is *not* a **copy**, 2 * 3; see [lesson 06](06_views.ipynb).")
    'x is not a copy, 2 * 3; see lesson 06.'
    >>> _plain("| `a.t()` | (4, 3) | view |"), _plain("|:--|--:|")
    ('a.t() · (4, 3) · view', '')
    """
    line = re.sub(r"<[^>]+>", "", line)
    line = re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", line)
    line = re.sub(r"^[*>|#\s:-]+|`|\*+(?=\S)|(?<=\S)\*+|\s*\|\s*$", "", line)
    return re.sub(r"\s*\|\s*", " · ", line)
