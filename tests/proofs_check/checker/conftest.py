"""What the tests of all kinds of certificates share: the validators of their JSON Schemas."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing

SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


@pytest.fixture(scope="session")
def validators() -> Callable[[str], Any]:
    """The validator of a kind; schemas of certificates may refer to one another."""
    contents = [json.loads(path.read_text()) for path in SCHEMAS.glob("certificate-*.json")]
    registry: Any = referencing.Registry().with_resources(
        (schema["$id"], referencing.Resource.from_contents(schema)) for schema in contents
    )

    @cache
    def of(kind: str) -> Any:
        schema = json.loads((SCHEMAS / f"certificate-{kind}.schema.json").read_text())
        return jsonschema.Draft202012Validator(schema, registry=registry)

    return of
