"""Random draws with tensors as parameters: `bernoulli`, `multinomial`, `poisson`, `normal`."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.overloads import FACTORY, accepts
from course_lib.core.tensor import Tensor
from course_lib.core.writes import check_memory
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op
from course_lib.declare.out import put, resize
from course_lib.dtypes import dtypes
from course_lib.memory import dims, fresh
from course_lib.memory.meta import MetaArray
from course_lib.ops.elementwise.zeroing import blank
from course_lib.ops.make.creation import finish, located
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

GENERATOR = "torch.Generator generator = None"


def into(out: Tensor | None, made: Tensor) -> Tensor:
    """`made`, written into `out` if there is one."""
    if out is None:
        return made
    resize(out, made._array.shape)
    check_memory(out, ())
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


@accepts(
    f"Tensor input, *, {GENERATOR}, Tensor out = None",
    f"Tensor input, float p, *, {GENERATOR}",
)
def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Any = None, out: Tensor | None = None
) -> Tensor:
    """Random zeros and ones, shaped like `input`, which holds the probabilities of a one.

    If `p` is given, it is the probability for every element.

    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    if p is not None:
        array = fresh.empty(input._array.shape, input._dtype.numpy, located(None, input))
        if array.__class__ is np.ndarray:
            draw(array, choices.bernoulli, generator, p)
        return finish(array, input._dtype)
    return into(out, coins(input, generator))


@accepts(
    f"Tensor input, int num_samples, bool replacement = False, *, {GENERATOR}, Tensor out = None"
)
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


def normal_array(shape: Any, dtype: np.dtype, std: float, generator: Any) -> np.ndarray:
    """Normally distributed numbers with mean 0."""
    count = int(np.prod(shape))
    return samplers.normal(stream(generator), count, 0.0, std, dtype).reshape(shape)


def times(values: np.ndarray, std: Any) -> np.ndarray:
    """The product, rounded to the dtype of `values`, which may be narrow."""
    if bool((np.asarray(std) < 0).any()):
        raise RuntimeError(errors.NEGATIVE_STD)
    wide = values.astype(np.float32) if values.dtype.itemsize == 2 else values
    return (wide * std).astype(values.dtype)


def plus(values: np.ndarray, mean: Any) -> np.ndarray:
    """The sum, rounded to the dtype of `values`, which may be narrow."""
    wide = values.astype(np.float32) if values.dtype.itemsize == 2 else values
    return (wide + mean).astype(values.dtype)


@chance("_normal_means", "NormalBackward1", mean=lambda grad: blank(grad))
def normal_means(mean: Any, std: float, generator: Any) -> Any:
    if mean.__class__ is MetaArray:
        return MetaArray(mean.shape, mean.dtype)
    return plus(normal_array(mean.shape, mean.dtype, std, generator), mean)


@chance("_normal_stds", "NormalBackward2", std=lambda grad: blank(grad))
def normal_stds(mean: float, std: Any, generator: Any) -> Any:
    if std.__class__ is MetaArray:
        return MetaArray(std.shape, std.dtype)
    return plus(times(normal_array(std.shape, std.dtype, 1.0, generator), std), mean)


@chance(
    "_normal_both", "NormalBackward3", mean=lambda grad: blank(grad), std=lambda grad: blank(grad)
)
def normal_both(mean: Any, std: Any, generator: Any) -> Any:
    shape = dims.broadcast(mean.shape, std.shape)
    if mean.__class__ is MetaArray or std.__class__ is MetaArray:
        return MetaArray(shape, mean.dtype)
    return plus(times(normal_array(shape, mean.dtype, 1.0, generator), std), mean)


@accepts(
    f"Tensor mean, Tensor std, *, {GENERATOR}, Tensor out = None",
    f"Tensor mean, float std = 1, *, {GENERATOR}, Tensor out = None",
    f"float mean, Tensor std, *, {GENERATOR}, Tensor out = None",
    f"float mean, float std, tuple of ints size, *, {GENERATOR}, {FACTORY}",
)
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
