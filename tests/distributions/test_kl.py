"""Divergences: the choice of the formula, and that the formula is the mean of log p − log q."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib import distributions as D
from course_lib.distributions.kl import kl_divergence, register_kl

PAIRS = [
    (D.Normal(0.3, 1.2), D.Normal(-0.5, 2.0)),
    (D.Uniform(0.1, 0.8), D.Uniform(0.0, 2.0)),
    (D.Exponential(2.0), D.Exponential(0.7)),
    (D.Bernoulli(0.3), D.Bernoulli(0.6)),
    (D.Gamma(2.0, 1.5), D.Gamma(3.0, 1.0)),
    (D.Beta(2.0, 3.0), D.Beta(1.5, 1.0)),
    (D.Dirichlet(torch.tensor([2.0, 3.0, 1.0])), D.Dirichlet(torch.tensor([1.0, 1.5, 1.0]))),
    (
        D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]])),
        D.MultivariateNormal(torch.ones(2), 2 * torch.eye(2)),
    ),
    (D.Gamma(2.0, 1.5), D.Normal(1.0, 2.0)),
    (D.Beta(2.0, 3.0), D.Gamma(2.0, 3.0)),
    (D.Beta(2.0, 3.0), D.Normal(0.3, 0.5)),
    (D.Exponential(2.0), D.Gamma(1.5, 1.0)),
    (D.Uniform(0.1, 0.8), D.Beta(2.0, 3.0)),
    (D.Uniform(0.1, 0.8), D.Gamma(2.0, 3.0)),
]


@pytest.mark.parametrize(("p", "q"), PAIRS, ids=[f"{p} {q}" for p, q in PAIRS])
def test_the_divergence_is_the_mean_of_the_difference_of_logarithms(p, q):
    torch.manual_seed(0)
    x = p.sample((4000,))
    difference = p.log_prob(x) - q.log_prob(x)
    error = difference.std() / 4000**0.5
    assert abs(kl_divergence(p, q) - difference.mean()) < 5 * error + 1e-6


class Wide(D.Normal):
    pass


class Wider(Wide):
    pass


@pytest.fixture
def formulas(monkeypatch):
    table = register_kl.__globals__["FORMULAS"]
    monkeypatch.setitem(register_kl.__globals__, "FORMULAS", dict(table))


def test_the_most_specific_formula_is_taken(formulas):
    wide, wider = Wide(0.0, 1.0), Wider(0.0, 1.0)
    register_kl(D.Normal, Wide)(lambda p, q: "Normal, Wide")
    assert kl_divergence(wide, D.Normal(0.0, 1.0)).item() == 0
    assert kl_divergence(wider, wide) == "Normal, Wide"
    register_kl(Wide, Wide)(lambda p, q: "Wide, Wide")
    assert kl_divergence(wider, wider) == "Wide, Wide"


def test_two_formulas_that_fit_equally_well_give_a_warning(formulas):
    register_kl(D.Normal, Wider)(lambda p, q: "q")
    register_kl(Wide, D.Normal)(lambda p, q: "p")
    expected = r"Ambiguous kl_divergence\(Wide, Wider\). Please register_kl\(Wide, Wider\)"
    with pytest.warns(RuntimeWarning, match=expected):
        assert kl_divergence(Wide(0.0, 1.0), Wider(0.0, 1.0)) == "p"


def test_what_is_not_a_class_is_refused():
    with pytest.raises(TypeError):
        register_kl(1, D.Normal)


def test_a_family_without_a_formula_uses_its_normalizer():
    class Rate(D.ExponentialFamily):
        arg_constraints = {}
        _mean_carrier_measure = 0

        def __init__(self, rate):
            self.rate = rate
            super().__init__(rate.shape)

        @property
        def _natural_params(self):
            return (-self.rate,)

        def _log_normalizer(self, x):
            return -(-x).log()

    p, q = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 0.5])
    expected = kl_divergence(D.Exponential(p), D.Exponential(q))
    assert torch.allclose(kl_divergence(Rate(p), Rate(q)), expected)
    assert torch.allclose(Rate(p).entropy(), D.Exponential(p).entropy())
