"""The recorded numbers of CMI's published run, checked when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from jointcore.errors import InputError

#: Method of the published run to its name, in the order of the published table.
METHODS: Mapping[str, str] = {
    "no_memory": "No memory",
    "full_history": "Full history",
    "summary_memory": "Summary",
    "graph_memory": "Graph",
    "vector_memory": "Vector",
    "reflection_memory": "Reflection",
    "cmi": "CMI",
}
#: Role of a memory, in the order of the published table.
ROLES = ("useful", "irrelevant", "harmful")
#: Methods that count as selecting the whole bank.
WHOLE_BANK = ("full_history", "summary_memory")
#: Memories that the other baselines select.
TOP_K = 3

_UNIT = (0.0, 1.0)
_COLUMNS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    # file: (key, counts, values between 0 and 1)
    "questions": (("question_id",), ROLES, ()),
    "scores": (
        ("question_id", "method"),
        ("judged", "passes"),
        (
            "deterministic",
            "judge",
            "final",
            "precision",
            "recall",
            "f1",
            "bad_rejection",
            "irrelevant_rejection",
            "adoption",
        ),
    ),
    "interventions": (
        ("question_id", "memory_id"),
        ("selected",),
        ("no_memory", "with_memory", "perturbed"),
    ),
}


class Records(NamedTuple):
    """The three tables.

    Attributes:
        questions: a row a question: ``question_id``, ``family``, number of memories of each role.
        scores: a row a question and method: scores, ``passes`` and memory metrics.
        interventions: a row a candidate: ``role``, scores, ``selected``; ``utility`` and ``stability`` are added.
    """

    questions: pd.DataFrame
    scores: pd.DataFrame
    interventions: pd.DataFrame


def read_records(questions: str | Path, scores: str | Path, interventions: str | Path) -> Records:
    """Read and check the three tables.

    Raises:
        InputError: a file is missing or is no CSV; a column is missing; a row is there twice; a value is not a
            number or out of range; a method, role or question is unknown, or a question lacks a method.
    """
    bank = _read(questions, "questions", ("family",))
    marks = _read(scores, "scores", ())
    trials = _read(interventions, "interventions", ("role",))
    for path, frame, column, known in (
        (scores, marks, "method", METHODS),
        (interventions, trials, "role", ROLES),
        (scores, marks, "question_id", set(bank["question_id"])),
        (interventions, trials, "question_id", set(bank["question_id"])),
    ):
        strays = frame.loc[~frame[column].isin(list(known)), column]
        if len(strays):
            raise InputError(f"{path} has the unknown {column} {strays.iloc[0]!r}; restore the recorded file")
    if len(marks) != len(bank) * len(METHODS):
        raise InputError(
            f"{scores} has {len(marks)} rows instead of {len(METHODS)} for each of {len(bank)} questions; restore it"
        )
    trials["utility"] = trials["with_memory"] - trials["no_memory"]
    trials["stability"] = trials["with_memory"] - trials["perturbed"]
    return Records(bank, marks, trials)


def _read(path: str | Path, kind: str, texts: tuple[str, ...]) -> pd.DataFrame:
    key, counts, units = _COLUMNS[kind]
    needed = (*key, *texts, *counts, *units)
    try:
        frame = pd.read_csv(path, dtype=dict.fromkeys((*key, *texts), str), keep_default_na=False)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; restore the recorded file") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no CSV in UTF-8; restore the recorded file") from error
    missing = [column for column in needed if column not in frame.columns]
    if missing:
        raise InputError(f"{path} lacks the column {missing[0]!r}; restore the recorded file")
    repeated = frame[frame.duplicated(list(key))]
    if len(repeated):
        raise InputError(f"{path} has {' and '.join(repeated.iloc[0][list(key)])} twice; keep one row")
    for column in (*counts, *units):
        values = pd.to_numeric(frame[column], errors="coerce")
        high = _UNIT[1] if column in units or column in ("judged", "passes", "selected") else float("inf")
        wrong = frame.index[~values.between(0, high) | ((values % 1 != 0) if column in counts else False)]
        if len(wrong):
            raise InputError(
                f"{path} line {wrong[0] + 2} has {column} {frame[column][wrong[0]]}; give a "
                + ("whole number" if column in counts else "number between 0 and 1")
            )
        frame[column] = values.astype("int64" if column in counts else "float64")
    return frame
