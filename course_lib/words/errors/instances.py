"""Errors of the layers for instance norm, embedding bags and margin losses."""

from __future__ import annotations

BAG_PADDING = "padding_idx must be within num_embeddings"


def bilinear_features(found: int) -> str:
    return f"in1_features must be > 0, but got (in1_features={found})"
