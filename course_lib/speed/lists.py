"""The call of an operation on a list of tensors, unrolled: `cat`, `stack`.

It handles tensors of one dtype, unless that is complex or a floating one of 16 bits; all other
calls go to `unusual`, as in `speed/calls.py`, which defines the names in this text.
"""

from __future__ import annotations

from typing import Any

from course_lib.core.op import Op

TEXT = """\
def run({given}):
    now = modes.now
    common = getattr(tensors[0], "_dtype", None) if tensors.__class__ in LISTS and tensors else None
    if now.special or now.inference or common is None or not (common.plain or common.category < 2):
        return {unusual}
    tracked = False
    for one in tensors:
        if not isinstance(one, Tensor) or one._dtype is not common:
            return {unusual}
        if one._extras is not None and one._extras.inference:
            return {unusual}
        tracked = tracked or (one._requires_grad if one._view is None else one.requires_grad)
    op_check({values})
    array = now.quiet(op_kernel, [one._array for one in tensors]{others})
    if array.__class__ is ndarray:
        array = {laid_out}(array)
    out = made(array)
    if not now.grad or not tracked:
        return out
    node = op_node()
    node.nodes = nodes = tuple([edge(one) for one in tensors])
    node.numbers = tuple([one._output_nr if to else 0 for to, one in zip(nodes, tensors)])
    node.order = next_order()
    node.shape = array.shape
    node.dtype = common
    node.extras = None
{saved}    out._node = node
    out._requires_grad = True
    return out
"""


def takes_list(op: Op) -> bool:
    """Whether the operation takes one list of tensors, and saves no tensor."""
    alone = op.lists == op.operands == ("tensors",) and not op.Node.tensors and not op.several
    return alone and op.kind_name == "promote" and bool(op.check) and op.layout != "inputs"


def compose_list(op: Op, names: Any) -> str:
    """The text of `run`."""
    defaults = op.signature.defaults
    others = [name for name in names if name != "tensors"]
    facts = {"tensors_shape": "[one._array.shape for one in tensors]"}
    facts.update(
        (n, f"fact('{n}', {{'tensors': tensors}})") for n in op.Node.saved if n not in facts
    )
    saved = {n: n if n in op.params else facts[n] for n in op.Node.saved}
    return TEXT.format(
        given=", ".join(f"{n}=default_{n}" if n in defaults else n for n in names),
        unusual=f"unusual({', '.join(names)})",
        values=", ".join(f"{n}={n}" for n in names),
        others="".join(f", {n}={n}" for n in others),
        laid_out={"kernel": "kept", "contiguous": "owned"}[op.layout],
        saved="".join(f"    node.{name}_ = {value}\n" for name, value in saved.items()),
    )


__all__ = ["compose_list", "takes_list"]
