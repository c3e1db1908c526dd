"""Which source files a Python file depends on: the import closure inside this package.

A workflow rule has a digest of them as a parameter, so that an edit reruns exactly the rules whose code can reach it.
Imports are read, not executed; an import by a computed name is not seen, so such modules are given by name.
A template or other data file counts where a module names it in a string.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jointcore.errors import InputError
from jointcore.hashing import canonical_json, sha256, sha256_file

PACKAGE = Path(__file__).resolve().parent
#: Endings of files in the package that are read, not imported.
DATA_ENDINGS = (".j2", ".yaml", ".json", ".css", ".js")


def source_files(script: str | Path | None = None, modules: Iterable[str] = ()) -> list[Path]:
    """Source files of this package that a script or modules can reach, sorted.

    Args:
        script: a Python file whose imports are followed; the file itself is not listed.
        modules: dotted names of further modules, listed with what they import.

    Raises:
        InputError: a named module does not exist, or a file is not valid Python.
    """
    found: set[Path] = set()
    open_files = []
    for name in modules:
        files = _module_files(name)
        if not files:
            raise InputError(f"module {name} does not exist; name a module of {PACKAGE.name}")
        open_files += files
    if script is not None:
        open_files += _imported_files(Path(script))
    while open_files:
        path = open_files.pop()
        if path not in found:
            found.add(path)
            open_files += _imported_files(path)
    return sorted(found)


def code_digest(script: str | Path | None = None, modules: Iterable[str] = ()) -> str:
    """The first 16 hex digits of a SHA-256 over the names and contents of :func:`source_files`.

    Raises:
        InputError: see :func:`source_files`.
    """
    files = source_files(script, modules)
    return sha256(canonical_json({path.relative_to(PACKAGE).as_posix(): _content(path) for path in files}))[:16]


_content = cache(sha256_file)


@cache
def _imported_files(path: Path) -> tuple[Path, ...]:
    if path.suffix != ".py":
        return ()
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise InputError(f"{path} is not valid Python (line {error.lineno}: {error.msg}); correct it") from error
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    modules = [file for name in names for file in _module_files(name)]
    return (*modules, *_data_files(path, tree))


def _data_files(path: Path, tree: ast.Module) -> list[Path]:
    """The data files beside a module, or in its ``templates``, that it names in a string."""
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    named = [text for text in texts if Path(text).suffix in DATA_ENDINGS and "/" not in text]
    places = [folder / text for text in named for folder in (path.parent, path.parent / "templates")]
    return [place for place in places if PACKAGE in place.parents and place.is_file()]


@cache
def _module_files(name: str) -> tuple[Path, ...]:
    """The files that importing a module of this package executes; empty for any other name."""
    package, *parts = name.split(".")
    if package != PACKAGE.name:
        return ()
    files = [PACKAGE / "__init__.py"]
    folder = PACKAGE
    for i, part in enumerate(parts):
        if (folder / part).is_dir():
            folder /= part
            files.append(folder / "__init__.py")
        elif (folder / f"{part}.py").is_file() and i == len(parts) - 1:
            files.append(folder / f"{part}.py")
        else:
            return ()
    return tuple(file for file in files if file.is_file())
