"""One call about a user's own memory: checked at the start, run by one or more methods, a result whatever ends it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jointcore.bitsets import members
from jointcore.decisions.protocol import Decision
from jointcore.errors import InputError
from jointcore.evaluation.loop import run_method, same_decision
from jointcore.memories.answer_store import AnswerStore
from jointcore.memories.asking import Asked, Asker, CatalogueDecider, StoppedError
from jointcore.memories.duals import RemovedJudge, RetainedJudge, differs, of_equal_costs
from jointcore.memories.function_judge import FunctionJudge, identity_of
from jointcore.memories.items import Memories, read_memories
from jointcore.memories.normalising import normaliser
from jointcore.memories.options import Options
from jointcore.memories.preparing import question_of, usable_method, with_costs, with_relevance
from jointcore.memories.relevance import Ranking
from jointcore.memories.result import Call, Result
from jointcore.memories.watching import watcher
from jointcore.selection.catalogue import load_method
from jointcore.selection.method import Method
from jointcore.tasks.question import Question


@dataclass(frozen=True)
class Session:
    """What all runs of one call share."""

    memories: Memories
    query: str | None
    question: Question
    asker: Asker
    options: Options
    cost_unit: str
    ranking: Ranking

    @classmethod
    def open(cls, memories: Any, judge: Any, query: str | None, options: Options, methods: Sequence[str]) -> Session:
        """Check everything that can be checked without a call."""
        if query is not None and not isinstance(query, str):
            raise InputError(f"query is of type {type(query).__name__}; give a text")
        if isinstance(methods, str) or not methods or len(set(methods)) < len(methods):
            raise InputError(f"methods is {methods!r}; give a list of different methods")
        for method in methods:
            usable_method(method)
        read = read_memories(memories, options.source, options.case)
        query = read.query if query is None else query
        catalogue = not callable(judge) and hasattr(judge, "decide")
        if not catalogue and not callable(judge):
            raise InputError(f"judge is of type {type(judge).__name__}; give a function or a judge of the catalogue")
        if catalogue and (query is None or not query.strip() or options.answers is None):
            raise InputError("a judge of the catalogue reads a query and chooses among answers; give query and answers")
        if catalogue and options.store is not None:
            raise InputError("a judge of the catalogue keeps its own answers; give store to what opens it")
        if catalogue and options.normalise is not None:
            raise InputError("a judge of the catalogue chooses among answers; leave normalise out")
        priced, unit = with_costs(read, options.costs, getattr(judge, "count_tokens", None))
        valued, ranking = with_relevance(priced, query, options.relevance)
        question = question_of(valued, query, options.answers or (), options.name)
        given = [item.given for item in valued]
        if catalogue:
            if hasattr(judge, "check"):
                judge.check([question])
            decider, store = CatalogueDecider(judge, question), None
        else:
            function, described = normaliser(options.normalise, options.answers)
            decider = FunctionJudge(judge, given, query, function, options.concurrency)
            store = None
            if options.store is not None:
                name = options.judge_name or identity_of(judge)
                store = AnswerStore(options.store, (name, query or "", described), given)
        asker = Asker(decider, options.cap, store, watcher(options.progress, options.cap))
        return cls(valued, query, question, asker, options, unit, ranking)

    def run(self, slug: str, goal: str) -> Result:
        """Run one method; whatever ends it, what is known by then is the result."""
        asker, everything = self.asker, self.question.everything
        asker.begin()
        before = asker.calls
        retained, reason, notes = None, "", [*self.memories.warnings]
        repeated = None
        try:
            (reference,) = asker.decide([everything])
            if not reference.valid:
                raise StoppedError(f"there is no valid decision on full memory ({reference.reason})")
            if self.options.ask_twice:
                repeated = same_decision(asker.ask_again(everything), reference)
            if goal == "select":
                retained, reason = self._search(load_method(slug), RetainedJudge(asker), self.question, False)
            elif differs(asker.decide([0])[0], reference):
                search = RemovedJudge(asker, everything, reference)
                removed, reason = self._search(load_method(slug), search, of_equal_costs(self.question), True)
                retained = everything & ~removed
            else:
                retained = everything
                notes.append("even without any memory the decision is the same, so removing memories cannot change it")
        except StoppedError as end:
            reason = str(end)
        except KeyboardInterrupt:
            reason = "the run was interrupted"
        return self._result(slug, goal, retained, reason, notes, repeated, asker.calls - before)

    def _search(self, method: Method, judge: Any, question: Question, empty_set_fails: bool) -> tuple[int, str]:
        cap = self.options.cap
        settings = {
            "budget": self.options.budget,
            "cap": sys.maxsize if cap is None else max(1, cap - 1),  # full memory is a call, but no evaluation
            "empty_set_fails": empty_set_fails or self.options.empty_set_fails,
        }
        run = run_method(method, question, judge, settings)
        exhausted = run.trace.selection.budget_exhausted
        return run.retained, f"the search ended at its cap of {settings['cap']} evaluations" if exhausted else ""

    def _result(self, slug, goal, retained, reason, notes, repeated, calls) -> Result:
        log, everything = self.asker.log, self.question.everything
        reference = log[0].decision if log and log[0].retained == everything else Decision(None)
        decisions = {asked.retained: asked.decision for asked in log}
        if retained is None:
            retained = self._best(decisions, reference, goal)
        final = decisions.get(retained, Decision(None))
        invalid = sum(not decision.valid for decision in decisions.values())
        if invalid and reference.valid:
            notes.append(
                f"{invalid} of {len(log)} sets got no valid decision, which counts as another decision than that on "
                "full memory; the trace says which"
            )
        if repeated is False:
            notes.append("asked twice, the judge decided full memory differently, so its decisions are not certain")
        if self.ranking.note:
            notes.append(self.ranking.note)
        return Result(
            memories=self.memories,
            query=self.query,
            method=slug,
            goal=goal,
            retained=retained,
            decision=reference.action,
            kept_decision=final.action,
            calls=calls,
            complete=not reason,
            reason=reason,
            trace=tuple(_call(asked, reference, everything) for asked in log),
            cost_unit=self.cost_unit,
            ranked_by=self.ranking.source,
            repeated=repeated,
            warnings=tuple(notes),
            empty_set_fails=self.options.empty_set_fails,
        )

    def _best(self, decisions: dict[int, Decision], reference: Decision, goal: str) -> int:
        """The best set that was decided as wanted, of a search that did not end."""
        everything, costs = self.question.everything, self.question.memory.costs
        if goal == "overturn":
            sets = [retained for retained, decision in decisions.items() if differs(decision, reference)]
            return max(sets, key=int.bit_count, default=everything)
        sets = [retained for retained, decision in decisions.items() if same_decision(decision, reference)]
        return min(sets, key=lambda s: sum(costs[i] for i in members(s)), default=everything)


def _call(asked: Asked, reference: Decision, everything: int) -> Call:
    margin = asked.decision.margin(reference.action) if asked.decision.scores or asked.decision.valid else None
    return Call(
        retained=tuple(members(asked.retained)),
        decision=asked.decision.action,
        same=same_decision(asked.decision, reference),
        margin=margin if margin is not None and abs(margin) != float("inf") else None,
        source=asked.source,
        reason=asked.decision.reason,
    )
