"""The report's front page of one cohort: what was run, what was not, and what to conclude, from the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from jointcore.report.findings import findings_table
from jointcore.report.page import table_page
from jointcore.report.table import Column, Table
from jointcore.report.verdicts import verdict_counts
from jointcore.statistics.cohort import Cohort
from jointcore.statistics.findings import OUTCOME_MARKS, exact_findings, model_findings
from jointcore.statistics.registered_tests import family_note
from jointcore.statistics.registration import REGISTERED_COHORT, STUDY_SEED

Statistics = Mapping[str, pd.DataFrame]


def front_page(
    *,
    cohort: Cohort,
    statistics: Statistics,
    runtime: Mapping[str, Sequence[Mapping[str, Any]]],
    exact: Mapping[str, Any],
    comparison: pd.DataFrame,
    registry: Mapping[str, str],
    benchmark: Mapping[str, Any],
    transfer: bool,
) -> str:
    """The page.

    Args:
        cohort: the cohort.
        statistics: its statistics.
        runtime: model key to the content of its ``runtime.json``.
        exact: content of ``results/exact/metrics.json``.
        comparison: the whole paper, published beside reproduced.
        registry: key to name of every model that the configuration knows.
        benchmark: the section of that name of the configuration.
        transfer: whether the cohort's models decided each other's sets.
    """
    return table_page(
        cohort.titled("What was run, and what to conclude"),
        [conclusions(statistics, cohort, exact), _models(cohort, runtime), _not_run(cohort, registry, transfer)],
        _lead(cohort, statistics, comparison, benchmark),
        OUTCOME_MARKS,
    )


def _lead(cohort: Cohort, statistics: Statistics, comparison: pd.DataFrame, benchmark: Mapping[str, Any]) -> list[str]:
    tasks = int(statistics["summary"]["tasks"].max())
    checked = int(statistics["robustness"]["tasks"].max())
    cells = len(statistics["robustness"].drop_duplicates(["interface", "label_style"]))
    return [
        *([cohort.noted()] if cohort.local else []),
        f"{len(cohort.models)} models decided {tasks} tasks each with {len(cohort.methods)} methods; the sets of the "
        f"cost-aware singleton and of JointCore were decided again on {checked} tasks in {cells} cells of memory "
        "interface and label style.",
        f"Seeds: {benchmark['exact']['seed_base']} (exact stage), {benchmark['model']['seed_base']} (model stage), "
        f"{STUDY_SEED} (bootstrap and sign-flip).",
        family_note(statistics["registered_tests"]) + " Everything else is descriptive.",
        f"Against the paper, {len(comparison)} printed figures: {verdict_counts(comparison)}.",
    ]


def conclusions(statistics: Statistics, cohort: Cohort, exact: Mapping[str, Any]) -> Table:
    """What the run says of every claim, and where JointCore loses; see :mod:`jointcore.statistics.findings`.

    Args:
        statistics: the cohort's statistics.
        cohort: the cohort.
        exact: content of ``results/exact/metrics.json``.
    """
    findings = pd.concat([exact_findings(exact), model_findings(statistics)], ignore_index=True)
    added = {method["slug"]: method["name"] for method in exact["methods"]}
    names = {**added, **cohort.methods, **cohort.names}
    table = findings_table(findings, names, cohort.titled("Conclusions in numbers"))
    gates = statistics["gates"]
    passed = int(gates["passed"].sum())
    fallback = statistics["fallback"]
    reverting = [cohort.names[row.model] for row in fallback.itertuples() if row.reverts]
    if fallback.empty:
        reverts = "Archive fallback: not determined, since this run does not decide both label styles."
    elif reverting:
        reverts = f"Reverting to full memory: {', '.join(reverting)}."
    else:
        reverts = "No model reverts to full memory."
    return replace(table, note=f"{table.note} Gates passed: {passed} of {len(gates)}. {reverts}")


def _models(cohort: Cohort, runtime: Mapping[str, Sequence[Mapping[str, Any]]]) -> Table:
    rows = []
    for model, entry in cohort.models.items():
        records = runtime[model]
        rows.append(
            {
                "name": entry["name"],
                "role": entry["role"],
                "checkpoint": entry.get("repository") or entry.get("path"),
                "revision": entry.get("revision") or None,
                "precision": entry.get("precision"),
                "licence": entry.get("licence"),
                "versions": "; ".join(sorted({_versions(record) for record in records})),
                "template": ", ".join(sorted({str(r.get("prompt_template_sha256", ""))[:10] for r in records})),
            }
        )
    columns = (
        Column("name", "Model"),
        Column("role", "Role"),
        Column("checkpoint", "Checkpoint"),
        Column("revision", "Revision"),
        Column("precision", "Precision"),
        Column("licence", "Licence"),
        Column("versions", "Versions"),
        Column("template", "Prompt template"),
    )
    return Table(pd.DataFrame(rows), columns, cohort.titled("Models that were run"))


def _versions(record: Mapping[str, Any]) -> str:
    versions = record.get("versions", {})
    named = {"PyTorch": versions.get("torch"), "Transformers": versions.get("transformers")}
    return ", ".join(f"{name} {version}" for name, version in named.items() if version)


def _not_run(cohort: Cohort, registry: Mapping[str, str], transfer: bool) -> Table:
    rows = [
        (registry.get(model, model), "model of the paper's cohort; its published figures are not reproduced here")
        for model in REGISTERED_COHORT
        if model not in cohort.models
    ]
    if not transfer:
        rows.append(("Cross-model transfer", "off for this cohort in the configuration, as in the paper"))
    frame = pd.DataFrame(rows, columns=["what", "why"])
    note = "" if rows else "Everything that the paper reports was run."
    return Table(frame, (Column("what", "Not run"), Column("why", "What that means")), "What was not run", note)
