"""`snakemake --profile slurm` as typed: what it would submit, what it submits, and what comes out."""

import re
import subprocess
import sys

import pytest
import yaml

from slurm.study import Study
from workflow.checkout import Checkout
from workflow.small_study import CONFIG, OF_THE_RUN, STUDY


def dry_run(checkout, *words):
    command = [sys.executable, "-m", "snakemake", "--profile", "slurm", "--dry-run", *words]
    return subprocess.run(command, cwd=checkout.folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A checkout as cloned: no site file, nothing run."""
    return Checkout.create(tmp_path_factory.mktemp("fresh") / "project")


@pytest.mark.slow
def test_as_typed_it_plans_the_whole_registered_study(fresh):
    done = dry_run(fresh)
    assert done.returncode == 0, done.stdout + done.stderr
    jobs = re.findall(r"rule run_model:.*?wildcards: (.*?)\n.*?resources: (.*?)\n", done.stdout, re.DOTALL)
    planned = {wildcards: dict(item.split("=", 1) for item in asked.split(", ")) for wildcards, asked in jobs}
    assert {
        name: (int(r["mem_mb"]), int(r["runtime"]), int(r["gpu"]), r["gpu_model"]) for name, r in planned.items()
    } == {
        "model=qwen25_14b, shard=0": (48000, 240, 1, "a100"),
        "model=gemma4_12b_it, shard=0": (48000, 240, 1, "a100"),
        "model=mistral31_24b_4bit, shard=0": (48000, 360, 1, "a100"),
        "model=llama33_70b_4bit, shard=0": (96000, 720, 1, "a100"),
        "model=llama33_70b_4bit, shard=1": (96000, 720, 1, "a100"),
    }
    assert re.search(r"^write_summary +1$", done.stdout, re.MULTILINE)
    assert re.search(r"^compare_exact +1$", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_a_site_says_what_differs_without_editing_a_tracked_file(fresh, tmp_path):
    copy = fresh.clone(tmp_path / "project")
    site = {"account": "lab", "gpu_partition": "big", "gpu_model": "h100", "gpu_constraint": "nvlink", "qos": "long"}
    (copy.folder / "slurm/site.yaml").write_text(yaml.safe_dump(site))
    done = dry_run(copy)
    model = re.search(r"rule run_model:.*?resources: (.*?)\n", done.stdout, re.DOTALL).group(1)
    for item in ("slurm_account=lab", "slurm_partition=big", "gpu_model=h100", "constraint=nvlink", "qos=long"):
        assert item in model
    (copy.folder / "slurm/site.yaml").write_text("partition: big\n")
    done = dry_run(copy)
    assert done.returncode != 0
    assert "slurm/site.yaml has the unknown key partition" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.slurm
def test_the_smoke_study_comes_out_as_on_one_machine(cluster, ready, tmp_path):
    alone = ready.clone(tmp_path / "alone")
    alone.run(*CONFIG)
    study = Study(ready.clone(tmp_path / "project"), cluster, alone)
    # The profile names the stages of its site, which win over a configuration file.
    study.site(stages=STUDY["stages"])
    before = set(cluster.jobs())
    head = study.head("--rerun-triggers", "mtime")
    try:
        head.succeed()
    finally:
        study.end()

    submitted = {job: cluster.show(job) for job in set(cluster.jobs()) - before}
    assert {job["JobState"] for job in submitted.values()} == {"COMPLETED"}
    rules = sorted(re.sub(r"_wildcards.*", "", job["Comment"]) for job in submitted.values())
    assert set(rules) <= {"rule_run_model", "rule_run_transfer", "rule_compute_statistics", "rule_exact_evaluate_exact"}
    assert rules.count("rule_run_model") == 2
    for job in submitted.values():
        if job["Comment"].startswith("rule_run_model"):
            assert job["Partition"] == "gpu"
            assert job["TresPerJob"] == "gres:gpu:a100:1"
            assert (job["MinMemoryNode"], job["TimeLimit"]) == ("2000M", "00:30:00")
            assert job["Requeue"] == "1"
        else:
            assert job["Partition"] == ("gpu" if "transfer" in job["Comment"] else "cpu")

    mine, whole = (
        {path: content for path, content in checkout.digests().items() if not any(word in path for word in OF_THE_RUN)}
        for checkout in (study.checkout, alone)
    )
    assert mine.keys() == whole.keys()
    assert [path for path in whole if mine[path] != whole[path]] == []
