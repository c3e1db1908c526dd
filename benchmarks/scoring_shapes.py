"""Sizes of the registered models' decoders, for benchmarks and the cost model."""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """A decoder's sizes; ``stored`` and ``moved`` are bytes a weight on disk and per run through the memory."""

    name: str
    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_size: int
    vocabulary: int
    quantized: bool = False

    @property
    def layer_weights(self) -> int:
        """Weights of all layers without embeddings."""
        width = self.heads * self.head_size
        attention = self.hidden * (2 * width + 2 * self.kv_heads * self.head_size)
        return self.layers * (attention + 3 * self.hidden * self.intermediate)

    @property
    def moved(self) -> float:
        """Bytes through the GPU's memory per weight and run: NF4 is read, written as bfloat16 and read again."""
        return 4.5 if self.quantized else 2.0

    @property
    def token_bytes(self) -> int:
        """Bytes of one token's keys and values in bfloat16."""
        return 2 * 2 * self.layers * self.kv_heads * self.head_size

    def token_flops(self, context: float) -> float:
        """FLOPs of one token in the layers, at a mean context."""
        return 2 * self.layer_weights + 4 * self.layers * self.heads * self.head_size * context

    @property
    def head_flops(self) -> int:
        """FLOPs of one position's logits."""
        return 2 * self.hidden * self.vocabulary


#: As their publishers give them; entered by hand, since no registered checkpoint was at hand. The Gemma row is Gemma 3
#: 12B's, a stand-in of the same size.
SHAPES = {
    "qwen25_14b": Shape("Qwen2.5-14B", 48, 5120, 13824, 40, 8, 128, 152064),
    "gemma4_12b_it": Shape("Gemma-4-12B (stand-in)", 48, 3840, 15360, 16, 8, 256, 262208),
    "mistral31_24b_4bit": Shape("Mistral-Small-3.1-24B NF4", 40, 5120, 32768, 32, 8, 128, 131072, True),
    "llama33_70b_4bit": Shape("Llama-3.3-70B NF4", 80, 8192, 28672, 64, 8, 128, 128256, True),
    "smollm2_135m": Shape("SmolLM2-135M", 30, 576, 1536, 9, 3, 64, 49152),
}
