"""Prompts as text for a reader."""

from __future__ import annotations

from collections.abc import Iterable

from jointcore.bitsets import members
from jointcore.decisions.prompts.template import Prompt, PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.tasks.task import Task


def describe_prompts(
    template: PromptTemplate,
    task: Task,
    retained: int,
    interfaces: Iterable[str] = ("typed_mask",),
    label_styles: Iterable[str] = ("boolean",),
    altered: int = 0,
) -> str:
    """The prompts of a task: for every interface and label style the workflow decision, and for every label
    style the two terminal steps.

    Args:
        template: the wording.
        task: the task.
        retained: bitset of the records that are retained.
        interfaces: how omitted records are shown.
        label_styles: how the question is asked.
        altered: bitset of retained records shown with an altered value.

    Raises:
        InputError: see :meth:`jointcore.decisions.prompts.template.PromptTemplate.render`.
    """
    styles, question = tuple(label_styles), task.question
    parts = [f"task {question.id}\n{task.condition}\nretained {members(retained)} of {len(question.records)} records"]
    for interface in interfaces:
        for style in styles:
            query = Query(question, retained, altered, interface, style)
            parts.append(_describe(f"workflow decision, {interface}, {style}", template.render(query)))
    for style in styles:
        for action in question.actions:
            query = Query(question, retained, altered, label_style=style, workflow_action=action)
            parts.append(_describe(f"terminal step after {action}, {style}", template.render(query)))
    return "\n\n".join(parts) + "\n"


def _describe(title: str, prompt: Prompt) -> str:
    lines = [f"=== {title} ==="]
    for message in prompt.messages:
        lines += [f"[{message['role']}]", message["content"]]
    lines.append("[allowed answers]")
    lines += [f"{label} = {action}" for label, action in zip(prompt.labels, prompt.actions, strict=True)]
    return "\n".join(lines)
