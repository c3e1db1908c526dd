"""A reader without a model: it answers a question if the facts that it needs can be read from a context."""

from __future__ import annotations

from collections.abc import Sequence

from jointcore.consolidation.notes import Inquiry, Statement


def answers(inquiry: Inquiry, context: Sequence[Statement]) -> bool:
    """Whether the question is answered right from these statements.

    A single fact, or several, must all be told. For the latest value the reader takes the latest that it can tell to be
    the latest: with several values of one attribute in the context all must be dated. An order in time needs both facts
    and their dates. A value that a later correction takes back misleads where the correction is not told.
    """
    told = {statement.fact for statement in context}
    if not set(inquiry.needed) <= told:
        return False
    if inquiry.type == "order_in_time":
        return set(inquiry.needed) <= {statement.fact for statement in context if statement.dated}
    keys = {fact.key for fact in inquiry.needed}
    rivals = [s for s in context if s.fact.key in keys and s.fact not in inquiry.needed]
    if not rivals:
        return True
    dated = {s.fact for s in context if s.dated}
    return all(rival.dated for rival in rivals) and set(inquiry.needed) <= dated


def utility(inquiry: Inquiry, context: Sequence[Statement]) -> float:
    """1 if the question is answered right, else 0."""
    return float(answers(inquiry, context))
