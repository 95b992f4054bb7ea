"""A notebook kernel in which `import course_lib as torch` gives real PyTorch.

    python oracle_kernel.py -f CONNECTION_FILE        as Jupyter starts it

`course_lib` and every module below it that PyTorch has under the same name (`course_lib.nn`,
`course_lib.utils.data`) are PyTorch's; what stands on top of the library and reads only public
names, the pictures and the checks, stays the course's own and is given PyTorch's tensors.
"""

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

COURSE = Path(__file__).resolve().parents[1] / "course_lib"
OURS = ("course_lib.viz", "course_lib.classroom")


class Alias(MetaPathFinder, Loader):
    """Finds `course_lib.nn` where `torch.nn` is, and the course's own modules where they lie."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name in OURS:  # what lies below is then looked for there, by the ordinary finder
            return PathFinder.find_spec(name, [str(COURSE)])
        if name.partition(".")[0] == "course_lib" and not name.startswith(OURS):
            return ModuleSpec(name, self)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module("torch" + spec.name.removeprefix("course_lib"))
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # it ran long ago; only the import system put its own here


if __name__ == "__main__":
    sys.path[0] = ""  # as in any kernel: not this folder, but that of the notebook
    sys.meta_path.insert(0, Alias())
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance()
