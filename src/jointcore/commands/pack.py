"""``jointcore pack``: what each action would keep of some memories under a budget, and which one a router takes."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from contextlib import closing
from typing import TYPE_CHECKING

from jointcore.commands.select import add_judge_arguments, open_judge
from jointcore.errors import InputError
from jointcore.memories.options import DEFAULT_METHOD

if TYPE_CHECKING:
    from jointcore.memories.packing import Packing

NAME = "pack"
HELP = "Retain, merge, abstract, rewrite or select: what each keeps of memories under a budget."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("memories", metavar="FILE", help="memories: JSONL, JSON, CSV or Parquet, or a product's export")
    parser.add_argument("--budget", type=int, required=True, metavar="WORDS", help="words that the context may hold")
    parser.add_argument("--query", metavar="TEXT", help="the question; a source's own question by default")
    parser.add_argument("--type", metavar="TYPE", help="single_fact, several_facts, latest_value or order_in_time")
    parser.add_argument("--trained", metavar="FILE", help="outcomes to learn from, such as results/oas/exact.parquet")
    parser.add_argument("--source", metavar="NAME", help="whose export the file is, such as mem0 or locomo")
    parser.add_argument("--case", metavar="ID", help="which one of a source's many memories")
    judge = parser.add_argument_group("a judge, for Select")
    add_judge_arguments(judge, required=False)
    judge.add_argument("--method", metavar="SLUG", help=f"the search, {DEFAULT_METHOD} by default")
    judge.add_argument("--cap", type=int, metavar="N", help="calls of the model at most")


def run(arguments: argparse.Namespace) -> int:
    """Print what each action keeps, the router's choice first."""
    from jointcore.memories.normalising import check_choice
    from jointcore.memories.packing import pack_memories

    shared = {
        "budget": arguments.budget,
        "question_type": arguments.type,
        "trained": arguments.trained,
        "source": arguments.source,
        "case": arguments.case,
    }
    if arguments.model is None and arguments.endpoint is None:
        for name in ("answers", "cap", "method", "store", "template", "served_model", "key_variable", "revision"):
            if getattr(arguments, name):
                option = f"--{name.replace('_', '-')}"
                raise InputError(f"{option} is for Select, which needs a judge; name one with --model or --endpoint")
        packing = pack_memories(arguments.memories, arguments.query, **shared)
    else:
        if not arguments.answers:
            raise InputError("a judge needs the answers to choose from; give them with --answers")
        check_choice(arguments.answers)
        with closing(open_judge(arguments)) as judge:
            packing = pack_memories(
                arguments.memories,
                arguments.query,
                judge=judge,
                answers=arguments.answers,
                cap=arguments.cap,
                method=arguments.method or DEFAULT_METHOD,
                **shared,
            )
    print(summary(packing, arguments.budget, shutil.get_terminal_size().columns))
    return 0


def summary(packing: Packing, budget: int, width: int = 100) -> str:
    """A packing for the terminal: the choice and its reasons, then what each action leaves."""
    ranked = sorted(packing.actions, key=lambda each: -each.advantage)
    lines = [f"the router takes {packing.choice}; expected advantage over retain:"]
    lines += [f"  {each.action:<9} {each.advantage:+.3f}" for each in ranked]
    kind = next(name for name, value in packing.features.items() if name.startswith("type_") and value)
    seen = packing.features
    lines.append(
        f"why: {seen['notes']:g} memories of {seen['sessions']:g} sessions hold {seen['cost_per_budget']:.2f} times "
        f"the budget, {seen['fit_fraction']:.0%} of them fit whole; {kind.removeprefix('type_').replace('_', ' ')}"
    )
    for each in packing.actions:
        calls = f", {each.calls} calls" if each.calls else ""
        made = ", ".join(map(str, each.kept)) or "none"
        lines += ["", f"{each.action}: {each.cost} of {budget} words{calls}; made of {made}"]
        for line in each.text.split("\n"):
            lines += textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="  ")
    return "\n".join([*lines, "", *(f"note: {text}" for text in packing.warnings)])
