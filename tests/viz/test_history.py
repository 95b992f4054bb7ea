"""Why backward has nothing to start from: what `explain` finds in the code."""

import linecache

import pytest

from course_lib.viz import explain

NOT_TOLD = "The code does not tell where it was lost."

# A program, and what is said of it. `x` requires grad; `c` and the numbers do not. The usual ways
# to lose a history are among the situations of test_explain.py.
LOST = [
    ("loss = x.eq(c).float().sum()\nloss.backward()", "line 1: x.eq(c) is a comparison"),
    ("y = x * 2\ny.detach_()\ny.sum().backward()", "line 2: y.detach_() cuts"),
    ("y = torch.zeros(2)\ny[0] = x.detach()[0]\ny.sum().backward()", "line 2: x.detach() cuts"),
    ("ys = []\nfor k in (1, 2):\n    ys.append(x.data * k)\nsum(ys).sum().backward()",
        "line 3: x.data gives the numbers of x without"),
    ("for k in (1, 2):\n    loss = (x * c).sum()\n    loss.backward()\n"
        "    with torch.no_grad():\n        x = x - x.grad",
        "line 5: (x - x.grad) was computed under torch.no_grad()"),
    ("x.to(torch.int64).sum().backward()", "x.to(torch.int64) gives whole numbers"),
    ("a = np.exp(x.tolist())\ntorch.from_numpy(a).sum().backward()",
        "line 1: x.tolist() gives plain numbers"),
    ("torch.ones(2).argmax().backward()", "Nothing that it was computed from requires grad."),
    ("net.requires_grad_(False)\nnet(c).sum().backward()", "requires grad: c, net.parameters()."),
    ("net(c).argmax().backward()", "argmax gives positions"),
    ("def step(loss):\n    loss.backward()\nstep(x.detach().sum())",
        "x.detach() cuts the history off"),
    ("y = x.detach() if c[0] else x * 1\ny.sum().backward()", NOT_TOLD),
    ("if c[0]:\n    y = x.sum().detach()\nelse:\n    y = x.argmax().float()\ny.backward()",
        NOT_TOLD),
    ("if c[0]:\n    y = x.sum().detach()\nelse:\n    y = x.sum()\ny.backward()",
        "line 2: x.sum().detach() cuts"),
    ("held = {'loss': x.detach().sum()}\nheld['loss'].backward()", NOT_TOLD),
    ("y = eval('x.detach()')\ny.sum().backward()", NOT_TOLD),
    ("y = x.sum().detach()\nx = c\ny.backward()", "line 1: x.sum().detach() cuts"),
    ("torch.autograd.backward([x.sum(), x.detach().sum()])", "x.detach() cuts"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "words"), LOST)
@pytest.mark.filterwarnings("ignore")
def test_what_ended_a_history_is_told(lib, run, code, words):
    scope = {"c": lib.ones(2), "net": lib.nn.Linear(2, 1)}
    with pytest.raises(RuntimeError) as caught:
        run(code, **scope)
    lines = explain(caught.value).text.splitlines()
    assert words in lines[lines.index("What to do") - 1]


def test_in_a_notebook_the_cells_before_are_read_too(x):
    cells = ["", "%time\ny = x.detach()", "loss = y.sum()", "loss.backward()", "later = 1"]
    scope = {"__name__": "__main__", "x": x, "In": cells, "get_ipython": None}
    with pytest.raises(RuntimeError) as caught:
        for n, cell in enumerate(cells[:4]):
            linecache.cache[f"<cell {n}>"] = (len(cell), None, cell.splitlines(keepends=True), "")
            exec(compile(cell.replace("%time", ""), f"<cell {n}>", "exec"), scope)
    assert "In [1], line 2: x.detach() cuts the history off" in explain(caught.value).text
