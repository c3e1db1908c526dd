"""Finds the selection methods: every module of :mod:`jointcore.selection.methods` holds one."""

from __future__ import annotations

from collections.abc import Sequence

from jointcore.catalogue import Catalogue
from jointcore.selection import methods as package
from jointcore.selection.method import Method

_METHODS = Catalogue(package, Method, "method")
module_name = _METHODS.module_name
load_method = _METHODS.load


def all_methods() -> list[Method]:
    """Every method: the study's in its order, then the others by position and slug."""
    found = map(load_method, _METHODS.names())
    return sorted(found, key=lambda method: (not method.study, method.position, method.slug))


def choose_methods(wanted: str | Sequence[str]) -> list[Method]:
    """The methods that a configuration asks for, in table order.

    Args:
        wanted: ``"all"`` (but the costly ones), ``"study"`` (the published eight) or a list of slugs.

    Raises:
        ValueError: an unknown or repeated slug, or an empty list.
    """
    if wanted == "all":
        return [method for method in all_methods() if not method.costly]
    if wanted == "study":
        return [method for method in all_methods() if method.study]
    if isinstance(wanted, str) or not wanted:
        raise ValueError(f"methods is {wanted!r}; give 'all', 'study' or a list of methods")
    repeated = sorted({slug for slug in wanted if list(wanted).count(slug) > 1})
    if repeated:
        raise ValueError(f"methods names {', '.join(repeated)} twice; name each once")
    chosen = [load_method(slug) for slug in wanted]
    return [method for method in all_methods() if method in chosen]
