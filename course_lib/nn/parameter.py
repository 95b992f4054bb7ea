"""Parameters: the tensors of a module that training changes."""

from typing import Any

from course_lib.calls.missing import complete_module as _completed
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.ops.make.creation import empty
from course_lib.words import errors

__all__ = ["Parameter"]


class Parameter(Tensor):
    """A tensor that a module registers when it is assigned to one of the module's attributes.

    It shares the memory of `data` and, unlike other tensors, requires grad unless told otherwise.

    >>> torch.nn.Parameter(torch.tensor([1., 2.]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        data = empty(0) if data is None else data
        made = data.detach()
        made.__class__ = cls
        if requires_grad and made.dtype.category < dtypes.FLOATING:
            raise RuntimeError(errors.ONLY_FLOATING_FACTORY)
        made.requires_grad = requires_grad
        return made

    def __deepcopy__(self, memo: dict) -> Any:
        if id(self) not in memo:
            copied = self.data.clone()
            memo[id(self)] = type(self)(copied, self.requires_grad)
        return memo[id(self)]

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"


def fresh(size: Any, device: Any, dtype: Any, wanted: Any = True) -> Parameter | None:
    """A parameter for a layer to fill; None if it is not `wanted`."""
    return Parameter(empty(size, device=device, dtype=dtype)) if wanted else None


__getattr__, __dir__ = _completed(globals(), "nn.parameter")
