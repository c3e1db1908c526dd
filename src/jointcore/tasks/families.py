"""The families of JointCoreBench: how many support records a task has and what they say (paper, benchmark section).

What makes a retained set *sufficient* is not here but in :mod:`jointcore.logic`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class Content(NamedTuple):
    """What a record says, without its payload cost and its relevance."""

    name: str
    type: str
    value: str


@dataclass(frozen=True, slots=True)
class FamilySchema:
    """One interaction family.

    Attributes:
        slug: the name that enters the hashes and so is part of the data.
        name: the paper's name.
        contents: maps the number of support records to their contents, in ascending record id.
        single_support: the family has one support record, whatever the support size.
        equal_costs: all support records of a task share one payload cost.
        proxy: the family adds a highly relevant record that the rule does not name.
    """

    slug: str
    name: str
    contents: Callable[[int], tuple[Content, ...]]
    single_support: bool = False
    equal_costs: bool = False
    proxy: bool = False

    def support_count(self, candidate_count: int, support_size: int) -> int:
        """Number of support records of a task with these grid values."""
        return 1 if self.single_support else min(candidate_count, support_size)


PROXY = Content("historical_priority_proxy", "proxy", "URGENT")

_CONJUNCTION = (
    Content("case_id", "case_id", "MATCH"),
    Content("current_status", "current_status", "CONFIRMED"),
    Content("policy_version", "policy_version", "CURRENT"),
    Content("approval", "approval", "ALLOW"),
    Content("completion", "completion", "VERIFIED"),
    Content("constraint", "constraint", "SATISFIED"),
    Content("authority", "authority", "VALID"),
    Content("receipt", "receipt", "PRESENT"),
)

#: Largest support size for which every family has records to offer.
LARGEST_SUPPORT = len(_CONJUNCTION)
#: Smallest support size for which every family's rule names at least one record in each of its parts.
SMALLEST_SUPPORT = 2


def _authorization(_: int) -> tuple[Content, ...]:
    return (Content("authorization", "authorization", "ALLOW"),)


def _numbered(name: str, value: str, count: int) -> tuple[Content, ...]:
    return tuple(Content(f"{name}_{j}", name, value) for j in range(1, count + 1))


def _approvals(count: int) -> tuple[Content, ...]:
    return _numbered("approval", "ALLOW", count)


def _conjunction(count: int) -> tuple[Content, ...]:
    return _CONJUNCTION[:count]


def _flags(count: int) -> tuple[Content, ...]:
    return tuple(Content(f"key_flag_{j}", "key_flag", "ON" if j == 1 else "OFF") for j in range(1, count + 1))


def _channels(count: int) -> tuple[Content, ...]:
    half = count // 2
    return _numbered("channel_a", "VALID", half) + _numbered("channel_b", "VALID", count - half)


def _stale_policy(count: int) -> tuple[Content, ...]:
    return (
        Content("current_authorization", "authorization", "ALLOW"),
        *_numbered("support", "VALID", count - 2),
        Content("stale_policy", "stale_policy", "BLOCK"),
    )


#: The nine families in the study's order, by slug.
FAMILIES: dict[str, FamilySchema] = {
    schema.slug: schema
    for schema in (
        FamilySchema("single_variable", "Singleton", _authorization, single_support=True),
        FamilySchema("redundant_or", "Redundant OR", _approvals, equal_costs=True),
        FamilySchema("synergy_and", "Synergistic AND", _conjunction),
        FamilySchema("synergy_xor", "XOR", _flags),
        FamilySchema("threshold", "Threshold", _approvals),
        FamilySchema("multiple_minimal_sets", "Multiple minimum sets", _channels, equal_costs=True),
        FamilySchema("proxy_confounded", "Proxy-confounded", _conjunction, proxy=True),
        FamilySchema("delayed_fsm", "Delayed-state", _conjunction),
        FamilySchema("harmful_stale", "Stale-policy conjunction", _stale_policy),
    )
}
