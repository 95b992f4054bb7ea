"""What all optimizers share: groups of parameters, the state kept for each of them, hooks."""

from __future__ import annotations

import functools
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from course_lib.autograd.handles import RemovableHandle
from course_lib.core.tensor import Tensor
from course_lib.ops.make.tensor import tensor
from course_lib.words import errors

__all__ = [
    "Optimizer",
]


HOOKS = ("step_pre", "step_post", "state_dict_pre", "state_dict_post")
LOADING_HOOKS = ("load_state_dict_pre", "load_state_dict_post")


class _Required:
    """The default of an option that every group must set."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


def hooked(step: Callable) -> Callable:
    """A class's `step`, with the hooks before and after; once, even if one `step` calls another."""

    @functools.wraps(step)
    def around(*args: Any, **kwargs: Any) -> Any:
        self = args[0]
        if type(self).step is not around:
            return step(*args, **kwargs)
        for hook in tuple(self._optimizer_step_pre_hooks.values()):
            result = hook(self, args, kwargs)
            if result is not None:
                if not isinstance(result, tuple) or len(result) != 2:
                    raise RuntimeError(errors.hook_result(step, result))
                args, kwargs = result
        out = step(*args, **kwargs)
        for hook in tuple(self._optimizer_step_post_hooks.values()):
            hook(self, args, kwargs)
        return out

    around.hooked = True  # type: ignore[attr-defined]
    return around


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

    _older: dict[str, Any] = {}  # options that a checkpoint of an older version lacks

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if "step" in vars(cls):
            cls.step = hooked(vars(cls)["step"])  # type: ignore[method-assign]

    def __init__(self, params: Iterable, defaults: dict[str, Any]):
        self.defaults = defaults
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError(errors.no_iterable_of_parameters(params))
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError(errors.EMPTY_PARAMETERS)
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_hooks(self) -> None:
        for name in HOOKS + LOADING_HOOKS:
            self.__dict__.setdefault(f"_optimizer_{name}_hooks", OrderedDict())

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_hooks()
        self.defaults.setdefault("differentiable", False)
        for group in self.param_groups:
            for name, value in self._older.items():
                group.setdefault(name, value)
            for param in group["params"]:
                known = self.state.get(param, {})
                if "step" in known and not isinstance(known["step"], Tensor):
                    known["step"] = tensor(float(known["step"]))

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
        if not isinstance(param_group, dict):
            raise TypeError(errors.no_group(param_group))
        name_parameters(param_group)
        params = param_group["params"]
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(errors.no_parameter(param))
            if not self.defaults.get("differentiable") and not (
                param.is_leaf or param.retains_grad
            ):
                raise ValueError(errors.NON_LEAF_PARAMETER)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(errors.option_required(name))
            param_group.setdefault(name, default)
        if len(params) != len(set(params)):
            errors.warn(errors.DUPLICATE_PARAMETERS)
        named = "param_names" in param_group
        if any(("param_names" in group) != named for group in self.param_groups):
            raise ValueError(errors.groups_named(named))
        known = {param for group in self.param_groups for param in group["params"]}
        if not known.isdisjoint(params):
            raise ValueError(errors.PARAMETER_IN_TWO_GROUPS)
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or to zero if `set_to_none` is False."""
        for group in self.param_groups:
            for param in group["params"]:
                if param.grad is None:
                    continue
                if set_to_none:
                    param.grad = None
                    continue
                if param.grad.grad_fn is not None:
                    param.grad.detach_()
                else:
                    param.grad.requires_grad_(False)
                param.grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update the parameters once, from their gradients; returns what `closure` returned.

        The closure, if there is one, recomputes the loss and the gradients.
        """
        raise NotImplementedError

    # ---- hooks -----------------------------------------------------------------------------------

    def _register(self, name: str, hook: Callable, first: bool = False) -> RemovableHandle:
        hooks = getattr(self, f"_optimizer_{name}_hooks")
        handle = RemovableHandle(hooks, hook)
        if first:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before each step; it may return new arguments."""
        return self._register("step_pre", hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return self._register("step_post", hook)

    def register_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> Any:
        """Call ``hook(optimizer)`` before each `state_dict`."""
        return self._register("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> Any:
        """Call ``hook(optimizer, state_dict)`` after each `state_dict`; it may return another."""
        return self._register("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> Any:
        """Call ``hook(optimizer, state_dict)`` before loading; it may return another dict."""
        return self._register("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> Any:
        """Call ``hook(optimizer)`` after loading."""
        return self._register("load_state_dict_post", hook, prepend)

    # ---- to a file and back ----------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The options and the state as a dict, to resume training from; parameters are numbered.

        >>> w = torch.zeros(2, requires_grad=True)
        >>> saved = torch.optim.SGD([w], lr=0.1).state_dict()
        >>> saved["state"], saved["param_groups"][0]["lr"], saved["param_groups"][0]["params"]
        ({}, 0.1, [0])
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():  # type: ignore[attr-defined]
            hook(self)
        numbers: dict[Tensor, int] = {}
        groups, start = [], 0
        for group in self.param_groups:
            numbers |= {param: number for number, param in enumerate(group["params"], start)}
            start += len(group["params"])
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[param] for param in group["params"]]
            groups.append(packed)
        state = {
            numbers[key] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        found = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():  # type: ignore[attr-defined]
            found = hook(self, found) or found
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the options and the state from a `state_dict`, for parameters in the same order.

        >>> w = torch.zeros(2, requires_grad=True)
        >>> saved = torch.optim.SGD([w], lr=0.1).state_dict()
        >>> optimizer = torch.optim.SGD([w], lr=0.5)
        >>> optimizer.load_state_dict(saved)
        >>> optimizer.param_groups[0]["lr"]
        0.1
        """
        given = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():  # type: ignore[attr-defined]
            result = hook(self, given)
            given = given if result is None else result
        groups, loaded = self.param_groups, deepcopy(given["param_groups"])
        if len(groups) != len(loaded):
            raise ValueError(errors.OTHER_NUMBER_OF_GROUPS)
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, loaded, strict=True)):
            raise ValueError(errors.OTHER_SIZE_OF_GROUP)
        params = {
            number: param
            for group, new in zip(groups, loaded, strict=True)
            for number, param in zip(new["params"], group["params"], strict=True)
        }
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in given["state"].items():
            if key in params:
                state[params[key]] = like_parameter(value, params[key])
            else:
                state[key] = value
        for group, new in zip(groups, loaded, strict=True):
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": loaded})
        for hook in self._optimizer_load_state_dict_post_hooks.values():  # type: ignore[attr-defined]
            hook(self)


def name_parameters(group: dict[str, Any]) -> None:
    """Turn the group's parameters into a list; ``(name, parameter)`` pairs into two lists."""
    params = group["params"]
    if isinstance(params, set):
        raise TypeError(errors.UNORDERED_PARAMETERS)
    given = [params] if isinstance(params, Tensor) else list(params)
    names = [one[0] for one in given if isinstance(one, tuple)]
    group["params"] = [one[1] if isinstance(one, tuple) else one for one in given]
    if names:
        if len(names) != len(given):
            raise ValueError(errors.SOME_NAMED)
        group["param_names"] = names


def like_parameter(value: Any, param: Tensor, key: Any = None) -> Any:
    """A loaded value, its tensors (but not the count of steps) in the dtype of the parameter."""
    if isinstance(value, Tensor):
        return value if key == "step" or not param.is_floating_point() else value.to(param.dtype)
    if isinstance(value, dict):
        return {name: like_parameter(one, param, name) for name, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return type(value)(like_parameter(one, param) for one in value)  # type: ignore[call-arg]
    return value
