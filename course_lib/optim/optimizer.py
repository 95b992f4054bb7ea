"""What optimizers share: groups of parameters, a state for each of them, and the loop of a step."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from course_lib.autograd.grad_mode import enable_grad, no_grad
from course_lib.autograd.leaf import clear_grad
from course_lib.calls.rules import lacking, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.nn.module import own_copy
from course_lib.ops.make.like import zeros_like
from course_lib.ops.make.tensor import tensor
from course_lib.ops.shape.complex_views import view_as_real
from course_lib.words import errors

__all__ = ["Optimizer"]


class Optimizer:
    """The base of every optimizer: parameters in groups, the options of each group, and a state.

    A subclass supplies the `defaults` of its options and a method `step`.

    >>> class Halve(torch.optim.Optimizer):
    ...     def __init__(self, params):
    ...         super().__init__(params, {"factor": 0.5})
    ...     @torch.no_grad()
    ...     def step(self):
    ...         for group in self.param_groups:
    ...             for p in group["params"]:
    ...                 p.mul_(group["factor"])
    >>> w = torch.tensor([4.], requires_grad=True)
    >>> Halve([w]).step()
    >>> w
    tensor([2.], requires_grad=True)
    """

    def __init__(self, params: Iterable, defaults: dict[str, Any]):
        self.defaults = defaults
        refuse_type(isinstance(params, Tensor), errors.no_iterable_of_parameters, params)
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        refuse_value(not groups, errors.EMPTY_PARAMETERS)
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for number, group in enumerate(self.param_groups):
            text += f"\nParameter Group {number}\n"
            text += "".join(f"    {k}: {group[k]}\n" for k in sorted(group) if k != "params")
        return text + ")"

    # ---- groups ----------------------------------------------------------------------------------

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Optimize these parameters too, with their own options.

        >>> w, b = torch.zeros(2, requires_grad=True), torch.zeros(1, requires_grad=True)
        >>> optimizer = torch.optim.SGD([w], lr=0.1)
        >>> optimizer.add_param_group({"params": [b], "lr": 0.5})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.5]
        """
        refuse_type(not isinstance(param_group, dict), errors.no_group, type(param_group))
        params = param_group["params"]
        refuse_type(isinstance(params, set), errors.UNORDERED_PARAMETERS)
        given = [params] if isinstance(params, Tensor) else list(params)
        params = param_group["params"] = [p[1] if isinstance(p, tuple) else p for p in given]
        if names := [p[0] for p in given if isinstance(p, tuple)]:
            refuse_value(len(names) != len(given), errors.SOME_UNNAMED)
            param_group["param_names"] = names
        for param in params:
            refuse_type(not isinstance(param, Tensor), errors.no_parameter, param)
            refuse_value(not (param.is_leaf or param.retains_grad), errors.NON_LEAF_PARAMETER)
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        if len(params) != len(set(params)):
            errors.warn(errors.DUPLICATE_PARAMETERS)
        for group in self.param_groups:
            if ("param_names" in group) != ("param_names" in param_group):
                raise ValueError(errors.groups_named("with" if names else "without"))
        known = {param for group in self.param_groups for param in group["params"]}
        refuse_value(not known.isdisjoint(params), errors.PARAMETER_IN_TWO_GROUPS)
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or to zero if `set_to_none` is False."""
        for group in self.param_groups:
            for param in group["params"]:
                clear_grad(param, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters once, from their gradients; returns what `closure` returned.

        The closure, if there is one, recomputes the loss and the gradients.
        """
        raise NotImplementedError

    # ---- to a file and back ----------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The options and the state as a dict, to resume training from; parameters are numbered.

        >>> w = torch.zeros(2, requires_grad=True)
        >>> saved = torch.optim.SGD([w], lr=0.1).state_dict()
        >>> saved["state"], saved["param_groups"][0]["lr"], saved["param_groups"][0]["params"]
        ({}, 0.1, [0])
        """
        numbers: dict[Any, int] = {}
        groups, start = [], 0
        for group in self.param_groups:
            numbers |= {param: number for number, param in enumerate(group["params"], start)}
            start += len(group["params"])
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[param] for param in group["params"]]
            groups.append(packed)
        state = {numbers.get(key, key): value for key, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the options and the state from a `state_dict`, for parameters in the same order.

        >>> w = torch.zeros(2, requires_grad=True)
        >>> saved = torch.optim.SGD([w], lr=0.1).state_dict()
        >>> optimizer = torch.optim.SGD([w], lr=0.5)
        >>> optimizer.load_state_dict(saved)
        >>> optimizer.param_groups[0]["lr"]
        0.1
        """
        groups, loaded = self.param_groups, deepcopy(state_dict["param_groups"])
        refuse_value(len(groups) != len(loaded), errors.OTHER_NUMBER_OF_GROUPS)
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, loaded, strict=True)):
            raise ValueError(errors.OTHER_SIZE_OF_GROUP)
        params = {
            number: param
            for group, new in zip(groups, loaded, strict=True)
            for number, param in zip(new["params"], group["params"], strict=True)
        }
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            state[params[key]] = like_parameter(value, params[key])
        for group, new in zip(groups, loaded, strict=True):
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.state, self.param_groups = state, loaded


def like_parameter(state: dict[str, Any], param: Tensor) -> dict[str, Any]:
    """A loaded state, its tensors (but not the count of steps) in the dtype of the parameter."""
    return {
        name: value.to(param.dtype) if isinstance(value, Tensor) and name != "step" else value
        for name, value in state.items()
    }


# ---- one rule for each parameter -----------------------------------------------------------------


class Rule(Optimizer):
    """A base of optimizers: the subclass's `_update` says what a step does to one parameter.

    PyTorch has further implementations of the same rules for lists of tensors (`foreach`) and
    compiled ones (`fused`); here, these options are accepted and change nothing.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]):
        for option in ("differentiable", "capturable"):
            lacking(defaults.get(option), errors.absent, f"{option}=True in optimizers")
        super().__init__(params, defaults)

    def __init_subclass__(cls, **kwargs: Any):
        if Rule in cls.__bases__:  # PyTorch writes it in each class: `SGD.step`
            own_copy(cls, "step")
        super().__init_subclass__(**kwargs)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters once, from their gradients; returns what `closure` returned.

        The closure, if there is one, recomputes the loss and the gradients.

        >>> w = torch.tensor([1.], requires_grad=True)
        >>> optimizer = torch.optim.SGD([w], lr=0.1)
        >>> (w * w).sum().backward()
        >>> optimizer.step()
        >>> w
        tensor([0.8000], requires_grad=True)
        """
        loss = None
        with no_grad():
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for param in self._left_over(group):
                    if param.grad is not None:
                        grad = -param.grad if group["maximize"] else param.grad
                        self._update(param, grad, group)
        return loss

    def _left_over(self, group: dict[str, Any]) -> list[Tensor]:
        """The parameters that need `_update`; a rule may have a fast path for the others."""
        params: list[Tensor] = group["params"]
        return params

    def _update(self, param: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Change one parameter in place."""
        raise NotImplementedError


def check_options(lr: Any, wrong: Any = lambda value: not 0.0 <= value, **least: Any) -> None:
    """Raise PyTorch's error if the learning rate or an option is `wrong`: below zero, or nan."""
    refuse_value(isinstance(lr, Tensor) and lr.numel() != 1, errors.one_element, "lr")
    refuse_value(wrong(lr), errors.invalid_option, "learning rate", lr)
    for name, value in least.items():
        refuse_value(wrong(value), errors.invalid_option, f"{name} value", value)


def number(option: Any) -> Any:
    """An option as a number, also if it was given as a tensor."""
    return option.item() if isinstance(option, Tensor) else option


def fresh_state(param: Tensor, *names: str) -> dict[str, Tensor]:
    """The state of a parameter before its first step: zeros, and a step count of 0."""
    return {"step": tensor(0.0), **{name: zeros_like(param) for name in names}}


def real_views(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Complex tensors as pairs of real numbers, so that each part is treated separately."""
    return tuple(view_as_real(one) if one._dtype.is_complex else one for one in tensors)
