"""Arguments that break the contract: every kind of violation, and what would repair it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

import pydantic

from accord import App, Ge, Le, MinLen
from accord.errors import InvalidParams
from tests.surfaces._case import Case, Fails

app = App("refusals")


@dataclass
class Address:
    city: Annotated[str, MinLen(2)]
    zip_code: int = 1


class Even(pydantic.BaseModel):
    number: int

    @pydantic.field_validator("number")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("odd numbers are not taken")
        return value


@app.command
def search(
    query: Annotated[str, MinLen(2)],
    limit: Annotated[int, Ge(1), Le(50)] = 10,
    kind: Literal["page", "post"] = "page",
    since: date | None = None,
) -> list[str]:
    return [query] * limit


@app.command
def numbers(xs: list[Annotated[int, Ge(0)]], ratio: float = 0.5) -> int:
    return len(xs)


@app.command
def move(address: Address) -> str:
    return address.city


@app.command
def even(number: Even) -> int:
    return number.number


CASES = [
    Case(
        "a required argument is missing",
        app,
        "search",
        "search",
        {},
        fails=Fails("missing_required_argument", "query", {"/query": "required"}, raises=InvalidParams, says="query"),
    ),
    Case(
        "a misspelt argument",
        app,
        "search",
        "search --query cats --limti 5",
        {"query": "cats", "limti": 5},
        fails=Fails(
            "unexpected_argument",
            "limit",
            {"/limti": "additionalProperties"},
            [{"op": "move", "from": "/limti", "path": "/limit"}],
            InvalidParams,
        ),
    ),
    Case(
        "an argument nobody knows",
        app,
        "search",
        "search --query cats --zzz",
        {"query": "cats", "zzz": True},
        fails=Fails(
            "unexpected_argument",
            "zzz",
            {"/zzz": "additionalProperties"},
            [{"op": "remove", "path": "/zzz"}],
            InvalidParams,
        ),
    ),
    Case(
        "a misspelt required argument",
        app,
        "search",
        "search --qurey cats",
        {"qurey": "cats"},
        fails=Fails(
            "missing_required_argument",
            "query",
            {"/query": "required", "/qurey": "additionalProperties"},
            [{"op": "move", "from": "/qurey", "path": "/query"}],
            InvalidParams,
        ),
    ),
    Case(
        "text for an int",
        app,
        "search",
        "search --query cats --limit ten",
        {"query": "cats", "limit": "ten"},
        fails=Fails("type_mismatch", "limit", {"/limit": "type"}, raises=InvalidParams),
    ),
    Case(
        "a fraction for an int",
        app,
        "search",
        "search --query cats --limit 5.5",
        {"query": "cats", "limit": 5.5},
        fails=Fails("type_mismatch", "limit", {"/limit": "type"}, raises=InvalidParams),
    ),
    Case(
        "a truth for an int",
        app,
        "search",
        "search --query cats --limit true",
        {"query": "cats", "limit": True},
        fails=Fails("type_mismatch", "limit", {"/limit": "type"}, raises=InvalidParams),
    ),
    Case(
        "null for an int that is not nullable",
        app,
        "search",
        "search --query cats --limit null",
        {"query": "cats", "limit": None},
        fails=Fails(
            "type_mismatch", "limit", {"/limit": "type"}, [{"op": "remove", "path": "/limit"}], raises=InvalidParams
        ),
    ),
    Case(
        "too much",
        app,
        "search",
        "search --query cats --limit 99",
        {"query": "cats", "limit": 99},
        fails=Fails(
            "constraint_violation",
            "limit",
            {"/limit": "maximum"},
            [{"op": "replace", "path": "/limit", "value": 50}],
            InvalidParams,
        ),
    ),
    Case(
        "too short",
        app,
        "search",
        "search --query c",
        {"query": "c"},
        fails=Fails("constraint_violation", "query", {"/query": "minLength"}, raises=InvalidParams),
    ),
    Case(
        "a choice misspelt",
        app,
        "search",
        "search --query cats --kind pagee",
        {"query": "cats", "kind": "pagee"},
        fails=Fails("constraint_violation", "kind", {"/kind": "enum"}, raises=InvalidParams),
    ),
    Case(
        "a choice in capitals",
        app,
        "search",
        "search --query cats --kind Page",
        {"query": "cats", "kind": "Page"},
        fails=Fails(
            "constraint_violation",
            "kind",
            {"/kind": "enum"},
            [{"op": "replace", "path": "/kind", "value": "page"}],
            InvalidParams,
        ),
    ),
    Case(
        "no such day",
        app,
        "search",
        "search --query cats --since 2026-02-30",
        {"query": "cats", "since": "2026-02-30"},
        fails=Fails("constraint_violation", "since", {"/since": "format"}, raises=InvalidParams),
    ),
    Case(
        "several at once",
        app,
        "search",
        "search --query c --limit 0 --kind x --other 1",
        {"query": "c", "limit": 0, "kind": "x", "other": 1},
        fails=Fails(
            "unexpected_argument",
            "other",
            {"/other": "additionalProperties", "/query": "minLength", "/limit": "minimum", "/kind": "enum"},
            raises=InvalidParams,
        ),
    ),
    Case(
        "inside a list",
        app,
        "numbers",
        "numbers --xs 1 --xs -2 --xs three",
        {"xs": [1, -2, "three"]},
        fails=Fails("constraint_violation", "xs", {"/xs/1": "minimum", "/xs/2": "type"}, raises=InvalidParams),
    ),
    Case(
        "text for a float",
        app,
        "numbers",
        "numbers --xs 1 --ratio half",
        {"xs": [1], "ratio": "half"},
        fails=Fails("type_mismatch", "ratio", {"/ratio": "type"}, raises=InvalidParams),
    ),
    Case(
        "inside a dataclass",
        app,
        "move",
        "move --address.city R --address.zip-code x --address.street s",
        {"address": {"city": "R", "zip_code": "x", "street": "s"}},
        fails=Fails(
            "unexpected_argument",
            "address",
            {"/address/street": "additionalProperties", "/address/city": "minLength", "/address/zip_code": "type"},
            raises=InvalidParams,
        ),
    ),
    Case(
        "missing inside a dataclass",
        app,
        "move",
        "move --address.zip-code 7",
        {"address": {"zip_code": 7}},
        fails=Fails("missing_required_argument", "address", {"/address/city": "required"}, raises=InvalidParams),
    ),
    Case(
        "text for a dataclass",
        app,
        "move",
        "move --address Rome",
        {"address": "Rome"},
        fails=Fails("type_mismatch", "address", {"/address": "type"}, raises=InvalidParams),
    ),
    Case(
        "the author's own check",
        app,
        "even",
        "even --number.number 3",
        {"number": {"number": 3}},
        fails=Fails("constraint_violation", "number", {"/number/number": "custom"}, raises=InvalidParams),
    ),
]
