"""Finds the selection methods: every module of :mod:`jointcore.selection.methods` holds one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

from jointcore.selection import methods as package
from jointcore.selection.method import Method


def module_name(slug: str) -> str:
    """Dotted name of the module that holds a method."""
    return f"{package.__name__}.{slug}"


def load_method(slug: str) -> Method:
    """The method of that name.

    Raises:
        ValueError: there is no such method, or its module does not register it under its own name.
    """
    known = [found.name for found in pkgutil.iter_modules(package.__path__)]
    if slug not in known:
        raise ValueError(f"unknown method {slug!r}; known are {', '.join(known)}")
    found = getattr(importlib.import_module(module_name(slug)), slug, None)
    if not isinstance(found, Method):
        raise ValueError(
            f"{module_name(slug)} does not define a function {slug!r} decorated with @method; name both alike"
        )
    return found


def all_methods() -> list[Method]:
    """Every method: the study's in its order, then the others by position and slug."""
    found = [load_method(module.name) for module in pkgutil.iter_modules(package.__path__)]
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
