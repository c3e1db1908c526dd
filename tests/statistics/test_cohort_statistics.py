"""All statistics of a cohort: files that read back, defined answers for degenerate runs, cohorts that never mix."""

import pandas as pd
import pytest

from jointcore.errors import InputError
from jointcore.statistics import frame
from jointcore.statistics.bootstrap import cluster_bootstrap
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.cohort_statistics import (
    NAMES,
    cohort_statistics,
    read_cohort,
    read_statistics,
    write_statistics,
)
from jointcore.statistics.intervals import interval_means
from jointcore.statistics.pool import pool_frame, pooled_difference
from jointcore.statistics.registration import JOINTCORE, SINGLETON
from report.model_cohort import LOCAL, REGISTERED, cohort_of, cohort_run, models

METHODS = {JOINTCORE: "JointCore", SINGLETON: "Singleton"}


def test_files_read_back_to_the_last_bit(tmp_path):
    run = cohort_run()
    paths = [tmp_path / f"{name}.csv" for name in NAMES]
    write_statistics(run.statistics, paths)
    run.cohort.write(tmp_path / "cohort.json")
    cohort, found = read_cohort([tmp_path / "cohort.json", *paths])
    assert cohort == run.cohort
    assert list(cohort.models) == list(run.cohort.models)
    for name in NAMES:
        for column in run.statistics[name].select_dtypes("float").columns:
            pd.testing.assert_series_equal(found[name][column], run.statistics[name][column], check_exact=True)


def test_a_missing_and_a_damaged_file_are_named(tmp_path):
    with pytest.raises(InputError, match=r"gates.csv does not exist; run the rule that makes it"):
        read_statistics([tmp_path / "gates.csv"])
    run = cohort_run()
    write_statistics(run.statistics, [tmp_path / "gates.csv"])
    (tmp_path / "gates.csv").write_text((tmp_path / "gates.csv").read_text()[:200])
    with pytest.raises(InputError, match=r"gates.csv is not as it was written"):
        read_statistics([tmp_path / "gates.csv"])
    (tmp_path / "cohort.json").write_text('{"key": ')
    with pytest.raises(InputError, match=r"cohort.json is not valid JSON"):
        Cohort.read(tmp_path / "cohort.json")


def test_cohorts_never_mix():
    mixed = {**models(REGISTERED), **models(LOCAL)}
    for key in ("registered", "local"):
        with pytest.raises(InputError, match="the cohorts never mix"):
            Cohort.of(key, mixed, METHODS)
    with pytest.raises(InputError, match="holds no model"):
        Cohort.of("local", {}, METHODS)
    run = cohort_run("local")
    with pytest.raises(InputError, match="primary rows and the registered cohort differ in model"):
        cohort_statistics(run.primary, run.robustness, cohort_of("registered", REGISTERED))


@pytest.mark.parametrize(
    ("key", "count", "status", "tests"),
    [
        ("registered", None, "complete", 12),
        ("registered", 1, "reduced", 3),
        ("local", None, "unregistered", 6),
    ],
)
def test_family_of_each_cohort(key, count, status, tests):
    found = cohort_run(key, count).statistics["registered_tests"]
    assert set(found["family_status"]) == {status}
    assert len(found) == tests


def test_a_missing_method_is_one_sentence():
    run = cohort_run("local", 1)
    primary = run.primary[run.primary["method"] != SINGLETON]
    with pytest.raises(InputError, match="local cohort: Method 'conditional_singleton_cost' has no rows"):
        cohort_statistics(primary, run.robustness, run.cohort, replicates=5)


def test_without_both_label_styles_the_fallback_has_no_rows():
    assert cohort_run("local", 1, ("boolean", "direct")).statistics["fallback"].empty


def test_one_task_has_every_statistic():
    run = cohort_run("local", 1)
    task = run.robustness["paper_task_id"].iloc[0]
    only = [frame[frame["paper_task_id"] == task] for frame in (run.primary, run.robustness)]
    found = cohort_statistics(*only, run.cohort, replicates=5)
    assert set(found["registered_tests"]["p_adjusted"]) == {1.0}
    assert (found["summary"]["ci_low"].dropna() == found["summary"]["mean"].dropna()).all()


def test_intervals_are_the_bootstraps_of_each_mean():
    run = cohort_run()
    found = interval_means(run.primary, replicates=200).set_index(["model", "method", "measure"])
    row = found.loc["gemma4_12b_it", JOINTCORE, "intervention_count"]
    own = run.primary[(run.primary["model"] == "gemma4_12b_it") & (run.primary["method"] == JOINTCORE)]
    other = cluster_bootstrap(own["intervention_count"], seed=1, replicates=200)
    assert row["mean"] == other.mean
    assert row["ci_low"] == pytest.approx(other.low, abs=0.5)
    assert row["ci_high"] == pytest.approx(other.high, abs=0.5)
    control = found.xs("control_accuracy", level="measure").groupby("model")[["ci_low", "ci_high"]].nunique()
    assert (control == 1).all().all()


def test_intervals_do_not_depend_on_other_models():
    run = cohort_run()
    alone = interval_means(run.primary[run.primary["model"] == "gemma4_12b_it"], replicates=50)
    among = interval_means(run.primary, replicates=50)
    pd.testing.assert_frame_equal(among[among["model"] == "gemma4_12b_it"].reset_index(drop=True), alone)


def test_pool_frame_is_the_pools():
    run = cohort_run()
    pools = pool_frame(run.primary, replicates=50)
    pool = pooled_difference(run.primary, "active_token_savings", replicates=50)
    rows = pools[(pools["measure"] == "active_token_savings") & (pools["second"] == SINGLETON)]
    assert rows[rows["family"] == "all"]["mean"].iloc[0] == pool.mean
    assert list(rows[rows["family"] != "all"]["mean"]) == list(pool.by_family["mean"])


def test_a_cohorts_frame_is_checked_once(monkeypatch):
    run = cohort_run()
    checks = []
    check = frame.validate_model_frame
    monkeypatch.setattr(frame, "validate_model_frame", lambda rows: checks.append(len(rows)) or check(rows))
    again = cohort_statistics(run.primary, run.robustness, run.cohort, replicates=2)
    assert checks == [len(run.primary)]
    pd.testing.assert_frame_equal(again["by_family"], run.statistics["by_family"])


def test_figure_2_and_table_5_have_one_interval_for_one_quantity():
    run = cohort_run()
    tests = run.statistics["registered_tests"].set_index(["model", "measure"])
    summary = run.statistics["summary"].set_index(["model", "method", "measure"])
    for model in run.cohort.models:
        asked = summary.loc[(model, SINGLETON, "intervention_count")]
        assert asked["ci_low"] == asked["ci_high"], "the singleton asks n queries of every task"
        own = summary.loc[(model, JOINTCORE, "intervention_count")]
        difference = tests.loc[(model, "intervention_count")]
        for end in ("ci_low", "ci_high"):
            assert own[end] - asked["mean"] == pytest.approx(difference[end], abs=1e-9)
