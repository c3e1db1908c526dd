"""The registered family of tests (paper, section "Statistics").

Twelve tests: four models times behavioral sufficiency (exact McNemar), savings and evaluations
(sign-flip), JointCore minus cost-aware singleton, with Holm over the family. With fewer models
the family is the tests of the models present, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from jointcore.statistics.frame import ModelFrame
from jointcore.statistics.holm import holm
from jointcore.statistics.mcnemar import exact_mcnemar
from jointcore.statistics.pairs import (
    MethodPair,
    comparison_seed,
    effect_columns,
    pair_effect,
    pair_methods,
)
from jointcore.statistics.registration import (
    BOOTSTRAP_REPLICATES,
    EXACT_MCNEMAR,
    JOINTCORE,
    REGISTERED_COHORT,
    REGISTERED_FAMILY_SIZE,
    REGISTERED_MEASURES,
    SIGN_FLIP_DRAWS,
    SINGLETON,
    STUDY_SEED,
)
from jointcore.statistics.sign_flip import sign_flip_test
from jointcore.statistics.statistic import CohortRun, statistic

COMPLETE = "complete"
REDUCED = "reduced"
UNREGISTERED = "unregistered"
#: Kinds of rows: a test that was registered before the runs, and what only describes.
REGISTERED, DESCRIPTIVE = "registered", "descriptive"


def registered_tests(
    frame: pd.DataFrame | ModelFrame,
    cohort: Mapping[str, str] = REGISTERED_COHORT,
    *,
    seed: int = STUDY_SEED,
    draws: int = SIGN_FLIP_DRAWS,
    replicates: int = BOOTSTRAP_REPLICATES,
) -> pd.DataFrame:
    """One row a test, models in the cohort's order, three measures each.

    A model of the cohort without rows is left out of the family. Columns: ``kind`` ("registered", or "descriptive" for
    another cohort than the registered one), ``model``, ``role``, ``measure``, ``test``, ``first``, ``second``
    (methods), ``tasks``, ``undefined``, ``mean_first``, ``mean_second``, ``difference`` (first minus second,
    the measure's unit), ``ci_low``, ``ci_high``, ``effect_name``, ``effect``, ``effect_note``, ``first_only``,
    ``second_only``, ``p_raw``, ``p_adjusted``, ``family_size``, ``family_expected`` and ``family_status``: "complete"
    for the registered twelve, "reduced" for a part of them, "unregistered" for another cohort.

    Args:
        frame: the model frame (see ``frame``).
        cohort: model key to role; the models that may be in the frame.

    Raises:
        ValueError: an invalid frame, a model outside the cohort, a missing method, unpaired
            tasks.
    """
    checked = ModelFrame.of(frame)
    strangers = sorted(set(checked.models).difference(cohort))
    if strangers:
        raise ValueError(
            f"Model {strangers[0]!r} is not in the cohort ({', '.join(cohort)}); "
            "leave it out of the frame or pass its own cohort."
        )
    kind = DESCRIPTIVE if _family_status(cohort, 0) == UNREGISTERED else REGISTERED
    present = [model for model in cohort if model in checked.models]
    rows = []
    for model in present:
        pair = pair_methods(checked.cells, model, JOINTCORE, SINGLETON)
        for measure, test in REGISTERED_MEASURES.items():
            effect = pair_effect(pair, measure, seed=seed, replicates=replicates)
            rows.append(
                {
                    "kind": kind,
                    "model": model,
                    "role": cohort[model],
                    "measure": measure,
                    "test": test,
                    "first": JOINTCORE,
                    "second": SINGLETON,
                    **effect_columns(effect),
                    "p_raw": _p_value(pair, measure, test, seed, draws),
                }
            )
    tests = pd.DataFrame(rows)
    tests = tests.astype({"first_only": "Int64", "second_only": "Int64"})
    tests["p_adjusted"] = holm(tests["p_raw"])
    tests["family_size"] = len(tests)
    tests["family_expected"] = len(cohort) * len(REGISTERED_MEASURES)
    tests["family_status"] = _family_status(cohort, len(tests))
    return tests


def family_note(tests: pd.DataFrame) -> str:
    """One sentence for a caption: how many tests the Holm adjustment covers, and of what."""
    size, expected = int(tests["family_size"].iloc[0]), int(tests["family_expected"].iloc[0])
    status = str(tests["family_status"].iloc[0])
    models = tests["model"].nunique()
    covered = f"Holm adjustment over {size} tests of {models} model{'s' if models > 1 else ''}"
    if status == COMPLETE:
        return f"{covered}: the complete registered family."
    if status == REDUCED:
        return f"{covered}: a reduced family, since the registered one has {expected} tests."
    return f"{covered}: not the registered cohort, so these tests are not the registered ones."


def _p_value(pair: MethodPair, measure: str, test: str, seed: int, draws: int) -> float:
    first, second = pair.values(measure)
    if test == EXACT_MCNEMAR:
        return exact_mcnemar(first, second).p_value
    drawn = comparison_seed(seed, "sign-flip", pair.model, measure, (pair.first, pair.second))
    return sign_flip_test(first - second, seed=drawn, draws=draws).p_value


def _family_status(cohort: Mapping[str, str], size: int) -> str:
    if set(cohort) != set(REGISTERED_COHORT):
        return UNREGISTERED
    return COMPLETE if size == REGISTERED_FAMILY_SIZE else REDUCED


@statistic("registered_tests", 10)
def of_cohort(run: CohortRun) -> pd.DataFrame:
    """The statistic of a cohort."""
    return registered_tests(run.primary, run.cohort.family, replicates=run.replicates)
