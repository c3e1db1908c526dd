"""Scores labels with every distinct beginning of the prompts run through the model once.

The questions about one task differ in a few record lines. Prompts are looked at as a prefix tree over token
ids: keys and values of what has been run are kept, least recently used out, and a prompt runs only what is
new in it, with the logits of its last positions only. The score is that of
:mod:`jointcore.decisions.transformers.scorer`.

**Mode ``prefix``** runs rows of different tasks side by side. Of rows that go on alike beyond what is known, one runs
and the others wait for what it computes. A score may differ in its last digits with the company of its prompt.

**Mode ``prefix_deterministic``** runs one row at a time and cuts every prompt at multiples of :data:`BLOCK` tokens,
whatever is known of it. So a token's keys and values always come out of the same sequence of shapes with the same
numbers in them, whichever prompt asked for it first: label scores are bitwise independent of batch mates, shard,
order and resume, for one machine, set of libraries and number of threads. Its price: no batches, up to a block
more to run for each prompt, and small runs, which a GPU does badly.

Both look at some of the first prompts again (:mod:`jointcore.decisions.transformers.start_check`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch

from jointcore.decisions.scoring import ScoringRequest, ScoringResult
from jointcore.decisions.transformers.label_rows import LabelRow, label_rows, results_of
from jointcore.decisions.transformers.lean_forward import scored_logits
from jointcore.decisions.transformers.loaded_model import LoadedModel
from jointcore.decisions.transformers.loading import out_of_memory
from jointcore.decisions.transformers.prefix_cache import BatchCache, Kept, Layout, Room, find_layout, kept_bytes
from jointcore.decisions.transformers.prefix_tree import Piece, PrefixTree, batches, next_round
from jointcore.errors import InputError

#: Enters every store key: raise it when a change to this module changes scores.
VERSION = "prefix tree, version 1"
#: The deterministic mode cuts prompts at multiples of so many tokens.
BLOCK = 32
#: Two rows run side by side although both compute so many of the same tokens.
SLACK = 8
#: What a run costs beyond its tokens, in tokens: on a GPU, reading the weights.
OVERHEAD = {"cpu": 24, "cuda": 256}


@dataclass(slots=True)
class Work:
    """What was run.

    Attributes:
        prompts: prompts that were scored.
        prompt_tokens: their tokens.
        run_tokens: tokens that went through the model for them, those of labels included.
        padded_tokens: the same with what fills shorter rows.
        runs: runs of the model.
    """

    prompts: int = 0
    prompt_tokens: int = 0
    run_tokens: int = 0
    padded_tokens: int = 0
    runs: int = 0


class PrefixEngine:
    """Scores prompts and runs their shared beginnings once.

    Args:
        weights: the model, with the mode ``prefix`` or ``prefix_deterministic``.
        limit: the most tokens that a prompt and its longest label may have.

    Attributes:
        work: what was run so far; the check at start is not counted.
    """

    def __init__(self, weights: LoadedModel, limit: int) -> None:
        self._weights = weights
        self._entry = weights.entry
        self._limit = limit
        self._layout: Layout | None = None
        self._tree: PrefixTree[Kept] = PrefixTree(0)
        self._room = Room()
        self.work = Work()

    def answers(self, requests: Sequence[ScoringRequest]) -> list[ScoringResult]:
        """Results of prompts that are not too long, in their order.

        Raises:
            InputError: the model cannot be loaded or keeps no keys and values, or memory runs out with one row.
        """
        self._prepare()
        rows = [(row, number) for number, request in enumerate(requests) for row in label_rows(request)]
        rows.sort()
        self.work.prompts += len(requests)
        self.work.prompt_tokens += sum(len(request.token_ids) for request in requests)
        run = self._run_in_company if self._entry.runs_batches else self._run_in_blocks
        scored = run([row for row, _ in rows])
        return results_of(requests, ((rows[place][1], rows[place][0], found) for place, found in scored))

    def facts(self) -> dict[str, Any]:
        """What the runtime record says besides: the work done, and the memory for keys and values in MB."""
        return {"work": asdict(self.work), "cache_mb": round(self._tree.limit / 1e6)}

    def nothing_kept(self, request: ScoringRequest) -> ScoringResult:
        """The result of a prompt with nothing known of others; not counted as work."""
        work, tree = self.work, self._tree
        self.work, self._tree = Work(), PrefixTree(tree.limit)
        try:
            return self.answers([request])[0]
        finally:
            self.work, self._tree = work, tree

    def _prepare(self) -> None:
        """Load the model and see what it keeps of each token, once."""
        if self._layout is not None:
            return
        model = self._weights.model
        # Transformers renames the argument; both names are in use among the versions that do.
        named = "cache" in inspect.signature(model.forward).parameters
        self._argument = "cache" if named else "past_key_values"
        try:
            self._layout = find_layout(model, self._argument)
        except Exception as error:  # a model's own code may fail in any way with a cache that it does not expect
            reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
            raise InputError(
                f"model {self._entry.key} ({type(model).__name__}) cannot go on from keys and values ({reason}); "
                "set mode to deterministic or fast"
            ) from error
        if self._layout is None:
            raise InputError(
                f"model {self._entry.key} ({type(model).__name__}) keeps something else than keys and values for "
                "each token; set mode to deterministic or fast"
            )
        self._tree = PrefixTree(self._memory())

    def _memory(self) -> int:
        """Bytes of keys and values that may be kept."""
        if self._entry.cache_mb is not None:
            return self._entry.cache_mb * 10**6
        if self._entry.gpus:
            return self._free_memory() // 2
        return self._entry.mem_mb * 10**6 // 4

    def _free_memory(self) -> int:
        return min(torch.cuda.mem_get_info(gpu)[0] for gpu in range(self._entry.gpus))

    def _run_in_company(self, rows: Sequence[LabelRow]) -> Iterator[tuple[int, torch.Tensor]]:
        """Yield the number of each row with the log-probabilities at its needed positions."""
        left = list(range(len(rows)))
        while left:
            known = [self._tree.known(rows[i].tokens, rows[i].first) for i in left]
            chosen = next_round([rows[i].tokens for i in left], known, SLACK)
            new = [len(rows[left[i]].tokens) - known[i] for i in chosen]
            largest = self._fitting([rows[i] for i in left])
            waiting = [
                [left[chosen[i]] for i in batch] for batch in batches(new, largest, OVERHEAD[self._entry.device])
            ]
            while waiting:
                batch = waiting.pop(0)
                found = self._try([rows[i] for i in batch])
                if found is None:
                    half = (len(batch) + 1) // 2
                    waiting[:0] = [batch[:half], batch[half:]]
                    continue
                yield from zip(batch, found, strict=True)
            gone = set(chosen)
            left = [number for i, number in enumerate(left) if i not in gone]

    def _fitting(self, rows: Sequence[LabelRow]) -> int:
        """Rows of a batch at most; on a GPU their keys and values, twice, take a quarter of the free memory."""
        if not self._entry.gpus:
            return self._weights.batch_size
        row = 2 * self._layout.token_bytes * max(len(row.tokens) for row in rows)
        return max(1, min(self._weights.batch_size, self._free_memory() // 4 // row))

    def _try(self, batch: Sequence[LabelRow]) -> list[torch.Tensor] | None:
        """The log-probabilities of a batch; ``None`` if memory ran out and fewer rows may do."""
        try:
            return self._run_batch(batch)
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            self._give_up_memory(len(batch), batch[0], error)
        return self._run_batch(batch) if len(batch) == 1 else None

    def _give_up_memory(self, rows: int, row: LabelRow, error: RuntimeError) -> None:
        """Make room after memory ran out: forget what is kept, then use smaller batches."""
        if rows == 1 and not self._tree.size:
            raise self._weights.no_memory(row.first + 1) from error
        self._tree.clear()
        self._room.clear()
        self._weights.use_batches(
            min(self._weights.batch_size, (rows + 1) // 2) if rows > 1 else self._weights.batch_size
        )

    def _run_batch(self, batch: Sequence[LabelRow]) -> list[torch.Tensor]:
        pieces = [self._tree.find(row.tokens, row.first) for row in batch]
        known = [sum(piece.stop - piece.start for piece in each) for each in pieces]
        new = [row.tokens[start:] for row, start in zip(batch, known, strict=True)]
        wanted = [range(row.first - start, len(row.tokens) - start) for row, start in zip(batch, known, strict=True)]
        memory, found = self._forward(pieces, known, new, wanted)
        for number, (row, start) in enumerate(zip(batch, known, strict=True)):
            prompt = row.tokens[: row.first + 1]
            have = self._tree.known(prompt)
            if start <= have < len(prompt):
                kept = memory.cut(number, have - start, len(prompt) - start)
                self._tree.add(prompt, have, kept, kept_bytes(kept))
        return found

    def _run_in_blocks(self, rows: Sequence[LabelRow]) -> Iterator[tuple[int, torch.Tensor]]:
        """Yield the number of each row with the log-probabilities at its needed positions; the deterministic way."""
        for number, row in enumerate(rows):
            try:
                yield number, self._run_row(row)
            except RuntimeError as error:
                if not out_of_memory(error):
                    raise
                self._give_up_memory(1, row, error)
                yield number, self._run_row(row)

    def _run_row(self, row: LabelRow) -> torch.Tensor:
        """Run the blocks of a row that are not known, then the rest with the label's tokens, which is not kept."""
        whole = row.first // BLOCK * BLOCK  # the prompt's last position, at least, is in the rest
        # To the tree a block is one token, so that a part of a block is never reused.
        blocks = [row.tokens[start : start + BLOCK] for start in range(0, whole, BLOCK)]
        pieces = [Piece(content, 0, BLOCK) for content, _, _ in self._tree.find(blocks)]
        for number in range(len(pieces), len(blocks)):
            memory, _ = self._forward([pieces], [number * BLOCK], [blocks[number]], [range(0)])
            kept = memory.cut(0, 0, BLOCK)
            self._tree.add(blocks[: number + 1], number, kept, kept_bytes(kept))
            pieces.append(Piece(kept, 0, BLOCK))
        wanted = range(row.first - whole, len(row.tokens) - whole)
        return self._forward([pieces], [whole], [row.tokens[whole:]], [wanted])[1][0]

    @torch.inference_mode()
    def _forward(
        self,
        pieces: Sequence[Sequence[Piece]],
        known: Sequence[int],
        new: Sequence[tuple[int, ...]],
        wanted: Sequence[range],
    ) -> tuple[BatchCache, list[torch.Tensor]]:
        """Run new tokens after known ones.

        Args:
            pieces, known: what is kept of each row's beginning, and its number of tokens.
            new: the tokens that follow.
            wanted: positions among the new ones whose log-probabilities are wanted.

        Returns:
            The keys and values, and for each row a float32 tensor (wanted positions, vocabulary).
        """
        model, past, longest = self._weights.model, max(known), max(map(len, new))
        device = model.get_input_embeddings().weight.device
        padding = self._weights.padding
        memory = BatchCache(self._layout, pieces, past, longest, self._room)
        tokens = torch.tensor([(*row, *[padding] * (longest - len(row))) for row in new])
        place = torch.arange(past + longest)[None]
        begins = torch.tensor([[past - start] for start in known])
        ends = torch.tensor([[past + len(row)] for row in new])
        mask = (place >= begins) & (place < ends)
        positions = torch.tensor(known)[:, None] + torch.arange(longest)[None]
        places = [(number, position) for number, each in enumerate(wanted) for position in each]
        logits = scored_logits(
            model,
            places,
            self._weights.way,
            input_ids=tokens.to(device),
            attention_mask=None if bool(mask.all()) else mask.long().to(device),
            position_ids=positions.clamp(max=self._limit - 1).to(device),
            use_cache=True,
            **{self._argument: memory.cache},
        )
        self.work.runs += 1
        self.work.run_tokens += sum(map(len, new))
        self.work.padded_tokens += len(new) * longest
        found = logits.float().log_softmax(-1)
        return memory, list(found.split([len(each) for each in wanted]))
