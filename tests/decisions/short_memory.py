"""A model that has memory for few rows only."""

import torch

from jointcore.decisions.transformers.prefix_engine import PrefixEngine


def run_out_above(scorer, limit):
    """Let the model run out of memory for more than so many rows; returns the batch sizes that it saw."""
    if isinstance(scorer._engine, PrefixEngine):
        scorer._engine._prepare()  # what it keeps of a token is found with one, before memory gets short
    forward, seen = scorer._weights.model.forward, []

    def limited(input_ids, **options):
        seen.append(len(input_ids))
        if len(input_ids) > limit:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(input_ids=input_ids, **options)

    scorer._weights.model.forward = limited
    return seen
