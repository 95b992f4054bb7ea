"""`torch.nn.utils.prune`: elements of a parameter that become zero, and stay zero.

A mask of zeros and ones is kept beside the parameter: ``weight`` becomes the parameter
``weight_orig`` and the buffer ``weight_mask``, and before each call of the module their product is
its ``weight`` anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from numbers import Integral
from typing import Any

from course_lib.beyond.nn.vectors import parameters_to_vector
from course_lib.core.tensor import Tensor
from course_lib.memory.memory_formats import contiguous_format
from course_lib.ops.elementwise.rounding import abs as absolute
from course_lib.ops.linalg.norms import norm
from course_lib.ops.make.like import ones_like, zeros_like
from course_lib.ops.make.random import rand, rand_like
from course_lib.ops.pick.sort import topk
from course_lib.ops.reduce.extremes import kthvalue
from course_lib.words import errors

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]


class BasePruningMethod(ABC):
    """A rule that says which elements become zero: subclass it, and write `compute_mask`.

    >>> class EverySecond(torch.nn.utils.prune.BasePruningMethod):
    ...     PRUNING_TYPE = "unstructured"
    ...     def compute_mask(self, t, default_mask):
    ...         mask = default_mask.clone()
    ...         mask.view(-1)[::2] = 0
    ...         return mask
    >>> layer = torch.nn.Linear(4, 1)
    >>> method = EverySecond.apply(layer, "weight")
    >>> layer.weight_mask
    tensor([[0., 1., 0., 1.]])
    """

    PRUNING_TYPE: str  # "unstructured", "structured" or "global": what the rule looks at
    _tensor_name: str

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask for a tensor: `default_mask`, with zeros in more places."""

    def apply_mask(self, module: Any) -> Tensor:
        """The parameter of the module, multiplied by its mask."""
        name = self._tensor_name
        mask, original = getattr(module, f"{name}_mask"), getattr(module, f"{name}_orig")
        product: Tensor = mask.to(dtype=original.dtype) * original
        return product

    @classmethod
    def apply(
        cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """The rule, now at work before each call of `module`, after earlier ones for `name`."""
        hooks = module._forward_pre_hooks
        earlier = [key for key, hook in hooks.items() if prunes(hook, name)]
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        for key in earlier:
            method = joined(hooks.pop(key), method)
        original = getattr(module, name)
        if importance_scores is not None:
            errors.check_scores(f"parameter {name} of {module}", importance_scores, original)
        if earlier:
            mask = getattr(module, f"{name}_mask").detach().clone(memory_format=contiguous_format)
        else:
            mask = ones_like(original)
            module.register_parameter(f"{name}_orig", original)
            del module._parameters[name]
        try:
            scores = original if importance_scores is None else importance_scores
            module.register_buffer(f"{name}_mask", method.compute_mask(scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if not earlier:  # the parameter is what it was
                module.register_parameter(name, module._parameters.pop(f"{name}_orig"))
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Tensor:
        """The tensor with zeros where the rule says so.

        >>> torch.nn.utils.prune.L1Unstructured(2).prune(torch.tensor([3., -1., 2.]))
        tensor([3., -0., 0.])
        """
        if importance_scores is not None:
            errors.check_scores("tensor t", importance_scores, t)
        scores = t if importance_scores is None else importance_scores
        mask = ones_like(t) if default_mask is None else default_mask
        product: Tensor = t * self.compute_mask(scores, default_mask=mask)
        return product

    def remove(self, module: Any) -> None:
        """Make the pruned tensor the parameter: its zeros are ordinary numbers from now on."""
        name = self._tensor_name
        weight = self.apply_mask(module)
        delattr(module, name)
        original = module._parameters.pop(f"{name}_orig")
        original.data = weight.data
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


def prunes(hook: Any, name: str) -> bool:
    """Whether a hook prunes the parameter `name`."""
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


def joined(earlier: BasePruningMethod, later: BasePruningMethod) -> PruningContainer:
    """Two rules as one."""
    both = earlier if isinstance(earlier, PruningContainer) else PruningContainer(earlier)
    both.add_pruning_method(later)
    return both


class PruningContainer(BasePruningMethod):
    """Rules for the same parameter, one after the other: each sees what the others left.

    >>> layer = torch.nn.Linear(2, 2)
    >>> for amount in (1, 2):
    ...     layer = torch.nn.utils.prune.random_unstructured(layer, "weight", amount)
    >>> [len(hook) for hook in layer._forward_pre_hooks.values()], layer.weight_mask.sum()
    ([2], tensor(1.))
    """

    def __init__(self, *args: BasePruningMethod):
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a rule to the end."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(errors.no_pruning_method(method))
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(errors.other_parameter(self, self._tensor_name, method._tensor_name))
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: int) -> BasePruningMethod:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask so far, with the zeros that the last rule adds."""
        method: Any = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left: Any = (slice(None),) * t.dim()
        if method.PRUNING_TYPE == "unstructured":
            left = mask == 1
        elif method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError(errors.STRUCTURED_WITHOUT_DIM)
            left = along(t, method.dim, mask.sum(dim=others(t, method.dim)) != 0)
        elif method.PRUNING_TYPE != "global":
            raise ValueError(errors.pruning_type(method.PRUNING_TYPE))
        new_mask = mask.clone()
        partial = method.compute_mask(t[left], default_mask=mask[left])
        new_mask[left] = partial.to(dtype=mask.dtype)
        return new_mask


# ---- rules ---------------------------------------------------------------------------------------


class Identity(BasePruningMethod):
    """The rule that makes no element zero."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        return default_mask


class CustomFromMask(BasePruningMethod):
    """The rule that makes those elements zero where a given mask is zero."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any):
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        errors.check_mask(default_mask, self.mask)
        both: Tensor = default_mask * self.mask.to(dtype=default_mask.dtype)
        return both


class Amount(BasePruningMethod):
    """What the other rules share: they are told how many, or which share, to prune."""

    def __init__(self, amount: Any):
        errors.check_amount(amount)
        self.amount = amount

    def count(self, size: int) -> Any:
        """How many of `size` elements or channels to prune."""
        if not isinstance(self.amount, Integral):
            return round(self.amount * size)
        errors.check_fewer(self.amount, size)
        return self.amount


class Unstructured(Amount):
    """A rule that looks at each element by itself."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        mask = default_mask.clone(memory_format=contiguous_format)
        if count := self.count(t.nelement()):
            mask.view(-1)[self.chosen(t, count)] = 0
        return mask

    def chosen(self, t: Tensor, count: int) -> Tensor:
        """The places of the elements to prune, in row order."""
        raise NotImplementedError


class RandomUnstructured(Unstructured):
    """The rule that makes elements zero which are chosen at random."""

    def chosen(self, t: Tensor, count: int) -> Tensor:
        return topk(rand_like(t).view(-1), k=count).indices


class L1Unstructured(Unstructured):
    """The rule that makes the elements with the smallest absolute values zero."""

    def chosen(self, t: Tensor, count: int) -> Tensor:
        return topk(absolute(t).view(-1), k=count, largest=False).indices


class Structured(Amount):
    """A rule that looks at whole channels: the slices of a tensor along `dim`."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1):
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        errors.check_structured(t, self.dim)
        size = t.shape[self.dim]
        count = self.count(size)
        if not count:
            return default_mask
        mask = zeros_like(t)
        mask[along(t, self.dim, self.kept(t, size, count))] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

    def kept(self, t: Tensor, size: int, count: int) -> Tensor:
        """The channels that stay: their numbers, or True for each."""
        raise NotImplementedError


class RandomStructured(Structured):
    """The rule that makes channels zero which are chosen at random."""

    def kept(self, t: Tensor, size: int, count: int) -> Tensor:
        drawn = rand(size)
        return drawn > kthvalue(drawn, k=count).values


class LnStructured(Structured):
    """The rule that makes the channels with the smallest norms zero."""

    def __init__(self, amount: Any, n: Any, dim: int = -1):
        super().__init__(amount, dim)
        self.n = n

    def kept(self, t: Tensor, size: int, count: int) -> Tensor:
        norms = norm(t, p=self.n, dim=others(t, self.dim))
        return topk(norms, k=size - count).indices


def others(t: Tensor, dim: int) -> list[int]:
    """All dimensions but one."""
    return [d for d in range(t.dim()) if d != dim % t.dim()]


def along(t: Tensor, dim: int, kept: Tensor) -> tuple[Any, ...]:
    """The index of some slices along a dimension."""
    return tuple(kept if d == dim % t.dim() else slice(None) for d in range(t.dim()))


# ---- the same as functions -----------------------------------------------------------------------


def identity(module: Any, name: str) -> Any:
    """The module itself, its parameter pruned by a mask of ones.

    >>> layer = torch.nn.utils.prune.identity(torch.nn.Linear(2, 1), "weight")
    >>> list(layer.state_dict())
    ['bias', 'weight_orig', 'weight_mask']
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    """The module itself, `amount` elements of the parameter pruned at random."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: Any, importance_scores: Any = None) -> Any:
    """The module itself, the `amount` smallest elements of the parameter pruned.

    An integer is a number of elements, a float a share of them.

    >>> layer = torch.nn.Linear(3, 1)
    >>> with torch.no_grad():
    ...     _ = layer.weight.copy_(torch.tensor([[1., -5., 2.]]))
    >>> torch.nn.utils.prune.l1_unstructured(layer, "weight", amount=2).weight_mask
    tensor([[0., 1., 0.]])
    """
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: Any, dim: int) -> Any:
    """The module itself, `amount` slices of the parameter along `dim` pruned at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
) -> Any:
    """The module itself, the slices along `dim` with the smallest n-norms pruned."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    """The module itself, its parameter pruned by a mask of your own."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune several parameters as if they were one: pairs of a module and a name.

    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    >>> prune = torch.nn.utils.prune
    >>> both = [(net[0], "weight"), (net[1], "weight")]
    >>> prune.global_unstructured(both, pruning_method=prune.L1Unstructured, amount=3)
    >>> sum(mask.sum() for mask in net.buffers())
    tensor(3.)
    """
    if not isinstance(parameters, Iterable):
        raise TypeError(errors.PARAMETERS_NO_ITERABLE)
    given = {} if importance_scores is None else importance_scores
    if not isinstance(given, dict):
        raise TypeError(errors.SCORES_NO_DICT)
    pruned = [(module, name, getattr(module, name)) for module, name in parameters]
    scores = [given.get((module, name), value) for module, name, value in pruned]
    masks = [getattr(module, f"{name}_mask", ones_like(value)) for module, name, value in pruned]
    method = PruningContainer()
    method._tensor_name = "temp"
    rule = pruning_method(**kwargs)
    rule._tensor_name = "temp"
    if rule.PRUNING_TYPE != "unstructured":
        raise TypeError(errors.only_unstructured(pruning_method, rule.PRUNING_TYPE))
    method.add_pruning_method(rule)
    mask = method.compute_mask(parameters_to_vector(scores), parameters_to_vector(masks))
    start = 0
    for module, name, value in pruned:
        end = start + value.numel()
        custom_from_mask(module, name, mask[start:end].view_as(value))
        start = end


def remove(module: Any, name: str) -> Any:
    """The module itself, its pruned parameter an ordinary one again, with the zeros in it.

    >>> prune = torch.nn.utils.prune
    >>> layer = prune.random_unstructured(torch.nn.Linear(2, 1), "weight", amount=1)
    >>> list(prune.remove(layer, "weight").state_dict())
    ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if prunes(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(errors.not_pruned(name, module))


def is_pruned(module: Any) -> bool:
    """Whether a parameter of the module, or of a module inside it, is pruned."""
    hooks = (hook for inner in module.modules() for hook in inner._forward_pre_hooks.values())
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)
