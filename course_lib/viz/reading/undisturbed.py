"""Running a model to look at it, and leaving it as it was.

Not only its mode: a forward may draw random numbers, write to a buffer, or keep a tensor in an
attribute (`self.state = h`). All of that is put back, so that looking changes no training run.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from course_lib.viz.reading.library import library_of, modules_of, tensors_of

REGISTRIES = ("_parameters", "_buffers", "_modules")


@contextmanager
def undisturbed(model: Any) -> Iterator[None]:
    """The model in evaluation mode, with gradients recorded; afterwards everything as it was:
    modes, attributes, buffers, the state of the random numbers."""
    library = library_of(model)
    with ExitStack() as stack:
        if library is not None:
            devices = {p.device.index for _, p in tensors_of(model) if p.device.type == "cuda"}
            stack.enter_context(library.random.fork_rng(devices=sorted(devices)))
            stack.enter_context(library.inference_mode(False))
            stack.enter_context(library.enable_grad())
        stack.enter_context(_attributes_kept(model))
        stack.enter_context(_buffers_kept(model))
        stack.enter_context(evaluating(model))
        yield


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Evaluation mode, module by module as it was afterwards: batch norm must not learn from what
    we ask, nor dropout draw random numbers. Anything that is no module is left alone."""
    modules = [m for _, m in modules_of(model)] if hasattr(type(model), "named_modules") else []
    modes = [module.training for module in modules]
    try:
        for module in modules:
            module.training = False
        yield
    finally:
        for module, mode in zip(modules, modes, strict=True):
            module.training = mode


@contextmanager
def _attributes_kept(model: Any) -> Iterator[None]:
    """What each attribute of each module is bound to. A lazy module that the call has given its
    shape, and with it another class, stays so: half of it cannot be taken back."""
    modules = [module for _, module in modules_of(model)]
    kept = [dict(vars(module)) for module in modules]
    # a scripted module has no dicts of Python for tables
    tables = [{n: dict(own[n]) for n in REGISTRIES if type(own.get(n)) is dict} for own in kept]
    kinds = [type(module) for module in modules]
    try:
        yield
    finally:
        for module, own, mine, kind in zip(modules, kept, tables, kinds, strict=True):
            if type(module) is kind:
                _put_back(vars(module), own)
                for name, table in mine.items():
                    _put_back(own[name], table)


def _put_back(now: dict[str, Any], kept: dict[str, Any]) -> None:
    for name in [name for name in now if name not in kept]:
        del now[name]
    for name, value in kept.items():
        if name not in now or now[name] is not value:
            now[name] = value


@contextmanager
def _buffers_kept(model: Any) -> Iterator[None]:
    """The numbers in the buffers, for a forward that writes into one."""
    buffers = [buffer for _, buffer in tensors_of(model, "_buffers")]
    known = [b for b in buffers if not (hasattr(b, "materialize") or b.is_inference())]
    kept = [(buffer, buffer._version, buffer.detach().clone()) for buffer in known]
    try:
        yield
    finally:
        for buffer, version, numbers in kept:
            if buffer._version != version:
                buffer.data.copy_(numbers)  # through `.data`: nothing that was saved gets stale
