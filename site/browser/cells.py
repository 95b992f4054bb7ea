"""Runs in Pyodide: every code cell of a notebook, by the kernel that the browser edition has."""

import json
import os
import sys
from typing import Any

import pyodide_kernel

Output = dict[str, Any]


async def run(notebook: str) -> str:
    """What each code cell shows, as JSON: `{"cells": [[output, …], …]}` in nbformat's words."""
    begin_anew(os.path.dirname(notebook))
    with open(notebook, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    shown = [await outputs(cell) for cell in cells if cell["cell_type"] == "code"]
    return json.dumps({"cells": shown, "plots": "matplotlib" in sys.modules})


def begin_anew(folder: str) -> None:
    """As after a restart of the kernel: no names, the library not yet imported."""
    os.chdir(folder)
    for name in [name for name in sys.modules if name.partition(".")[0] == "course_lib"]:
        del sys.modules[name]
    pyodide_kernel.kernel_instance.lite_transform_manager.cleanup_transforms.clear()
    pyodide_kernel.ipython_shell.reset()


async def outputs(cell: dict[str, Any]) -> list[Output]:
    """What one cell shows, an error last."""
    found: list[Output] = []
    goes_on = "raises-exception" in cell["metadata"].get("tags", ())  # as JupyterLab asks for it
    pyodide_kernel.kernel_instance._parent_header = {"content": {"stop_on_error": not goes_on}}
    shell = pyodide_kernel.ipython_shell
    publisher, hook = shell.display_pub, shell.displayhook

    def stream(name: str, text: str) -> None:
        found.append({"output_type": "stream", "name": name, "text": text})

    named: dict[str, Output] = {}

    def display(data: Any, metadata: Any = None, transient: Any = None) -> None:
        output = {"output_type": "display_data", "data": data}
        found.append(output)
        named[(transient or {}).get("display_id", "")] = output

    def update(data: Any, metadata: Any, transient: Any) -> None:
        named[transient["display_id"]]["data"] = data  # in its old place

    def result(_: int, data: Any, *rest: Any) -> None:
        found.append({"output_type": "execute_result", "data": data})

    for one in (pyodide_kernel.stdout_stream, pyodide_kernel.stderr_stream):
        one.publish_stream_callback = stream
    publisher.display_data_callback = display
    publisher.update_display_data_callback = update
    publisher.clear_output_callback = lambda wait: found.clear()
    hook.publish_execution_result = result
    shell.send_comm = lambda *message: None  # a slider is drawn, and nobody moves it
    done = await pyodide_kernel.kernel_instance.run("".join(cell["source"]))
    if done["status"] == "error":
        error = {name: done[name] for name in ("ename", "evalue", "traceback")}
        found.append({"output_type": "error"} | error)
    return found
