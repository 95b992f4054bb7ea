"""The hooks of a tensor, as words: what a reader put between the functions of a backward pass.

PyTorch shows the hooks of a tensor, not those of a function, so only the first can be told.
"""

from typing import Any

_KINDS = {"_backward_hooks": "hook", "_post_accumulate_grad_hooks": "post-accumulate hook"}
_NAMED = 2  # hooks that are told by name


def hooks_of(tensor: Any) -> tuple[str, ...]:
    """One line for each kind of hook that the tensor has.

    >>> import course_lib as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> def halve(grad): return grad / 2
    >>> handle = x.register_hook(halve)
    >>> hooks_of(x)
    ('hook: halve',)
    """
    lines = []
    for attribute, word in _KINDS.items():
        hooks = list((getattr(tensor, attribute, None) or {}).values())
        if not hooks:
            continue
        names = [name for name in map(_name, hooks) if name]
        many = f"{len(hooks)} {word}s" if len(hooks) > 1 else word
        few = 0 < len(names) == len(hooks) <= _NAMED
        lines.append(f"{many}: {', '.join(names)}" if few else many)
    return tuple(lines)


def _name(hook: Any) -> str:
    """What the function is called, "" for a lambda and for an object without a name."""
    name = getattr(hook, "__name__", "")
    return name if isinstance(name, str) and name.isidentifier() else ""
