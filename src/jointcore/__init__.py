"""JointCore: interaction-aware memory selection for LLM agents, reproduced and extended.

The rooms, in the order in which data flows (an import never points back):

``tasks`` and ``logic``
    what is asked and what is true
``selection``
    searches over retained sets, as generators
``decisions``
    who answers a query, and how the answer is kept
``evaluation``
    drives a search against a decider and measures the outcome
``statistics``, ``figures``, ``report``
    what the outcomes mean

``memories`` and ``memory_sources``
    a user's own memory, and what other products export

Package initialisers import nothing, so that a workflow rule that names the
modules it depends on names exactly those. The calls for a user's own memory
are found here all the same, and imported when they are first used.
"""

from importlib import import_module

__version__ = "0.1.0"

#: Where the names of :data:`__all__` are.
_PUBLIC = {
    "select": "memories.call",
    "overturn": "memories.call",
    "compare": "memories.call",
    "pack": "memories.packing:pack_memories",
    "Options": "memories.options",
    "Result": "memories.result",
    "WithMargin": "memories.function_judge",
    "read_memories": "memories.items",
    "text_model": "decisions.judges.text_model:open_text_model",
    "endpoint": "decisions.judges.endpoint:open_endpoint",
    "InputError": "errors",
}
__all__ = ("__version__", *_PUBLIC)


def __getattr__(name: str):
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, original = _PUBLIC[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), original or name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
