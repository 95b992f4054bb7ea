"""Names that few programs use: buffers, histograms, older decompositions, swapped tensors."""

from __future__ import annotations

import warnings
import weakref

import numpy as np
import pytest

import course_lib as torch
from course_lib.words.errors import writing


def test_a_tensor_and_its_buffer_see_each_others_writes():
    buffer = bytearray(2)
    x = torch.frombuffer(buffer, dtype=torch.uint8)
    x[0] = 7
    buffer[1] = 5
    assert (buffer[0], x.tolist()) == (7, [7, 5])


def test_a_part_of_a_buffer():
    x = torch.frombuffer(bytearray([9, 1, 0, 2, 0, 9]), dtype=torch.int16, count=2, offset=1)
    assert x.tolist() == [1, 2] and x.storage_offset() == 0


@pytest.mark.parametrize(
    ("size", "options", "text"),
    [
        (0, {}, r"both buffer length \(0\) and count \(-1\) must not be 0"),
        (4, {"count": 0}, r"both buffer length \(4\) and count \(0\) must not be 0"),
        (4, {"offset": 4}, r"offset \(4 bytes\) must be non-negative and no greater than"),
        (3, {}, r"buffer length \(3 bytes\) after offset \(0 bytes\) must be a multiple of"),
        (4, {"count": 3}, r"requested buffer length \(3 \* 2 bytes\) after offset \(0 bytes\)"),
    ],
)
def test_a_buffer_of_another_size_is_refused(size, options, text):
    with pytest.raises(ValueError, match=text):
        torch.frombuffer(bytearray(size), dtype=torch.int16, **options)


two = torch.ones(2)


def tracked(size):
    return torch.ones(size, requires_grad=True)


def reduced():
    return torch.zeros(2).index_reduce(0, torch.tensor([0]), torch.ones(1), "mean")


ONCE = {  # what each of two calls warns of in PyTorch: with `set_warn_always` the second does too
    "not writable": [lambda: torch.frombuffer(b"ab", dtype=torch.uint8)] * 2,
    "NumPy array is not writable": [lambda: torch.from_numpy(np.broadcast_to(1.0, 2))] * 2,
    "torch.qr is deprecated": [lambda: torch.qr(torch.eye(2))] * 2,
    "list of numpy": [lambda: torch.tensor([np.arange(2)]), lambda: torch.Tensor([np.eye(2)])],
    "to a scalar": [lambda: float(tracked(())), lambda: torch.tensor([tracked(())])],
    "dimension other than 2": [lambda: torch.ones(3).T, lambda: torch.ones(2, 2, 2).T],
    "T is deprecated on 0-D": [lambda: torch.tensor(1).T] * 2,
    "imaginary part": [torch.tensor(1j).float, lambda: torch.ones(1).copy_(torch.tensor(1j))],
    "create a reference cycle": [lambda: (tracked(()) ** 2).backward(create_graph=True)] * 2,
    "This overload of": [lambda: two.add_(1, two), lambda: torch.sub(two, 1, two)],
    "without specifying the dim": [lambda: torch.cross(torch.ones(3), torch.ones(3))] * 2,
    "meshgrid": [lambda: torch.meshgrid(torch.ones(2), torch.ones(2))] * 2,
    "in beta": [reduced] * 2,
}  # fmt: skip
ALWAYS = {
    "target size": [lambda: torch.nn.functional.mse_loss(torch.ones(2), torch.ones(2, 1))] * 2,
    "not a leaf": [lambda: (tracked(2) * 1).grad] * 2,
    "To copy construct": [lambda: torch.tensor(torch.ones(2))] * 2,
}


@pytest.mark.parametrize("words", [*ONCE, *ALWAYS])
def test_a_warning_of_c_is_given_once(monkeypatch, words):
    monkeypatch.setattr(writing, "given", set())
    monkeypatch.setattr(writing, "always", False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for call in (ONCE | ALWAYS)[words]:
            call()
        assert len([w for w in caught if words in str(w.message)]) == (1 if words in ONCE else 2)
        torch.set_warn_always(True)
        caught.clear()
        for call in (ONCE | ALWAYS)[words]:
            call()
    assert len([w for w in caught if words in str(w.message)]) == 2


def test_the_older_names_of_decompositions():
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    found = torch.svd(a)
    assert torch.allclose(found.U @ torch.diag(found.S) @ found.V.T, a, atol=1e-5)
    assert [tuple(part.shape) for part in a.svd(some=False)] == [(3, 3), (2,), (2, 2)]
    assert [part.abs().sum().item() > 0 for part in a.svd(compute_uv=False)] == [False, True, False]
    with warnings.catch_warnings(action="ignore"):
        q, r = torch.qr(a)
    assert torch.allclose(q @ r, a, atol=1e-5)


def test_histograms():
    x = torch.tensor([1.0, 2.0, 1.0])
    weight = torch.tensor([1.0, 2.0, 4.0])
    weighted = torch.histogram(x, bins=4, range=(0.0, 3.0), weight=weight)
    assert weighted.hist.tolist() == [0, 5, 2, 0]
    assert weighted.bin_edges.tolist() == [0, 0.75, 1.5, 2.25, 3]
    assert x.histogram(torch.tensor([0.0, 1.0, 1.5, 3.0])).hist.tolist() == [0, 2, 1]
    assert torch.histogram(torch.tensor([1.0, 1.0]), 2).bin_edges.tolist() == [0.5, 1, 1.5]


@pytest.mark.parametrize(
    ("bins", "options", "text"),
    [
        (0, {}, r"torch.histogram\(\): bins must be > 0, but got 0 for dimension 0"),
        (2, {"range": (3.0, 1.0)}, "min should not exceed max, but got min 3 max 1"),
        (2, {"range": (3.0,)}, "range should have 2 elements, but got 1"),
        (2, {"weight": torch.ones(3)}, r"input with shape \[2, 1\] and weight with shape \[3\]"),
        (torch.ones(2, 2), {}, "bins tensor should have one dimension, but got 2"),
        (torch.tensor([1, 2]), {}, "bins for dimension 0 with dtype long int"),
    ],
)
def test_histograms_that_cannot_be(bins, options, text):
    with pytest.raises(RuntimeError, match=text):
        torch.histogram(torch.tensor([1.0, 2.0]), bins, **options)


def test_swapped_tensors_are_each_others():
    parameter, other = torch.nn.Parameter(torch.ones(2)), torch.zeros(3)
    other.note = 1
    torch.utils.swap_tensors(parameter, other)
    assert type(parameter) is torch.Tensor and parameter.note == 1 and parameter.shape == (3,)
    assert type(other) is torch.nn.Parameter and other.is_leaf and other.requires_grad


def test_a_graph_made_before_the_swap_is_refused():
    w = torch.ones(2, requires_grad=True)
    loss, x = (w * 2).sum(), torch.zeros(2)
    torch.utils.swap_tensors(w, x)
    with pytest.raises(RuntimeError, match="poisoned by swap_tensors"):
        loss.backward()
    (x * 3).sum().backward()
    assert w.grad is None and x.grad.tolist() == [3, 3]


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda w: w * w, "Expected use_count of t1 to be 1 or 2 .* but got 4"),
        (lambda w: w[:1], "Expected use_count of t1 to be 1 or 2 .* but got 3"),
    ],
)
def test_a_tensor_that_a_graph_needs_is_not_swapped(use, text):
    w = torch.ones(2, requires_grad=True)
    used = use(w)
    with pytest.raises(RuntimeError, match=text):
        torch.utils.swap_tensors(w, torch.zeros(1))
    assert used.requires_grad and w.tolist() == [1, 1]


def test_the_base_of_a_view_is_not_swapped():
    x = torch.ones(2)
    view = x[:1]
    with pytest.raises(RuntimeError, match="not possible to get the gradient edge"):
        torch.utils.swap_tensors(x, torch.zeros(1))
    assert view._base is x


def test_tensors_with_weak_references_are_not_swapped():
    x = torch.ones(2)
    kept = weakref.ref(x)
    with pytest.raises(RuntimeError, match="Cannot swap t1 because it has weakref"):
        torch.utils.swap_tensors(x, torch.ones(2))
    assert kept() is x


def test_no_tensor_is_conjugated_or_negated_later():
    x = torch.tensor([1j]).conj()
    assert not (x.is_conj() or torch.is_conj(x) or x.is_neg() or torch.is_neg(x))


def test_there_is_no_accelerator():
    accelerator = torch.accelerator
    assert accelerator.current_accelerator() is None and accelerator.device_count() == 0
    assert not accelerator.is_available()
    with pytest.raises(RuntimeError, match="Cannot access accelerator device when none is"):
        accelerator.synchronize()
    with accelerator.device_index(None):
        pass


def test_back_ends_can_be_imported():
    import course_lib.backends.cudnn as cudnn

    assert cudnn is torch.backends.cudnn and not cudnn.is_available()


def test_data_parallel_calls_the_module():
    inner = torch.nn.Linear(2, 1)
    net = torch.nn.DataParallel(inner, device_ids=[0])
    x = torch.ones(3, 2)
    assert net.device_ids == [] and net.module is inner
    assert list(net.state_dict()) == ["module.weight", "module.bias"]
    assert torch.equal(net(x), inner(x))
