"""Tables of what ran where, and of the transfer between models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from jointcore.report.table import Column, Table
from jointcore.statistics.cohort import Cohort

#: Column of the runtime table to where its value lies in a shard's record.
_RUNTIME: Mapping[str, tuple[str, ...]] = {
    "shard": ("shard",),
    "questions": ("questions", "questions"),
    "distinct": ("questions", "distinct"),
    "prompts": ("counts", "distinct"),
    "store_hits": ("counts", "store_hits"),
    "asked": ("counts", "asked"),
    "invalid": ("questions", "invalid"),
    "devices": ("model", "devices"),
    "load_seconds": ("model", "load_seconds"),
    "peak_memory_mb": ("model", "peak_memory_mb"),
    "peak_gpu_memory_mb": ("model", "peak_gpu_memory_mb"),
    "torch": ("versions", "torch"),
    "transformers": ("versions", "transformers"),
    "python": ("python",),
    "prompt_template_sha256": ("prompt_template_sha256",),
    "commit": ("git", "commit"),
    "changed": ("git", "changed"),
}


def runtime_table(records: Mapping[str, Sequence[Mapping[str, Any]]], cohort: Cohort) -> Table:
    """What ran where: a row a model and shard.

    Args:
        records: model key to the content of its ``runtime.json``. What a record does not hold is a dash.
        cohort: the cohort.
    """
    rows = []
    for model, entry in cohort.models.items():
        for record in records[model]:
            row = {key: _found(record, path) for key, path in _RUNTIME.items()}
            for key in ("devices", "peak_gpu_memory_mb"):
                row[key] = ", ".join(map(str, row[key] or ())) or None
            for key in ("prompt_template_sha256", "commit"):
                row[f"short_{key}"] = row[key] and str(row[key])[:10]
            if row["changed"]:
                row["short_commit"] = f"{row['short_commit']} (edited)"
            rows.append({"model": model, "name": entry["name"], "precision": entry.get("precision"), **row})
    columns = (
        Column("name", "Model"),
        Column("shard", "Shard"),
        Column("precision", "Precision"),
        Column("devices", "Device"),
        Column("questions", "Questions"),
        Column("distinct", "Distinct"),
        Column("prompts", "Distinct prompts"),
        Column("store_hits", "From the store"),
        Column("asked", "Asked"),
        Column("invalid", "Invalid"),
        Column("load_seconds", "Load, s", 1),
        Column("peak_memory_mb", "Memory, MB"),
        Column("peak_gpu_memory_mb", "GPU memory, MB"),
        Column("torch", "PyTorch"),
        Column("transformers", "Transformers"),
        Column("python", "Python"),
        Column("short_prompt_template_sha256", "Prompt template"),
        Column("short_commit", "Commit"),
    )
    note = cohort.noted(
        "Questions: decisions that the searches, the final sets, the terminal steps and robustness needed, repeated "
        "ones included. Distinct: different ones among them, of which Invalid have no valid answer. Distinct prompts: "
        "as the model reads them, where different questions can be the same text; each is from the store, answered by "
        "an earlier run, or asked, so that those two add up to it."
    )
    return Table(pd.DataFrame(rows), columns, cohort.titled("Runtime"), note, f"{cohort.key}-runtime")


def transfer_table(matrix: pd.DataFrame, cohort: Cohort) -> Table:
    """The transfer matrix: a row a method and source, a column a target.

    Args:
        matrix: see :func:`jointcore.statistics.transfer_matrix.transfer_matrix`.
        cohort: the cohort.
    """
    rows = []
    for (method, source), part in matrix.groupby(["method", "source"], sort=False):
        kept = dict(zip(part["target"], part["behavior_retained"], strict=True))
        right = dict(zip(part["target"], part["final_decision_correct"], strict=True))
        rows.append(
            {
                "method": method,
                "method_name": cohort.methods.get(method, method),
                "source": source,
                "name": cohort.names[source],
                "tasks": part["tasks"].iloc[0],
                **{f"behavior_{target}": kept[target] for target in cohort.models},
                **{f"correct_{target}": right[target] for target in cohort.models},
            }
        )
    columns = (
        Column("method_name", "Method"),
        Column("name", "Selected with"),
        Column("tasks", "Tasks"),
        *(Column(f"behavior_{target}", f"Behavior, {name}", 3) for target, name in cohort.names.items()),
        *(Column(f"correct_{target}", f"Correct, {name}", 3) for target, name in cohort.names.items()),
    )
    note = cohort.noted(
        "Sets selected with the model of the row, decided by the model of the column; Tasks: the tasks of each cell. "
        "Behavior: the decision is the "
        "column's own on full memory. Correct: it is what the rule says for the set. A model with itself is its "
        "primary run.",
        "Descriptive; not part of the published results.",
    )
    return Table(pd.DataFrame(rows), columns, cohort.titled("Cross-model transfer"), note, f"{cohort.key}-transfer")


def _found(record: Mapping[str, Any], path: Sequence[str]) -> Any:
    value: Any = record
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
