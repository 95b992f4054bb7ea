"""Random draws with tensors as parameters: `bernoulli`, `multinomial`, `poisson`, `normal`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.declare.out import put
from course_lib.dtypes import dtypes
from course_lib.memory import dims, fresh
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import blank
from course_lib.ops.make.creation import finish
from course_lib.ops.make.generator import stream
from course_lib.ops.make.random import drawn
from course_lib.ops.make.random_in_place import draw
from course_lib.rng import choices, samplers
from course_lib.words import errors

__all__ = [
    "bernoulli",
    "multinomial",
    "normal",
]


def into(out: Tensor | None, made: Tensor) -> Tensor:
    """`made`, written into `out` if there is one."""
    if out is None:
        return made
    put(out, made._array)
    return out


def chance(name: str, node: str, **formulas: Any) -> Any:
    """Declare an operation whose result is random: its gradient is zero."""
    operands = tuple(formulas)
    facts = {"name": name, "node": node, "layout": "contiguous", "method": False}
    return op(kind="same", inplace=False, operands=operands, **facts, **formulas)


# ---- coins and counts ----------------------------------------------------------------------------


@chance("_bernoulli", "BernoulliBackward0", self=lambda grad: blank(grad))
def coins(self: Any, generator: Any) -> Any:
    if self.__class__ is MetaArray:
        return MetaArray(self.shape, self.dtype)
    p = np.asarray(self)
    made = choices.bernoulli_each(stream(generator), p, p.dtype)
    return made.reshape(p.shape)


@accepts()
def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Any = None, out: Tensor | None = None
) -> Tensor:
    """Random zeros and ones, shaped like `input`, which holds the probabilities of a one.

    If `p` is given, it is the probability for every element.

    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    if p is not None:
        array = fresh.empty(input._array.shape, input._dtype.numpy, input.is_meta)
        if array.__class__ is np.ndarray:
            draw(array, choices.bernoulli, generator, p)
        return finish(array, input._dtype)
    return into(out, coins(input, generator))


@accepts()
def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """For each row of weights in `input`, `num_samples` random indices.

    >>> torch.multinomial(torch.tensor([0.0, 1.0]), 1)
    tensor([1])
    """
    if out is not None and out._dtype is not dtypes.int64:
        word = out._dtype.legacy.removesuffix("Tensor")
        raise RuntimeError(f"multinomial expects Long tensor out, got: {word}")
    array = input._array
    if array.__class__ is MetaArray:
        made: Any = MetaArray((*array.shape[:-1], num_samples), np.int64)
    else:
        weights = np.asarray(array)
        made = choices.multinomial(stream(generator), weights, num_samples, replacement)
    return into(out, finish(made, dtypes.int64))


# ---- normal numbers about given means ------------------------------------------------------------


def about(node: str, **formulas: Any) -> Any:
    """Declare normal numbers whose mean, standard deviation or both are tensors."""

    @chance(f"_normal_{'_'.join(formulas)}", node, **formulas)
    def normal(mean: Any, std: Any, generator: Any) -> Any:
        tensors = [one for one in (mean, std) if hasattr(one, "shape")]
        shape = dims.broadcast(*(one.shape for one in tensors))
        dtype = tensors[0].dtype
        if any(one.__class__ is MetaArray for one in tensors):
            return MetaArray(shape, dtype)
        count = math.prod(shape)
        if not hasattr(std, "shape"):  # rounded once, with the product that the sampler computes
            drawn = samplers.normal(stream(generator), count, 0.0, std, dtype).reshape(shape)
        elif bool((np.asarray(std) < 0).any()):
            raise RuntimeError(errors.NEGATIVE_STD)
        else:
            drawn = samplers.normal(stream(generator), count, 0.0, 1.0, dtype).reshape(shape)
            drawn = (wide(drawn) * std).astype(dtype)
        return (wide(drawn) + mean).astype(dtype)

    return normal


def wide(values: np.ndarray) -> np.ndarray:
    """The values, as float32 if their dtype is narrower."""
    return values.astype(np.float32) if values.dtype.itemsize == 2 else values


normal_means = about("NormalBackward1", mean=lambda grad: blank(grad))
normal_stds = about("NormalBackward2", std=lambda grad: blank(grad))
normal_both = about("NormalBackward3", mean=lambda grad: blank(grad), std=lambda grad: blank(grad))


@accepts()
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Any = None, **options: Any
) -> Tensor:
    """Normally distributed random numbers with these means and standard deviations.

    >>> torch.normal(torch.tensor([1.0, 2.0]), 0.0)
    tensor([1., 2.])
    """
    if size is not None:
        options["generator"] = generator
        return drawn(size, samplers.normal, (mean, std), None, options)
    if isinstance(std, Tensor) and std._dtype.is_complex:
        raise RuntimeError(errors.COMPLEX_STD)
    if not isinstance(std, Tensor):
        made = normal_means(mean, std, generator)
    elif isinstance(mean, Tensor):
        made = normal_both(mean, std, generator)
    else:
        made = normal_stds(mean, std, generator)
    return into(options.get("out"), made)


for _function in (bernoulli, multinomial):
    attach_as(_function.__name__, _function)
