"""Context attribution beside JointCore's searches, in one run: what each finds, and what it asks.

    python benchmarks/attribution.py [--stride 16] [--rates 0 0.05] [--seeds 0 1]

A line a method and error rate: exact sufficiency, minimum-cost recovery, savings, evaluations, and how many times the
evaluations of Anchored JointCore (without errors) or of the checked search (with errors) that is.
"""

import argparse

from jointcore.decisions.judges.noisy_rule import Errors, NoisyRule
from jointcore.evaluation.loop import run_method
from jointcore.evaluation.measures import measure_set
from jointcore.logic.oracle import truth_of
from jointcore.selection.catalogue import load_method
from jointcore.tasks.generate import generate_tasks
from jointcore.tasks.grid import Grid

METHODS = [
    "jointcore_anchored",
    "jointcore_checked",
    "conditional_singleton_cost",
    "context_cite",
    "context_cite_32",
    "kernel_shap",
    "sampled_shapley",
    "hierarchical_loo",
    "group_screening",
]
SETTINGS = {"budget": 4, "cap": 256, "empty_set_fails": False}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stride", type=int, default=16)
    parser.add_argument("--rates", type=float, nargs="+", default=[0, 0.05])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
    chosen = parser.parse_args()
    tasks = list(generate_tasks(Grid()))[:: chosen.stride]
    print(f"{len(tasks)} conditions, seeds {chosen.seeds}")
    print(f"{'method':28}{'rate':>6}{'exact':>8}{'minimum':>9}{'savings':>9}{'evaluations':>13}{'times':>7}")
    for rate in chosen.rates:
        ours = 0.0
        for slug in METHODS:
            found, asked = [], 0
            for seed in chosen.seeds if rate else chosen.seeds[:1]:
                judge = NoisyRule(Errors(rate, seed=seed))
                for task in tasks:
                    truth = truth_of(task.question)
                    run = run_method(load_method(slug), task.question, judge, SETTINGS, truth)
                    found.append(measure_set(run.retained, task.question.memory.costs, truth))
                    asked += run.trace.evaluations
            count = len(found)
            if slug == ("jointcore_checked" if rate else "jointcore_anchored"):
                ours = asked / count
            print(
                f"{slug:28}{rate:6.2f}{sum(f.exact_sufficiency for f in found) / count:8.3f}"
                f"{sum(f.valid_minimum_set for f in found) / count:9.3f}"
                f"{sum(f.active_token_savings for f in found) / count:9.3f}{asked / count:13.2f}"
                + (f"{asked / count / ours:7.1f}" if ours else ""),
                flush=True,
            )


if __name__ == "__main__":
    main()
