"""The document's JSON Schema says what a document may hold."""

from __future__ import annotations

import copy
import json
import re

import pytest

from engine.files import format_sentence
from engine.presets import load_preset, preset_names
from engine.sentence import Sentence, new_sentence, sentence_from
from export.cli import main
from export.schema import document_schema

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
}


def accepts(schema, value, root):
    """Whether a schema accepts a value; KeyError for a keyword that isn't known here."""

    def in_object(rule):
        return all(accepts(rule[k], v, root) for k, v in value.items() if k in rule)

    rules = {
        "$ref": lambda r: accepts(root["$defs"][r.removeprefix("#/$defs/")], value, root),
        "type": lambda r: TYPES[r](value),
        "enum": lambda r: any(value == v and type(value) is type(v) for v in r),
        "anyOf": lambda r: any(accepts(one, value, root) for one in r),
        "oneOf": lambda r: sum(accepts(one, value, root) for one in r) == 1,
        "properties": in_object,
        "additionalProperties": lambda r: r or set(value) <= set(schema["properties"]),
        "required": lambda r: set(r) <= set(value),
        "items": lambda r: all(accepts(r, item, root) for item in value),
        "minItems": lambda r: len(value) >= r,
        "maxItems": lambda r: len(value) <= r,
        "minLength": lambda r: len(value) >= r,
        "maxLength": lambda r: len(value) <= r,
        "pattern": lambda r: re.search(r, value) is not None,
        "minimum": lambda r: value >= r,
        "maximum": lambda r: value <= r,
        "exclusiveMaximum": lambda r: value < r,
    }
    silent = {"$schema", "$defs", "title", "description", "default"}
    if "type" in schema and not TYPES[schema["type"]](value):
        return False
    return all(rules[keyword](rule) for keyword, rule in schema.items() if keyword not in silent)


def accepted(document):
    schema = document_schema()
    return accepts(schema, document, schema)


@pytest.fixture
def document():
    return json.loads(format_sentence(load_preset()))


def changed(document, place, value):
    """A copy of the document with another value at a place like heads.0.key."""
    document = copy.deepcopy(document)
    *way, last = [int(key) if key.isdecimal() else key for key in place.split(".")]
    inner = document
    for key in way:
        inner = inner[key]
    inner[last] = value
    return document


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_is_accepted(name):
    assert accepted(json.loads(format_sentence(load_preset(name))))


def test_a_new_document_is_accepted():
    assert accepted(json.loads(format_sentence(new_sentence("the dog ran"))))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("byhand", 2), ("byhand", "1"), ("words", []), ("words", ["w"] * 65),
        ("words.0", ""), ("words.0", "w" * 81), ("words.0", "a\nb"), ("words.0", "a\n"),
        ("words.0", "\u0000"), ("title", "t" * 201), ("heads", []), ("heads.0.name", ""),
        ("heads.0.key.0.0", 1_000_001), ("heads.0.key.0.0", -1_000_001),
        ("heads.0.key.0.0", "2"), ("heads.0.key.0.0", True), ("heads.0.key.0", []),
        ("heads.0.key.0", [0] * 65), ("heads.0.unknown", 1), ("unknown", 1), ("focus", -1),
        ("focus", 64), ("focus", 1.5), ("scaled", 1), ("causal", "no"), ("temperature", 0.009),
        ("temperature", 101), ("positions", "learned"), ("mask", [[1]]),
    ],
)  # fmt: skip
def test_schema_and_byhand_refuse_the_same(document, place, value):
    wrong = changed(document, place, value)
    assert not isinstance(sentence_from(wrong), Sentence)
    assert not accepted(wrong)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("title", ""), ("words.0", "猫"), ("words.0", "w" * 80), ("heads.0.key.0.0", 1e6),
        ("heads.0.key.0.0", -0.5), ("temperature", 0.01), ("temperature", 100), ("focus", 63),
        ("positions", "sinusoidal"), ("mask", [[True]]), ("asks", None),
    ],
)  # fmt: skip
def test_schema_and_byhand_accept_the_same(document, place, value):
    right = changed(document, place, value)
    assert isinstance(sentence_from(right), Sentence)
    assert accepted(right)


@pytest.mark.parametrize("missing", ["byhand", "words", "heads"])
def test_what_is_required_may_not_be_missing(document, missing):
    del document[missing]
    assert not accepted(document)


def test_a_head_gives_vectors_or_projections_and_not_both(document):
    head = document["heads"][0]
    projections = {"w_query": [[1]], "w_key": [[1]], "w_value": [[1]]}
    assert accepted(changed(document, "heads.0", {"name": "one", **projections}))
    assert not accepted(changed(document, "heads.0", head | projections))
    assert not accepted(changed(document, "heads.0", head | {"w_key": [[1]]}))
    assert not accepted(changed(document, "heads.0", {"name": "one", "query": [[1]]}))


def test_the_command_prints_it(capsys):
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == document_schema()


def test_it_names_its_dialect():
    assert document_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
