"""The oracle against brute force over all subsets, from rules stated on what the records say."""

from itertools import combinations
from math import ceil

import pytest

from jointcore.bitsets import bitset, members
from jointcore.logic.oracle import RULES, oracle
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_task
from jointcore.tasks.grid import DOMAINS, Cell


def satisfied(family: str, shown: list, size: int) -> bool:
    """The rule on the records that are shown, by their types and values; ``size`` is the family's support."""
    values = {record.name: record.value for record in shown}

    def count(kind, value):
        return sum(record.type == kind and record.value == value for record in shown)

    if family == "single_variable":
        return values.get("authorization") == "ALLOW"
    if family == "redundant_or":
        return count("approval", "ALLOW") >= 1
    if family == "threshold":
        return count("approval", "ALLOW") >= max(1, ceil(size / 2))
    if family == "multiple_minimal_sets":
        return count("channel_a", "VALID") == size // 2 or count("channel_b", "VALID") == size - size // 2
    if family == "synergy_xor":
        return count("key_flag", "ON") + count("key_flag", "OFF") == size and count("key_flag", "ON") == 1
    if family == "harmful_stale":
        support = count("support", "VALID") == size - 2
        return values.get("current_authorization") == "ALLOW" and support and values.get("stale_policy") == "BLOCK"
    wanted = [
        ("case_id", "MATCH"),
        ("current_status", "CONFIRMED"),
        ("policy_version", "CURRENT"),
        ("approval", "ALLOW"),
        ("completion", "VERIFIED"),
        ("constraint", "SATISFIED"),
        ("authority", "VALID"),
        ("receipt", "PRESENT"),
    ][:size]
    return all(values.get(name) == value for name, value in wanted)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_all_subsets(domain, family, size):
    n = 8
    task = generate_task(Cell(domain, family, n, size, 4, 1), 26082701)
    costs = [record.cost for record in task.records]
    truth = oracle(family, task.support, costs)
    cheapest: list[tuple[int, ...]] = []
    least = None
    for count in range(n + 1):
        for ids in combinations(range(n), count):
            expected = satisfied(family, [task.records[i] for i in ids], len(task.support))
            assert truth.sufficient(bitset(ids)) == expected, ids
            if expected:
                cost = sum(costs[i] for i in ids)
                if least is None or cost < least:
                    least, cheapest = cost, [ids]
                elif cost == least:
                    cheapest.append(ids)
    assert truth.minimum_cost == least
    assert [tuple(members(found)) for found in truth.minimum_cost_sets] == sorted(cheapest)
    assert members(truth.critical) == sorted({i for ids in cheapest for i in ids})


def test_every_family_has_a_rule():
    assert set(RULES) == set(FAMILIES)


def test_unknown_family_is_named():
    with pytest.raises(ValueError, match="family 'xor' has no rule; known are single_variable"):
        oracle("xor", (0,), (1,))
