"""Beliefs about needed positions against enumeration of all sets, and the cut that they lead to."""

from itertools import combinations, pairwise
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointcore.selection.beliefs import FixedNumber, Independent, Mixture, SomeBefore
from jointcore.selection.outlook import Outlook, outlook, prior

probabilities = st.lists(st.floats(0.05, 0.95), min_size=1, max_size=6)


def independent(chances):
    """Probability of each needed set."""
    n = len(chances)
    return {
        needed: prod(chances[i] if i in needed else 1 - chances[i] for i in range(n))
        for k in range(n + 1)
        for needed in combinations(range(n), k)
    }


def fixed_number(number, odds):
    weights = {needed: prod(odds[i] for i in needed) for needed in combinations(range(len(odds)), number)}
    return {needed: weight / sum(weights.values()) for needed, weight in weights.items()}


def chance(sets, event):
    return sum(p for needed, p in sets.items() if event(needed))


def check(belief, sets, n):
    """Compare with conditioning on every reachable history: the needed positions among those settled."""
    for start in range(n + 1):
        for found in range(start + 1):
            given_this = {s: p for s, p in sets.items() if sum(i < start for i in s) == found}
            total = sum(given_this.values())
            if total == 0:
                continue
            for c, clear in enumerate(belief.clear(start, found), start):
                assert clear == pytest.approx(
                    chance(given_this, lambda s, a=start, c=c: not any(a <= i < c for i in s)) / total, abs=1e-9
                )
            if start < n:
                at = chance(given_this, lambda s, a=start: a in s) / total
                assert belief.needed(start, found) == pytest.approx(at, abs=1e-9)


@given(probabilities)
@settings(max_examples=30, deadline=None)
def test_independent_by_enumeration(chances):
    check(Independent(chances), independent(chances), len(chances))


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_fixed_number_by_enumeration(data):
    odds = data.draw(st.lists(st.floats(0.1, 5), min_size=1, max_size=6))
    number = data.draw(st.integers(0, len(odds)))
    check(FixedNumber(number, odds), fixed_number(number, odds), len(odds))


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_some_before_by_enumeration(data):
    chances = data.draw(st.lists(st.floats(0.05, 0.95), min_size=2, max_size=6))
    limit = data.draw(st.integers(1, len(chances)))
    sets = {s: p for s, p in independent(chances).items() if s and s[0] < limit}
    total = sum(sets.values())
    belief = SomeBefore(Independent(chances), limit)
    for c, clear in enumerate(belief.clear(0, 0)):
        assert clear == pytest.approx(chance(sets, lambda s, c=c: s[0] >= c) / total, abs=1e-9)
    for first in range(len(chances)):
        reached = chance(sets, lambda s, a=first: s[0] >= a)
        at = chance(sets, lambda s, a=first: s[0] == a) / reached if reached else 0
        assert belief.needed(first, 0) == pytest.approx(at)
        # Once one is found, the rest follows the belief as it was.
        assert belief.clear(first + 1, 1) == Independent(chances).clear(first + 1, 1)
    with pytest.raises(ValueError, match="no position before 1 is needed"):
        SomeBefore(Independent([0.0, 0.5]), 1)


@given(st.lists(st.floats(0.1, 0.9), min_size=4, max_size=4), st.data())
@settings(max_examples=30, deadline=None)
def test_a_mixture_learns_by_bayes_rule(chances, data):
    odds = data.draw(st.lists(st.floats(0.1, 5), min_size=4, max_size=4))
    first, second = independent(chances), fixed_number(2, odds)
    sets = {s: 0.3 * first.get(s, 0) + 0.7 * second.get(s, 0) for s in first}
    position = data.draw(st.integers(0, 2))
    after = Mixture([Independent(chances), FixedNumber(2, odds)], [0.3, 0.7]).after(position)
    learnt = {s: p for s, p in sets.items() if s and min(s) == position}
    for c, later in enumerate(after.border(), position + 1):
        expected = chance(learnt, lambda s, c=c: not any(position < i < c for i in s)) / sum(learnt.values())
        assert later == pytest.approx(expected)


def test_the_cut_divides_the_candidates_most_evenly():
    # The next needed position is 0, 1, 2 or 3 with chances 1/8, 1/8, 1/4 and 1/4, or none (1/4).
    sight = Outlook(Mixture([Independent([1 / 8, 1 / 7, 1 / 3, 1 / 2])], [1.0]), 4, nothing=0.02)
    # "None" is held to be unlikely as long as nothing was found.
    assert [sight.end, sight.cut(0, 5), sight.cut(2, 5)] == [5, 3, 3]
    assert Outlook(Mixture([Independent([0.5])], [1.0]), 1, nothing=0.0).end == 1


@pytest.mark.parametrize("count", [8, 16, 32, 64, 1024])
def test_the_first_questions_do_not_depend_on_the_number_of_records(count):
    """The anchors but the dearest; if that fails, the anchors and a few more."""
    first = outlook(count, 4, False, ())
    assert count - first.cut(0, first.end) == 3
    assert 5 <= count - first.cut(0, count - 3) <= max(6, count // 10)


@given(st.integers(1, 40), st.integers(1, 10))
@settings(deadline=None)
def test_the_prior_is_a_distribution(count, budget):
    border = prior(count, budget).border()
    assert border[0] == pytest.approx(1)
    assert all(0 <= later <= earlier + 1e-12 for earlier, later in pairwise(border))
