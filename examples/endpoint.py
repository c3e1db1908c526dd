"""Which memories does a model's answer rest on? Any OpenAI-compatible server is the judge.

    python examples/endpoint.py http://localhost:8000/v1 my-model

The key, if the server wants one, is read from the variable OPENAI_API_KEY and written nowhere.
"""

import sys
from pathlib import Path

import jointcore

MEMORIES = Path(__file__).parent / "data" / "deploy.jsonl"
ANSWERS = ("YES", "NO")


def main(url: str, model: str) -> None:
    """Ask, print what is kept, and write the page."""
    judge = jointcore.endpoint(url, model, ANSWERS, store="answers")  # asked once, ever
    try:
        result = jointcore.select(MEMORIES, judge, "May we deploy the build today?", answers=ANSWERS, cap=40)
    finally:
        judge.close()
    if result.decision is None:
        sys.exit(f"no decision: {result.reason}")
    print(f"{result.decision} rests on {result.kept}: {result.calls} calls, {result.saved} {result.cost_unit} saved")
    result.save_html("deploy.html")


if __name__ == "__main__":
    main(*sys.argv[1:3])
