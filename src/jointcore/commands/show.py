"""``jointcore show``: prints the tables of a finished run as plain text."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jointcore.errors import InputError

if TYPE_CHECKING:
    from jointcore.report.table import Table

NAME = "show"
HELP = "Print tables of a finished run in the terminal."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("table", nargs="+", metavar="TABLE", help="such as table1, table2 or gates")
    parser.add_argument("--results", default="results", metavar="FOLDER", help="folder of the results")
    parser.add_argument(
        "--cohort", choices=("registered", "local"), default="registered", help="cohort of the model stage's tables"
    )


def run(arguments: argparse.Namespace) -> None:
    """Print the tables."""
    results = Path(arguments.results)
    tables = [load_table(name, results, arguments.cohort) for name in arguments.table]
    print("\n\n".join(table.terminal() for table in tables))


def load_table(name: str, results: Path, cohort: str) -> Table:
    """A table out of a run's results.

    Args:
        name: one of :data:`jointcore.report.catalogue.TABLES`.
        results: folder of the results.
        cohort: ``registered`` or ``local``; of no meaning for the exact stage.

    Raises:
        InputError: there is no such table, or the run has not made what it is made of, or that is damaged.
    """
    from jointcore.report.catalogue import COHORT, RUNTIME, TABLES, TRANSFER

    if name not in TABLES:
        raise InputError(f"there is no table {name!r}; choose from {', '.join(TABLES)}")
    loaders: Mapping[str, Callable[[Path, str], Table]] = {
        COHORT: lambda results, cohort: _model(name, results, cohort),
        RUNTIME: _runtime,
        TRANSFER: _transfer,
    }
    found = loaders.get(TABLES[name].source)
    return found(results, cohort) if found else _exact(name, results)


def _exact(name: str, results: Path) -> Table:
    from jointcore.report.exact_tables import EXACT_TABLES, table4

    if name == "table4":
        return table4(_json(results / "exact" / "worked_example.json", "snakemake --cores all"))
    return EXACT_TABLES[name](_json(results / "exact" / "metrics.json", "snakemake --cores all"))


def _model(name: str, results: Path, cohort: str) -> Table:
    from jointcore.report.model_tables import MODEL_TABLES
    from jointcore.statistics.cohort_statistics import NAMES, read_cohort

    folder = results / "statistics" / cohort
    _require(folder / "cohort.json", _target(cohort))
    found, statistics = read_cohort([folder / "cohort.json", *(folder / f"{stem}.csv" for stem in NAMES)])
    return MODEL_TABLES[name](statistics, found)


def _runtime(results: Path, cohort: str) -> Table:
    from jointcore.report.run_tables import runtime_table

    found = _cohort(results, cohort)
    paths = {model: results / "model" / model / "runtime.json" for model in found.models}
    return runtime_table({model: _json(path, _target(cohort)) for model, path in paths.items()}, found)


def _transfer(results: Path, cohort: str) -> Table:
    from jointcore.evaluation.model_storage import TRANSFER_ROWS
    from jointcore.report.run_tables import transfer_table
    from jointcore.statistics.model_frames import read_frame
    from jointcore.statistics.transfer_matrix import transfer_matrix

    found = _cohort(results, cohort)
    path = results / "transfer" / f"{cohort}.parquet"
    _require(path, f"{_target(cohort)} with {cohort} in config key model_stage/transfer")
    return transfer_table(transfer_matrix(read_frame([path], TRANSFER_ROWS)), found)


def _cohort(results: Path, cohort: str):
    from jointcore.statistics.cohort import Cohort

    path = results / "statistics" / cohort / "cohort.json"
    _require(path, _target(cohort))
    return Cohort.read(path)


def _json(path: Path, remedy: str):
    import json

    _require(path, remedy)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is damaged; delete it and run {remedy}") from error


def _require(path: Path, remedy: str) -> None:
    if not path.exists():
        raise InputError(f"{path} is not there yet; run {remedy}, or name the folder of your results with --results")


def _target(cohort: str) -> str:
    return f"snakemake --cores all {'local_study' if cohort == 'local' else 'model_study'}"
