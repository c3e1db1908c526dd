"""CMI's memory metrics of a selection: what of each role was selected (arXiv 2605.17641, metrics)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from jointcore.statistics.cmi.records import ROLES


def memory_metrics(selected: Collection[str], roles: Mapping[str, str]) -> dict[str, float]:
    """Precision, recall and F1 on useful memories, rejection of bad and of irrelevant ones, adoption of harmful ones.

    Denominators: precision by what is selected (0 if nothing is); recall by the useful memories (0 if there is none);
    bad rejection by the irrelevant and the harmful, irrelevant rejection by the irrelevant (1 where there is none);
    adoption by the harmful (0 where there is none).

    Args:
        selected: ids of the selected memories.
        roles: id to role of every memory of the bank, a role of :data:`jointcore.statistics.cmi.records.ROLES`.

    Raises:
        ValueError: a selected memory is not in the bank, or a role is unknown.
    """
    unknown = set(roles.values()).difference(ROLES)
    if unknown:
        raise ValueError(f"role {min(unknown)!r} is unknown; choose from {', '.join(ROLES)}")
    strays = set(selected).difference(roles)
    if strays:
        raise ValueError(f"memory {min(strays)!r} is selected but not in the bank")
    bank = {role: sum(each == role for each in roles.values()) for role in ROLES}
    return count_metrics({role: sum(roles[one] == role for one in set(selected)) for role in ROLES}, bank)


def count_metrics(taken: Mapping[str, int], bank: Mapping[str, int]) -> dict[str, float]:
    """The metrics of :func:`memory_metrics` from how many of each role were selected and how many there are."""
    count, bad = sum(taken.values()), bank["irrelevant"] + bank["harmful"]
    precision = taken["useful"] / count if count else 0.0
    recall = taken["useful"] / bank["useful"] if bank["useful"] else 0.0
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "bad_rejection": 1 - (taken["irrelevant"] + taken["harmful"]) / bad if bad else 1.0,
        "irrelevant_rejection": 1 - taken["irrelevant"] / bank["irrelevant"] if bank["irrelevant"] else 1.0,
        "adoption": taken["harmful"] / bank["harmful"] if bank["harmful"] else 0.0,
        "selected": float(count),
    }
