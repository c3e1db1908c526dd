"""The import closure that decides what an edit reruns."""

import pytest

from jointcore.errors import InputError
from jointcore.sources import PACKAGE, code_digest, source_files


def names(paths):
    return {path.relative_to(PACKAGE).as_posix() for path in paths}


def test_closure_follows_imports_and_lists_packages(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from jointcore.evaluation.measures import measure_set\nimport os\n")
    found = names(source_files(script))
    assert {"__init__.py", "evaluation/__init__.py", "evaluation/measures.py", "bitsets.py"} <= found
    assert {f"logic/rules/{rule}.py" for rule in ("threshold", "redundant_or", "synergy_xor")} <= found
    assert not {path for path in found if path.startswith(("selection/", "report/", "figures/"))}


def test_methods_are_found_by_name_only(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from jointcore.selection.catalogue import load_method\n")
    alone = names(source_files(script))
    assert not {path for path in alone if path.startswith("selection/methods/") and "__init__" not in path}
    named = names(source_files(script, ["jointcore.selection.methods.jointcore_legacy"]))
    assert named - alone == {"selection/methods/jointcore_legacy.py", "selection/group_deletion.py"}


def test_templates_count_where_a_module_names_them(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import jointcore.report.page\n")
    assert "report/templates/page.html.j2" in names(source_files(script))


def test_imports_inside_functions_count(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("def f():\n    from jointcore import bitsets\n")
    assert "bitsets.py" in names(source_files(script))


def test_bad_input_is_named(tmp_path):
    with pytest.raises(InputError, match="jointcore.nothing does not exist"):
        source_files(modules=["jointcore.nothing"])
    script = tmp_path / "broken.py"
    script.write_text("def (:\n")
    with pytest.raises(InputError, match=r"broken.py is not valid Python \(line 1"):
        source_files(script)


def test_package_initialisers_import_nothing():
    """Else a rule would depend on modules that its library call cannot reach."""
    for path in PACKAGE.rglob("__init__.py"):
        assert names(source_files(path)) <= {"__init__.py"}, path


def test_a_digest_is_short_and_tells_modules_apart(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from jointcore.selection.catalogue import load_method\n")
    alone = code_digest(script)
    assert alone == code_digest(script)
    assert len(alone) == 16
    assert code_digest(script, ["jointcore.selection.methods.jointcore_legacy"]) != alone
