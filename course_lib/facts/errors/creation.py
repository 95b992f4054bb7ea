"""What cannot become a tensor."""

from __future__ import annotations

from typing import Any

COPY_CONSTRUCT = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
)


def could_not_infer(value: Any) -> str:
    return f"Could not infer dtype of {type(value).__name__}"


def ragged(data: Any) -> str:
    return f"expected sequence of length {len(data[0])} at dim 1 (got {len(data[1])})"
