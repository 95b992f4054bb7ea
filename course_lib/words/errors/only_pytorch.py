"""What PyTorch has and the course does not: by name, with the reason, and what to do."""

from __future__ import annotations

import re
from typing import Any

ELSEWHERE = "Use PyTorch itself for it."

# (words of the name, why the course does not have it, what to do); the first row that fits
FAMILIES = (
    (
        r"forward_ad|fwAD|linearize|jvp|jacfwd",
        "The course computes derivatives backward, from the result to the inputs.",
        ELSEWHERE,
    ),
    (
        r"jit|^torch\.fx\b|compile|[Ss]cript|export|onnx|dynamo|inductor|functionalize|Tracing|"
        r"torch\.(ops|library|package|cpp|cond|while_loop|Graph|Block|Code|Value|Use|Node)$|"
        r"torch\.sym_|torch\.Sym|(Type|Schema|cpp_extension)$|mobile|nativert|\bparse_|import_ir|"
        r"[Cc]udagraph|CUDAGraph|deploy",
        "The course runs each operation when Python reaches it, and compiles nothing.",
        ELSEWHERE,
    ),
    (
        r"sparse|Sparse|coalesce|(col|row|crow|ccol)_indices|(Tensor|torch)\.(indices|values)$|"
        r"smm$|spmm|sspaddmm|saddmm|dense_dim|to_dense|\b(indices|values)_copy",
        "A tensor of the course stores all its elements, zeros too.",
        ELSEWHERE,
    ),
    (
        r"quant|Quant|\bq_|qscheme|qint|quint|QInt|QUInt|int_repr|per_(channel|tensor)_|"
        r"torch\.ao$|nn\.(qat|intrinsic)$|fake_|fbgemm|choose_qparams",
        "The course computes with NumPy's numbers, and NumPy has no quantized ones.",
        ELSEWHERE,
    ),
    (
        r"distributed|Distributed|multiprocessing|share_memory|\.comm$|rpc|RRef|Future|futures|"
        r"SyncBatchNorm|nn\.parallel|\bFork|fork$|torch\.wait",
        "The course runs in one process.",
        ELSEWHERE,
    ),
    (
        r"autocast|\bamp\b|GradScaler",
        "In the course, the dtypes of the inputs decide in which dtype an operation computes.",
        "Choose the dtype with .to(), or use PyTorch itself.",
    ),
    (
        r"profile|Profile|kineto|itt|nvtx|benchmark|flop_counter|bottleneck",
        "The course has no kernels to measure.",
        "Python's cProfile measures functions; for kernels, use PyTorch itself.",
    ),
    (
        r"nested|jagged|padded_tensor",
        "In the course, each dimension of a tensor has one size.",
        "Pad with torch.nn.utils.rnn.pad_sequence, or use PyTorch itself.",
    ),
    (
        r"cuda|cudnn|miopen|mkl|xpu|\bmps|mtia|\b(is_)?ipu|\bhip|xla|vulkan|maia|\bpin_|is_pinned|record_stream|Stream|"
        r"nnpack|\bEvent",
        "The course computes on the CPU, with NumPy.",
        ELSEWHERE,
    ),
)


def absent(spoken: str) -> str:
    """The sentence for something of PyTorch's, say "torch.jit", that the course does not have."""
    for words, reason, advice in FAMILIES:
        if re.search(words, spoken):
            return f"PyTorch has {spoken}; the course does not. {reason} {advice}"
    return f"PyTorch has {spoken}; the course does not. {ELSEWHERE}"


def absent_call(place: str, name: str, kwargs: dict[str, Any]) -> str:
    """The sentence for a call that PyTorch accepts and the course does not."""
    where = {"F": "torch.nn.functional", "Tensor": "torch.Tensor", "torch": "torch"}
    given = ", ".join(f"{key}=…" for key in kwargs)
    return absent(f"{where.get(place, f'torch.{place}')}.{name}({given})")
