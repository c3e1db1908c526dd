"""Questions about own memories in the workflow: a small file to its end, and mistakes named before any job."""

import base64
import gzip
import json
import re
import shutil

import pandas as pd
import pytest

from paths import PROJECT
from workflow.checkout import Checkout

pytestmark = pytest.mark.slow

CONFIG = ("own_data", "--configfile", "own.yaml")
SETTINGS = {
    "stages": ["own_data"],
    "own_data": {
        "questions": "own.jsonl",
        "answers": ["YES", "NO"],
        "methods": ["jointcore_anchored", "independent_leave_one_out"],
        "local_model": {"layers": 1, "hidden": 32, "heads": 2, "steps": 4, "batch": 4},
    },
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A checkout with the first questions of the sample, one of them with a file of memories."""
    checkout = Checkout.create(tmp_path_factory.mktemp("own") / "project")
    data = PROJECT / "examples" / "data"
    lines = [json.loads(line) for line in (data / "own_data.jsonl").read_text().splitlines()]
    chosen = [lines[0], lines[2], next(line for line in lines if "memories_file" in line)]
    shutil.copy(data / chosen[-1]["memories_file"], checkout.folder)
    (checkout.folder / "own.jsonl").write_text("".join(json.dumps(line) + "\n" for line in chosen))
    (checkout.folder / "own.yaml").write_text(json.dumps(SETTINGS))
    return checkout


def test_every_question_has_a_row_a_method_and_a_place_on_the_page(project):
    project.run(*CONFIG)
    results = project.folder / "results"
    for method in SETTINGS["own_data"]["methods"]:
        frame = pd.read_parquet(results / f"own_data/{method}.parquet")
        assert list(frame["question"]) == ["yard-01", "yard-03", "yard-12"]
        assert set(frame["method"]) == {method}
        for row in frame.itertuples():
            assert len(row.kept) + len(row.dropped) == row.candidate_count
            assert row.cost_kept + row.cost_saved == row.cost
        assert list(frame["decision"].isin(["YES", "NO"])) == [True, False, True]
        assert frame["decision"][1] in ("GO", "WAIT")
    assert pd.read_parquet(results / "own_data/jointcore_anchored.parquet")["preserved"].all()
    page = (results / "own_data/page.html").read_text()
    shown = json.loads(gzip.decompress(base64.b64decode(re.search(r"[A-Za-z0-9+/=]{400,}", page).group())))
    assert [case["title"] for case in shown["cases"]] == ["yard-01", "yard-03", "yard-12"]
    assert shown["cases"][2]["condition"].startswith("Does the tanker leave?")
    assert shown["start"] == "Anchored JointCore"
    assert [method["name"] for method in shown["cases"][0]["methods"]] == ["Leave-one-out", "Anchored JointCore"]
    counts = json.loads((results / "own_data/runtime.json").read_text())["counts"]
    assert counts["asked"] == counts["distinct"] > 20
    # Another method asks what is new only, and everything else stays.
    settings = json.loads((project.folder / "own.yaml").read_text())
    settings["own_data"]["methods"].append("quickxplain")
    (project.folder / "own.yaml").write_text(json.dumps(settings))
    project.run(*CONFIG)
    again = json.loads((results / "own_data/runtime.json").read_text())["counts"]
    assert again["store_hits"] == counts["asked"]
    assert "quickxplain" in (results / "tables/own_data.csv").read_text()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"questions": "broken.jsonl"}, "broken.jsonl line 2 is not valid JSON"),
        ({"judge": "tiny_a"}, "judge tiny_a is a checkpoint for the benchmark; give its entry kind: text_model"),
    ],
)
def test_a_mistake_is_named_before_any_job_runs(project, tmp_path, change, sentence):
    (project.folder / "broken.jsonl").write_text('{"id": 1, "query": "?", "memories": ["a"]}\n{"id": \n')
    (tmp_path / "change.yaml").write_text(json.dumps({"own_data": change}))
    done = project.run("--dry-run", *CONFIG, str(tmp_path / "change.yaml"), check=False)
    output = done.stdout + done.stderr
    assert done.returncode != 0
    assert sentence in output
    assert "Traceback" not in output
