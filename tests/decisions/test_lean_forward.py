"""Work that no score needs is left out, and nothing else changes."""

import pytest
import torch
from transformers import AutoModelForCausalLM, DynamicCache

from jointcore.decisions.transformers.lean_forward import last_layer_at, logits_at

TOKENS = torch.tensor([[5, 6, 7, 8, 9, 10], [11, 6, 12, 13, 5, 5]])
PLACES = [(0, 3), (1, 5), (0, 5)]


@pytest.fixture
def model(tiny):
    return AutoModelForCausalLM.from_pretrained(tiny.path).eval()


@torch.inference_mode()
def run(model, *limits):
    """Logits and the kept keys and values of every layer."""
    cache = DynamicCache(config=model.config)
    for limit in limits:
        limit.__enter__()
    logits = model(input_ids=TOKENS, use_cache=True, past_key_values=cache).logits
    for limit in limits:
        limit.__exit__(None, None, None)
    return logits, [torch.stack([layer.keys, layer.values]) for layer in cache.layers]


def test_logits_are_those_of_the_whole_prompts_at_the_wanted_places(model):
    whole, kept = run(model)
    some, same = run(model, logits_at(model, PLACES), last_layer_at(model, PLACES))
    assert some.shape == (3, whole.shape[-1])
    torch.testing.assert_close(some, torch.stack([whole[place] for place in PLACES]), rtol=0, atol=1e-5)
    assert all(torch.equal(one, other) for one, other in zip(kept, same, strict=True))


def test_no_place_is_wanted_where_only_keys_and_values_are(model):
    _, kept = run(model)
    none, same = run(model, logits_at(model, []), last_layer_at(model, []))
    assert len(none) == 0
    assert all(torch.equal(one, other) for one, other in zip(kept, same, strict=True))


def test_the_last_layer_leaves_the_other_places_out(model):
    whole, _ = run(model)
    some, _ = run(model, last_layer_at(model, PLACES))
    moved = (some - whole).abs().amax(-1) > 1e-3
    assert [tuple(place) for place in (~moved).nonzero().tolist()] == sorted(PLACES)


@pytest.mark.parametrize("given", [False, True])
def test_the_model_is_as_it_was_afterwards_even_after_an_error(model, given):
    part = model.get_decoder().layers[-1].mlp
    if given:  # as a device map does
        part.forward = part.forward
    before = dict(vars(part))
    whole, _ = run(model)
    with pytest.raises(RuntimeError, match="stop"), logits_at(model, PLACES), last_layer_at(model, PLACES):
        raise RuntimeError("stop")
    assert vars(part).keys() == before.keys()
    assert vars(part).get("forward") is before.get("forward")
    assert torch.equal(run(model)[0], whole)
