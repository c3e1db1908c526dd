"""The rooms of the library: an import never points back."""

import ast

import pytest

from paths import PROJECT

PACKAGE = PROJECT / "src" / "jointcore"
#: The rooms in their order: each may import those before it.
ORDER = (
    "tasks",
    "logic",
    "selection",
    "decisions",
    "evaluation",
    "statistics",
    "consolidation",
    "figures",
    "report",
    "memories",
    "own_data",
    "commands",
)
MAY_IMPORT = {room: set(ORDER[:place]) for place, room in enumerate(ORDER)}
MAY_IMPORT["selection"].remove("logic")
MAY_IMPORT["local_models"] = {"tasks", "logic", "selection", "decisions"}
#: A package that another room's catalogue finds by name is part of that room.
PART_OF = {"memory_sources": "memories"}
#: Single modules that put rooms together; a room may not import them.
ABOVE_ROOMS = {"cli", "__main__", "configuration"}


def imported(file):
    """Dotted names of what a file imports from the package, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("jointcore."))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "jointcore":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(name):
    """The room or single module of a dotted name."""
    part = name.split(".")[1]
    return PART_OF.get(part, part)


def files():
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def rooms():
    return {room_of(f".{path.name}") for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}


@pytest.mark.parametrize("file", files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_import_points_back(file):
    room = room_of(f".{file.relative_to(PACKAGE).parts[0]}")
    allowed = MAY_IMPORT.get(room)
    assert allowed is not None, f"say in {__name__} what the room {room} may import"
    for name in imported(file):
        other = room_of(name)
        assert other not in ABOVE_ROOMS or room == "commands", f"{file} imports {name}"
        assert other == room or other not in rooms() or other in allowed, f"{file} imports {name}"


@pytest.mark.parametrize("file", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.name)
def test_a_single_module_below_the_rooms_imports_none(file):
    if file.stem not in ABOVE_ROOMS | {"__init__"}:
        assert not {room_of(name) for name in imported(file)} & rooms(), file


def test_the_order_is_of_all_rooms_and_the_test_can_fail():
    assert rooms() <= set(MAY_IMPORT)
    assert all(not MAY_IMPORT[room] & set(ORDER[ORDER.index(room) :]) for room in ORDER)
    assert {room_of(name) for name in imported(PACKAGE / "evaluation" / "loop.py")} >= {"selection", "decisions"}


#: Calls that read or write a result without a check of its end, and the modules that make them checked.
UNCHECKED = {
    "read_csv": {"csv_files.py", "statistics/cmi/records.py"},
    "to_csv": {"csv_files.py", "report/table.py"},
    "read_parquet": set(),
    "to_parquet": set(),
}


@pytest.mark.parametrize("call", UNCHECKED)
def test_a_result_is_read_and_written_where_that_is_checked(call):
    scripts = sorted((PROJECT / "workflow" / "scripts").glob("*.py"))
    found = set()
    for path in [*files(), *PACKAGE.glob("*.py"), *scripts]:
        for node in ast.walk(ast.parse(path.read_text())):
            called = node.func if isinstance(node, ast.Call) else None
            # A module's or a frame's own function; the checked ones are called by their names alone.
            if isinstance(called, ast.Attribute) and called.attr == call:
                found.add(str(path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else path.name)
    assert found <= UNCHECKED[call]
