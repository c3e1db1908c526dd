"""The cluster, a study that is ready to ask its models, and the same study after an undisturbed run."""

import subprocess

import pytest
import yaml

from slurm.cluster import Cluster, missing
from slurm.study import TARGET, Study
from workflow.checkout import Checkout
from workflow.small_study import CONFIG, STUDY

SITE = {
    "cpu_partition": "cpu",
    "gpu_partition": "gpu",
    "first_check_seconds": 3,
    "status_attempts": 10,
    "group_size": 2,
    # The tiny models run on the CPU: they ask for the fake GPU, and leave it alone.
    "more_resources": {"run_model": {"gpu": 1}},
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A SLURM of one node for all tests."""
    lacking = missing()
    if lacking:
        pytest.skip(f"this machine lacks {', '.join(lacking)}; see docs/cluster.md, Tests")
    try:
        running = Cluster.start(tmp_path_factory.mktemp("slurm"))
    except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
        # A container may forbid what the daemons need; that says nothing about the workflow.
        pytest.skip(f"SLURM's daemons do not start on this machine: {error}")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def ready(tmp_path_factory):
    """A checkout whose models are trained and whose tasks are drawn."""
    checkout = Checkout.create(tmp_path_factory.mktemp("ready") / "project")
    (checkout.folder / "study.yaml").write_text(yaml.safe_dump(STUDY))
    (checkout.folder / "slurm/site.yaml").write_text(yaml.safe_dump(SITE))
    checkout.run(*CONFIG, "--until", "generate_grid", "train_tiny", "--", "all", TARGET)
    return checkout


@pytest.fixture(scope="session")
def undisturbed(ready, tmp_path_factory):
    """The same after a run of the first model on this machine, without SLURM."""
    checkout = ready.clone(tmp_path_factory.mktemp("undisturbed") / "project")
    checkout.run(*CONFIG, "--", TARGET)
    return checkout


@pytest.fixture
def study(cluster, ready, undisturbed, tmp_path):
    """A study on the cluster whose first model has been asked nothing."""
    running = Study(ready.clone(tmp_path / "project"), cluster, undisturbed)
    yield running
    running.end()
    cluster.cancel_all()
