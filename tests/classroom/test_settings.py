"""A check neither meets nor leaves what a program sets for all that comes after it."""

import pytest

import course_lib as torch
from course_lib.classroom.probe import probe

SETTINGS = {
    "recording": (torch.set_grad_enabled, torch.is_grad_enabled, (True, False)),
    "dtype": (torch.set_default_dtype, torch.get_default_dtype, (torch.float32, torch.float64)),
    "device": (
        torch.set_default_device,
        lambda: str(torch.get_default_device()),
        ("cpu", "meta"),
    ),
    "warnings": (torch.set_warn_always, torch.is_warn_always_enabled, (True, False)),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_check_starts_with_the_ordinary_setting_and_leaves_the_one_before(name):
    change, now, (ordinary, other) = SETTINGS[name]
    seen = []

    def look(show):
        seen.append(now())
        change(other)

    probe(look, "demo-1")
    assert (seen, now()) == ([ordinary], ordinary)
    change(other)
    try:
        probe(look, "demo-1")
        assert (seen, now()) == ([ordinary, ordinary], other)
    finally:
        change(ordinary)


def test_a_setting_is_put_back_after_an_error_and_no_random_number_is_drawn():
    def look(show):
        torch.set_grad_enabled(False)
        raise ValueError

    assert probe(look, "demo-1")["error"]["type"] == "ValueError" and torch.is_grad_enabled()
    torch.manual_seed(3)
    expected = torch.rand(4).tolist()
    torch.manual_seed(3)
    first = torch.rand(1)
    probe(lambda show: torch.manual_seed(0), "demo-1")
    assert torch.cat([first, torch.rand(3)]).tolist() == expected
