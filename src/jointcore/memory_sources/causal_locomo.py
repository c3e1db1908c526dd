"""Causal-LoCoMo (of Causal Memory Intervention): tasks, each with a small bank of memories whose roles are known."""

from __future__ import annotations

from collections.abc import Mapping

from jointcore.hashing import shuffled
from jointcore.memories.exports import Case, listed, source

_SHOWN = ("type", "scope")


@source(name="Causal-LoCoMo")
def causal_locomo(document, notes):
    """One case a task. The ids tell the roles and the harmful memory stands last, so ids are hidden and the order is
    shuffled by a hash of the task; roles and answers are in ``about``, which no judge is shown."""
    cases = []
    for number, row in enumerate(listed(document, notes, "examples")):
        name = str(row.get("example_id", number))
        bank, task = row.get("memory_bank"), row.get("current_task")
        if not isinstance(bank, list) or not isinstance(task, Mapping) or "instruction" not in task:
            raise notes.wrong(f"example {name} lacks memory_bank or current_task; take the file as published")
        notes.say(
            "ids tell the roles and the order tells the harmful memory, so ids are hidden and the order is shuffled"
        )
        criteria = row.get("scoring_criteria") or {}
        answers = [criteria.get("expected_answer"), *(criteria.get("answer_aliases") or [])]
        wanted = {str(answer).casefold() for answer in answers if answer}
        useful = set(row.get("gold_memory_ids") or [])
        memories, hidden = [], {}
        for place, position in enumerate(shuffled(len(bank), "causal-locomo", name)):
            entry = bank[position]
            text = str(entry.get("content") or "")
            if not text.strip():
                notes.say("memories without a text are left out", f"{name} {entry.get('memory_id')}")
                continue
            hidden[str(entry.get("memory_id"))] = f"m{place}"
            about = {key: entry[key] for key in _SHOWN if entry.get(key)}
            memories.append({"id": f"m{place}", "text": text, "time": entry.get("timestamp"), "metadata": about})
            if entry.get("memory_id") in useful and any(answer in text.casefold() for answer in wanted):
                notes.say("examples whose useful memory holds the answer or an alias of it", name)
        if len(bank) > 1 and len({entry.get("timestamp") for entry in bank}) == 1:
            notes.say("banks whose memories all have the same time", name)
        about = {
            "answers": [str(answer) for answer in answers if answer],
            "needed": [hidden[i] for i in row.get("gold_memory_ids") or [] if i in hidden],
            "harmful": [hidden[i] for i in row.get("bad_memory_ids") or [] if i in hidden],
            "original_ids": {place: original for original, place in hidden.items()},
            "criteria": criteria,
        }
        cases.append(Case(name, memories, str(task["instruction"]), about))
    return cases
