"""What the numbers of the model stage do not show, said beside them and computed from them where it is a number."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from jointcore.decisions.prompts.interfaces import FULL_ARCHIVE
from jointcore.statistics.printing import shown
from jointcore.statistics.registration import FULL_MEMORY, JOINTCORE, SIGN_FLIP_DRAWS
from jointcore.statistics.robustness import PUBLISHED_CELLS

DESCRIPTIVE = "Descriptive: intervals and effect sizes, no tests."
INTERVALS = (
    "Intervals: 95%, two-sided, each for its own row (pointwise), task-cluster bootstrap, 2,000 replicates, percentile."
)
EFFECTS = (
    "Effect: matched odds ratio of booleans, Cohen's d_z of numbers; 0 and ∞: every discordant pair favours one side; "
    "a dash is undefined (the CSV says why)."
)
BY_CONSTRUCTION = (
    "Behavioral sufficiency and its gate cannot fail for a deterministic judge without invalid answers: both searches "
    "drop only what leaves the decision as it is."
)


def savings_where_wrong(savings: pd.DataFrame) -> str:
    """How much of JointCore's savings comes from tasks that full memory is decided wrong."""
    shares = savings.loc[savings["method"] == JOINTCORE, "share_from_wrong"].dropna()
    if shares.empty:
        return ""
    return (
        f"Of JointCore's savings, {_range(100 * shares, 1)}% comes from tasks whose control is wrong: a wrong decision "
        "is kept there."
    )


def loss_against_everything(summary: pd.DataFrame) -> str:
    """Trajectory success that JointCore loses against full memory, which no gate looks at."""
    success = summary[summary["measure"] == "trajectory_success"].pivot(index="model", columns="method", values="mean")
    if FULL_MEMORY not in success or JOINTCORE not in success:
        return ""
    loss = 100 * (success[FULL_MEMORY] - success[JOINTCORE])
    return (
        "The task loss is against the singleton, which searches as JointCore does; against full memory JointCore "
        f"loses {_range(loss, 1)} percentage points of trajectory success."
    )


def _range(values: pd.Series, digits: int) -> str:
    low, high = (shown(float(end), digits).replace("-", "−") for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def resolution(tests: pd.DataFrame) -> str:
    """Said where a sign-flip test gives the smallest p that its number of draws can give."""
    least = 1.0 / (SIGN_FLIP_DRAWS + 1)
    if "p_raw" not in tests or not (tests["p_raw"] <= least * (1 + 1e-9)).any():
        return ""
    return (
        f"A sign-flip p of {least:.5f} is the least that {SIGN_FLIP_DRAWS:,} draws can give (no draw was as extreme): "
        "it is an upper bound, and only says that p is no larger."
    )


def cells_that_are_not_new(cells: Sequence[tuple[str, str]]) -> str:
    """Which of a run's cells are no decision of their own."""
    distinct = set(cells)
    full = sum(interface == FULL_ARCHIVE for interface, _ in distinct)
    parts = []
    if PUBLISHED_CELLS["primary"] in distinct:
        parts.append("one is the primary run itself, reused")
    if full:
        parts.append(f"{full} show the full archive, where both methods are equal by construction")
    return f"Of the {len(distinct)} cells {' and '.join(parts)}." if parts else ""
