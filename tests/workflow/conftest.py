"""Finished runs that the workflow tests copy."""

import json

import pytest

from jointcore.tasks.storage import read_tasks
from report.model_cohort import LOCAL, write_models
from workflow.checkout import SMOKE, Checkout


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A checkout in which the smoke configuration was run to its end."""
    checkout = Checkout.create(tmp_path_factory.mktemp("finished") / "project")
    checkout.run(*SMOKE)
    return checkout


@pytest.fixture
def edited(finished, tmp_path):
    """A copy of the finished checkout for one test's edits."""
    return finished.clone(tmp_path / "project")


@pytest.fixture(scope="session")
def studied(finished, tmp_path_factory):
    """A finished exact stage with the local cohort's model files, taken to the end of the statistics."""
    checkout = finished.clone(tmp_path_factory.mktemp("studied") / "project")
    tasks = list(read_tasks(checkout.folder / "results/benchmark/model.parquet"))
    write_models(checkout.folder / "results/model", LOCAL, tasks=tasks)
    for model in LOCAL:
        (checkout.folder / f"results/model/{model}/runtime.json").write_text(
            json.dumps([{"shard": 0, "versions": {"torch": "2.9"}, "python": "3.11"}])
        )
    checkout.append("config/smoke.yaml", "model_stage:\n  transfer: []\n")
    checkout.run(*SMOKE, "--", "all", "local_study")
    return checkout
