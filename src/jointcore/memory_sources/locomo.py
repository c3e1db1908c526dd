"""LoCoMo (``locomo10.json``): long conversations of two people, and questions about them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jointcore.memories.exports import Case, listed, source

CATEGORIES = {1: "several hops", 2: "time", 3: "open domain", 4: "one hop", 5: "adversarial"}
_TURN = re.compile(r"D\d+:\d+")


@source(name="LoCoMo")
def locomo(document, notes):
    """One case a question, ``conv-26/q0``; the memories are the turns of its conversation, by session."""
    cases = []
    for number, sample in enumerate(listed(document, notes, "samples")):
        name = str(sample.get("sample_id", number))
        if not isinstance(sample.get("conversation"), Mapping) or not isinstance(sample.get("qa"), list):
            raise notes.wrong(f"sample {name} lacks conversation or qa; take the file as published")
        turns = _turns(name, sample["conversation"], notes)
        known = {turn["id"] for turn in turns}
        asked: set[str] = set()
        for position, row in enumerate(sample["qa"]):
            where = f"{name}/q{position}"
            question = str(row.get("question", ""))
            if question in asked:
                notes.say("questions that are asked again in the same conversation", where)
            asked.add(question)
            cases.append(Case(where, turns, question, _about(row, known, notes, where)))
    return cases


def _turns(name, conversation, notes):
    numbers = sorted(int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key))
    dates = {int(key[8:-10]) for key in conversation if re.fullmatch(r"session_\d+_date_time", key)}
    if dates - set(numbers):
        notes.say("conversations with dates of sessions that do not exist", name)
    found = []
    for number in numbers:
        for position, turn in enumerate(conversation[f"session_{number}"]):
            text = str(turn.get("text", ""))
            if turn.get("blip_caption"):
                text = f"{text} [shows {turn['blip_caption']}]".strip()
            identifier = str(turn.get("dia_id", f"D{number}:{position + 1}"))
            if not text:
                notes.say("turns without a text are left out", f"{name}/{identifier}")
                continue
            speaker = str(turn.get("speaker", "somebody"))
            rest = {key: turn[key] for key in ("img_url", "query") if turn.get(key)}
            found.append(
                {
                    "id": identifier,
                    "text": f"{speaker}: {text}",
                    "time": str(conversation.get(f"session_{number}_date_time", "")) or None,
                    "role": speaker,
                    "metadata": {"session": number, **rest},
                }
            )
    return found


def _about(row, known, notes, where):
    category = row.get("category")
    answer = row.get("answer")
    if answer is None:
        notes.say("questions without an answer; adversarial ones have adversarial_answer instead", where)
    elif not isinstance(answer, str):
        notes.say("answers that are no text are read as text", where)
    evidence = row.get("evidence") or []
    if not evidence:
        notes.say("questions without evidence", where)
    found = []
    for entry in evidence:
        ids = _TURN.findall(str(entry))
        if ids != [entry]:
            notes.say("evidence that is not one id of a turn; the ids in it are taken", f"{where} {entry!r}")
        for identifier in ids:
            if identifier in known:
                found.append(identifier)
            else:
                notes.say("evidence that names a turn which does not exist", f"{where} {identifier}")
    return {
        "answer": None if answer is None else str(answer),
        "adversarial_answer": row.get("adversarial_answer"),
        "evidence": list(dict.fromkeys(found)),
        "category": CATEGORIES.get(category, str(category)),
    }
