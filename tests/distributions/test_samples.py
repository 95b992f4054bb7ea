"""Samples: shapes, gradients, and what their distribution says of them."""

from __future__ import annotations

import pytest

import course_lib as torch
from course_lib import distributions as D

ALL = [
    D.Normal(torch.tensor([0.0, 3.0]), 2.0),
    D.Uniform(torch.tensor([0.0, 3.0]), 5.0),
    D.Exponential(torch.tensor([0.5, 2.0])),
    D.Bernoulli(torch.tensor([0.2, 0.5])),
    D.Gamma(torch.tensor([0.5, 3.0]), 2.0),
    D.Beta(torch.tensor([0.5, 3.0]), 2.0),
    D.Dirichlet(torch.tensor([[0.5, 3.0, 1.0], [2.0, 2.0, 2.0]])),
    D.Multinomial(5, torch.tensor([[0.5, 3.0, 1.0], [2.0, 2.0, 2.0]])),
    D.MultivariateNormal(torch.zeros(2, 2), torch.tensor([[2.0, 0.5], [0.5, 1.0]])),
    D.Independent(D.Normal(torch.zeros(2, 3), torch.ones(3)), 1),
]
NAMES = [type(each).__name__ for each in ALL]


@pytest.mark.parametrize("distribution", ALL, ids=NAMES)
def test_samples_have_the_moments_that_the_distribution_says(distribution):
    torch.manual_seed(1)
    samples, spread = distribution.sample((4000,)), distribution.stddev
    assert ((samples.mean(0) - distribution.mean).abs() < 5 * spread / 4000**0.5).all()
    assert ((samples.std(0) / spread - 1).abs() < 0.15).all()


@pytest.mark.parametrize("distribution", ALL, ids=NAMES)
def test_samples_lie_in_the_support(distribution):
    samples = distribution.sample((3, 5))
    shape = (3, 5, *distribution.batch_shape)
    assert samples.shape == shape + distribution.event_shape
    assert distribution.log_prob(samples).shape == shape
    assert distribution.support.check(samples).all()


@pytest.mark.parametrize("distribution", ALL, ids=NAMES)
def test_an_expanded_distribution_says_the_same(distribution):
    wide = distribution.expand((3, 2))
    value = distribution.sample()
    assert wide.batch_shape == (3, 2)
    assert wide.event_shape == distribution.event_shape
    assert torch.equal(wide.log_prob(value), distribution.log_prob(value).expand(3, 2))


@pytest.mark.parametrize(
    "make",
    [
        lambda a: D.Gamma(a, 1.0),
        lambda a: D.Beta(a, 1.0),
        lambda a: D.Dirichlet(torch.stack([a, a], -1)),
    ],
)
def test_samples_of_the_gamma_family_have_no_gradient_and_say_so(make):
    made = make(torch.tensor(2.0, requires_grad=True))
    with pytest.raises(NotImplementedError, match=r"rsample\(\) has no gradient"):
        made.rsample()
    assert not made.sample().requires_grad
    assert made.log_prob(made.sample()).requires_grad


def test_gamma_samples_pass_a_gradient_to_the_rate():
    rate = torch.tensor(2.0, requires_grad=True)
    sample = D.Gamma(3.0, rate).rsample()
    sample.backward()
    assert rate.grad.item() == pytest.approx(-sample.item() / 2)


def test_the_entropy_of_an_exponential_family_follows_from_its_normalizer():
    for each in ALL[0], ALL[2], ALL[3], ALL[4]:
        if each._natural_params and type(each) is not D.Gamma:  # whose carrier is not zero
            general = D.ExponentialFamily.entropy(each)
            assert torch.allclose(general, each.entropy(), atol=1e-6)


def test_one_matrix_gives_the_others():
    covariance = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
    from_precision = D.MultivariateNormal(torch.zeros(2), precision_matrix=covariance.inverse())
    assert torch.allclose(from_precision.covariance_matrix, covariance, atol=1e-6)
    factor = torch.linalg.cholesky(covariance)
    from_factor = D.MultivariateNormal(torch.zeros(2), scale_tril=factor)
    assert torch.allclose(from_factor.covariance_matrix, covariance, atol=1e-6)
    assert torch.allclose(from_factor.precision_matrix, covariance.inverse(), atol=1e-6)
