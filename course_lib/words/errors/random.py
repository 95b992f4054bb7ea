"""Errors of generators and random functions."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.arguments import kind_of

NEGATIVE_STD = "normal expects all elements of std >= 0.0"
COMPLEX_STD = "normal expects standard deviation to be non-complex"
CUDA_GENERATOR = (
    "Cannot get CUDA generator without ATen_cuda library. PyTorch splits its backend into two "
    "shared libraries: a CPU library and a CUDA library; this error has occurred because you are "
    "trying to use some CUDA functionality, but the CUDA library has not been loaded by the "
    "dynamic linker for some reason.  The CUDA library MUST be loaded, EVEN IF you don't directly "
    "use any symbols from the CUDA library! One common culprit is a lack of -Wl,--no-as-needed in "
    "your link arguments; many dynamic linkers will delete dynamic library dependencies if you "
    "don't depend on any of their symbols.  You can check if this has occurred by using ldd on "
    "your binary to see if there is a dependency on *_cuda.so library."
)


def no_generator(kind: str) -> str:
    return f"{kind.upper()} device type not an accelerator."


def byte_tensor_expected(value: Any) -> str:
    return f"expected a torch.ByteTensor, but got {kind_of(value)}"
