"""Finding, choosing and registering methods."""

import pytest

from jointcore.selection.catalogue import all_methods, choose_methods, load_method, module_name
from jointcore.selection.method import Method, method
from jointcore.selection.protocol import Memory, Selection


def test_every_module_registers_the_method_of_its_name():
    for found in all_methods():
        assert isinstance(found, Method)
        assert module_name(found.slug).endswith(f".{found.slug}")
        assert found.search.__doc__


def test_choices():
    assert [m.slug for m in choose_methods(["jointcore_legacy", "full_memory"])] == ["full_memory", "jointcore_legacy"]
    assert len(choose_methods("study")) == 8
    assert choose_methods("all") == [found for found in all_methods() if not found.costly]
    assert {found.slug for found in all_methods() if found.costly} == {
        "sufficient_input_subsets",
        "context_cite",
        "context_cite_32",
        "kernel_shap",
        "sampled_shapley",
        "hierarchical_loo",
        "group_screening",
    }
    assert choose_methods(["sufficient_input_subsets"]) == [load_method("sufficient_input_subsets")]


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ([], "give 'all', 'study' or a list of methods"),
        ("some", "give 'all', 'study' or a list of methods"),
        (["full_memory", "full_memory"], "methods names full_memory twice; name each once"),
        (["best"], "unknown method 'best'; known are"),
    ],
)
def test_bad_choices_are_named(wanted, sentence):
    with pytest.raises(ValueError, match=sentence):
        choose_methods(wanted)


def test_a_search_declares_what_it_uses():
    @method(name="Mine", position=1)
    def mine(memory, *, budget, cap):
        return Selection(budget + cap)
        yield

    assert mine.uses == ("budget", "cap")
    assert not mine.study
    with pytest.raises(ValueError, match="method mine needs the parameter cap; give it under 'selection'"):
        mine.start(Memory("t", (1,), (1.0,)), {"budget": 1})
    with pytest.raises(StopIteration) as end:
        next(mine.start(Memory("t", (1,), (1.0,)), {"budget": 1, "cap": 2, "other": 3}))
    assert end.value.value == Selection(3)


def test_a_search_cannot_ask_for_what_nobody_offers():
    with pytest.raises(TypeError, match="method greedy asks for 'support'"):

        @method(name="Greedy", position=1)
        def greedy(memory, *, support): ...


def test_unknown_method_lists_the_known():
    with pytest.raises(ValueError, match="unknown method 'nothing'; known are .*full_memory"):
        load_method("nothing")
