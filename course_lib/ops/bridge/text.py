"""What `repr`, `print` and format strings show of a tensor."""

from __future__ import annotations

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach
from course_lib.dtypes import dtypes
from course_lib.words.printing import tensor_text

__all__: list[str] = []


def as_text(self: Tensor, *, tensor_contents: str | None = None) -> str:
    """The text that `repr` and `print` show; `tensor_contents` replaces the text of the elements.

    >>> repr(torch.tensor([1., 2.]))
    'tensor([1., 2.])'
    """
    try:
        node = self.grad_fn
        grad_fn = None if node is None else type(node).__name__
    except RuntimeError:  # a view whose history cannot be rebuilt still has its elements
        grad_fn = "Invalid"
    kind = type(self)
    plain = kind is Tensor or kind.__name__ == "Parameter"
    return tensor_text(
        self._array,
        self._dtype,
        default_dtype=dtypes.default_dtype(),
        device=self.device,
        requires_grad=self._requires_grad,
        grad_fn=grad_fn,
        name="tensor" if plain else kind.__name__,
        contents=tensor_contents,
    )


def formatted(self: Tensor, spec: str) -> str:
    """A 0-dim tensor formats as its number; any other only without a `spec`.

    >>> f"{torch.tensor(1.5):.2f}"
    '1.50'
    """
    if not self._array.shape and type(self) is Tensor and self.device.type != "meta":
        return format(self._array.item(), spec)
    return object.__format__(self, spec)


attach({"__repr__": as_text, "__format__": formatted})
