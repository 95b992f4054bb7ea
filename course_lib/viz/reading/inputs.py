"""The inputs of a function that want no gradient: which of them the function remembers.

`next_functions` says None for such an input, and no more. Many functions saved the tensor for
backward, under the name of its parameter; the table below says which input that is.
"""

from typing import Any

from course_lib.viz.reading.saved import Saved
from course_lib.viz.reading.walk import name_of

# saved under this name: the input with this number
_PLACES = {
    "self": 0, "input": 0, "mat1": 0, "query": 0,
    "other": 1, "weight": 1, "vec": 1, "tensor": 1, "exponent": 1, "end": 1, "key": 1,
    "value": 2, "bias": 2, "mat2": 1, "batch1": 1, "batch2": 2, "tensor1": 1, "tensor2": 2,
}  # fmt: skip
# Functions that saved something else under such a name, or whose inputs come in another order.
_OTHERWISE = {
    "Addmm": {"mat1": 1, "mat2": 2},
    "Addmv": {"self": 1, "mat": 1, "vec": 2},
    "MseLoss": {"target": 1},
    "L1Loss": {"target": 1},
    "SmoothL1Loss": {"target": 1},
    "HuberLoss": {"target": 1},
    "KlDiv": {"target": 1},
    "NllLoss": {},
    "NllLoss2D": {},
    "BinaryCrossEntropy": {"target": 1},
    "BinaryCrossEntropyWithLogits": {"target": 1},
    "EmbeddingBag": {},
}
# Inputs that a caller may leave out: without them there is nothing to draw.
_OPTIONAL = {
    "Convolution": (2,),
    "NativeLayerNorm": (1, 2),
    "NativeBatchNorm": (1, 2),
    "NativeGroupNorm": (1, 2),
    "MkldnnRnnLayer": (3, 4),
}


def may_be_absent(node: Any, slot: int) -> bool:
    """Whether the caller may have given nothing for that input, such as the bias of a convolution.

    >>> import course_lib as torch
    >>> y = torch.nn.functional.layer_norm(torch.ones(2, requires_grad=True), (2,))
    >>> may_be_absent(y.grad_fn, 1)
    True
    """
    return slot in _OPTIONAL.get(name_of(node).partition("Backward")[0], ())


def constants(node: Any, missing: list[int], saved: list[Saved]) -> dict[int, Any]:
    """For each input in `missing` that the function saved: the tensor.

    >>> import course_lib as torch
    >>> from course_lib.viz.reading.saved import saved_by
    >>> y = torch.tensor(2., requires_grad=True) * torch.tensor(3.)
    >>> {slot: c.item() for slot, c in constants(y.grad_fn, [1], saved_by(y.grad_fn)).items()}
    {1: 3.0}
    """
    places = _OTHERWISE.get(name_of(node).partition("Backward")[0], _PLACES)
    found: dict[int, Any] = {}
    for item in saved:
        slot = places.get(item.name)
        if slot in missing and item.tensor is not None and not item.tensor.requires_grad:
            found.setdefault(slot, item.tensor)
    return found
