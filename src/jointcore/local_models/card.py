"""Model cards of the local checkpoints; each says first that it is a demonstration."""

from __future__ import annotations

from collections.abc import Mapping

_WARNING = """\
**A local demonstration.** This checkpoint lets the model stage of the study run on a CPU. Its figures say nothing
about the ability of large language models and belong to no registered cohort.
"""


def model_card(title: str, licence: str, about: str, facts: Mapping[str, object]) -> str:
    """A model card, Markdown.

    Args:
        title: name of the checkpoint.
        licence: its licence, as an SPDX identifier.
        about: what it is and how it was made.
        facts: lines of the table, in order.
    """
    rows = "\n".join(f"| {name} | {value} |" for name, value in facts.items())
    return f"""---
license: {licence.lower()}
library_name: transformers
---

# {title}

{_WARNING}
{about.strip()}

| | |
|---|---|
{rows}
"""
