"""`torch.distributions`: random variables, with samples, densities and divergences.

>>> d = torch.distributions.Normal(torch.tensor([0.0, 10.0]), 1.0)
>>> d.mean
tensor([ 0., 10.])
"""

from importlib import import_module as _import_module

from course_lib.declare.public import completed as _completed

# PyTorch's files, each with the same names as here: `torch.distributions.normal.Normal`.
_FILES = """
bernoulli beta categorical constraints dirichlet distribution exp_family exponential gamma
independent kl multinomial multivariate_normal normal uniform utils
""".split()
_get, _listed = _completed(globals(), "distributions")


def __getattr__(name: str) -> object:
    return _import_module(f"{__name__}.{name}") if name in _FILES else _get(name)


def __dir__() -> list[str]:
    return sorted({*_listed(), *_FILES})
