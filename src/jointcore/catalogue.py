"""Catalogues: a package in which every module holds one thing, found by its name."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A package whose modules each register one thing under their own name.

    Attributes:
        package: the package.
        kind: the class of what its modules register.
        what: what it is called in messages; also the name of the decorator that registers it.
    """

    package: ModuleType
    kind: type
    what: str

    def names(self) -> list[str]:
        """The names of all, sorted."""
        return sorted(module.name for module in pkgutil.iter_modules(self.package.__path__))

    def module_name(self, name: str) -> str:
        """Dotted name of the module that holds one."""
        return f"{self.package.__name__}.{name}"

    def load(self, name: str) -> Any:
        """The one of that name.

        Raises:
            ValueError: there is none, or its module does not register it under its own name.
        """
        if name not in self.names():
            raise ValueError(f"unknown {self.what} {name!r}; known are {', '.join(self.names())}")
        found = getattr(importlib.import_module(self.module_name(name)), name, None)
        if not isinstance(found, self.kind):
            raise ValueError(
                f"{self.module_name(name)} does not define a function {name!r} decorated with @{self.what}; "
                "name both alike"
            )
        return found
