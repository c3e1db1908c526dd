"""One prompt of every kind, to try a chat template on before any long work."""

from __future__ import annotations

from collections.abc import Iterator

from jointcore.decisions.prompts.template import Prompt, PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.tasks.families import FAMILIES
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid


def sample_prompts(template: PromptTemplate) -> Iterator[Prompt]:
    """The workflow decision and both terminal steps of one task in every label style."""
    family = next((family for family in FAMILIES if family in template.conditions), None)
    if family is None:
        return
    grid = Grid(families=[family], domains=["orders"], candidate_counts=[8], support_sizes=[2], seed_blocks=[0])
    question = next(iter(generate_tasks(grid))).question
    for style in template.styles:
        yield template.render(Query(question, question.memory.everything, label_style=style))
        for action in question.actions:
            yield template.render(Query(question, 0, label_style=style, workflow_action=action))
