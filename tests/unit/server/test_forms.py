"""What a form can ask for: valid at every version to the letter, and filled in, it reads as what was asked for."""

from __future__ import annotations

import datetime
import json
import uuid
from dataclasses import field, make_dataclass
from decimal import Decimal
from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from pydantic import SecretStr

from accord import Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf, Pattern
from accord.dispatch.question import question_of
from accord.errors import ToolError
from accord.protocol.versions import VERSIONS
from accord.server.forms import CANNOT_ASK, form_of
from tests.protocol._checklist import covers
from tests.protocol._wire import EVERY, OLD, SCHEMAS


class Colour(Enum):
    RED = 1
    BLUE = 2


class Size(StrEnum):
    SMALL = "s"
    LARGE = "l"


class Mixed(Enum):
    ONE = 1
    TEXT = "1"


EMPTY = object()

#: what is asked for, what is filled in, what is read
ASKABLE: list[tuple[Any, Any, Any]] = [
    (str, "x", "x"),
    (Annotated[str, MinLen(2), MaxLen(4)], "abc", "abc"),
    (Annotated[str, Pattern("^a")], "abc", "abc"),
    (int, 3, 3),
    (int, 3.0, 3),
    (Annotated[int, Ge(1), Le(5)], 5, 5),
    (Annotated[int, Gt(1), Lt(5)], 4, 4),
    (Annotated[int, MultipleOf(3)], 9, 9),
    (float, 1.5, 1.5),
    (Annotated[float, Gt(0), Lt(1)], 0.5, 0.5),
    (Annotated[float, Ge(0.25)], 1, 1.0),
    (bool, True, True),
    (Colour, "2", Colour.BLUE),
    (Size, "l", Size.LARGE),
    (Mixed, "1", Mixed.ONE),
    (Mixed, '"1"', Mixed.TEXT),
    (Literal["a", "b"], "b", "b"),
    (Literal[1, True], "true", True),
    (Literal["a", None], EMPTY, None),
    (Literal["only"], "only", "only"),
    (int | None, EMPTY, None),
    (int | None, 4, 4),
    (str | None, None, None),
    (Colour | None, "1", Colour.RED),
    (int | str, 7, 7),
    (Decimal, 1.5, Decimal("1.5")),
    (datetime.date, "2026-07-28", datetime.date(2026, 7, 28)),
    (uuid.UUID, str(uuid.UUID(int=1)), uuid.UUID(int=1)),
    (bytes, "aGk=", b"hi"),
    (Path, "a/b", Path("a/b")),
    (Any, "x", "x"),
]
#: the same, for versions with multiple choice
MANY: list[tuple[Any, Any, Any]] = [
    (list[Literal["a", "b"]], ["b"], ["b"]),
    (set[Colour], ["1", "2"], {Colour.RED, Colour.BLUE}),
    (Annotated[list[Size], MinLen(1), MaxLen(2)], ["s"], [Size.SMALL]),
    (list[Literal["a"]] | None, EMPTY, None),
]
#: what no form holds
UNASKABLE: list[Any] = [list[str], dict[str, int], tuple[int, str], list[dict[str, int]], None, set[int]]
SECRETS: list[Any] = [SecretStr, SecretStr | None, list[SecretStr]]

Row = tuple[Any, Any, Any]


@cache
def judge(version: str) -> Validator:
    """The official schema of a form, with nothing in its fields but what it names."""
    schema = json.loads((SCHEMAS / version / "schema.json").read_text(encoding="utf-8"))
    keyword = "$defs" if "$defs" in schema else "definitions"
    for name, definition in schema[keyword].items():
        if name.endswith("Schema") and "properties" in definition:
            definition["additionalProperties"] = False
    form = schema[keyword]["ElicitRequest" if version == OLD else "ElicitRequestFormParams"]
    asked = form["properties"]["params"] if version == OLD else form
    asked["properties"]["requestedSchema"]["additionalProperties"] = False
    return validator_for(schema)({**asked, keyword: schema[keyword]})


def objections_to(form: Any, version: str) -> list[str]:
    asked = {"message": "Well?", "requestedSchema": form}
    return [f"{error.json_path}: {error.message}" for error in judge(version).iter_errors(asked)]


def rows_of(version: str) -> st.SearchStrategy[list[Row]]:
    return st.lists(st.sampled_from([*ASKABLE, *(MANY if VERSIONS[version].rich_forms else [])]), max_size=6)


@covers(70)
@pytest.mark.parametrize("version", EVERY)
@given(data=st.data())
def test_every_form_is_valid_and_reads_as_what_was_asked_for(version: str, data: st.DataObject) -> None:
    rows = data.draw(rows_of(version))
    defaults = [data.draw(st.booleans()) for _ in rows]
    fields = {f"f{number}": row for number, row in enumerate(rows)}
    expected = {name: value for name, (_, _, value) in fields.items()}
    wanted = [
        (name, kind, field(default_factory=lambda value=value: value))
        for (name, (kind, _, value)), has_default in zip(fields.items(), defaults, strict=True)
        if has_default
    ]
    plain = [
        (name, kind)
        for (name, (kind, _, _)), has_default in zip(fields.items(), defaults, strict=True)
        if not has_default
    ]
    record = make_dataclass("Record", [*plain, *wanted])
    filled_in = {name: filled for name, (_, filled, _) in fields.items() if filled is not EMPTY}
    for question in (question_of(record, {}), question_of(str, {name: row[0] for name, row in fields.items()})):
        form = form_of(question.schema, VERSIONS[version])
        assert objections_to(form.schema, version) == []
        if "answer" in question.schema["properties"] and "answer" not in fields:
            continue  # no fields at all: one text
        answer = question.read(form.content(filled_in))
        assert (answer if isinstance(answer, dict) else vars(answer)) == expected


@covers(70)
@pytest.mark.parametrize("kind", [*UNASKABLE, *SECRETS], ids=str)
@pytest.mark.parametrize("version", EVERY)
def test_what_no_form_holds_is_refused_with_the_field_and_a_remedy(version: str, kind: Any) -> None:
    with pytest.raises(ToolError, match=r"^'odd' cannot be asked for over MCP: .*[.] .*[.]$|secret") as refused:
        form_of(question_of(str, {"fine": int, "odd": kind}).schema, VERSIONS[version])
    assert refused.value.code == CANNOT_ASK
    assert ("secret" in str(refused.value)) is (kind in SECRETS)


@covers(70)
@pytest.mark.parametrize("row", MANY, ids=lambda row: str(row[0]))
def test_the_oldest_version_has_no_multiple_choice(row: Row) -> None:
    with pytest.raises(ToolError, match="multiple choice"):
        form_of(question_of(row[0], {}).schema, VERSIONS[OLD])


def described(kind: Any, version: str = EVERY[-1], **default: Any) -> dict[str, Any]:
    record = make_dataclass("Record", [("it", kind, field(default=default["default"]))] if default else [("it", kind)])
    shown: dict[str, Any] = form_of(question_of(record, {}).schema, VERSIONS[version]).schema["properties"]["it"]
    return shown


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (Annotated[str, Pattern("^a")], {"type": "string", "description": "(pattern: ^a)"}),
        (uuid.UUID, {"type": "string", "description": "(format: uuid)"}),
        (datetime.date, {"type": "string", "format": "date"}),
        (bytes, {"type": "string", "description": "(in base64)"}),
        (Annotated[int, Gt(1), Lt(5), Ge(3)], {"type": "integer", "minimum": 3, "maximum": 4}),
        (
            Annotated[float, Gt(0), Lt(1.5), MultipleOf(0.5)],
            {"type": "number", "description": "(a multiple of 0.5; more than 0; less than 1.5)"},
        ),
    ],
    ids=str,
)
def test_what_a_form_cannot_say_stands_in_its_description(kind: Any, shown: dict[str, Any]) -> None:
    assert described(kind) == shown


def test_defaults_are_those_a_version_has_a_place_for() -> None:
    assert described(bool, OLD, default=True) == {"type": "boolean", "default": True}
    assert described(int, OLD, default=3) == {"type": "integer", "description": "(default: 3)"}
    assert described(Colour, OLD, default=Colour.BLUE)["description"] == "(default: 2)"
    assert described(int, default=3)["default"] == 3
    assert described(Colour, default=Colour.BLUE)["default"] == "2"
    assert described(Literal[1, "1"], default="1")["default"] == '"1"'
    assert described(list[Literal["a", "b"]] | None, default=None) == described(list[Literal["a", "b"]] | None)
    assert "default" not in described(int | str, default="x"), "the field is one for whole numbers"


def test_schemas_of_other_peoples_making_are_understood_too() -> None:
    schema = {
        "type": "object",
        "properties": {
            "maybe": {"type": ["null", "string"], "title": "Maybe", "examples": ["x"]},
            "few": {"type": "array", "items": {"enum": ["a", "b"]}, "default": ["a"]},
            "none": {"type": "array", "items": {"enum": ["a", "b"]}, "default": ["c"]},
            "odd": {"enum": ["a"], "default": "c"},
        },
        "required": ["maybe"],
    }
    form = form_of(schema, VERSIONS[EVERY[-1]])
    assert objections_to(form.schema, EVERY[-1]) == []
    assert form.schema["properties"]["maybe"] == {"type": "string", "title": "Maybe"}
    assert form.schema["properties"]["few"]["default"] == ["a"]
    assert not any("default" in form.schema["properties"][name] for name in ("none", "odd"))
    assert form.content({}) == {"maybe": None}
