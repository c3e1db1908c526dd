"""Measures, memory interfaces and label styles under the paper's names, for tables and figures."""

from __future__ import annotations

from collections.abc import Mapping

from jointcore.decisions.prompts.interfaces import COMPARED_INTERFACES, INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.evaluation.measure_catalogue import WITH_CONTROL
from jointcore.statistics.registration import JOINTCORE, SINGLETON

#: Measure to its name.
MEASURE_NAMES: Mapping[str, str] = {key: measure.name for key, measure in WITH_CONTROL.items()}
#: Memory interface to its name.
INTERFACE_NAMES: Mapping[str, str] = COMPARED_INTERFACES
#: Label style to its name.
STYLE_NAMES: Mapping[str, str] = {slug: style.name for slug, style in LABEL_STYLES.items()}
#: Column of the published robustness table to its name.
CELL_NAMES: Mapping[str, str] = {
    "primary": "Primary",
    **{
        slug: kind[slug].column
        for kind, slugs in (
            (INTERFACES, ("deletion", "typed_mask", "plausible_same_type", "counterfactual")),
            (LABEL_STYLES, ("direct", "ab")),
        )
        for slug in slugs
    },
}
#: The registered pair of methods under the names that the model stage's tables and figures use.
PAIR_NAMES: Mapping[str, str] = {JOINTCORE: "JointCore", SINGLETON: "Cost-aware singleton"}
