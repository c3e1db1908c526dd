from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from decisions.questions import ALL, DEFAULT, make_task
from jointcore.decisions.prompts.template import PromptTemplate
from jointcore.decisions.protocol import Query
from jointcore.errors import InputError
from jointcore.hashing import sha256_file


def test_the_digest_is_the_files():
    assert PromptTemplate.load(DEFAULT).digest == sha256_file(DEFAULT)


def test_no_words_in_python_that_a_user_cannot_replace(tmp_path):
    changed = _write(tmp_path, lambda content: content["labels"].update(boolean=["Yes", "No"]))
    prompt = PromptTemplate.load(changed).render(Query(make_task().question, ALL))
    assert prompt.labels == ("Yes", "No")
    assert prompt.messages[-1]["content"].count("Allowed answers: Yes, No.\n") == 1


def test_an_empty_system_message_is_left_out(tmp_path):
    changed = PromptTemplate.load(_write(tmp_path, lambda content: content.update(system=None)))
    assert [m["role"] for m in changed.render(Query(make_task().question, ALL)).messages] == ["user"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.pop("record"), "lacks 'record'"),
        (lambda c: c["questions"]["workflow"].pop("ab"), "lacks 'questions.workflow.ab'"),
        (lambda c: c.update(extra="x"), "unknown key 'extra'"),
        (lambda c: c.update(record="m{{ id }} {{ name }} {{ type }}"), "record lacks the variable 'value'"),
        (lambda c: c.update(record="{{ id }}{{ name }}{{ type }}{{ value }}{{ cost }}"), "unknown variable 'cost'"),
        (lambda c: c.update(workflow="{{ records"), "workflow is not a valid Jinja text"),
        (lambda c: c.update(terminal=3), "terminal is 3"),
        (lambda c: c.update(kind="other"), "first key must be"),
        (lambda c: c.update(labels={"boolean": [True, False], "ab": ["A", "B"]}), "labels.boolean"),
        (lambda c: c.update(labels={"boolean": ["YES", "NO"]}), "'labels' with exactly"),
        (lambda c: c.update(labels={"boolean": ["YES", "YES"], "ab": ["A", "B"]}), "two different words"),
        (lambda c: c.pop("conditions"), "lacks 'conditions'"),
    ],
)
def test_a_bad_template_is_refused_by_name(tmp_path, change, said):
    path = _write(tmp_path, change)
    with pytest.raises(InputError, match=f"{path.name}.*{said}"):
        PromptTemplate.load(path)


def test_a_family_without_condition_is_named(tmp_path):
    template = PromptTemplate.load(_write(tmp_path, lambda content: content["conditions"].pop("threshold")))
    template.render(Query(make_task("redundant_or").question, ALL))
    with pytest.raises(InputError, match=r"no text for this question; add conditions\.threshold"):
        template.render(Query(make_task("threshold").question, ALL))


def test_a_condition_that_cannot_be_filled_is_named(tmp_path):
    changed = _write(tmp_path, lambda content: content["conditions"].update(threshold="{{ by_type.votes | join }}"))
    with pytest.raises(InputError, match=r"conditions\.threshold.*votes"):
        PromptTemplate.load(changed).render(Query(make_task("threshold").question, ALL))


def test_files_that_are_no_templates(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        PromptTemplate.load(tmp_path / "none.yaml")
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [")
    with pytest.raises(InputError, match="cannot be read as YAML"):
        PromptTemplate.load(broken)


def _write(folder: Path, change) -> Path:
    content = yaml.safe_load(DEFAULT.read_text())
    change(content)
    path = folder / "changed.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    return path
