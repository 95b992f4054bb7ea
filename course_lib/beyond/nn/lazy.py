"""Layers that learn the size of their input from the first input: `LazyLinear`, `LazyConv2d`, …

Until then their parameters have a dtype and a device, and no shape.  The first call makes them,
and the layer becomes an ordinary one: from then on it is a `Linear`, not a `LazyLinear`.
"""

from __future__ import annotations

from typing import Any

from course_lib.autograd.grad_mode import no_grad
from course_lib.beyond.nn import instance_norm
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.nn import conv, normalization
from course_lib.nn.linear import Linear
from course_lib.nn.module import Module
from course_lib.nn.parameter import Parameter
from course_lib.ops.make.creation import empty, zeros
from course_lib.words import errors

__all__ = [
    "LazyBatchNorm1d",
    "LazyBatchNorm2d",
    "LazyBatchNorm3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
    "LazyInstanceNorm1d",
    "LazyInstanceNorm2d",
    "LazyInstanceNorm3d",
    "LazyLinear",
    "UninitializedBuffer",
    "UninitializedParameter",
]

# What may be asked of a tensor without a shape.
ALLOWED = frozenset(
    "shape size to half float double char short int long cpu cuda data detach dtype device grad "
    "is_complex is_floating_point get_device requires_grad is_leaf is_meta copy_ "
    "grad_fn materialize cls_to_become persistent is_inference retains_grad".split()
)


class Uninitialized:
    """What parameters and buffers without a shape share."""

    cls_to_become: type

    def materialize(self: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give the tensor its shape, and memory that is not written yet; it becomes ordinary."""
        wanted = self.dtype if dtype is None else dtype
        made = empty(tuple(shape), device=self.device if device is None else device, dtype=wanted)
        Tensor.data.__set__(self, made)
        self.__class__ = self.cls_to_become

    @property
    def shape(self) -> Any:
        """Not known before the first call."""
        raise RuntimeError(errors.NO_SHAPE_YET)

    def share_memory_(self) -> Any:
        """There is no memory yet."""
        raise RuntimeError(errors.NO_MEMORY_YET)

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and name not in ALLOWED and hasattr(Tensor, name):
            kind = object.__getattribute__(self, "__class__").__name__
            raise ValueError(errors.used_too_early(name, kind))
        return super().__getattribute__(name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __deepcopy__(self: Any, memo: dict) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, device=self.device, dtype=self.dtype)
        return memo[id(self)]

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        return type(self), (self.requires_grad,)


def refuse(name: str) -> Any:
    """An operator of a tensor without a shape."""

    def operator(self: Any, *others: Any) -> Any:
        raise ValueError(errors.used_too_early(name.strip("_"), type(self).__name__))

    return operator


for _name in "add radd sub rsub mul rmul truediv rtruediv matmul rmatmul pow neg getitem".split():
    setattr(Uninitialized, f"__{_name}__", refuse(_name))


class UninitializedParameter(Uninitialized, Parameter):
    """A parameter whose shape is not known yet.

    >>> torch.nn.UninitializedParameter()
    <UninitializedParameter>
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        made = empty(0, device=device, dtype=dtype)
        made.__class__ = cls
        made.requires_grad = requires_grad
        return made


class UninitializedBuffer(Uninitialized, Tensor):
    """A buffer whose shape is not known yet.

    >>> torch.nn.UninitializedBuffer()
    <UninitializedBuffer>
    """

    cls_to_become = Tensor

    def __new__(
        cls,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> Any:
        made: Any = empty(0, device=device, dtype=dtype)
        made.__class__ = cls
        made.persistent, made._is_buffer = persistent, True
        return made


class LazyModule(Module):
    """What lazy layers share: a look at the first input, before it goes through the layer."""

    cls_to_become: Any = None

    def _wait(self) -> None:
        """Register the hooks that wait for the first input, or for its shapes in a file."""
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(
            self._infer_parameters, with_kwargs=True
        )

    def _infer_parameters(self, module: Any, args: tuple, kwargs: dict) -> None:
        module.initialize_parameters(*args, **kwargs)
        if module.has_uninitialized_params():
            raise RuntimeError(errors.not_fully_initialized(module._get_name()))
        for name in ("_initialize_hook", "_load_hook"):
            getattr(module, name).remove()
            delattr(module, name)
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def has_uninitialized_params(self) -> bool:
        """Whether a parameter or a buffer still waits for its shape."""
        held = [*self._parameters.values(), *self._buffers.values()]
        return any(isinstance(value, Uninitialized) for value in held)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, from the arguments of the first call."""
        raise NotImplementedError(errors.no_initialize_parameters(type(self).__name__))

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, value in self._persistent().items():
            waits = isinstance(value, Uninitialized)
            destination[prefix + name] = value if waits or keep_vars else value.detach()

    def _lazy_load_hook(self, state_dict: Any, prefix: str, *rest: Any) -> None:
        for name, value in {**self._parameters, **self._buffers}.items():
            given = state_dict.get(prefix + name)
            if isinstance(value, Uninitialized) and given is not None:
                if not isinstance(given, Uninitialized):
                    with no_grad():
                        value.materialize(given.shape)


class LazyLinear(LazyModule, Linear):
    """A `Linear` whose `in_features` is the last size of its first input.

    >>> layer = torch.nn.LazyLinear(2)
    >>> layer
    LazyLinear(in_features=0, out_features=2, bias=True)
    >>> layer(torch.zeros(5, 3)).shape
    torch.Size([5, 2])
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    """

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None):
        super().__init__(0, 0, False)
        options = {"device": device, "dtype": dtype}
        self.weight = UninitializedParameter(**options)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(**options)
        self._wait()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, if they are there."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Take `in_features` from the input."""
        size = input.shape[-1]
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = size
                self.weight.materialize((self.out_features, size))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        self.in_features = self.in_features or size  # the parameters may have been loaded


class LazyConv(LazyModule, conv.ConvNd):
    """What lazy convolutions share: `in_channels` is that of the first input."""

    def __init__(self, out_channels: int, kernel_size: Any, *args: Any, **kwargs: Any):
        bias = kwargs.pop("bias", True)
        place = 6 if self.transposed else 5  # of `bias` among the rest
        if len(args) > place:
            bias, args = args[place], (*args[:place], False, *args[place + 1 :])
        else:
            kwargs["bias"] = False
        super().__init__(0, 0, kernel_size, *args, **kwargs)
        options = {name: kwargs.get(name) for name in ("device", "dtype")}
        self.weight = UninitializedParameter(**options)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(**options)
        self._wait()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, if they are there."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Take `in_channels` from the input."""
        if not self.has_uninitialized_params():
            return
        dims = self.spatial + 1
        if input.dim() not in (dims, dims + 1):
            name = type(self).__name__
            raise RuntimeError(errors.lazy_input_dims(dims, name, input.shape))
        self.in_channels = input.shape[input.dim() - dims]
        if self.in_channels % self.groups:
            raise ValueError(errors.divisible("in_channels"))
        channels = (self.out_channels, self.in_channels)
        first, second = channels[::-1] if self.transposed else channels
        self.weight.materialize((first, second // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class LazyNorm(LazyModule, normalization.BatchNorm):
    """What lazy normalizing layers share: `num_features` is that of the first input."""

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ):
        options = {"device": device, "dtype": dtype}
        super().__init__(0, eps, momentum, False, False, **options)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(**options)
            if bias:
                self.bias = UninitializedParameter(**options)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(**options)
            self.running_var = UninitializedBuffer(**options)
            self.num_batches_tracked = zeros((), dtype=dtypes.int64, device=device)
        self._wait()

    def reset_parameters(self) -> None:
        """Forget the running averages; weight ones, bias zeros; if they are there."""
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Take `num_features` from the input."""
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for name in ("weight", "bias"):
            value = getattr(self, name)
            if isinstance(value, UninitializedParameter):
                value.materialize((self.num_features,))
        if self.track_running_stats:
            self.running_mean.materialize((self.num_features,))
            self.running_var.materialize((self.num_features,))
        self.reset_parameters()


def lazy(kind: type, shared: type, size: str) -> Any:
    """The lazy form of a layer, which becomes `kind`."""
    name = f"Lazy{kind.__name__}"
    text = f"A `{kind.__name__}` whose `{size}` is that of its first input."
    body = {"cls_to_become": kind, "__doc__": text, "__module__": __name__, "__qualname__": name}
    return type(name, (shared, kind), body)


LazyConv1d = lazy(conv.Conv1d, LazyConv, "in_channels")
LazyConv2d = lazy(conv.Conv2d, LazyConv, "in_channels")
LazyConv3d = lazy(conv.Conv3d, LazyConv, "in_channels")
LazyConvTranspose1d = lazy(conv.ConvTranspose1d, LazyConv, "in_channels")
LazyConvTranspose2d = lazy(conv.ConvTranspose2d, LazyConv, "in_channels")
LazyConvTranspose3d = lazy(conv.ConvTranspose3d, LazyConv, "in_channels")
LazyBatchNorm1d = lazy(normalization.BatchNorm1d, LazyNorm, "num_features")
LazyBatchNorm2d = lazy(normalization.BatchNorm2d, LazyNorm, "num_features")
LazyBatchNorm3d = lazy(normalization.BatchNorm3d, LazyNorm, "num_features")
LazyInstanceNorm1d = lazy(instance_norm.InstanceNorm1d, LazyNorm, "num_features")
LazyInstanceNorm2d = lazy(instance_norm.InstanceNorm2d, LazyNorm, "num_features")
LazyInstanceNorm3d = lazy(instance_norm.InstanceNorm3d, LazyNorm, "num_features")
