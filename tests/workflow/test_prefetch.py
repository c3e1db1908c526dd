"""Checkpoints for nodes without a connection: fetched and verified before, with a token that is written nowhere."""

import json
import subprocess

import pytest
import yaml

from decisions.local_hub import REPOSITORY, REVISION, local_hub
from decisions.tiny_checkpoint import TERSE, save_llama, word_tokenizer
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.hashing import sha256_file
from workflow.checkout import Checkout

pytestmark = pytest.mark.slow

TOKEN = "hf_thisTokenOpensGatedModels"
RECORD = "results/checkpoints/far.json"
MODEL = {
    "name": "Far",
    "role": "registered",
    "repository": REPOSITORY,
    "revision": REVISION,
    "licence": "MIT",
    "precision": "float32",
    "loader": "causal_lm",
    "prompt_template": "config/prompts/terse.yaml",
    "gpus": 0,
    "mem_mb": 1000,
    "runtime_minutes": 10,
    "shards": 1,
}
CONFIG = {
    "benchmark": {"domains": ["orders"], "model": {"support_sizes": [2], "seed_blocks": [0]}},
    "model_stage": {
        "models_file": "models.yaml",
        "cohorts": {"registered": ["far"], "local": []},
        "transfer": [],
    },
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """The files of a repository."""
    folder = tmp_path_factory.mktemp("hub") / "tiny"
    save_llama(folder, word_tokenizer(PromptTemplate.load(TERSE)))
    return folder


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A checkout whose one model is in a repository, with an empty cache and a token in the environment."""
    checkout = Checkout.create(tmp_path / "project")
    (checkout.folder / "models.yaml").write_text(yaml.safe_dump({"models": {"far": MODEL}}))
    (checkout.folder / "far.yaml").write_text(yaml.safe_dump(CONFIG))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    return checkout


def run(checkout, target, check=True):
    return checkout.run(target, "--configfile", "far.yaml", check=check)


def test_a_node_without_a_connection_asks_what_was_fetched_before(project, repository, monkeypatch):
    tokens = set()
    with local_hub(repository, tokens=tokens) as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        fetched = run(project, "prefetch")
    assert f"Bearer {TOKEN}" in tokens
    record = json.loads((project.folder / RECORD).read_text())
    assert (record["repository"], record["revision"]) == (REPOSITORY, REVISION)
    assert record["files"]["model.safetensors"] == sha256_file(repository / "model.safetensors")
    assert record["files"]["config.json"] == sha256_file(repository / "config.json")

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (project.folder / RECORD).unlink()
    run(project, "prefetch")
    assert json.loads((project.folder / RECORD).read_text()) == record
    asked = run(project, "results/model/far/primary.parquet")
    printed = "".join(done.stdout + done.stderr for done in (fetched, asked))
    assert TOKEN not in printed
    # Results, logs, Snakemake's own records, and every file that a job wrote.
    found = subprocess.run(["grep", "-rlF", TOKEN, project.folder], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (1, "")


def test_a_damaged_file_of_the_cache_is_named(project, repository, tmp_path, monkeypatch):
    with local_hub(repository) as endpoint:
        monkeypatch.setenv("HF_ENDPOINT", endpoint)
        run(project, "prefetch")
        (weights,) = (tmp_path / "cache").rglob("model.safetensors")
        content = bytearray(weights.resolve().read_bytes())
        content[-1] ^= 1
        weights.resolve().write_bytes(content)
        (project.folder / RECORD).unlink()
        done = run(project, "prefetch", check=False)
    assert done.returncode != 0
    assert "model.safetensors is not the file that the hub gave (its digest differs); delete" in (
        done.stdout + done.stderr
    )
    assert not (project.folder / RECORD).exists()
