"""Errors of `nn.utils.weight_norm` and `spectral_norm`."""

from __future__ import annotations
