from __future__ import annotations

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from jointcore.decisions.transformers.prefix_tree import PrefixTree, batches, common, next_round

sequences = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=12).map(tuple), min_size=1, max_size=12)


def distinct_tokens(sequences):
    """Number of different non-empty beginnings of all sequences: the tokens that must be run at least."""
    total, previous = 0, ()
    for tokens in sorted(map(tuple, sequences)):
        total += len(tokens) - common(previous, tokens)
        previous = tokens
    return total


def beginnings(known):
    """Every non-empty beginning of some sequences."""
    return {tokens[:stop] for tokens in known for stop in range(1, len(tokens) + 1)}


def joined(pieces):
    return tuple(token for content, start, stop in pieces for token in content[start:stop])


def put(tree, tokens):
    start = tree.known(tokens)
    return tree.add(tokens, start, tokens[start:], len(tokens) - start)


@given(st.lists(st.integers(0, 1)), st.lists(st.integers(0, 1)))
def test_the_common_beginning(first, second):
    plain = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    assert common(first, second) == (min(len(first), len(second)) if plain is None else plain)


@given(sequences, sequences, st.integers(0, 12))
def test_a_tree_without_limit_knows_every_beginning_and_keeps_each_token_once(kept, asked, most):
    tree = PrefixTree(10**6)
    for number, tokens in enumerate(kept):
        assert put(tree, tokens) == (tokens not in beginnings(kept[:number]))
    assert tree.size == len(beginnings(kept)) == distinct_tokens(kept)
    for tokens in asked:
        longest = max((i for i in range(len(tokens) + 1) if not i or tokens[:i] in beginnings(kept)), default=0)
        found = min(longest, most)
        assert tree.known(tokens, most) == found
        assert joined(tree.find(tokens, most)) == tokens[:found]


@given(sequences, st.integers(0, 20))
def test_a_limit_is_kept_and_what_is_found_is_right(kept, limit):
    tree = PrefixTree(limit)
    for tokens in kept:
        start = tree.known(tokens)
        if put(tree, tokens):
            assert joined(tree.find(tokens)) == tokens
        else:
            assert start or len(tokens) > limit  # there is room, unless for what must stay before it
        assert tree.size <= limit
        for other in kept:
            found = joined(tree.find(other))
            assert found == other[: len(found)]


def test_the_least_recently_used_leaves_first_and_never_the_beginning_of_what_stays():
    tree = PrefixTree(8)
    assert put(tree, (1, 2, 3, 4))
    assert put(tree, (1, 2, 5, 6))
    assert put(tree, (1, 2, 7, 8))
    tree.find((1, 2, 5, 6))
    assert put(tree, (9, 9))
    assert [tree.known(tokens) for tokens in ((1, 2, 3, 4), (1, 2, 5, 6), (1, 2, 7, 8), (9, 9))] == [4, 4, 2, 2]


def test_what_cannot_be_attached_is_not_kept():
    tree = PrefixTree(100)
    assert not tree.add((1, 2, 3), 1, "beginning is unknown", 2)
    assert tree.add((1, 2, 3), 0, "all", 3)
    assert not tree.add((1, 2, 3), 1, "more is known", 2)
    assert not tree.add((1, 2, 3), 3, "nothing is new", 0)
    assert not tree.add(tuple(range(101)), 0, "too large", 101)
    tree.clear()
    assert (tree.size, tree.known((1, 2, 3))) == (0, 0)


def run_all(rows, slack):
    """Run all rows in rounds; tokens run, rounds."""
    tree, tokens_run, rounds = PrefixTree(10**6), 0, []
    rows = sorted(rows)
    while rows:
        known = [tree.known(row) for row in rows]
        chosen = next_round(rows, known, slack)
        rounds.append([rows[i] for i in chosen])
        for i in chosen:
            tokens_run += len(rows[i]) - known[i]
            put(tree, rows[i])
        rows = [row for i, row in enumerate(rows) if i not in set(chosen)]
    return tokens_run, rounds


@given(sequences)
@example([(0, 1), (0, 1), (0,)])
def test_without_slack_every_distinct_beginning_is_run_once(rows):
    tokens_run, rounds = run_all(rows, 0)
    assert tokens_run == distinct_tokens(rows)
    assert sorted(row for each in rounds for row in each) == sorted(rows)


@given(sequences, st.integers(1, 5))
def test_slack_costs_at_most_so_much_a_row_and_never_more_rounds(rows, slack):
    tokens_run, rounds = run_all(rows, slack)
    assert distinct_tokens(rows) <= tokens_run <= distinct_tokens(rows) + slack * len(rows)
    assert len(rounds) <= len(run_all(rows, 0)[1])


def test_one_leads_and_the_rest_branch_off():
    leave_one_out = [
        tuple(i for i in range(16)),
        *(tuple(-1 if i == out else i for i in range(16)) for out in range(16)),
    ]
    _, rounds = run_all(leave_one_out, 0)
    assert len(rounds) < 17


@given(st.lists(st.integers(1, 9), max_size=7), st.integers(1, 4), st.integers(0, 9))
def test_batches_are_the_cheapest_and_the_longest_comes_first(lengths, largest, overhead):
    found = batches(lengths, largest, overhead)
    assert sorted(i for batch in found for i in batch) == list(range(len(lengths)))
    flat = [lengths[i] for batch in found for i in batch]
    assert flat == sorted(lengths, reverse=True)
    assert all(1 <= len(batch) <= largest for batch in found)

    def cost(sizes):
        total, start = 0, 0
        for size in sizes:
            total += size * flat[start] + overhead
            start += size
        return total

    every = (
        sizes
        for count in range(len(lengths) + 1)
        for sizes in product(range(1, largest + 1), repeat=count)
        if sum(sizes) == len(lengths)
    )
    assert cost([len(batch) for batch in found]) == min(map(cost, every))
