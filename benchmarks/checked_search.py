"""Searches that check, beside those that do not, where the judge's errors are independent of each other.

    python benchmarks/checked_search.py [--stride 4] [--rates 0 0.05 0.1] [--seeds 0 1 2] [--seed-base N]

A line a method and error rate: exact sufficiency, the same where the reference is right, minimum-cost recovery,
savings, evaluations. Another --seed-base is another draw of the grid.
"""

import argparse

from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.evaluation.loop import run_method
from jointcore.evaluation.measures import measure_set
from jointcore.evaluation.model_measures import rule_action
from jointcore.logic.oracle import truth_of
from jointcore.selection.catalogue import load_method
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

METHODS = [
    "conditional_singleton_cost",
    "jointcore_cost_ordered",
    "jointcore_anchored",
    "jointcore_checked",
    "jointcore_checked_majority",
]
SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stride", type=int, default=4)
    parser.add_argument("--rates", type=float, nargs="+", default=[0, 0.05, 0.1])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--seed-base", type=int, default=26082701)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    chosen = parser.parse_args()
    tasks = list(generate_tasks(Grid(seed_base=chosen.seed_base)))[:: chosen.stride]
    print(f"{len(tasks)} conditions, seeds {chosen.seeds}")
    print(f"{'method':32}{'rate':>6}{'exact':>8}{'ref right':>10}{'minimum':>9}{'savings':>9}{'evaluations':>13}")
    for slug in chosen.methods:
        method = load_method(slug)
        for rate in chosen.rates:
            rows = []
            for seed in chosen.seeds if rate else chosen.seeds[:1]:
                judge = NoisyRule(Errors(rate, seed=seed))
                for task in tasks:
                    question, truth = task.question, truth_of(task.question)
                    run = run_method(method, question, judge, SETTINGS, truth)
                    found = measure_set(run.retained, question.memory.costs, truth)
                    right = run.reference.action == rule_action(question, truth, question.memory.everything)
                    rows.append((found, right, run.trace.evaluations))
            count, good = len(rows), [found for found, right, _ in rows if right]
            print(
                f"{slug:32}{rate:6.2f}{sum(f.exact_sufficiency for f, _, _ in rows) / count:8.3f}"
                f"{sum(f.exact_sufficiency for f in good) / len(good):10.3f}"
                f"{sum(f.valid_minimum_set for f, _, _ in rows) / count:9.3f}"
                f"{sum(f.active_token_savings for f, _, _ in rows) / count:9.3f}"
                f"{sum(asked for _, _, asked in rows) / count:13.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
