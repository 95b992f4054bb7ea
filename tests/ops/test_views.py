"""Views: one memory under many shapes, checked against NumPy and against the memory itself."""

import math
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import course_lib as torch

SHAPES = st.lists(st.integers(0, 3), max_size=4).map(tuple)
SOLID = st.lists(st.integers(1, 3), min_size=1, max_size=4).map(tuple)


def counted(shape: tuple[int, ...]) -> Any:
    """A tensor of this shape that holds 0, 1, 2 …"""
    return torch.arange(math.prod(shape)).view(shape)


def shown(x: Any) -> np.ndarray:
    """What the storage holds at `offset + sum(index * stride)`: the definition of a tensor."""
    storage = np.frombuffer(bytes(x.untyped_storage().tolist()), np.int64)
    place = np.full(tuple(x.shape), x.storage_offset())
    for dim, (n, step) in enumerate(zip(x.shape, x.stride(), strict=True)):
        place += (np.arange(n) * step).reshape((n,) + (1,) * (x.dim() - dim - 1))
    return storage[place] if place.size else np.zeros(tuple(x.shape), storage.dtype)


@st.composite
def chains(draw: Any) -> Any:
    """A tensor after a few random view operations, and NumPy's array after the same."""
    shape = draw(SOLID)
    x, a = counted(shape), np.arange(math.prod(shape)).reshape(shape)
    for _ in range(draw(st.integers(0, 4))):
        if not x.dim():
            break
        dim = draw(st.integers(0, x.dim() - 1))
        size = x.shape[dim]
        step = draw(st.sampled_from(["transpose", "unsqueeze", "narrow", "select", "expand"]))
        if step == "transpose":
            other = draw(st.integers(0, x.dim() - 1))
            x, a = x.transpose(dim, other), a.swapaxes(dim, other)
        elif step == "unsqueeze":
            x, a = x.unsqueeze(dim), np.expand_dims(a, dim)
        elif step == "narrow":
            start = draw(st.integers(0, size))
            length = draw(st.integers(0, size - start))
            x, a = x.narrow(dim, start, length), np.take(a, range(start, start + length), dim)
        elif step == "select" and size:
            index = draw(st.integers(-size, size - 1))
            x, a = x.select(dim, index), np.take(a, index, dim)
        elif step == "expand":
            wide = (2, *x.shape)
            x, a = x.expand(wide), np.broadcast_to(a, wide)
    return x, a


# ---- every view is its shape, strides and offset -------------------------------------------------


@given(chains())
def test_a_chain_of_views_shows_what_numpy_shows_where_strides_and_offset_say(chain: Any) -> None:
    x, a = chain
    assert x.tolist() == a.tolist() == shown(x).tolist()
    assert x._base is None or not x._base._is_view()


@given(chains())
def test_reshape_and_contiguous_share_memory_exactly_when_a_view_is_possible(chain: Any) -> None:
    x, a = chain
    flat = x.reshape(x.numel())
    assert flat.tolist() == a.ravel().tolist()
    assert (x.contiguous() is x) == x.is_contiguous()
    try:
        x.view(x.numel())
    except RuntimeError:
        assert not flat._is_view()
    else:
        assert flat._is_view()


@given(chains())
def test_all_views_count_the_writes_of_one(chain: Any) -> None:
    x, _ = chain
    x.t_() if x.dim() < 3 else x.transpose_(0, 1)
    assert (x if x._base is None else x._base)._version == 1


# ---- pairs that undo each other ------------------------------------------------------------------


@given(SHAPES, st.data())
def test_permute_back_gives_the_same_strides(shape: tuple[int, ...], data: Any) -> None:
    order = data.draw(st.permutations(range(len(shape))))
    x = counted(shape)
    back = sorted(range(len(shape)), key=order.__getitem__)
    assert x.permute(order).permute(back).stride() == x.stride()


@given(SHAPES, st.data())
def test_squeeze_undoes_unsqueeze(shape: tuple[int, ...], data: Any) -> None:
    dim = data.draw(st.integers(-len(shape) - 1, len(shape)))
    x = counted(shape)
    assert x.unsqueeze(dim).squeeze(dim).stride() == x.stride()


@given(SOLID, st.data())
def test_parts_side_by_side_are_the_whole(shape: tuple[int, ...], data: Any) -> None:
    dim = data.draw(st.integers(0, len(shape) - 1))
    size = data.draw(st.integers(1, 4))
    x = counted(shape)
    assert torch.cat(x.split(size, dim), dim).tolist() == x.tolist()


@given(SOLID, st.data())
def test_unbound_entries_stacked_are_the_whole(shape: tuple[int, ...], data: Any) -> None:
    dim = data.draw(st.integers(0, len(shape) - 1))
    x = counted(shape)
    assert torch.stack(x.unbind(dim), dim).tolist() == x.tolist()


# ---- memory --------------------------------------------------------------------------------------


def test_storage_of_a_view_is_that_of_its_base() -> None:
    x = torch.zeros(3, 4)
    assert x[1:, ::2].untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
