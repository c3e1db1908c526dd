"""A grid that cannot be generated is refused with its reason."""

import pytest

from jointcore.tasks.grid import CostRange, Costs, Grid, grid_problems


def test_the_study_s_grid_is_sound():
    assert grid_problems(Grid()) == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"domains": ()}, "domains is empty; give at least one value"),
        ({"seed_blocks": (0, 1, 0)}, "seed_blocks repeats 0; give each value once"),
        ({"families": ("single_variable", "xor")}, "families names unknown xor; known are single_variable"),
        ({"domains": ("orders", "mars")}, "domains names unknown mars; known are orders"),
        ({"candidate_counts": (3,)}, "candidate_counts holds 3, fewer records than the support size 4"),
        ({"candidate_counts": (4,)}, "leaves no record for the proxy of proxy_confounded"),
        ({"support_sizes": (1,)}, "support_sizes holds 1, but the families define 2 to 8"),
        ({"support_sizes": (9,)}, "support_sizes holds 9, but the families define 2 to 8"),
        ({"costs": Costs(support=CostRange(5, 2))}, r"costs.support is \[5, 2\]"),
        ({"costs": Costs(distractor=CostRange(0, 2))}, r"costs.distractor is \[0, 2\]"),
        ({"costs": Costs(proxy=0)}, "costs.proxy is 0; give a cost of at least 1"),
    ],
)
def test_problems_name_the_key_and_the_remedy(changes, sentence):
    import re

    problems = grid_problems(Grid(**changes))
    assert any(re.search(sentence, problem) for problem in problems), problems
