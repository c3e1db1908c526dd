"""Aggregates of the exact stage: means overall, by family and by number of records (paper, exact stage).

Means are taken with compensated (Neumaier) summation in grid order, explicitly, so that they do not
depend on how a Python or numpy version sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from jointcore.evaluation.measure_catalogue import EXACT_MEASURES

#: Measure in the aggregates, and its column in the outcomes.
MEASURES = {measure.record_key or key: key for key, measure in EXACT_MEASURES.items()}
#: Grouping in the aggregates, and its column in the outcomes.
GROUPINGS = {"by_family": "family", "by_candidate_count": "candidate_count"}
COLUMNS = [*GROUPINGS.values(), *MEASURES.values()]


class Mean:
    """A running mean with Neumaier's compensation that skips undefined values."""

    __slots__ = ("_compensation", "_sum", "count")

    def __init__(self) -> None:
        self._sum = 0.0
        self._compensation = 0.0
        self.count = 0

    def add(self, value: float | None) -> None:
        """Add a value; ``None`` is undefined and does not count."""
        if value is None:
            return
        total = self._sum + value
        if abs(self._sum) >= abs(value):
            self._compensation += (self._sum - total) + value
        else:
            self._compensation += (value - total) + self._sum
        self._sum = total
        self.count += 1

    @property
    def value(self) -> float | None:
        """The mean; ``None`` if no value was defined."""
        return (self._sum + self._compensation) / self.count if self.count else None


class _Group:
    """The means of one method in one group of conditions."""

    def __init__(self) -> None:
        self.records = 0
        self.means = {measure: Mean() for measure in MEASURES}

    def result(self) -> dict[str, Any]:
        return {**{name: mean.value for name, mean in self.means.items()}, "records": self.records}


def method_means(batches: Iterable[pa.RecordBatch]) -> dict[str, Any]:
    """The means of one method.

    Args:
        batches: outcomes in grid order, with at least the columns :data:`COLUMNS`.

    Returns:
        ``{"overall": means, "by_family": {family: means}, "by_candidate_count": {n as text: means}}``;
        ``means`` has an entry a measure of :data:`MEASURES` (``None`` where undefined in the whole group)
        and ``records``, the number of conditions.
    """
    overall = _Group()
    groups: dict[str, dict[str, _Group]] = {grouping: {} for grouping in GROUPINGS}
    for batch in batches:
        columns = {name: batch.column(name).to_pylist() for name in COLUMNS}
        for row in range(batch.num_rows):
            targets = [overall]
            for grouping, column in GROUPINGS.items():
                targets.append(groups[grouping].setdefault(str(columns[column][row]), _Group()))
            for target in targets:
                target.records += 1
                for measure, column in MEASURES.items():
                    target.means[measure].add(columns[column][row])
    return {
        "overall": overall.result(),
        **{grouping: {name: group.result() for name, group in found.items()} for grouping, found in groups.items()},
    }


def combine_methods(means: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The aggregates of several methods in the published record's nesting: grouping, group, method, measure."""
    combined: dict[str, Any] = {"overall": {slug: found["overall"] for slug, found in means.items()}}
    for grouping in GROUPINGS:
        combined[grouping] = {}
        for slug, found in means.items():
            for group, values in found[grouping].items():
                combined[grouping].setdefault(group, {})[slug] = values
    return combined
