"""Large models and graphs begin with an overview, whose boxes open where they stand."""

import re
import shutil
import subprocess

import pytest

from course_lib.viz import draw_graph, draw_module
from course_lib.viz.drawing.diagram import Diagram

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)


def gpt(lib, blocks=12):
    """A small GPT with a tied head, and numbers to call it with."""
    nn = lib.nn

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.c_attn, self.c_proj = nn.Linear(8, 24), nn.Linear(8, 8)

        def forward(self, x):
            parts = self.c_attn(x).split(8, dim=2)
            q, k, v = (part.unflatten(2, (2, 4)).transpose(1, 2) for part in parts)
            weights = (q @ k.transpose(2, 3) / 2).softmax(-1)
            return self.c_proj((weights @ v).transpose(1, 2).flatten(2))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(8), Attention(), nn.LayerNorm(8)
            self.mlp = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

        def forward(self, x):
            x = x + self.attn(self.ln_1(x))
            return x + self.mlp(self.ln_2(x))

    class GPT(nn.Module):
        def __init__(self):
            super().__init__()
            self.wte, self.spare = nn.Embedding(10, 8), nn.Linear(2, 2)
            self.h = nn.ModuleList([Block() for _ in range(blocks)])
            self.ln_f, self.head = nn.LayerNorm(8), nn.Linear(8, 10, bias=False)
            self.head.weight = self.wte.weight

        def forward(self, numbers):
            x = self.wte(numbers)
            for block in self.h:
                x = block(x)
            return self.head(self.ln_f(x))

    return GPT(), lib.zeros(1, 4, dtype=lib.int64)


def every(diagram: Diagram):
    """A diagram and all that its boxes open to."""
    yield diagram
    for _, inner in diagram.inside:
        yield from every(inner)


def test_a_model_begins_with_an_overview_whose_boxes_hold_the_rest(lib):
    model, numbers = gpt(lib)
    picture = draw_module(model, numbers, max_nodes=20)
    views = list(every(picture.diagram))
    assert len(views) > 2 and all(len(view.boxes) <= 22 for view in views)
    titles = [box.title for view in views for box in view.boxes]
    assert "h.1 ... h.11: Block" in titles and "c_proj: Linear" in titles
    assert "Inside attn: Attention" in picture.text and "    c_proj: Linear" in picture.text
    tied = next(box for box in picture.diagram.boxes if box.title == "head: Linear")
    assert tied.lines == ("weight (10, 8)", "weight is shared with wte.weight")


def test_a_graph_is_shown_by_the_modules_of_its_parameters(lib):
    model, numbers = gpt(lib)
    picture = draw_graph(model(numbers).sum(), params=model)
    views = list(every(picture.diagram))
    assert all(len(view.boxes) <= 40 for view in views)
    (blocks,) = [box for box in views[0].boxes if "..." in box.title]
    assert blocks.title == "h.0 ... h.11 \N{MULTIPLICATION SIGN} 12"
    assert "No gradient reaches spare.weight, spare.bias." in picture.text
    leaves = [box.title for view in views for box in view.boxes if box.kind == "leaf"]
    assert {"wte.weight", "ln_f.bias", "h.11.attn.c_proj.weight"} <= set(leaves)
    graph = draw_graph(model(numbers).sum(), params=model, fold=False, max_nodes=2000).diagram
    functions = {box.id for box in graph.boxes if box.kind == "function"}
    told = sum(int(box.tag.split()[0]) for box in views[0].boxes if "function" in box.tag)
    alone = sum(box.kind == "function" for box in views[0].boxes)
    assert told + alone == len(functions)  # none is left out


def test_what_boxes_open_to_is_light_and_only_in_a_living_picture(lib):
    model, numbers = gpt(lib)
    for picture in (
        draw_module(model, numbers, max_nodes=20),
        draw_graph(model(numbers).sum(), params=model),
    ):
        html = picture._repr_mimebundle_()["text/html"]
        assert len(html) < 300_000 and "data-inside" not in picture.svg


# Opens the first box that opens, looks, shuts it, then finds a name that is shut away.
STEPS = """<script>addEventListener("load", () => {
  const root = document.querySelector("[data-lm-suppress-shortcuts]").shadowRoot;
  const box = (told) => [...root.querySelectorAll("[data-box]")].find((one) =>
    one.dataset.told.startsWith(told));
  const seen = (told) => box(told)?.getClientRects().length > 0;
  const press = (key, at) => at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const high = () => parseFloat(root.querySelector("svg").getAttribute("height"));
  const [before, said] = [high(), []];
  said.push(seen("attn"), seen("c_proj"));
  press("Enter", box("attn"));
  said.push(seen("attn"), seen("c_proj"), high() > before + 100);
  press("Escape", box("c_proj"));
  said.push(seen("attn"), seen("c_proj"), high() === before);
  const find = root.querySelector("input");
  find.value = "C_PROJ";
  press("Enter", find);
  said.push(seen("c_proj"), root.activeElement === box("c_proj"));
  document.title = said.join();
  document.body.append(`said ${said.join()}.`);
});</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium to click in")
def test_a_box_opens_shuts_and_is_found_in_a_browser(tmp_path):
    import course_lib

    model, numbers = gpt(course_lib)
    page = draw_module(model, numbers, max_nodes=20).save(tmp_path / "model.html")
    page.write_text(page.read_text(encoding="utf-8") + STEPS, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/user"]
    shown = subprocess.run(
        [CHROMIUM, *options, "--virtual-time-budget=4000", "--dump-dom", page.as_uri()],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    said = re.search(r"said ([a-z,]+)\.", shown.stdout)
    assert said is not None, shown.stderr[-2000:]
    assert said[1] == "true,false,false,true,true,true,false,true,true,true"
