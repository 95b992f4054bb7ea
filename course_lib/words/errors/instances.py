"""Errors of the layers for instance norm, embedding bags and margin losses."""

from __future__ import annotations

from typing import Any

BAG_PADDING = "padding_idx must be within num_embeddings"


def instance_features(place: int, wanted: int, found: int) -> str:
    return (
        f"expected input's size at dim={place} to match num_features ({wanted}), but got: {found}."
    )


def instance_unused(place: int) -> str:
    return (
        f"input's size at dim={place} does not match num_features. You can silence this warning by "
        "not passing in num_features, which is not used because affine=False"
    )


def instance_running(found: list[str], layer: str) -> str:
    names = " and ".join(f'"{name}"' for name in found)
    return (
        f"Unexpected running stats buffer(s) {names} for {layer} with track_running_stats=False. "
        "If state_dict is a checkpoint saved before 0.4.0, this may be expected because "
        f"{layer} does not track running stats by default since 0.4.0. Please remove these keys "
        "from state_dict. If the running stats are actually needed, instead set "
        f"track_running_stats=True in {layer} to enable them. See the documentation of {layer} for "
        "details."
    )


def layer_margin(layer: str, margin: Any) -> str:
    return f"{layer}: expected margin to be greater than 0, got {margin} instead"


def multi_margin_weight(ndim: int) -> str:
    return f"MultiMarginLoss: expected weight to be None or 1D tensor, got {ndim}D instead"


def bilinear_features(found: int) -> str:
    return f"in1_features must be > 0, but got (in1_features={found})"


NESTED = "enable_nested_tensor is True, but self.use_nested_tensor is False because {}"
NESTED_BATCH_FIRST = (
    "encoder_layer.self_attn.batch_first was not True(use batch_first for better inference "
    "performance)"
)


def nested_refused(layer: Any, activations: Any) -> str:
    """Why PyTorch would not take its fast path for an encoder of such layers; empty if it would."""
    attention = layer.self_attn
    reasons = {
        "encoder_layer.norm_first was True": layer.norm_first,
        NESTED_BATCH_FIRST: not attention.batch_first,
        "encoder_layer.self_attn was passed bias=False": attention.in_proj_bias is None,
        "encoder_layer.activation_relu_or_gelu was not True": layer.activation not in activations,
        "encoder_layer.self_attn.num_heads is odd": attention.num_heads % 2 == 1,
    }
    return next((NESTED.format(reason) for reason, holds in reasons.items() if holds), "")


def transformer_activation(found: str) -> str:
    return f"activation should be relu/gelu, not {found}"


TRANSFORMER_BATCHES = "the batch number of src and tgt must be equal"
TRANSFORMER_FEATURES = "the feature number of src and tgt must be equal to d_model"
