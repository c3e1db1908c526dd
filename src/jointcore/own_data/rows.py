"""What a stored row about a question on own memories holds."""

from __future__ import annotations

import pyarrow as pa

from jointcore.evaluation.model_storage import Kind

#: A row a question, in the order of the file; memories by id, or by position where they have none.
OWN_ROWS = Kind(
    "selections on own data, version 1",
    pa.schema(
        [
            ("question", pa.string()),
            ("method", pa.string()),
            ("candidate_count", pa.int32()),
            ("kept", pa.list_(pa.string())),
            ("dropped", pa.list_(pa.string())),
            ("decision", pa.string()),
            ("kept_decision", pa.string()),
            ("preserved", pa.bool_()),
            ("calls", pa.int32()),
            ("complete", pa.bool_()),
            ("invalid_decisions", pa.int32()),
            ("reason", pa.string()),
            ("cost", pa.float64()),
            ("cost_kept", pa.float64()),
            ("cost_saved", pa.float64()),
        ]
    ),
)
