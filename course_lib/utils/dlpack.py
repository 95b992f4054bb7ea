"""`torch.utils.dlpack`: sharing memory with other array libraries."""

from course_lib.ops.bridge.numpy_bridge import DLDeviceType, from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]
