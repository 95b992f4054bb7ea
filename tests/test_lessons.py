"""Every lesson is stored as it ran, shows nothing that a reader cannot use, and leads nowhere dead.

That the stored outputs are still what the library gives is nbval's business: it runs notebooks/
and solutions/ in the same suite. A notebook that was never run would pass there, so it fails here.
"""

import copy
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from store_lessons import NAME, name_cells, tidy
from test_claims import listed

from course_lib.classroom import content
from course_lib.classroom.copies import guess_in, part_in
from course_lib.classroom.source import stub_of

ROOT = Path(__file__).resolve().parents[1]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DOCS = sorted((ROOT / "docs").rglob("*.md"))
TAGS = {
    "course-only": "left out of the oracle run: it shows what only course_lib has",
    "raises-exception": "the failure on purpose; nbval compares the error",
}
CLAIMS = {f"claim-{number}" for number in listed()}  # tags of the cells that answer a claim
Notebook = nbformat.NotebookNode


def code(notebook: Notebook) -> list[Notebook]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook: Notebook) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def tags(cell: Notebook) -> set[str]:
    return set(cell.metadata.get("tags", []))


# ---- the rules: each says what is wrong, or nothing ----------------------------------------------


def executed_in_order(notebook: Notebook) -> list[str]:
    counts = [cell.execution_count for cell in code(notebook)]
    return [] if counts == list(range(1, len(counts) + 1)) else [f"cells were run as {counts}"]


def errors_only_on_purpose(notebook: Notebook) -> list[str]:
    wrong = []
    for cell in code(notebook):
        raised = any(output.output_type == "error" for output in cell.outputs)
        if raised != ("raises-exception" in tags(cell)):
            wrong.append(f"{cell.id}: {'raised' if raised else 'did not raise'}")
    return wrong


def tags_are_known(notebook: Notebook) -> list[str]:
    known = {*TAGS, *CLAIMS}
    return [f"{cell.id}: {tags(cell) - known}" for cell in notebook.cells if tags(cell) - known]


def ids_are_words(notebook: Notebook) -> list[str]:
    ids = [cell.id for cell in notebook.cells]
    wrong = [name for name in ids if not NAME.fullmatch(name)]
    return wrong + sorted({name for name in ids if ids.count(name) > 1})


def pictures_speak(notebook: Notebook) -> list[str]:
    """Alt text, and a text form that is no mere `<Figure …>`."""
    wrong = []
    for cell in code(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            html = data.get("text/html", "")
            if any(kind.startswith("image/") for kind in data) and "<img" not in html:
                wrong.append(f"{cell.id}: a picture without alt text")
            if any(not re.search(r'alt="[^"]', image) for image in re.findall(r"<img[^>]*>", html)):
                wrong.append(f"{cell.id}: an empty alt text")
            if "<img" in html and data.get("text/plain", "<")[:1] in "<":
                wrong.append(f"{cell.id}: a picture without a text form")
    images = re.findall(r"!\[(.*?)\]\(", without_code(prose(notebook)))
    return wrong + ["an image in the text without alt text" for alt in images if not alt.strip()]


def outputs_name_no_machine(notebook: Notebook) -> list[str]:
    """No address, no path, no process: they differ with every run."""
    marks = re.compile(r"0x[0-9a-f]{6,}|site-packages|ipykernel_\d|/home/|/Users/|[A-Z]:\\")
    files = re.compile(r"\bFile\b.{0,20}[~/\\]")
    shown = {cell.id: str(cell.outputs) for cell in code(notebook)}
    return [name for name, text in shown.items() if marks.search(text) or files.search(text)]


def has_the_parts_of_a_lesson(notebook: Notebook) -> list[str]:
    title = notebook.cells[0].source
    wrong = [] if re.match(r"# \d\d · \S", title) else ["no title such as `# 05 · Storage`"]
    if len(re.findall(r"^\* ", title, flags=re.MULTILINE)) != 3:
        wrong.append("not three objectives")
    for part in ("After this lesson you can", "**Time**", "**You need**"):
        wrong += [] if part in title else [f"the first cell lacks {part}"]
    for part in ("## Recap", "**In PyTorch.**", "**Next**"):
        wrong += [] if part in prose(notebook) else [f"no {part}"]
    if not (any(map(guess_in, notebook.cells)) or "redict before you run" in prose(notebook)):
        wrong.append("nothing to guess")
    if not any("raises-exception" in tags(cell) for cell in code(notebook)):
        wrong.append("no failure on purpose")
    return wrong


def is_neither_short_nor_long(notebook: Notebook) -> list[str]:
    """As a reader gets it: what is typed or built there comes on top of the cells."""
    cells = sum(not (guess_in(cell) or is_built_or_tried(cell)) for cell in code(notebook))
    first, *others = code(notebook)  # the first one is run before it is read
    long = [cell.id for cell in others if len(stub_of(cell.source).splitlines()) > 10]
    long += [first.id] if len(first.source.splitlines()) > 20 else []
    return [f"{cells} code cells"] * (not 12 <= cells <= 35) + [f"{name} is long" for name in long]


def is_built_or_tried(cell: Notebook) -> bool:
    return bool(part_in(cell)) or re.search(r"^expect\(", cell.source, re.MULTILINE) is not None


def does_not_shout(notebook: Notebook) -> list[str]:
    return re.findall(r"\w+!", without_code(prose(notebook)))


def uses_no_output_of_another_cell(notebook: Notebook) -> list[str]:
    """`_` and `Out[3]` mean something else after the next run."""
    marks = re.compile(r"(?<![\w.])(_|_\d+|Out\[\d+\]|In\[\d+\])(?![\w=])(?! =)")
    return [cell.id for cell in code(notebook) if marks.search(cell.source)]


RULES = [
    executed_in_order,
    errors_only_on_purpose,
    tags_are_known,
    ids_are_words,
    pictures_speak,
    outputs_name_no_machine,
    has_the_parts_of_a_lesson,
    is_neither_short_nor_long,
    does_not_shout,
    uses_no_output_of_another_cell,
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson(path, rule):
    assert not rule(nbformat.read(path, as_version=4))


# ---- the rules themselves: each finds the fault it is for ----------------------------------------


def plant(change: Callable[[list[Notebook]], object]) -> Notebook:
    """The welcome lesson after `change` was made to its code cells."""
    notebook = copy.deepcopy(nbformat.read(LESSONS[0], as_version=4))
    change(code(notebook))
    return notebook


def show(cells: list[Notebook], **data: str) -> None:
    bundle = {key.replace("_", "/"): value for key, value in data.items()}
    cells[0].outputs = [nbformat.v4.new_output("display_data", bundle)]


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        (executed_in_order, lambda cells: cells[3].update(execution_count=None)),
        (executed_in_order, lambda cells: cells[0].update(execution_count=2)),
        (errors_only_on_purpose, lambda cells: cells[0].metadata.update(tags=["raises-exception"])),
        (errors_only_on_purpose, lambda cells: [c.metadata.pop("tags", None) for c in cells]),
        (tags_are_known, lambda cells: cells[0].metadata.update(tags=["rises-exception"])),
        (tags_are_known, lambda cells: cells[0].metadata.update(tags=["claim-CRE99"])),
        (ids_are_words, lambda cells: cells[0].update(id="3f2a-99")),
        (ids_are_words, lambda cells: cells[0].update(id=cells[1].id)),
        (pictures_speak, lambda cells: show(cells, image_png="aGk=", text_plain="a dot")),
        (pictures_speak, lambda cells: show(cells, text_html='<img alt="">', text_plain="a dot")),
        (pictures_speak, lambda cells: show(cells, text_html='<img alt="a">', text_plain="<Fig>")),
        (outputs_name_no_machine, lambda cells: show(cells, text_plain="<f at 0x7f3a5c2d1e40>")),
        (outputs_name_no_machine, lambda cells: show(cells, text_plain="File ~/lib/x.py:12, in f")),
        (has_the_parts_of_a_lesson, lambda cells: [c.metadata.pop("tags", None) for c in cells]),
        (is_neither_short_nor_long, lambda cells: cells[0].update(source="1\n" * 21)),
        (is_neither_short_nor_long, lambda cells: cells[1].update(source="1\n" * 11)),
        (does_not_shout, lambda cells: cells[0].update(cell_type="markdown", source="Well done!")),
        (uses_no_output_of_another_cell, lambda cells: cells[0].update(source="print(_)")),
        (uses_no_output_of_another_cell, lambda cells: cells[0].update(source="Out[3] + 1")),
    ],
)
def test_a_planted_fault_is_found(rule, change):
    assert rule(plant(change))


# ---- storing a lesson ----------------------------------------------------------------------------


def test_a_cell_named_at_random_is_named_after_its_words():
    sources = ["## Two rows of it", "x = torch.ones(2)", "## Two rows of it", "1", "kept"]
    ids = ["0badcafe", "1234abcd", "ddafeefa", "e1e1e1e1", "my-own"]  # the third: letters by chance
    cells = [nbformat.v4.new_code_cell(s, id=i) for s, i in zip(sources, ids, strict=True)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    name_cells(notebook)
    names = [cell.id for cell in notebook.cells]
    assert names == ["two-rows-of", "x-torch-ones", "two-rows-of-2", "code", "my-own"]


def test_a_stored_traceback_holds_the_readers_own_lines_only():
    parts = [
        "----",
        "\x1b[36mCell\x1b[39m In[1], line 1",
        "\x1b[36mFile \x1b[39m~/x.py:1",
        "Error: no",
    ]
    error = nbformat.v4.new_output("error", ename="Error", evalue="no", traceback=parts)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("f()", outputs=[error])])
    tidy(notebook)
    assert notebook.cells[0].outputs[0].traceback == [*parts[:2], parts[3]]


def test_printed_text_is_stored_in_one_piece():
    pieces = [("stdout", "turn"), ("stdout", " 1\n"), ("stderr", "oh\n"), ("stdout", "turn 2\n")]
    streams = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in pieces]
    shown = nbformat.v4.new_output("display_data", {"text/plain": "a dot"})
    cell = nbformat.v4.new_code_cell("f()", outputs=[*streams, shown])
    tidy(nbformat.v4.new_notebook(cells=[cell]))
    assert [output.get("text") for output in cell.outputs] == ["turn 1\n", "oh\n", "turn 2\n", None]
    pieces = ["start\n\r1/3", "\r2/3", "\r3/3\nend\r\n"]  # of a progress bar the last state
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text) for text in pieces]
    tidy(nbformat.v4.new_notebook(cells=[cell]))
    assert [output.text for output in cell.outputs] == ["start\n3/3\nend\r\n"]


# ---- the data of lessons -------------------------------------------------------------------------


def opened(notebook: Notebook) -> list[str]:
    """The files that a lesson opens, by the names it gives."""
    sources = "\n".join(cell.source for cell in code(notebook))
    return re.findall(r"\bopen\(\s*[rf]?[\"']([^\"']+)", sources)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_what_a_lesson_opens_is_copied_with_it(path):
    """A name relative to the lesson's own folder, of a file that goes into every workspace."""
    copied = set(content.names(ROOT))
    names = opened(nbformat.read(path, as_version=4))
    assert [name for name in names if f"notebooks/{name}" not in copied] == []
    planted = plant(lambda cells: cells[0].update(source="with open('/tmp/a.csv') as file: pass"))
    assert opened(planted) == ["/tmp/a.csv"]


def test_every_file_of_data_has_a_note_of_its_origin_and_licence():
    note = (ROOT / "notebooks/data/README.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", note, re.MULTILINE | re.DOTALL))
    files = {path.name for path in (ROOT / "notebooks/data").iterdir()} - {"README.md"}
    assert files == set(sections)
    assert [name for name, text in sections.items() if "**Licence**" not in text] == []


# ---- between lessons -----------------------------------------------------------------------------


def test_fewer_than_ten_cells_of_the_course_are_kept_from_the_oracle():
    every = [cell for path in LESSONS for cell in code(nbformat.read(path, as_version=4))]
    assert sum("course-only" in tags(cell) for cell in every) < 10


def links(path: Path) -> list[str]:
    if path.suffix == ".ipynb":
        text = prose(nbformat.read(path, as_version=4))
    else:
        text = path.read_text(encoding="utf-8")
    return re.findall(r'\]\(([^)\s]+)\)|(?:src|href|srcset)="([^"]+)"', without_code(text))


@pytest.mark.parametrize(
    "path",
    [*LESSONS, *sorted((ROOT / "exercises").glob("*.ipynb")), *sorted(ROOT.glob("*.md")), *DOCS],
    ids=lambda path: path.name,
)
def test_every_link_leads_to_a_file_that_is_there(path):
    found = [one or other for one, other in links(path)]
    local = [link.partition("#")[0] for link in found if "://" not in link]
    assert [link for link in local if link and not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_leads_to_its_exercises_and_to_its_neighbours(path):
    text, number = prose(nbformat.read(path, as_version=4)), int(path.name[:2])
    exercises, missing = f"../exercises/ex{path.name}", []
    if (path.parent / exercises).exists() and f"]({exercises})" not in text:
        missing.append(exercises)
    for neighbour in LESSONS:
        if abs(int(neighbour.name[:2]) - number) == 1 and f"]({neighbour.name})" not in text:
            missing.append(neighbour.name)
    assert missing == []
