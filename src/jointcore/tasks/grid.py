"""Grids: which conditions a stage consists of, in which order (paper, sections on the two stages)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from jointcore.tasks.families import FAMILIES, LARGEST_SUPPORT, SMALLEST_SUPPORT

#: The study's six domains, in its order.
DOMAINS = ("orders", "access_control", "deployment", "calendar", "database", "file_debug")


class Cell(NamedTuple):
    """The grid values of one condition."""

    domain: str
    family: str
    candidate_count: int
    support_size: int
    horizon_label: int
    seed_block: int


class CostRange(NamedTuple):
    """Inclusive range of payload costs, in tokens."""

    low: int
    high: int

    @property
    def width(self) -> int:
        """Number of integer costs in the range."""
        return self.high - self.low + 1


@dataclass(frozen=True, slots=True)
class Costs:
    """Payload costs of the three kinds of record; the study's by default."""

    support: CostRange = field(default_factory=lambda: CostRange(3, 9))
    distractor: CostRange = field(default_factory=lambda: CostRange(1, 12))
    proxy: int = 5


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of conditions; the defaults are the study's exact stage, 6,912 conditions.

    Attributes:
        domains, families: slugs, in the order of the grid.
        candidate_counts, support_sizes, horizon_labels, seed_blocks: values of n, s, h and b.
        seed_base: enters every hash of the grid.
        costs: ranges of the payload costs.
        nesting: ``"exact"`` nests domain, family, n, s, h, b with the outermost first;
            ``"model"`` nests family, domain, n, s, b and takes the horizon label of position b modulo their number.
    """

    domains: Sequence[str] = DOMAINS
    families: Sequence[str] = tuple(FAMILIES)
    candidate_counts: Sequence[int] = (8, 16, 32, 64)
    support_sizes: Sequence[int] = (2, 4)
    horizon_labels: Sequence[int] = (1, 4, 8, 16)
    seed_blocks: Sequence[int] = (0, 1, 2, 3)
    seed_base: int = 26082701
    costs: Costs = field(default_factory=Costs)
    nesting: str = "exact"

    @classmethod
    def from_settings(cls, shared: Mapping[str, Any], stage: Mapping[str, Any], nesting: str) -> Grid:
        """The grid that a configuration describes.

        Args:
            shared: its ``benchmark`` section: ``domains``, ``families`` and ``costs``.
            stage: the stage's part of it: the values of n, s, h and b, and ``seed_base``.
            nesting: see :class:`Grid`.
        """
        costs = shared["costs"]
        return cls(
            domains=tuple(shared["domains"]),
            families=tuple(shared["families"]),
            candidate_counts=tuple(stage["candidate_counts"]),
            support_sizes=tuple(stage["support_sizes"]),
            horizon_labels=tuple(stage["horizon_labels"]),
            seed_blocks=tuple(stage["seed_blocks"]),
            seed_base=stage["seed_base"],
            costs=Costs(CostRange(*costs["support"]), CostRange(*costs["distractor"]), costs["proxy"]),
            nesting=nesting,
        )

    def __len__(self) -> int:
        """Number of conditions."""
        horizons = len(self.horizon_labels) if self.nesting == "exact" else 1
        return (
            len(self.domains)
            * len(self.families)
            * len(self.candidate_counts)
            * len(self.support_sizes)
            * len(self.seed_blocks)
            * horizons
        )

    def cells(self) -> Iterator[Cell]:
        """The conditions' grid values in grid order, one at a time."""
        if self.nesting == "exact":
            yield from map(
                Cell._make,
                product(
                    self.domains,
                    self.families,
                    self.candidate_counts,
                    self.support_sizes,
                    self.horizon_labels,
                    self.seed_blocks,
                ),
            )
            return
        for family, domain, count, size, block in product(
            self.families, self.domains, self.candidate_counts, self.support_sizes, self.seed_blocks
        ):
            horizon = self.horizon_labels[block % len(self.horizon_labels)]
            yield Cell(domain, family, count, size, horizon, block)


def grid_problems(grid: Grid) -> list[str]:
    """What keeps a grid from being generated, a sentence each; empty for a sound grid."""
    problems = []
    known = {"domains": DOMAINS, "families": tuple(FAMILIES)}
    for key in ("domains", "families", "candidate_counts", "support_sizes", "horizon_labels", "seed_blocks"):
        values = list(getattr(grid, key))
        if not values:
            problems.append(f"{key} is empty; give at least one value")
        repeated = sorted({str(value) for value in values if values.count(value) > 1})
        if repeated:
            problems.append(f"{key} repeats {', '.join(repeated)}; give each value once")
        unknown = [value for value in values if key in known and value not in known[key]]
        if unknown:
            problems.append(f"{key} names unknown {', '.join(unknown)}; known are {', '.join(known[key])}")
    for size in grid.support_sizes:
        if not SMALLEST_SUPPORT <= size <= LARGEST_SUPPORT:
            problems.append(
                f"support_sizes holds {size}, but the families define {SMALLEST_SUPPORT} to {LARGEST_SUPPORT} "
                "support records; choose sizes in that range"
            )
    if grid.candidate_counts and grid.support_sizes:
        smallest, largest = min(grid.candidate_counts), max(grid.support_sizes)
        if smallest < largest:
            problems.append(
                f"candidate_counts holds {smallest}, fewer records than the support size {largest}; "
                "raise the count or lower the support size"
            )
        elif smallest == largest and "proxy_confounded" in grid.families:
            problems.append(
                f"candidate_counts holds {smallest}, which leaves no record for the proxy of proxy_confounded "
                f"at support size {largest}; raise the count to {largest + 1} or more"
            )
    for kind in ("support", "distractor"):
        low, high = getattr(grid.costs, kind)
        if low < 1 or high < low:
            problems.append(
                f"costs.{kind} is [{low}, {high}]; give a lowest and a highest cost, 1 <= lowest <= highest"
            )
    if grid.costs.proxy < 1:
        problems.append(f"costs.proxy is {grid.costs.proxy}; give a cost of at least 1")
    return problems
