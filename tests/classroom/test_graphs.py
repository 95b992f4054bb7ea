"""Graphs that are the same but for the order of operands."""

import itertools
import json
import random

import pytest

import course_lib as torch
from course_lib.classroom.graphs import align_operands
from course_lib.classroom.page import verdict_text
from course_lib.classroom.probe import graph, probe
from course_lib.classroom.verdict import judge


def nodes(make):
    x, y = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    return graph(make(x, y))["nodes"]


def same(one, other):
    return align_operands(nodes(one), nodes(other)) == nodes(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x, y: x + y.exp(), lambda x, y: y.exp() + x),
        (lambda x, y: x * y.exp(), lambda x, y: y.exp() * x),
        (lambda x, y: x * 2 + x, lambda x, y: x + 2 * x),
        (lambda x, y: (x * y.exp()).sum() + x.sin(), lambda x, y: x.sin() + (y.exp() * x).sum()),
        (lambda x, y: torch.maximum(x, y.exp()), lambda x, y: torch.maximum(y.exp(), x)),
        # both operands look alike, and only what else uses them tells which is which
        (lambda x, y: (x.exp() * y.exp()) + x.sin(), lambda x, y: (y.exp() * x.exp()) + x.sin()),
        (lambda x, y: x * y + y.exp(), lambda x, y: x * y + x.exp()),
        (lambda x, y: (x * y) * (x * y), lambda x, y: (y * x) * (x * y)),
    ],
)
def test_operands_may_be_swapped_where_that_changes_nothing(one, other):
    assert same(one, other) and same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x, y: x - y.exp(), lambda x, y: y.exp() - x),
        (lambda x, y: x / y.exp(), lambda x, y: y.exp() / x),
        (lambda x, y: x @ y.exp(), lambda x, y: x * y.exp()),
        (lambda x, y: x.add(y.exp(), alpha=2), lambda x, y: y.exp().add(x, alpha=2)),
        (lambda x, y: torch.stack([x, y.exp()]), lambda x, y: torch.stack([y.exp(), x])),
        (lambda x, y: x * x + y * y, lambda x, y: x * y + y * x),
        (lambda x, y: x * x, lambda x, y: x * y),
        (lambda x, y: x + y * y, lambda x, y: (x + y) * y),
    ],
)
def test_what_is_another_graph_stays_another(one, other):
    assert not same(one, other) and not same(other, one)


def shuffled(graph, rng):
    """The same graph, walked again with the operands of each sum and product in any order."""
    order, places = [0], {0: 0}
    made = []
    for place in order:
        name, before = graph[place]
        if name in ("AddBackward0", "MulBackward0"):
            before = rng.sample(before, len(before))
        for one in before:
            if one is not None and one not in places:
                places[one] = len(order)
                order.append(one)
        made.append([name, [places.get(one) for one in before]])
    return made


@pytest.mark.parametrize("seed", range(30))
def test_any_graph_is_the_same_after_any_swaps(seed):
    rng = random.Random(seed)
    values = [torch.tensor(1.0, requires_grad=True) for _ in range(3)]
    for _ in range(8):
        one, other = rng.choice(values), rng.choice(values[-4:])
        values.append(rng.choice([one + other, one * other, one - other, other.exp()]))
    expected = graph(values[-1])["nodes"]
    assert align_operands(expected, shuffled(expected, rng)) == expected


def test_graphs_that_are_long_or_full_of_look_alikes_have_an_end():
    x, y = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
    ours, theirs = x, x
    for turn in itertools.islice(itertools.cycle([x, y, y]), 300):
        ours, theirs = ours + turn.exp() * y.exp(), theirs + y.exp() * x.exp()
    align_operands(graph(ours)["nodes"], graph(theirs)["nodes"])

    def long(x):
        for _ in range(5000):
            x = x * 2
        return x

    assert len(json.dumps(shown_graph(long))) < 100_000


def shown_graph(make):
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    return probe(lambda show: show.graph("the graph", make(leaf)), "demo-1")


def graph_record(make, kind="write a function"):
    empty = {"entries": [], "error": None}
    made = {"type": kind, "answers": ["x"], "wrong": [], "solution": {"data": shown_graph(make)}}
    return made | {"stub": {"data": empty, "code": "x = ..."}}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda x: (x.sin() * x).sum(), "input 0 of MulBackward0 (node 2) should be ExpBackward0"),
        (lambda x: (x.exp() * x).mean(), "newest node should be SumBackward0, yours is MeanBackw"),
        (lambda x: (x.exp() * x.exp()).sum(), "node 2) should be AccumulateGrad, yours is ExpB"),
        (lambda x: (x.exp() * x.detach()).sum(), "MulBackward0, has other inputs: node 3, none"),
        (lambda x: x.detach(), "should have a graph"),
        (lambda x: 3, "should have a graph"),
    ],
)
def test_the_node_that_differs_is_named(make, said):
    verdict = judge("d-1", shown_graph(make), graph_record(lambda x: (x.exp() * x).sum()))
    assert verdict.word == "not yet" and said in verdict.differences[0]


def test_other_numbers_are_the_same_graph_and_nodes_have_their_own_names_or_none():
    other = shown_graph(lambda x: ((x * 3).exp() * x).sum())
    assert judge("d-1", other, graph_record(lambda x: ((x * 5).exp() * x).sum())).word == "correct"
    record = graph_record(lambda x: x.exp(), "read the graph")
    (said,) = judge("d-1", shown_graph(lambda x: x.sin()), record).differences
    assert said == "the newest node is not SinBackward0"
    right = graph_record(lambda x: x.exp() / x.exp().sum())
    told = judge("d-1", shown_graph(lambda x: x.exp() / x.exp().sum().detach()), right).differences
    assert told == ["the newest node, DivBackward0, has other inputs: node 2, none"]


def test_the_verdict_names_the_node_that_differs_and_shows_the_graph_in_that_order():
    right = graph_record(lambda x: x.exp() * x)
    verdict = judge("demo-1", shown_graph(lambda x: x * x.sin()), right)
    (said,) = verdict.differences
    assert said == "input 0 of MulBackward0 (node 1) should be ExpBackward0, yours is SinBackward0"
    assert "1 MulBackward0 ← node 2, node 3; 2 SinBackward0" in verdict_text(verdict)
