"""What `get_ipython()` gives an answer: the usual methods are there, and do nothing.

A notebook that was exported and made anew says `get_ipython().run_line_magic("matplotlib",
"inline")` for a magic. In a run there is no IPython, and no magic is needed for an answer.
"""

from typing import Any


class Events:
    """`get_ipython().events`: nothing ever happens."""

    def register(self, event: str, *_: Any, **__: Any) -> None:
        """Nothing is called."""

    unregister = trigger = register


class Shell:
    """Stands for IPython's shell.

    >>> Shell({}).run_line_magic("matplotlib", "inline")
    >>> Shell({}).getoutput("ls")
    []
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.user_ns = names
        self.events = Events()

    def nothing(self, *_: Any, **__: Any) -> None:
        """Whatever was asked for is not done."""

    def getoutput(self, *_: Any, **__: Any) -> list[str]:
        """No command runs, and so none prints a line."""
        return []

    run_line_magic = run_cell_magic = magic = nothing
    system = system_piped = system_raw = run_cell = nothing
    enable_gui = enable_matplotlib = enable_pylab = set_next_input = set_custom_exc = nothing
    register_magics = register_magic_function = nothing
