"""The model stage as a workflow, with two tiny checkpoints of random weights on a small grid."""

import json
import os
import re
import signal
import subprocess
import time

import pandas as pd
import pytest
import yaml

from decisions.tiny_checkpoint import TERSE, save_llama, word_tokenizer
from jointcore.decisions.prompts.template import PromptTemplate
from workflow.checkout import Checkout

pytestmark = pytest.mark.slow

SHARDS = {"tiny_one": 2, "tiny_two": 1}
LOCAL = ("local_study", "--configfile", "local.yaml")
#: The part of local_study that this file is about.
RESULTS = ("results/transfer/local.parquet", "results/model/tiny_one/robustness.parquet", *LOCAL[1:])
BEYOND = ["jointcore_anchored", "quickxplain", "ddmin", "probdd", "cmi_top3", "cmi_margin"]
TWO = ["conditional_singleton_cost", "jointcore_cost_ordered"]


def write_models(folder, **changes):
    """A models file with the two checkpoints."""
    models = {
        key: {
            "name": key,
            "role": "local",
            "path": f"checkpoints/{key}",
            "digest_manifest": "checkpoint.json",
            "licence": "MIT",
            "precision": "float32",
            "loader": "causal_lm",
            "prompt_template": "config/prompts/terse.yaml",
            "gpus": 0,
            "mem_mb": 1000,
            "runtime_minutes": 10,
            "shards": shards,
            **changes,
        }
        for key, shards in SHARDS.items()
    }
    (folder / "models.yaml").write_text(yaml.safe_dump({"models": models}))


def write_config(folder, methods="study", **stage):
    """A configuration with nine tasks."""
    config = {
        "benchmark": {"domains": ["orders"], "model": {"support_sizes": [2], "seed_blocks": [0]}},
        "methods": {"model": methods},
        "model_stage": {
            "models_file": "models.yaml",
            "cohorts": {"registered": [], "local": list(SHARDS)},
            **stage,
        },
    }
    (folder / "local.yaml").write_text(yaml.safe_dump(config))


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    """A checkout with two checkpoints and nothing run."""
    checkout = Checkout.create(tmp_path_factory.mktemp("model") / "project")
    tokenizer = word_tokenizer(PromptTemplate.load(TERSE))
    for seed, key in enumerate(SHARDS):
        save_llama(checkout.folder / "checkpoints" / key, tokenizer, seed=seed)
    write_models(checkout.folder)
    write_config(checkout.folder)
    return checkout


@pytest.fixture(scope="module")
def stage(checkpoints, tmp_path_factory):
    """The same after a whole run."""
    checkout = checkpoints.clone(tmp_path_factory.mktemp("stage") / "project")
    checkout.run(*RESULTS)
    return checkout


def runtime(checkout, model="tiny_one"):
    return json.loads((checkout.folder / f"results/model/{model}/runtime.json").read_text())


def planned(checkout):
    """Jobs a rule that a dry run lists."""
    listed = re.findall(r"^(\w+) +(\d+)$", checkout.run("--dry-run", *RESULTS).stdout, re.MULTILINE)
    return {rule: int(count) for rule, count in listed if rule != "total"}


def test_results_are_whole_and_marked_as_local(stage):
    results = stage.folder / "results"
    primary = pd.read_parquet(results / "model/tiny_one/primary.parquet")
    assert len(primary) == 9 * 8
    assert set(primary["role"]) == {"local"}
    assert list(primary["task_index"]) == sorted(primary["task_index"])
    robustness = pd.read_parquet(results / "model/tiny_one/robustness.parquet")
    assert len(robustness) == 3 * 2 * 15
    transfer = pd.read_parquet(results / "transfer/local.parquet")
    assert len(transfer) == 9 * 2 * 4
    assert transfer.groupby(["source", "target"])["reused"].all().to_dict() == {
        (source, target): source == target for source in SHARDS for target in SHARDS
    }
    assert transfer.loc[transfer["reused"], "behavior_retained"].all()


def test_the_record_says_what_ran_and_every_question_was_asked_once(stage):
    shards = runtime(stage)
    assert [record["shard"] for record in shards] == [0, 1]
    for record in shards:
        counts = record["counts"]
        assert counts["asked"] > 0
        # Tasks of one domain and horizon share their terminal prompts, which the other shard may have asked.
        assert counts["asked"] + counts["store_hits"] == counts["distinct"]
        assert counts["invalid"] == 0
        assert record["model"]["precision"] == "float32"
        assert len(record["prompt_template_sha256"]) == 64


def test_nothing_is_left_to_do_and_resources_rerun_nothing(stage, tmp_path):
    copy = stage.clone(tmp_path / "project")
    assert planned(copy) == {}
    write_models(copy.folder, mem_mb=1500, runtime_minutes=20)
    assert planned(copy) == {}


def test_a_changed_list_of_methods_asks_nothing_that_is_known(stage, tmp_path):
    copy = stage.clone(tmp_path / "project")
    write_config(copy.folder, methods=TWO)
    assert planned(copy) == {"run_model": 3, "merge_model": 2, "run_transfer": 2, "merge_transfer": 1}
    copy.run(*RESULTS)
    for record in runtime(copy):
        assert record["counts"]["asked"] == 0
        assert record["counts"]["store_hits"] == record["counts"]["distinct"] > 0
        assert record["model"]["load_seconds"] is None


def test_searches_beyond_the_study_join_by_name(stage, tmp_path):
    copy = stage.clone(tmp_path / "project")
    write_config(copy.folder, methods=[*TWO, *BEYOND])
    copy.run(*LOCAL)
    for model in SHARDS:
        primary = pd.read_parquet(copy.folder / f"results/model/{model}/primary.parquet").set_index("method")
        assert {slug: len(rows) for slug, rows in primary.groupby(level=0)} == dict.fromkeys([*TWO, *BEYOND], 9)
        for slug in set(BEYOND) - {"cmi_top3", "cmi_margin"}:
            assert primary.loc[slug, "behavioral_sufficiency"].all()
        for record in runtime(copy, model):
            assert record["counts"]["asked"] > 0
            assert record["counts"]["store_hits"] > 0
    tables = copy.folder / "results/tables/local"
    assert set(BEYOND) <= set(pd.read_csv(tables / "methods.csv")["method"])
    # The registered tests stay the study's: two methods, whatever runs beside them.
    assert set(pd.read_csv(tables / "tests.csv")["model"]) == set(SHARDS)
    assert len(pd.read_csv(copy.folder / "results/statistics/local/registered_tests.csv")) == 3 * len(SHARDS)


def test_a_killed_job_goes_on_where_it_stopped_with_the_same_bytes(checkpoints, stage, tmp_path):
    copy = checkpoints.clone(tmp_path / "project")
    results = "results/model/tiny_two"
    run = (f"{results}/primary.parquet", *LOCAL[1:])
    first = subprocess.Popen(
        copy.command(*run),
        cwd=copy.folder,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 120
    while not any(path.stat().st_size > 20_000 for path in (copy.folder / results).glob("decisions/*")):
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    assert not (copy.folder / results / "primary.parquet").exists()
    copy.run("--unlock", *LOCAL[1:])
    copy.run(*run)
    for name in ("primary", "robustness", "traces"):
        path = f"{results}/{name}.parquet"
        assert (copy.folder / path).read_bytes() == (stage.folder / path).read_bytes()
    (again,), (whole,) = (runtime(checkout, "tiny_two") for checkout in (copy, stage))
    kept = again["counts"]["store_hits"]
    assert kept > 0
    assert again["counts"]["asked"] == whole["counts"]["asked"] - kept


@pytest.mark.parametrize(
    ("stage_change", "model_change", "sentence"),
    [
        (
            {"cohorts": {"registered": [], "local": ["tiny_tree"]}},
            {},
            "model 'tiny_tree' has no entry; known are tiny_one, tiny_two.",
        ),
        (
            {"cohorts": {"registered": ["tiny_one"]}},
            {},
            "config key model_stage/cohorts/registered: model tiny_one has the role local; list it under local",
        ),
        (
            {"robustness": {"methods": ["jointcore_best"]}},
            {},
            "config key model_stage/robustness/methods lacks conditional_singleton_cost and jointcore_cost_ordered",
        ),
        ({"robustness": {"interfaces": ["mask"]}}, {}, "model_stage/robustness/interfaces names unknown mask"),
        ({"models_file": "modls.yaml"}, {}, "modls.yaml does not exist"),
        ({}, {"shards": 0}, "models.yaml key models/tiny_one/shards"),
    ],
)
def test_mistakes_are_named_before_any_job(checkpoints, tmp_path, stage_change, model_change, sentence):
    copy = checkpoints.clone(tmp_path / "project")
    write_models(copy.folder, **model_change)
    write_config(copy.folder, **stage_change)
    done = copy.run("--dry-run", *RESULTS, check=False)
    assert done.returncode != 0
    assert sentence in done.stdout + done.stderr
