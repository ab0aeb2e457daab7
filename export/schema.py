"""`byhand schema`: the document's shape and limits as a JSON Schema, for editors and tools."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

from engine import Sentence

__all__ = ["document_schema", "schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
VECTORS = ("query", "key", "value")
PROJECTIONS = ("w_query", "w_key", "w_value")


def document_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `*.byhand.json`.

    It holds all keys, types and limits. What it can't say is whether the parts fit each other, as
    a row a word: `byhand check` does.
    """
    described = msgspec.json.schema(Sentence)
    head = described["$defs"]["Head"]
    head["oneOf"] = [_gives(VECTORS, PROJECTIONS), _gives(PROJECTIONS, VECTORS)]
    return {"$schema": DIALECT, "title": "A byhand document", **described}


def _gives(these: tuple[str, ...], not_those: tuple[str, ...]) -> dict[str, Any]:
    """These keys all there, and those left out (or null, which is the same)."""
    given = {name: {"type": "array"} for name in these}
    absent = {name: {"type": "null"} for name in not_those}
    return {"required": list(these), "properties": given | absent}


@click.command()
def schema() -> int:
    """Print the document's JSON Schema."""
    print(json.dumps(document_schema(), indent=2, ensure_ascii=False))
    return 0
