"""What the tests of the local cohort share."""

from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.tasks.grid import Grid
from paths import PROJECT

TEMPLATE = PromptTemplate.load(PROJECT / "config" / "prompts" / "terse.yaml")
GRID = Grid(candidate_counts=(16,), seed_base=26082901, nesting="model")
#: One family and few records: learnt in seconds.
SMALL = Grid(domains=("orders",), families=("single_variable",), candidate_counts=(3,), horizon_labels=(1,))
