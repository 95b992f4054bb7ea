"""Large models and graphs begin with an overview, whose boxes open where they stand."""

import importlib
import re
import shutil
import subprocess

import pytest

from course_lib.viz import draw_backward, draw_graph, draw_module
from course_lib.viz.drawing.diagram import Diagram

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)


def gpt(lib, blocks=12):
    """A model like GPT, its head tied, and numbers to call it with."""
    nn = lib.nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            parts = [part for _ in range(4) for part in (nn.Linear(8, 8), nn.Tanh())]
            self.ln_1, self.ln_2 = nn.LayerNorm(8), nn.LayerNorm(8)
            self.attn = nn.Sequential(*parts)
            self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8, bias=False))

        def forward(self, x):
            x = x + self.attn(self.ln_1(x))
            return x + self.mlp(self.ln_2(x))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.wte, self.spare = nn.Embedding(10, 8), nn.Linear(2, 2)
            self.h = nn.Sequential(*[Block() for _ in range(blocks)])
            self.ln_f, self.head = nn.LayerNorm(8), nn.Linear(8, 10, bias=False)
            self.head.weight = self.wte.weight

        def forward(self, numbers):
            return self.head(self.ln_f(self.h(self.wte(numbers))))

    return GPT(), lib.zeros(1, 4, dtype=lib.int64)


def every(diagram: Diagram):
    """A diagram and all that its boxes open to."""
    yield diagram
    for _, inner in diagram.inside:
        yield from every(inner)


def test_a_model_begins_with_an_overview_whose_boxes_hold_the_rest(lib):
    model, numbers = gpt(lib)
    picture = draw_module(model, numbers, max_nodes=14)
    views = list(every(picture.diagram))
    assert len(views) > 2 and all(len(view.boxes) <= 16 for view in views)
    assert {"1 ... 11: Block", "6: Linear"} <= {b.title for view in views for b in view.boxes}
    assert len(picture._html()) < 70_000 and "data-inside" not in picture.svg
    assert "Inside attn: Sequential" in picture.text and "    6: Linear" in picture.text
    tied = next(box for box in picture.diagram.boxes if box.title == "head: Linear")
    assert tied.lines == ("weight (10, 8)", "weight is shared with wte.weight")


def test_a_graph_is_shown_by_the_modules_of_its_parameters(lib):
    model, numbers = gpt(lib)
    picture = draw_graph(model(numbers).sum(), params=model)
    views = list(every(picture.diagram))
    assert all(len(v.boxes) == len({(b.number, b.title) for b in v.boxes}) <= 40 for v in views)
    assert len(picture._html()) < 140_000 and "data-inside" not in picture.svg
    boxes = views[0].boxes
    assert "h.0 ... h.11 \N{MULTIPLICATION SIGN} 12" in [box.title for box in boxes]
    assert "No gradient reaches spare.weight, spare.bias." in picture.text
    leaves = [box.title for view in views for box in view.boxes if box.kind == "leaf"]
    assert {"wte.weight, head.weight", "ln_f.bias", "h.11.attn.6.weight"} <= set(leaves)
    (tied,) = (box for box in boxes if box.title.startswith("wte"))
    assert tied.tag == "leaf, shared"
    frames = {group.title: group.boxes for group in views[0].groups}
    assert "head" in frames and "wte" not in frames and tied.id not in frames["head"]
    graph = draw_graph(model(numbers).sum(), params=model, fold=False, max_nodes=1400).diagram
    functions = {box.id for box in graph.boxes if box.kind == "function"}
    told = [b.tag.split()[0] if "function" in b.tag else b.kind == "function" for b in boxes]
    assert sum(map(int, told)) == len(functions)  # none is left out
    run = importlib.import_module(f"{lib.__name__}.utils.checkpoint").checkpoint
    spare = run(model.spare, lib.ones(1, 2, requires_grad=True), use_reentrant=True)
    assert "No gradient" not in draw_graph(model(numbers).sum() + spare.sum(), params=model).text


def test_what_runs_between_two_blocks_is_told_apart_by_what_all_of_them_do(lib):
    nn, model = lib.nn, lib.nn.Module()
    blocks = [nn.Sequential(nn.Tanh(), *[nn.Linear(4, 4) for _ in range(9)]) for _ in range(5)]
    model.embed, model.layers = nn.Linear(4, 4), nn.ModuleList(blocks)
    y = model.embed(lib.ones(4, 4)).cos()
    for block in model.layers:
        y = block(y).sigmoid()
    (view, *_) = every(draw_graph(y.log().sum(), params=model).diagram)
    titles = [box.title for box in view.boxes if box.kind != "leaf"]
    name = "layers.0 ... layers.4 \N{MULTIPLICATION SIGN} 5"
    assert titles[:5] == ["output", "SumBackward0", "LogBackward0", name, "CosBackward0"]
    assert ("layers.4 layers.3 layers.2 layers.1 layers.0",) in {box.alike for box in view.boxes}


# Opens the first box that opens, looks, shuts it, then finds a name that is shut away.
STEPS = """<script>addEventListener("load", () => {
  const root = document.querySelector("[data-lm-suppress-shortcuts]").shadowRoot;
  const box = (told) => [...root.querySelectorAll("[data-box]")].find((one) =>
    one.dataset.told.startsWith(told));
  const seen = (told) => box(told)?.getClientRects().length > 0;
  const press = (key, at) => at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const high = () => parseFloat(root.querySelector("svg").getAttribute("height"));
  const [before, said] = [high(), [seen("attn"), seen("6: Linear")]];
  press("Enter", box("attn"));
  said.push(seen("attn"), seen("6: Linear"), high() > before + 100);
  const edge = (of, side) => root.querySelector(of).getBoundingClientRect()[side];
  const tip = `[data-head="${box("attn").dataset.box}"] polygon`;
  said.push(Math.abs(edge(tip, "bottom") - edge(".frame rect", "top")) < 3);
  // the arrow that goes past what is opened does not run behind it
  const paper = root.querySelector(".frame rect").getBoundingClientRect();
  const ends = ["wte", "1 add"].map((told) => box(told).dataset.box);
  const past = root.querySelector(`[data-tail="${ends[0]}"][data-head="${ends[1]}"] path`);
  const places = Array.from({ length: 100 }, (_, k) => {
    const at = past.getPointAtLength(past.getTotalLength() * k / 99);
    return at.matrixTransform(past.getScreenCTM());
  });
  said.push(places.every(({ x, y }) => x < paper.left || x > paper.right || y < paper.top
    || y > paper.bottom));
  press("Escape", box("6: Linear"));
  said.push(seen("attn"), seen("6: Linear"), high() === before);
  const find = root.querySelector("input");
  find.value = "no such name"; press("Enter", find); said.push(find.validationMessage);
  find.value = "h.3.attn.6"; press("Enter", find);  // the first block stands for it
  said.push(seen("6: Linear"), root.activeElement === box("6: Linear"));
  document.body.append(`said ${said.join()}.`);
});</script>"""


# Goes one step on in a film, then plays and stops it: it is not read aloud while it plays.
FILM = """<script>addEventListener("load", () => {
  const root = document.querySelector("[data-lm-suppress-shortcuts]").shadowRoot;
  const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
  root.querySelector(".root").dispatchEvent(key);
  const all = [...root.querySelectorAll("text")].flatMap((one) => one.getAnimations());
  const moves = all.map((one) => one.effect.getKeyframes()[0].transform ?? "");
  const said = [moves.some((move) => move.startsWith("translate"))];
  for (const _ of ["Play", "Pause"]) {
    root.querySelector(".player button").click();
    said.push(root.querySelector(".heard").ariaLive);
  }
  document.body.append(`said ${said.join()}.`);
});</script>"""


def said(picture, script, tmp_path, *more):
    """What a script says in a page with that picture."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium to click in")
    page = picture.save(tmp_path / "picture.html")
    page.write_text(page.read_text(encoding="utf-8") + script, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user"]
    shown = subprocess.run(
        [CHROMIUM, *options, *more, "--virtual-time-budget=4000", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    found = re.search(r"said ([A-Za-z ,]+)\.", shown.stdout)
    assert found is not None, shown.stderr[-2000:]
    return found[1]


def test_a_box_opens_shuts_and_is_found_in_a_browser(tmp_path):
    model, numbers = gpt(importlib.import_module("course_lib"))
    picture = draw_module(model, numbers, max_nodes=14)
    opened = "true,false,false,true,true,true,true,true,false,true,Not found,true,true"
    assert said(picture, STEPS, tmp_path) == opened


@pytest.mark.parametrize(
    ("more", "moves"), [((), "true"), (("--force-prefers-reduced-motion",), "false")]
)
def test_what_is_new_in_a_step_glides_unless_the_reader_wants_less_motion(tmp_path, more, moves):
    lib = importlib.import_module("course_lib")
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    assert said(draw_backward((x * x).exp().sum()), FILM, tmp_path, *more) == f"{moves},off,polite"
