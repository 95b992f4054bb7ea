"""Long chains end in a loop where the stack is a browser's: Note [Long chains]."""

import gc

import pytest

from course_lib.memory import heap


class Link:
    __slots__ = ("next",)
    ended, depth, deepest = 0, 0, 0

    def __init__(self, next):
        self.next = next

    def __del__(self):
        Link.depth += 1
        Link.ended, Link.deepest = Link.ended + 1, max(Link.deepest, Link.depth)
        heap.free_step_by_step(self)
        Link.depth -= 1


def chain(length):
    link = None
    for _ in range(length):
        link = Link(link)
    return link


@pytest.fixture(autouse=True)
def counted_anew():
    Link.ended = Link.depth = Link.deepest = 0


def test_a_long_chain_ends_with_two_calls_on_the_stack_at_most():
    head = chain(10_000)
    del head
    assert (Link.ended, Link.deepest <= 2) == (10_000, True)


def test_a_link_that_somebody_holds_stays_and_so_does_the_rest():
    head = chain(10)
    held = head.next.next
    del head
    assert Link.ended == 2 and held.next.next is not None


def test_links_in_a_cycle_end_too():
    first = Link(None)
    first.next = Link(first)
    del first
    gc.collect()
    assert Link.ended == 2 and not heap._left
