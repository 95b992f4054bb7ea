"""What PyTorch says that its mathematical functions accept; see `signatures.py`."""

from __future__ import annotations

OUT, PAIR_OUT = "Tensor out = None", "tuple of Tensors out = None"
KEEP = "bool keepdim = False"
UNARY = (f"*, {OUT}",)
PLAIN = ("",)
TENSOR = (f"Tensor other, *, {OUT}",)
NUMBER_FIRST = (
    f"Tensor other, *, {OUT}",
    "Number self, Tensor other",
    f"Number other, *, {OUT}",
)
TENSOR_OR_NUMBER = (f"Tensor other, *, {OUT}", f"Number other, *, {OUT}")
POWER = (
    f"Tensor exponent, *, {OUT}",
    f"Number self, Tensor exponent, *, {OUT}",
    f"Number exponent, *, {OUT}",
)
SUM = (
    "*, torch.dtype dtype = None",
    f"tuple of ints dim, {KEEP}, *, torch.dtype dtype = None, {OUT}",
)
NANSUM = (f"tuple of ints dim = None, {KEEP}, *, torch.dtype dtype = None, {OUT}",)
EXTREME = (f"*, {OUT}", f"Tensor other, *, {OUT}", f"int dim, {KEEP}, *, {PAIR_OUT}")
SPREAD = (
    f"tuple of ints dim, bool unbiased = True, {KEEP}, *, {OUT}",
    f"tuple of ints dim = None, *, Number correction = None, {KEEP}, {OUT}",
    "bool unbiased = True",
)
SPREAD_AND_MEAN = tuple(text.replace(f", {OUT}", "").removesuffix(", *") for text in SPREAD)
TRUTH = (
    f"*, {OUT}",
    f"tuple of ints dim = None, {KEEP}, *, {OUT}",
    f"int dim, {KEEP}, *, {OUT}",
)

FAMILIES: dict[tuple[str, ...], str] = {
    UNARY: "abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh asin asinh "
    "atan atanh bitwise_not ceil conj_physical cos cosh deg2rad erf erfc exp exp2 expm1 fix floor "
    "frac isneginf isposinf log log10 log1p log2 logical_not msort neg negative rad2deg "
    "reciprocal rsqrt sgn sigmoid sign signbit sin sinh sqrt square tan tanh trunc",
    PLAIN: "conj isfinite isinf isnan isreal positive relu",
    TENSOR: "arctan2 atan2 fmax fmin hypot logaddexp logaddexp2 logical_and logical_or logical_xor "
    "maximum minimum",
    NUMBER_FIRST: "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor "
    "remainder",
    TENSOR_OR_NUMBER: "copysign eq fmod ge greater greater_equal gt le less less_equal lt ne "
    "not_equal",
    NANSUM: "nansum nanmean",
    EXTREME: "max min",
    SPREAD: "std var",
    SPREAD_AND_MEAN: "std_mean var_mean",
    TRUTH: "all any",
    (f"int dim, *, {PAIR_OUT}",): "cummax cummin",
    (f"int dim, *, torch.dtype dtype = None, {OUT}",): "cumprod cumsum",
    (f"tuple of ints dim = (), {KEEP}, *, {OUT}",): "amax amin",
    (f"int dim = None, {KEEP}, *, {OUT}",): "argmax argmin",
    ("", f"int dim, {KEEP}, *, {PAIR_OUT}"): "median nanmedian",
    (f"Tensor tensor1, Tensor tensor2, *, Number value = 1, {OUT}",): "addcdiv addcmul",
    (
        f"Tensor min = None, Tensor max = None, *, {OUT}",
        f"Number min = None, Number max = None, *, {OUT}",
    ): "clamp clip",
}

MATH: dict[str, tuple[str, ...]] = {
    **{name: texts for texts, names in FAMILIES.items() for name in names.split()},
    "add": (f"Tensor other, *, Number alpha = 1, {OUT}",),
    "sub": (f"Tensor other, *, Number alpha = 1, {OUT}",),
    "mul": (f"Tensor other, *, {OUT}",),
    "rsub": ("Tensor other, *, Number alpha = 1", "Number other, Number alpha = 1"),
    "div": (
        f"Tensor other, *, {OUT}",
        f"Tensor other, *, str rounding_mode, {OUT}",
        "Number other, *, str rounding_mode",
    ),
    "true_divide": (f"Tensor other, *, {OUT}", "Number other"),
    "floor_divide": (f"Tensor other, *, {OUT}", "Number other"),
    "aminmax": (f"*, int dim = None, {KEEP}, {PAIR_OUT}",),
    "argsort": (
        f"*, bool stable, int dim = -1, bool descending = False, {OUT}",
        "int dim = -1, bool descending = False",
    ),
    "bincount": ("Tensor weights = None, int minlength = 0",),
    "clamp_max": (f"Tensor max, *, {OUT}", f"Number max, *, {OUT}"),
    "clamp_min": (f"Tensor min, *, {OUT}", f"Number min, *, {OUT}"),
    "count_nonzero": ("int dim = None", "tuple of ints dim"),
    "diff": (f"int n = 1, int dim = -1, Tensor prepend = None, Tensor append = None, *, {OUT}",),
    "equal": ("Tensor other",),
    "float_power": POWER,
    "isclose": ("Tensor other, float rtol = 1e-05, float atol = 1e-08, bool equal_nan = False",),
    "allclose": ("Tensor other, float rtol = 1e-05, float atol = 1e-08, bool equal_nan = False",),
    "kthvalue": (f"int k, int dim = -1, {KEEP}, *, {PAIR_OUT}",),
    "lerp": (f"Tensor end, Tensor weight, *, {OUT}", f"Tensor end, Number weight, *, {OUT}"),
    "logsumexp": (f"tuple of ints dim, {KEEP}, *, {OUT}",),
    "logcumsumexp": (f"int dim, *, {OUT}",),
    "mean": (
        f"*, torch.dtype dtype = None, {OUT}",
        f"tuple of ints dim, {KEEP}, *, torch.dtype dtype = None, {OUT}",
    ),
    "nan_to_num": (f"float nan = None, float posinf = None, float neginf = None, *, {OUT}",),
    "pow": POWER,
    "xlogy": (
        f"Tensor other, *, {OUT}",
        f"Number self, Tensor other, *, {OUT}",
        f"Number other, *, {OUT}",
    ),
    "prod": (
        "*, torch.dtype dtype = None",
        f"int dim, {KEEP}, *, torch.dtype dtype = None, {OUT}",
    ),
    "round": (f"*, {OUT}", f"*, int decimals, {OUT}"),
    "sort": (
        f"*, bool stable, int dim = -1, bool descending = False, {PAIR_OUT}",
        f"int dim = -1, bool descending = False, *, {PAIR_OUT}",
    ),
    "sum": SUM,
    "topk": (f"int k, int dim = -1, bool largest = True, bool sorted = True, *, {PAIR_OUT}",),
}
