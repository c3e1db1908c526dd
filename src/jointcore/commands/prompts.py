"""``jointcore prompts``: prints the prompts of a task."""

from __future__ import annotations

import argparse

from jointcore.decisions.prompts.interfaces import INTERFACES
from jointcore.decisions.prompts.label_styles import LABEL_STYLES
from jointcore.errors import InputError

NAME = "prompts"
HELP = "Print the prompts of a task: what a language model reads, and the answers that it may give."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--tasks", default="results/benchmark/model.parquet", metavar="FILE", help="tasks file (default: %(default)s)"
    )
    parser.add_argument(
        "--task", default="0", metavar="ID", help="position in the file, from 0, or the beginning of a paper_task_id"
    )
    parser.add_argument("--interface", nargs="+", choices=INTERFACES, default=["typed_mask"])
    parser.add_argument("--label-style", nargs="+", choices=LABEL_STYLES, default=["boolean"])
    parser.add_argument(
        "--method-set", metavar="IDS", help="retained record ids, such as 0,3,5, or none; all records by default"
    )
    parser.add_argument("--template", default="config/prompts/default.yaml", metavar="FILE", help="prompt template")


def run(arguments: argparse.Namespace) -> None:
    """Print the prompts."""
    from jointcore.decisions.prompts.describe import describe_prompts
    from jointcore.decisions.prompts.template import PromptTemplate

    template = PromptTemplate.load(arguments.template)
    task = find_task(arguments.tasks, arguments.task)
    retained = parse_records(arguments.method_set, len(task.records))
    print(describe_prompts(template, task, retained, arguments.interface, arguments.label_style), end="")


def find_task(path: str, wanted: str):
    """The task of a file at a position, or whose ``paper_task_id`` begins with the given digits.

    Raises:
        InputError: no task, or more than one, fits.
    """
    from jointcore.tasks.storage import count_tasks, read_tasks

    if wanted.isdecimal() and int(wanted) < count_tasks(path):
        return next(task for position, task in enumerate(read_tasks(path)) if position == int(wanted))
    found = [task for task in read_tasks(path) if task.question.id.startswith(wanted)]
    if len(found) != 1:
        number = "no task" if not found else f"{len(found)} tasks"
        raise InputError(
            f"{path} has {number} {wanted!r}; give a position below {count_tasks(path)} or a whole paper_task_id"
        )
    return found[0]


def parse_records(text: str | None, count: int) -> int:
    """A bitset from record ids separated by commas; everything if not given, nothing for ``none``.

    Raises:
        InputError: a record that the task does not have.
    """
    from jointcore.bitsets import bitset, full

    if text is None:
        return full(count)
    ids = [] if text == "none" else text.split(",")
    for identifier in ids:
        if not identifier.strip().isdecimal() or int(identifier) >= count:
            raise InputError(
                f"--method-set names the record {identifier!r}; give ids from 0 to {count - 1} separated by commas"
            )
    return bitset(map(int, ids))
