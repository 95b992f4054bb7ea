"""Layers that give an image more or fewer pixels: `Upsample`, `PixelShuffle` and their kin."""

from __future__ import annotations

from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.nn import functional as F
from course_lib.nn.module import Module

__all__ = [
    "PixelShuffle",
    "PixelUnshuffle",
    "Upsample",
    "UpsamplingNearest2d",
]


class Upsample(Module):
    """`functional.interpolate` as a layer.

    >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1., 2.]]]))
    tensor([[[1., 1., 2., 2.]]])
    """

    __constants__ = [
        "size",
        "scale_factor",
        "mode",
        "align_corners",
        "name",
    ]

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
    ):
        super().__init__()
        self.name = type(self).__name__
        self.size = size
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple(float(factor) for factor in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.mode, self.align_corners = mode, align_corners

    def forward(self, input: Tensor) -> Tensor:
        """The image in its new size."""
        return F.interpolate(
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
        )

    def extra_repr(self) -> str:
        """The factor or the size, and how."""
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """An image whose new pixels show the nearest old one."""

    def __init__(self, size: Any = None, scale_factor: Any = None):
        super().__init__(size, scale_factor, mode="nearest")


class PixelShuffle(Module):
    """Groups of channels laid out as squares of pixels."""

    __constants__ = ["upscale_factor"]

    def __init__(self, upscale_factor: int):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """The larger image."""
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """How much larger the image becomes."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Squares of pixels laid out as channels."""

    __constants__ = ["downscale_factor"]

    def __init__(self, downscale_factor: int):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """The smaller image."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """How much smaller the image becomes."""
        return f"downscale_factor={self.downscale_factor}"
