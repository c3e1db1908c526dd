"""Files of the model stage as the frames that the statistics take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa

from jointcore.evaluation.model_storage import PRIMARY_ROWS, ROBUSTNESS_ROWS, Kind
from jointcore.parquet import read_batches
from jointcore.statistics.frame import MODEL_COLUMNS

_ROBUSTNESS = (
    "model",
    "method",
    "paper_task_id",
    "interface",
    "label_style",
    "trajectory_success",
    "agrees_with_primary",
    "action",
)


def read_frame(paths: Iterable[str | Path], kind: Kind, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """The rows of several files of one kind, one after the other.

    Args:
        paths: at least one file.
        kind: what they hold.
        columns: the columns wanted; ``None``: all.

    Raises:
        InputError: a file is missing, truncated, damaged, or holds something else.
    """
    names = kind.schema.names if columns is None else list(columns)
    schema = pa.schema([kind.schema.field(name) for name in names])
    batches = [
        batch.select(names) for path in paths for batch in read_batches(path, kind.name, kind.schema, columns=columns)
    ]
    return pa.Table.from_batches(batches, schema).to_pandas()


def read_primary(paths: Iterable[str | Path]) -> pd.DataFrame:
    """The model frame (see ``frame``) out of the primary files of some models."""
    return read_frame(paths, PRIMARY_ROWS, MODEL_COLUMNS)


def read_robustness(paths: Iterable[str | Path]) -> pd.DataFrame:
    """The robustness frame (see ``frame``) out of the robustness files of some models."""
    return read_frame(paths, ROBUSTNESS_ROWS, _ROBUSTNESS)
