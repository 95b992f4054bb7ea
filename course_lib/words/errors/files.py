"""Errors and warnings of `torch.save` and `torch.load`."""

from __future__ import annotations

from typing import Any

# ---- saving --------------------------------------------------------------------------------------

NOT_A_FILE = "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
TWO_DTYPES = "Cannot save multiple tensors or storages that view the same data as different types"


def no_parent(directory: Any) -> str:
    return f"Parent directory {directory} does not exist."


def not_opened(reason: Any) -> str:
    return f"[enforce fail at inline_container.cc:747] . open file failed with strerror: {reason}"


def hook_not_saved(hook: Any) -> str:
    return (
        f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can "
        "decorate the function with @torch.utils.hooks.unserializable_hook to suppress this warning"
    )


def foreign_pickler(module: Any) -> str:
    return (
        f"torch.save(pickle_module={getattr(module, '__name__', module)}): only Python's own "
        "pickler, or one derived from pickle._Pickler, can write a file here"
    )


# ---- loading -------------------------------------------------------------------------------------

UNSAFE_MODULE = "Can not safely load weights when explicit pickle_module is specified"
ARGUMENTS_IGNORED = "pickle_load_args only works if `weights_only=False`."
MMAP_OF_OBJECT = "f must be a file path in order to use the mmap argument"
UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` "
    "from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will "
    "likely succeed, but it can result in arbitrary code execution. Do it only if you got the file "
    "from a trusted source."
)
PAGE = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)


def weights_only(text: str) -> str:
    """What `torch.load` says when the file asks for more than data, or is none."""
    if "was not an allowed global by default." in text:
        return (
            "Weights only load failed. This file can still be loaded, to do so you have two "
            "options, \033[1mdo those steps only if you trust the source of the checkpoint"
            f"\033[0m. \n\t(1) {UNSAFE}\n\t(2) Alternatively, to load with `weights_only=True` "
            "please check the recommended steps in the following error message.\n\t"
            f"WeightsUnpickler error: {text}{PAGE}"
        )
    report = (
        "Please file an issue with the following so that we can make `weights_only=True` "
        "compatible with your use case: WeightsUnpickler error: "
    )
    if "is blocked." in text:
        report = ""
    return f"Weights only load failed. {UNSAFE}\n{report}\n\n{text}{PAGE}"


def not_seekable(error: Exception) -> str:
    return (
        f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data "
        "into a buffer like io.BytesIO and try to load from it instead."
    )


def no_bytes(found: Any) -> str:
    return f"Expected bytes, got {type(found).__name__}"


def torchscript() -> str:
    return (
        "Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. "
        + UNSAFE
    )


def not_saved_data(what: str) -> str:
    return (
        f"Weights only load failed: {what}. This is a file of course_lib's first format, and it is "
        "damaged."
    )


# ---- the archive ---------------------------------------------------------------------------------

NO_VERSION = (
    'Expected hasRecord("version") to be true, but got false.  (Could this error message be '
    "improved?  If so, please report an enhancement request to PyTorch.)"
)
NO_CHECKPOINT = "Expected input to be a checkpoint returned by torch.save"
BAD_MAGIC = "Invalid magic number; corrupt file?"
SHORT_LEGACY = "the storages in the file are not those that its tensors need; corrupt file?"
DAMAGED = (
    "This is an internal miniz error. If you are seeing this error, there is a high likelihood "
    "that your checkpoint file is corrupted. This can happen if the checkpoint was not saved "
    "properly, was transferred incorrectly, or the file was modified after saving."
)


def broken_archive(what: str) -> str:
    return f"PytorchStreamReader failed reading zip archive: {what}. {DAMAGED}"


def missing_record(name: str) -> str:
    return f"PytorchStreamReader failed locating file {name}: file not found. {DAMAGED}"


def broken_record(name: str, what: str) -> str:
    return f"PytorchStreamReader failed reading file {name}: {what}. {DAMAGED}"


def not_in_folder(name: str) -> str:
    return (
        "[enforce fail at inline_container.cc:180] . file in archive is not in a subdirectory: "
        f"{name}"
    )


def unreadable_version(text: str) -> str:
    return (
        f"[enforce fail at inline_container.cc:215] . Couldn't parse the version {text} as Long "
        "Long."
    )


def newer_version(found: int, newest: int) -> str:
    return (
        "[enforce fail at inline_container.cc:230] . Attempted to read a PyTorch file with version "
        f"{found}, but the maximum supported version for reading is {newest}. The version of your "
        "PyTorch installation may be too old, please upgrade PyTorch to latest version to mitigate "
        "this issue."
    )


def unknown_byte_order(order: str) -> str:
    return f"Unknown endianness type: {order}"


def bad_protocol(found: Any) -> str:
    return f"Invalid protocol version: {found}"


def record_size(found: int, expected: int) -> str:
    return (
        f"record size ({found} bytes) does not match expected size ({expected} bytes = {expected} "
        "elements * 1 bytes/element) for dtype Byte"
    )


# ---- what the pickle asks for --------------------------------------------------------------------


def unsafe_global(path: str) -> str:
    return (
        f"Unsupported global: GLOBAL {path} was not an allowed global by default. Please use "
        f"`torch.serialization.add_safe_globals([{path}])` or the "
        f"`torch.serialization.safe_globals([{path}])` context manager to allowlist this global "
        "if you trust this class/function."
    )


def blocked_global(path: str, module: str) -> str:
    return f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked."


def class_of_pytorch(path: str) -> str:
    return (
        f"the file holds an object of PyTorch's class {path}, not only data. Save its "
        "state_dict() in PyTorch and load that into a module made here."
    )


def unsupported_opcode(code: int) -> str:
    return f"Unsupported operand {code}"


def unknown_call(function: Any) -> str:
    owner = getattr(function, "__self__", None)
    of = "" if owner is None else f" which belongs to {owner}"
    return f"Trying to call reduce for unrecognized function {function}{of}"


def unknown_class(kind: Any) -> str:
    return (
        "Can only create new object for nn.Parameter or classes allowlisted via "
        f"`add_safe_globals` but got {kind}"
    )


def unknown_build(kind: type) -> str:
    return (
        "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
        f"`add_safe_globals`, but got {kind}"
    )


def no_persistent_id(asked: Any) -> str:
    return f"persistent_load id must be tuple or int, but got {type(asked)}"


def no_storage_id(kind: Any) -> str:
    return f"Only persistent_load of storage is allowed, but got {type(kind)}"


def no_list(found: Any, verb: str) -> str:
    return f"Can only {verb} lists, but got {type(found)}"


def no_mapping(found: Any, name: str) -> str:
    return (
        f"Can only {name} for dict, collections.OrderedDict, collections.Counter, but got "
        f"{type(found)}"
    )


def other_protocol(number: int) -> str:
    return (
        f"Detected pickle protocol {number} in the checkpoint, which was not the default pickle "
        "protocol used by `torch.load` (2). The weights_only Unpickler might not support all "
        "instructions implemented by this protocol, please file an issue for adding support if you "
        "encounter this."
    )


def safe_pair(value: tuple) -> str:
    return (
        "Expected tuple of length 2 (global, str of callable full path), but got tuple of length: "
        f"{len(value)}"
    )


def safe_name(value: Any) -> str:
    return f"Expected second item in tuple to be str of callable full path, but got: {type(value)}"


# ---- tensors in files ----------------------------------------------------------------------------

NOT_RESIZABLE = "Trying to resize storage that is not resizable"
NUMEL_OVERFLOW = "numel: integer multiplication overflow"


def negative_offset(offset: int) -> str:
    return f"Tensor: invalid storage offset {offset}"


def unequal_ranks(size: Any, stride: Any) -> str:
    return f"unequal size length ({len(size)}) and stride length ({len(stride)})"


def no_storage(found: Any) -> str:
    return (
        "TypedStorage.__init__ received an invalid combination of arguments. Expected one of:\n"
        " * (*, torch.device device, torch.dtype dtype)\n"
        " * (int size, *, torch.device device, torch.dtype dtype)\n"
        " * (Sequence data, *, torch.device device, torch.dtype dtype)\n"
        " * (*, UntypedStorage wrap_storage, torch.dtype dtype)\n"
        f"Argument 'wrap_storage' must be UntypedStorage, but got {type(found)}"
    )


MAP_TO_CPU = (
    "If you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU."
)


def unrestorable(location: str) -> str:
    """What `torch.load` says of storages for a device that is not there."""
    kind = location.partition(":")[0]
    if kind in ("cuda", "xpu"):
        return (
            f"Attempting to deserialize object on a {kind.upper()} device but "
            f"torch.{kind}.is_available() is False. {MAP_TO_CPU}"
        )
    if kind in ("hpu", "privateuseone"):
        return f"The {kind.upper()} device module is not registered. {MAP_TO_CPU}"
    if kind == "mps":
        return f"torch.UntypedStorage(): Storage device not recognized: {location}"
    return (
        "don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
        f"{location})"
    )
