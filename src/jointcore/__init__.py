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

Package initialisers import nothing, so that a workflow rule that names the
modules it depends on names exactly those.
"""

__version__ = "0.1.0"
