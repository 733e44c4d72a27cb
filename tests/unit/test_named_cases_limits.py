"""The named cases about what an answer may hold and cost: secrets, sizes, counts, depth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, SecretStr, model_validator

from accord import App, Ge, MinLen, Pattern, ToolError
from accord._calls import Failed
from accord._tool import Tool
from accord.dispatch.bind import bind
from accord.schema import type_to_schema
from tests.unit._tools import app_of, returns, run, send, takes

MANY = 200_000
#: Python and C functions called for one answer: counted, so that a busy machine changes nothing
MOST_CALLS = 20 * MANY
BYTES = 64 * 1024
SECRET = "hunter2-correct-horse"
WRITE_ONLY = {
    "type": "object",
    "properties": {
        "user": {"type": "string"},
        "token": {"type": "string", "writeOnly": True, "minLength": 40, "pattern": "^[0-9]+$"},
        "inner": {
            "type": "object",
            "properties": {"key": {"type": "integer", "writeOnly": True, "maximum": 5}},
            "additionalProperties": False,
        },
    },
    "required": ["user"],
    "additionalProperties": False,
}


@dataclass
class Node:
    value: int
    child: "Node | None" = None


@dataclass
class Small:
    name: str


class Login(BaseModel):
    user: str
    password: SecretStr
    attempts: int = 0


class Choosy(BaseModel):
    user: str
    password: SecretStr

    @model_validator(mode="after")
    def not_bad(self) -> Choosy:
        if self.user == "bad":
            raise ValueError("this user is refused")
        return self


def choosy(login: Choosy) -> None: ...


def login(user: str, password: Annotated[SecretStr, MinLen(40)], attempts: int = 0) -> str:
    return user


def digits(password: Annotated[SecretStr, Pattern("^[0-9]{4}$")]) -> None: ...


def sealed(login: Login) -> str:
    return login.user


def several(logins: list[Login], spare: dict[str, SecretStr] | None = None) -> None: ...


# ---- secrets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        pytest.param(login, {"user": "bo", "password": SECRET}, id="too short"),
        pytest.param(digits, {"password": SECRET}, id="pattern"),
        pytest.param(login, {"user": 5, "password": SECRET * 4}, id="another argument is wrong"),
        pytest.param(login, {"user": "bo", "pasword": SECRET * 4}, id="misspelt name"),
        pytest.param(login, {"user": "bo", "password": [SECRET]}, id="in a list"),
        pytest.param(login, {"user": "bo", "password": {SECRET: SECRET}}, id="in a dict and as a key"),
        pytest.param(login, {"user": "bo", "password": json.dumps({"password": SECRET})}, id="in text"),
        pytest.param(sealed, {"login": {"user": "bo", "password": [SECRET]}}, id="in a model"),
        pytest.param(sealed, {"login": {"user": 3, "password": SECRET}}, id="beside a wrong field"),
        pytest.param(sealed, {"login": {"user": "bo", "passwort": SECRET}}, id="misspelt field"),
        pytest.param(sealed, {"login": json.dumps({"user": "bo", "password": SECRET})}, id="object sent as text"),
        pytest.param(sealed, {"login": [{"user": "bo", "password": SECRET}]}, id="object sent in a list"),
        pytest.param(several, {"logins": [{"password": SECRET}]}, id="in a list of models"),
        pytest.param(several, {"logins": {"password": SECRET}}, id="an object for a list of models"),
        pytest.param(several, {"logins": [], "spare": [SECRET]}, id="a list for a dict of secrets"),
        pytest.param(several, {"logins": [], "spare": {"a": [SECRET]}}, id="in a dict of secrets"),
        pytest.param(several, {"logins": json.dumps([{"user": "a", "password": SECRET}])}, id="a list sent as text"),
        pytest.param(several, {"logins": [json.dumps({"user": "a", "password": SECRET})]}, id="an item sent as text"),
        pytest.param(several, {"logins": [], "spare": json.dumps({"k": SECRET})}, id="secrets sent as text"),
        pytest.param(several, {"logins": [], "spear": {"k": SECRET}}, id="a misspelt dict of secrets"),
        pytest.param(choosy, {"login": {"user": "bad", "password": SECRET}}, id="refused by a validator"),
    ],
)
def test_a_secret_is_never_echoed(function: Any, arguments: dict[str, Any]) -> None:
    result = run(function, arguments)
    assert result["isError"] is True
    assert SECRET not in json.dumps(result)


@pytest.mark.parametrize(
    "arguments",
    [
        {"user": "bo", "token": SECRET},
        {"user": 1, "token": "1" * 40},
        {"user": "bo", "token": [SECRET]},
        {"user": "bo", "token": {"a": SECRET}},
        {"user": "bo", "inner": {"key": 987654321}},
        {"user": "bo", "inner": json.dumps({"key": 987654321})},
        {"user": "bo", "inner": {"key": "987654321"}},
    ],
)
def test_a_write_only_value_of_a_given_schema_is_never_echoed(arguments: dict[str, Any]) -> None:
    def tool(**kwargs: Any) -> None: ...

    result = run(tool, arguments, input_schema=WRITE_ONLY)
    assert result["isError"] is True
    text = json.dumps(result)
    assert SECRET not in text
    assert "987654321" not in text
    assert "1" * 40 not in text


def test_a_secret_default_is_not_published() -> None:
    def tool(password: SecretStr = SecretStr(SECRET), box: Login = Login(user="a", password=SECRET)) -> str:
        return password.get_secret_value()

    app = app_of(tool)
    assert SECRET not in json.dumps(app.tools["tool"].input_schema)
    assert app.tools["tool"].input_schema["properties"]["password"] == {"type": "string", "writeOnly": True}


def test_a_secret_reaches_the_handler_and_stays_hidden_in_results() -> None:
    def tool(password: SecretStr) -> list[Any]:
        return [password.get_secret_value() == SECRET, password]

    result = run(tool, {"password": SECRET})
    assert result["structuredContent"][0] is True
    assert SECRET not in json.dumps(result)


def test_a_secret_argument_is_redacted_from_the_text_of_an_exception() -> None:
    def tool(password: SecretStr) -> None:
        raise RuntimeError(f"login failed for {password.get_secret_value()}")

    result = run(tool, {"password": SECRET})
    assert result["errorData"]["reason"] == "tool_error"
    assert SECRET not in json.dumps(result)


def test_a_secret_is_write_only_in_the_schema() -> None:
    assert type_to_schema(SecretStr, direction="input") == {"type": "string", "writeOnly": True}


def test_a_message_raised_on_purpose_is_passed_on_verbatim() -> None:
    """The counterpart: redaction is for what the tool did not mean to say."""

    def tool(x: int) -> None:
        raise ToolError("no disk at /srv/a")

    assert "no disk at /srv/a" in run(tool, {"x": 1})["content"][0]["text"]


# ---- counts and sizes ------------------------------------------------------------------------------------


def answered(app: App, arguments: Any) -> dict[str, Any]:
    """The refusal, after checking what it cost."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        result = send(app, "tool", arguments)
    finally:
        sys.setprofile(None)
    assert result["isError"] is True
    assert calls < MOST_CALLS
    assert len(json.dumps(result)) < BYTES
    return result["errorData"]


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        pytest.param(list[int], ["x"] * MANY, id="200,000 items of another type"),
        pytest.param(list[Annotated[int, Ge(1)]], [0] * MANY, id="200,000 items below a bound"),
        pytest.param(list[int | bool | None], ["x"] * MANY, id="200,000 failing union items"),
        pytest.param(list[Small | Node], [{"name": 1}] * MANY, id="200,000 failing unions of objects"),
        pytest.param(list[Small], [{}] * MANY, id="200,000 missing fields"),
        pytest.param(list[Small], [{"name": "a", "b": 1}] * MANY, id="200,000 unknown fields"),
        pytest.param(dict[str, int], {f"k{n}": "x" for n in range(MANY)}, id="200,000 values"),
    ],
)
def test_200_000_violations_are_answered_in_bounded_work_and_size(annotation: Any, value: Any) -> None:
    data = answered(app_of(takes(annotation)), {"x": value})
    assert len(data["violations"]) <= 20
    assert data["argument"] == "x"


@pytest.mark.parametrize(
    ("annotation", "value", "path"),
    [
        pytest.param(list[int], [1] * MANY + ["x"], f"/x/{MANY}", id="the last item"),
        pytest.param(dict[str, int], dict.fromkeys(map(str, range(MANY)), 1) | {"z": "x"}, "/x/z", id="the last value"),
        pytest.param(list[Small], [{"name": "a"}] * MANY + [{}], f"/x/{MANY}/name", id="a field of the last item"),
    ],
)
def test_one_violation_behind_200_000_good_values_is_found(annotation: Any, value: Any, path: str) -> None:
    data = answered(app_of(takes(annotation)), {"x": value})
    assert [violation["path"] for violation in data["violations"]] == [path]


def test_200_000_unknown_keys_are_answered_in_bounded_work_and_size() -> None:
    data = answered(app_of(takes(int)), {"x": 1, **{f"key_{n}": n for n in range(MANY)}})
    assert len(data["violations"]) <= 20
    assert data["reason"] == "unexpected_argument"


def test_a_10_mb_string_at_an_int_is_not_echoed() -> None:
    data = answered(app_of(takes(int)), {"x": "9a" * 5_000_000})
    assert data["reason"] == "type_mismatch"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"x": 1, "k" * 10_000_000: 1}, id="a 10 MB key"),
        pytest.param({"x": [{"k" * 10_000_000: "v" * 1_000_000}]}, id="a 10 MB key inside"),
        pytest.param({"x": 10**4000}, id="a number of 4000 digits at a bound"),
        pytest.param({"x": ["v" * 10_000_000]}, id="a 10 MB string inside"),
    ],
)
def test_an_oversized_key_or_value_is_not_echoed(arguments: dict[str, Any]) -> None:
    answered(app_of(takes(Annotated[int, Ge(1)] | bool | Annotated[list[Small], MinLen(2)] | None)), {
        **arguments, "bad": 1
    })  # fmt: skip


@pytest.mark.parametrize("value", [{"k" * 10_000_000: "x"}, {"k": ["v" * 10_000_000]}])
def test_an_oversized_key_or_value_of_a_broken_result_is_not_echoed(value: Any) -> None:
    result = run(returns(dict[str, int], value))
    assert result["errorData"]["reason"] == "output_invalid"
    assert len(json.dumps(result)) < BYTES


def test_a_10_mb_number_in_text_is_refused_without_being_parsed_for_long() -> None:
    """A JSON string that would repair the call is only worth a look when it is small."""
    answered(app_of(takes(int)), {"x": "9" * 10_000_000})


@pytest.mark.parametrize("length", [1_000, 300_000])
def test_a_misspelt_long_key_costs_no_more_than_a_short_one(length: int) -> None:
    answered(app_of(takes(int)), {"y" * length: 1, "x" * length: 1})


# ---- depth ----------------------------------------------------------------------------------------------


def nested(depth: int, key: str | None) -> Any:
    value: Any = None if key else []
    for _ in range(depth):
        value = {"value": 1, key: value} if key else [value]
    return value


DEEP = {
    "at an int": (int, None),
    "at anything": (Any, None),
    "at a list": (list[Any], None),
    "in a recursive type": (Node, "child"),
    "at a recursive type": (Node, None),
    "at a union": (dict[str, Any] | list[str], None),
}


def bind_deep(name: str, depth: int) -> None:
    """Raises when binding does; whether the value is taken or refused is free."""
    annotation, key = DEEP[name]
    outcome = bind(Tool(takes(annotation)), {"x": nested(depth, key)})
    if isinstance(outcome, Failed):
        assert outcome.error_data["code"] == "INVALID_PARAMS"
        assert len(json.dumps(outcome.error_data)) < BYTES


@pytest.mark.parametrize("depth", [900, 20_000])
@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_taken_or_refused_but_never_ends_the_process(name: str, depth: int) -> None:
    """In a process of its own: running out of stack in compiled code is no exception."""
    program = f"from {__name__} import bind_deep; bind_deep({name!r}, {depth})"
    paths = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_a_deep_call_is_answered() -> None:
    result = run(takes(int), {"x": nested(20_000, None)})
    assert result["errorData"]["code"] == "INVALID_PARAMS"


def test_a_deep_result_is_an_error_or_a_success_but_never_raises() -> None:
    def tool(depth: int) -> Any:
        return nested(depth, None)

    result = run(tool, {"depth": 20_000})
    if result["isError"]:
        assert result["errorData"]["reason"] == "output_invalid"
