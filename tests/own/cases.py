"""What the tests of a user's own memory share: a few texts, a judge that counts, and the benchmark as texts."""

from functools import cache

from jointcore.logic.oracle import rule_of

TEXTS = [
    "Alice likes green tea.",
    "The deploy is frozen until Monday.",
    "Lunch is at noon.",
    "Bob is on call this week.",
    "The build passed on Tuesday.",
    "The office cat is called Turing.",
]
QUERY = "May we deploy the build today?"


class Counting:
    """A judge that is asked and counts: FROZEN where a text says frozen."""

    def __init__(self, word="frozen"):
        self.word = word
        self.sets = []

    def __call__(self, retained):
        self.sets.append([text if isinstance(text, str) else text["text"] for text in retained])
        return "WAIT" if any(self.word in text for text in self.sets[-1]) else "GO"


def as_memories(question):
    """The records of a benchmark question as text memories, in the order of their ids."""
    return [
        {"id": r.id, "text": f"{r.name}: {r.value} ({r.type})", "cost": r.cost, "relevance": r.relevance}
        for r in question.records
    ]


def as_judge(question):
    """The logical rule of a benchmark question as a function of the retained memories."""
    sufficient, (yes,) = rule_of(question), {question.condition.action}
    (no,) = set(question.actions) - {yes}
    return lambda retained: yes if sufficient(sum(1 << item["id"] for item in retained)) else no


@cache
def minimum_hitting_size(minimal_sets, count):
    """Size of the smallest set of positions that meets every minimal sufficient set, by trying sizes upwards."""
    from itertools import combinations

    relevant = sorted({i for s in minimal_sets for i in s})
    for size in range(len(relevant) + 1):
        for chosen in combinations(relevant, size):
            if all(set(chosen) & set(s) for s in minimal_sets):
                return size
    return count
