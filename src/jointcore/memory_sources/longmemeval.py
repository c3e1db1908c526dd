"""LongMemEval: questions, each with a history of chat sessions of its own."""

from __future__ import annotations

from jointcore.memories.exports import Case, listed, source

_NEEDED = ("question_id", "question", "haystack_session_ids", "haystack_dates", "haystack_sessions")


@source(name="LongMemEval")
def longmemeval(document, notes):
    """One case a question; the memories are the turns of its sessions, by date.

    ``has_answer`` says what is needed and is no part of a memory. A question whose id ends in ``_abs`` has no answer
    in its history.
    """
    cases = []
    for number, row in enumerate(listed(document, notes, "data")):
        lacking = [key for key in _NEEDED if key not in row]
        if lacking:
            raise notes.wrong(
                f"question {row.get('question_id', number)} lacks {', '.join(lacking)}; take the file as published"
            )
        name = str(row["question_id"])
        memories, needed = _turns(name, row, notes)
        answer = row.get("answer")
        if answer is not None and not isinstance(answer, str):
            notes.say("answers that are no text are read as text", name)
        about = {
            "answer": None if answer is None else str(answer),
            "question_type": row.get("question_type"),
            "question_date": row.get("question_date"),
            "abstain": name.endswith("_abs"),
            "answer_session_ids": row.get("answer_session_ids", []),
            "needed": needed,
        }
        cases.append(Case(name, memories, str(row["question"]), about))
    return cases


def _turns(name, row, notes):
    ids, dates, sessions = (row[key] for key in _NEEDED[2:])
    if not len(ids) == len(dates) == len(sessions):
        raise notes.wrong(
            f"question {name} has {len(ids)} session ids, {len(dates)} dates and {len(sessions)} sessions"
        )
    # A date reads "2023/05/30 (Tue) 23:17", so that its text sorts by time.
    order = sorted(range(len(ids)), key=lambda i: str(dates[i]))
    if order != list(range(len(ids))):
        notes.say("histories whose sessions are not in the order of their dates are sorted", name)
    seen: dict[str, int] = {}
    found, needed = [], []
    for i in order:
        session = str(ids[i])
        seen[session] = seen.get(session, 0) + 1
        if seen[session] > 1:
            notes.say("histories with a session id that occurs again; #2 is put behind it", f"{name} {session}")
            session = f"{session}#{seen[session]}"
        for position, turn in enumerate(sessions[i]):
            identifier = f"{session}/{position}"
            if not str(turn.get("content") or "").strip():
                notes.say("turns without a text are left out", f"{name} {identifier}")
                continue
            role = str(turn.get("role", ""))
            found.append({"id": identifier, "text": str(turn["content"]), "time": str(dates[i]), "role": role})
            needed += [identifier] if turn.get("has_answer") else []
    return found, needed
