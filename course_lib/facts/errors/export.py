"""What cannot leave a tensor."""

from __future__ import annotations

NUMPY_OF_TRACKED = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)


def not_one_element(size: int) -> str:
    return f"a Tensor with {size} elements cannot be converted to Scalar"
