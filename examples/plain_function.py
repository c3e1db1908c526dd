"""Which memories does a decision rest on? Any Python function is the judge.

python examples/plain_function.py
"""

import jointcore

MEMORIES = [
    {"id": "m1", "text": "Alice likes green tea.", "time": "2026-03-01"},
    {"id": "m2", "text": "Deploys go to the blue cluster first.", "time": "2026-03-02"},
    {"id": "m3", "text": "The build passed on Tuesday.", "time": "2026-03-02"},
    {"id": "m4", "text": "Bob is on call this week.", "time": "2026-03-03"},
    {"id": "m5", "text": "Bob approved the deploy at noon.", "time": "2026-03-03"},
    {"id": "m6", "text": "Lunch is at half past twelve.", "time": "2026-03-03"},
]


def decide(retained: list[dict]) -> str:
    """What your agent does with a memory; here, two rules."""
    said = " ".join(memory["text"] for memory in retained)
    return "DEPLOY" if "build passed" in said and "approved the deploy" in said else "WAIT"


if __name__ == "__main__":
    query = "May we deploy the build today?"

    result = jointcore.select(MEMORIES, decide, query)
    print(f"{result.decision} rests on {result.kept}: {result.calls} calls, {result.saved} {result.cost_unit} saved")
    for memory, (with_it, without_it) in result.evidence.items():
        shown = result.trace[without_it].decision
        print(f"  {memory}: in call {without_it}, which leaves it out of call {with_it}, the decision is {shown}")

    wrong = jointcore.overturn(MEMORIES, decide, query)
    print(f"without {wrong.found} it would be {wrong.kept_decision}")

    print(jointcore.compare(MEMORIES, decide, query).to_frame().to_string(index=False))
