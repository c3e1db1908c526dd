"""``jointcore show``: prints the tables of a finished run as plain text."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jointcore.errors import InputError
from jointcore.files import read_json

if TYPE_CHECKING:
    from jointcore.report.table import Table

NAME = "show"
HELP = "Print tables of a finished run in the terminal."

COHORTS = ("registered", "local")
_EXACT_SOURCES = {"table4": "exact/worked_example.json"}
_OTHER = ("summary", "comparison", "stress")
_STRESS = ("relevance", "budgets", "counts", "decisions")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("table", nargs="*", metavar="TABLE", help="what to print; without one, a list of what there is")
    parser.add_argument("--results", default="results", metavar="FOLDER", help="folder of the results")
    parser.add_argument(
        "--cohort",
        choices=COHORTS,
        default="registered",
        help="cohort of the model stage's tables (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print the tables."""
    results = Path(arguments.results)
    if not arguments.table:
        print("\n".join(available(results)))
        return
    exact, model = _names()
    unknown = [name for name in arguments.table if name not in (*exact, *model, *_OTHER)]
    if unknown:
        raise InputError(f"there is no table {unknown[0]!r}; `jointcore show` lists what there is")
    tables = [load_table(name, results, arguments.cohort) for name in arguments.table]
    print("\n\n".join(table.terminal() for table in tables))


def available(results: Path) -> list[str]:
    """Lines that say which tables a folder of results holds, and how to print them."""
    exact, model = _names()
    made = [name for name in exact if (results / _EXACT_SOURCES.get(name, "exact/metrics.json")).exists()]
    lines = _listed("Exact stage", made)
    if (results / "comparison/exact.csv").exists():
        lines += _listed("Published and reproduced", ["comparison"])
    if any((results / f"stress/{experiment}.csv").exists() for experiment in _STRESS):
        lines += _listed("Stress", ["stress"])
    for cohort in COHORTS:
        if (results / f"statistics/{cohort}/cohort.json").exists():
            transfer = (results / f"transfer/{cohort}.parquet").exists()
            names = [name for name in (*model, "summary") if name != "transfer" or transfer]
            lines += _listed(f"Model stage, with --cohort {cohort}", names)
    if not lines:
        raise InputError(f"{results} holds no table yet; run snakemake --cores all, or name another folder: --results")
    return [*lines, "", f"Print some: jointcore show {lines[1].split()[0].rstrip(',')}"]


def _names() -> tuple[list[str], list[str]]:
    """The tables of the exact stage and those of the model stage, by name."""
    from jointcore.report.catalogue import EXACT, EXAMPLE, TABLES

    exact = [name for name, table in TABLES.items() if table.source in (EXACT, EXAMPLE)]
    return exact, [name for name in TABLES if name not in exact]


def _listed(title: str, names: list[str]) -> list[str]:
    if not names:
        return []
    return [f"{title}:", *textwrap.wrap(", ".join(names), 78, initial_indent="  ", subsequent_indent="  ")]


def load_table(name: str, results: Path, cohort: str) -> Table:
    """A table out of a run's results.

    Args:
        name: a table of :data:`jointcore.report.catalogue.TABLES`, or ``summary``, ``comparison`` or ``stress``.
        results: folder of the results.
        cohort: ``registered`` or ``local``; of no meaning for the exact stage.

    Raises:
        InputError: the run has not made what the table is made of, or it is damaged.
    """
    loaders: Mapping[str, Callable[[Path, str], Table]] = {
        "runtime": _runtime,
        "transfer": _transfer,
        "summary": _summary,
        "comparison": _comparison,
        "stress": _stress,
    }
    if name in _names()[0]:
        return _exact(name, results)
    if name in loaders:
        return loaders[name](results, cohort)
    return _model(name, results, cohort)


def _exact(name: str, results: Path) -> Table:
    from jointcore.report.exact_tables import EXACT_TABLES, table4

    if name == "table4":
        return table4(_json(results / "exact" / "worked_example.json", "snakemake --cores all"))
    return EXACT_TABLES[name](_json(results / "exact" / "metrics.json", "snakemake --cores all"))


def _model(name: str, results: Path, cohort: str) -> Table:
    from jointcore.report.model_tables import MODEL_TABLES

    found, statistics = _statistics(results, cohort)
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


def _summary(results: Path, cohort: str) -> Table:
    from jointcore.report.front_page import conclusions

    found, statistics = _statistics(results, cohort)
    return conclusions(statistics, found, _json(results / "exact" / "metrics.json", "snakemake --cores all"))


def _comparison(results: Path, cohort: str) -> Table:
    from jointcore.csv_files import read_csv
    from jointcore.report.table import Column, Table

    own = results / "comparison" / cohort / "paper.csv"
    path = own if own.exists() else results / "comparison" / "exact.csv"
    _require(path, "snakemake --cores all")
    frame = read_csv(path, text=("published", "reproduced", "verdict"))
    counts = frame.groupby(["place", "verdict"], sort=False).size().reset_index(name="count")
    columns = (Column("place", "Where"), Column("verdict", "Verdict"), Column("count", "Figures", 0))
    return Table(counts, columns, "Published and reproduced", f"Every figure by itself: {path}.")


def _stress(results: Path, cohort: str) -> Table:
    import pandas as pd

    from jointcore.csv_files import read_csv
    from jointcore.report.table import Column, Table
    from jointcore.statistics.stress_means import TEXT_COLUMNS

    paths = {experiment: results / "stress" / f"{experiment}.csv" for experiment in _STRESS}
    made = {experiment: path for experiment, path in paths.items() if path.exists()}
    _require(next(iter(made.values()), paths["relevance"]), "snakemake --cores all stress")
    frames = [read_csv(path, text=TEXT_COLUMNS).assign(experiment=experiment) for experiment, path in made.items()]
    rows = pd.concat(frames, ignore_index=True)
    columns = (
        Column("experiment", "Experiment"),
        Column("level", "Level"),
        Column("name", "Method"),
        Column("evaluations", "Evaluations", 2),
        Column("valid_minimum_set", "Minimum", 3),
    )
    note = f"Means over all conditions and seeds; more columns and groups are in {results / 'stress'}."
    return Table(rows[rows["grouping"] == "all"].reset_index(drop=True), columns, "Stress", note)


def _statistics(results: Path, cohort: str) -> Any:
    from jointcore.statistics.cohort_statistics import NAMES, read_cohort

    folder = results / "statistics" / cohort
    _require_cohort(results, cohort)
    return read_cohort([folder / "cohort.json", *(folder / f"{stem}.csv" for stem in NAMES)])


def _require_cohort(results: Path, cohort: str) -> None:
    """Name the cohort that there is, where the one asked for is not."""
    other = next(name for name in COHORTS if name != cohort)
    if (results / f"statistics/{cohort}/cohort.json").exists():
        return
    if (results / f"statistics/{other}/cohort.json").exists():
        raise InputError(f"the {cohort} cohort was not run, but the {other} one was: add --cohort {other}")
    _require(results / f"statistics/{cohort}/cohort.json", _target(cohort))


def _cohort(results: Path, cohort: str):
    from jointcore.statistics.cohort import Cohort

    _require_cohort(results, cohort)
    return Cohort.read(results / "statistics" / cohort / "cohort.json")


def _json(path: Path, remedy: str):
    _require(path, remedy)
    return read_json(path)


def _require(path: Path, remedy: str) -> None:
    if not path.exists():
        raise InputError(f"{path} is not there yet; run {remedy}, or name the folder of your results with --results")


def _target(cohort: str) -> str:
    return f"snakemake --cores all {'local_study' if cohort == 'local' else 'model_study'}"
