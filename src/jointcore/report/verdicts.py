"""Published beside reproduced: how a figure of this run compares with the published one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from jointcore.report.table import Column

IDENTICAL = "identical"
AS_PRINTED = "equal to the printed digits"
INSIDE = "inside the published interval"
DIFFERS = "differs"
NOT_RUN = "not run"
NOT_APPLICABLE = "does not apply"

#: What a page shows of a comparison.
COLUMNS = (
    Column("what", "Figure"),
    Column("published", "Published"),
    Column("reproduced", "This run"),
    Column("difference", "Difference", 6),
    Column("verdict", "Verdict"),
)
#: How a verdict is set off on a page.
MARKS = {IDENTICAL: "good", AS_PRINTED: "good", INSIDE: "good", DIFFERS: "bad"}


@dataclass(frozen=True, slots=True)
class Figure:
    """One published figure and its counterpart.

    Attributes:
        place: where it was published.
        what: what it is of: a method, group and measure.
        published: the published value.
        reproduced: this run's value; ``missing`` if the run holds none.
        digits: decimals that were printed; ``None`` if it was published at full precision.
        missing: this run holds no counterpart.
        interval: the published interval of the value, if one was published.
        applies: the published value applies to this run's counterpart.
    """

    place: str
    what: str
    published: Any
    reproduced: Any = None
    digits: int | None = None
    missing: bool = False
    interval: tuple[float, float] | None = None
    applies: bool = True

    def verdict(self, applies: bool = True) -> str:
        """How the two compare; ``applies`` is false for a run on another benchmark."""
        if self.missing:
            return NOT_RUN
        if not (applies and self.applies):
            return NOT_APPLICABLE
        if self.published == self.reproduced:
            return IDENTICAL
        if _is_number(self.published) and _is_number(self.reproduced) and self.digits is not None:
            # Half a unit of the last printed digit, and a little for the binary form of the decimals.
            near = abs(self.published - self.reproduced) <= 0.5 * 10**-self.digits + 1e-9
            if near:
                return AS_PRINTED
            if self.interval is not None and self.interval[0] <= self.reproduced <= self.interval[1]:
                return INSIDE
        return DIFFERS

    def difference(self) -> float | None:
        """Reproduced minus published; ``None`` if either is not a number."""
        if self.missing or not (_is_number(self.published) and _is_number(self.reproduced)):
            return None
        return self.reproduced - self.published


def comparison_frame(figures: Iterable[Figure], applies: bool) -> pd.DataFrame:
    """Published figures beside this run's: place, what, published, reproduced, difference, verdict."""
    rows = [
        {
            "place": figure.place,
            "what": figure.what,
            "published": _text(figure.published, figure.digits),
            "reproduced": "" if figure.missing else _text(figure.reproduced),
            "difference": figure.difference(),
            "verdict": figure.verdict(applies),
        }
        for figure in figures
    ]
    return pd.DataFrame(rows, columns=["place", "what", "published", "reproduced", "difference", "verdict"])


def verdict_counts(frame: pd.DataFrame) -> str:
    """How often each verdict occurs in a comparison, in words."""
    return ", ".join(f"{count} {verdict}" for verdict, count in frame["verdict"].value_counts(sort=False).items())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any, digits: int | None = None) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, list):
        return "{" + ", ".join(map(str, value)) + "}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.{digits}f}" if digits is not None and isinstance(value, float) else str(value)
