"""Errors of `torch.save` and `torch.load`."""

from __future__ import annotations

import pickle
import zipfile
from typing import Any

from course_lib.words.errors.sentence import Sentence

TWO_DTYPES = "Cannot save multiple tensors or storages that view the same data as different types"
NO_ARCHIVE = (
    "Weights only load failed. This is no zip archive, as torch.save has written since PyTorch "
    "1.6: load an older file in PyTorch itself, and save it again there."
)
OTHER_ORDER = "the machine that saved it has the bytes of a number in another order"
OTHER_TENSOR = (
    "a tensor of a dtype that the course does not have, or one that is conjugated or negated only "
    "when it is read: save x.resolve_conj().resolve_neg() instead"
)
OUTSIDE = (
    "a tensor that does not fit into its storage, or a storage that is not as large as it says"
)
LONG_KEY = "a key of more than a hundred parts"
DAMAGED = (
    "This is an internal miniz error. If you are seeing this error, there is a high likelihood "
    "that your checkpoint file is corrupted. This can happen if the checkpoint was not saved "
    "properly, was transferred incorrectly, or the file was modified after saving."
)
MAP_TO_CPU = (
    "If you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU."
)

not_saved = Sentence(
    "torch.save of the course writes tensors, numbers, text and containers of them, and no "
    "{kind.__name__}. Of a module or an optimizer, save the state_dict(); a tensor of another "
    "class, with attributes of its own or on the meta device, is not saved."
)


def not_loaded(error: Exception) -> Exception:
    """What `torch.load` raises when the file asks for more than data, or is damaged."""
    if isinstance(error, RuntimeError):
        return error
    text = str(error)
    if isinstance(error, zipfile.BadZipFile):
        text = text.replace("File is not a zip file", "failed finding central directory")
        return RuntimeError(f"PytorchStreamReader failed reading zip archive: {text}. {DAMAGED}")
    if isinstance(error, KeyError):  # no such instruction, or no such part of the archive
        text = f"Unsupported operand {text}" if text.isdigit() else error.args[0]
    return pickle.UnpicklingError(f"Weights only load failed. {text or 'The pickle ends too soon'}")


unsafe_global = Sentence(
    "Unsupported global: GLOBAL {path} was not an allowed global by default. The course loads "
    "tensors and plain containers only, and runs nothing that a file names; use PyTorch itself "
    "for it. Of a module, save the state_dict()."
)
unknown_call = Sentence("Trying to call reduce for unrecognized function of type {function:type}")


def file_wants(kind: type, value: Any) -> str:
    return f"The file has a {type(value).__name__} where a {kind.__name__} belongs"


def unrestorable(location: str) -> str:
    """What `torch.load` says of storages for a device that is not there."""
    if location.partition(":")[0] == "cuda":
        return (
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is "
            f"False. {MAP_TO_CPU}"
        )
    return (
        "don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
        f"{location})"
    )
