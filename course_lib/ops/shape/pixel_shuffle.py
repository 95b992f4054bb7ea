"""Channels that become pixels, pixels that become channels, channels dealt like cards."""

from __future__ import annotations

import numpy as np

from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.memory.memory_formats import in_format_of
from course_lib.words import errors

__all__ = ["pixel_shuffle", "pixel_unshuffle"]


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    check=errors.check_pixel_shuffle,
    self=lambda grad, upscale_factor: pixel_unshuffle(grad, upscale_factor),
)
def pixel_shuffle(self, upscale_factor):
    """Groups of channels laid out as squares of pixels: fewer channels, a larger image.

    >>> torch.pixel_shuffle(torch.arange(4).view(1, 4, 1, 1), 2)
    tensor([[[[0, 1],
              [2, 3]]]])
    """
    *lead, channels, height, width = self.shape
    r = upscale_factor
    shape = (*lead, channels // r**2, height * r, width * r)
    if not self.size:
        return layout.empty(shape, self.dtype)
    x = np.reshape(self, (-1, channels // r**2, r, r, height, width))
    return in_format_of(x.transpose(0, 1, 4, 2, 5, 3).reshape(shape), self)


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    check=errors.check_pixel_unshuffle,
    self=lambda grad, downscale_factor: pixel_shuffle(grad, downscale_factor),
)
def pixel_unshuffle(self, downscale_factor):
    """Squares of pixels laid out as channels: a smaller image of more channels.

    >>> torch.pixel_unshuffle(torch.arange(4).view(1, 1, 2, 2), 2).flatten()
    tensor([0, 1, 2, 3])
    """
    *lead, channels, height, width = self.shape
    r = downscale_factor
    if not self.size:  # PyTorch leaves the shape as it is
        return layout.empty(self.shape, self.dtype)
    shape = (*lead, channels * r**2, height // r, width // r)
    x = np.reshape(self, (-1, channels, height // r, r, width // r, r))
    return in_format_of(x.transpose(0, 1, 3, 5, 2, 4).reshape(shape), self)
