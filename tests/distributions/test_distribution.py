"""`torch.distributions`: what programs build on it; the numbers are facts of the oracle."""

from __future__ import annotations

import subprocess
import sys

import pytest

import course_lib as torch
from course_lib import distributions
from course_lib.distributions import Categorical, Distribution, Normal, constraints
from course_lib.distributions.utils import lazy_property


def test_importing_the_library_reads_no_distribution():
    code = "import sys, course_lib as torch; print(any('distributions' in m for m in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_a_name_is_the_same_wherever_it_is_taken_from():
    from course_lib.distributions.categorical import Categorical as third

    assert torch.distributions.Categorical is Categorical is third
    assert torch.distributions.constraints is constraints
    assert {"Normal", "constraints", "normal"} <= set(dir(distributions))


class Doubled(Distribution):
    """A user's distribution: always twice its parameter."""

    arg_constraints = {"half": constraints.positive}
    support = constraints.positive

    def __init__(self, half, validate_args=None):
        self.half = half
        super().__init__(half.shape, validate_args=validate_args)

    def rsample(self, sample_shape=()):
        return (2 * self.half).expand(self._extended_shape(sample_shape))

    @lazy_property
    def twice(self):
        return 2 * self.half


def test_a_users_distribution_is_checked_and_shown():
    made = Doubled(torch.tensor([1.0, 2.0]))
    assert repr(made) == "Doubled(half: torch.Size([2]))"
    assert made.sample((3,)).tolist() == [[2, 4]] * 3
    assert made.twice is made.twice
    with pytest.raises(ValueError, match=r"Expected parameter half \(Tensor of shape \(1,\)\)"):
        Doubled(torch.tensor([-1.0]))
    assert Doubled(torch.tensor([-1.0]), validate_args=False).sample().item() == -2


def test_a_distribution_without_sets_warns_where_it_is_made():
    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        Distribution()


def test_a_distribution_without_support_warns():
    class Silent(Distribution):
        arg_constraints = {}

        def log_prob(self, value):
            self._validate_sample(value)
            return value

    with pytest.warns(UserWarning, match="does not define `support`"):
        Silent().log_prob(torch.tensor(1.0))
    with pytest.raises(ValueError, match="The value argument to log_prob must be a Tensor"):
        Silent().log_prob(1.0)


def test_a_subclass_with_its_own_init_needs_its_own_expand():
    class Standard(Normal):
        def __init__(self):
            super().__init__(0.0, 1.0)

    with pytest.raises(NotImplementedError, match="Subclass Standard of Normal that defines"):
        Standard().expand((2,))


def test_checks_can_be_left_out_for_all():
    try:
        Distribution.set_default_validate_args(False)
        assert Normal(0.0, -1.0).scale.item() == -1
    finally:
        Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match="^$"):
        Distribution.set_default_validate_args(3)


def test_policy_gradient_reaches_the_logits():
    torch.manual_seed(0)
    logits = torch.zeros(4, requires_grad=True)
    policy = Categorical(logits=logits)
    (-policy.log_prob(policy.sample()) * 2).backward()
    assert sorted(logits.grad.tolist()) == [-1.5, 0.5, 0.5, 0.5]


def test_a_sample_has_no_gradient_and_a_reparametrized_one_has():
    mean = torch.zeros(2, requires_grad=True)
    assert not Normal(mean, 1.0).sample().requires_grad
    Normal(mean, 1.0).rsample((3,)).sum().backward()
    assert mean.grad.tolist() == [3, 3]
