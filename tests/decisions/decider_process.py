"""A process that decides questions: ``model|hash FOLDER STORE CHUNK DELAY``; prints its counts and actions.

It prints ``asked N`` before each chunk, so that its parent can kill it in the middle.
"""

import dataclasses
import json
import sys
import time
from contextlib import contextmanager

from decisions.questions import TERSE, HashScorer, questions
from jointcore.decisions.language_model import LanguageModelJudge
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.store.decision_store import DecisionStore


@contextmanager
def opened(kind, folder, store, chunk):
    """Yield a decider and its scorer."""
    if kind == "hash":
        scorer = HashScorer()
        with DecisionStore(store, scorer.identity) as decisions:
            yield LanguageModelJudge(PromptTemplate.load(TERSE), scorer, decisions, chunk), scorer
        return
    from decisions.tiny_checkpoint import local_entry
    from jointcore.decisions.transformers.scorer import TransformersScorer

    entry = local_entry(folder)
    scorer = TransformersScorer(entry)
    with DecisionStore(store, scorer.identity) as decisions:
        yield LanguageModelJudge(PromptTemplate.load(entry.prompt_template), scorer, decisions, chunk), scorer


def main(kind, folder, store, chunk, delay):
    """Decide all questions."""
    with opened(kind, folder, store, int(chunk)) as (decider, scorer):
        score = scorer.score

        def slow(requests):
            print("asked", len(requests), flush=True)
            time.sleep(float(delay))
            return score(requests)

        scorer.score = slow
        actions = [decision.action for decision in decider.decide(questions())]
        print(json.dumps({"counts": dataclasses.asdict(decider.counts), "actions": actions}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
