"""The command ``jointcore``: one subcommand a module of :mod:`jointcore.commands`.

A command module has ``NAME``, ``HELP``, ``add_arguments(parser)`` and ``run(arguments)``; it imports heavy
libraries only when it runs. To add a command, write its module and name it in :data:`COMMANDS`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from types import ModuleType

from jointcore.commands import pack, prompts, select, show
from jointcore.errors import InputError

COMMANDS: tuple[ModuleType, ...] = (pack, prompts, select, show)


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    result = argparse.ArgumentParser(prog="jointcore", description="Tools for readers and users of the study.")
    result.add_argument("--version", action="version", version=f"jointcore {version('jointcore')}")
    subparsers = result.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        sub = subparsers.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status, 1 for bad input."""
    parsed = parser().parse_args(arguments)
    try:
        status = parsed.run(parsed) or 0
        sys.stdout.flush()
    except InputError as error:
        print(f"Error: {error}.", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status
