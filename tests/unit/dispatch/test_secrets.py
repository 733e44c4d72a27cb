"""What a failure may tell: its type and message, and neither a secret, nor a path, nor a traceback."""

import datetime
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from accord import App, Policy, ToolError
from accord.testing import call_tool
from tests.unit.dispatch._ways import EVERY_WAY, Way, awaited, mcp, python

SECRET = "hunter2-and-more"


class Login(BaseModel):
    user: str
    password: SecretStr


@dataclass
class Account:
    login: Login
    note: str = ""


@dataclass
class Restock:
    day: datetime.date


def failing(policy: Policy = Policy()) -> App:
    app = App("tests", policy=policy)

    @app.command
    def bare(password: SecretStr) -> None:
        raise ValueError(f"cannot log in with {password.get_secret_value()}")

    @app.command
    def nested(account: Account) -> None:
        raise ValueError(f"cannot log in with {account.login.password.get_secret_value()}")

    @app.command
    def many(passwords: list[SecretStr]) -> None:
        raise ValueError(" and ".join(password.get_secret_value() for password in passwords))

    @app.command(
        input_schema={
            "type": "object",
            "properties": {"token": {"type": "string", "writeOnly": True}},
            "required": ["token"],
        }
    )
    def written(token: str) -> None:
        raise ValueError(f"cannot log in with {token}")

    @app.command
    async def later(password: SecretStr) -> None:
        raise ValueError(f"cannot log in with {password.get_secret_value()}")

    @app.command
    def grouped(password: SecretStr) -> None:
        raise ExceptionGroup("all of them", [ValueError(f"cannot log in with {password.get_secret_value()}")])

    @app.command(timeout=10)
    def limited(password: SecretStr) -> None:
        raise ValueError(f"cannot log in with {password.get_secret_value()}")

    return app


CALLS: dict[str, dict[str, Any]] = {
    "bare": {"password": SECRET},
    "nested": {"account": {"login": {"user": "ann", "password": SECRET}}},
    "many": {"passwords": [SECRET, "x"]},
    "written": {"token": SECRET},
    "later": {"password": SECRET},
    "grouped": {"password": SECRET},
    "limited": {"password": SECRET},
}


@pytest.mark.parametrize(("name", "arguments"), CALLS.items())
def test_a_secret_argument_is_not_told(name: str, arguments: dict[str, Any]) -> None:
    result = call_tool(failing(), {"name": name, "arguments": arguments})
    assert result["isError"]
    assert SECRET not in json.dumps(result)
    assert "<secret>" in result["content"][0]["text"]


@pytest.mark.parametrize("way", [python, awaited])
def test_python_gets_its_own_exception_untouched(way: Way) -> None:
    assert str(way(failing(), "bare", password=SECRET).exception) == f"cannot log in with {SECRET}"


@pytest.mark.parametrize(
    "arguments",
    [{"password": [SECRET]}, {"password": {"a": SECRET}}, {"pasword": SECRET}, {"password": "x", "y": SECRET}],
)
def test_a_refusal_does_not_repeat_what_was_sent(arguments: dict[str, Any]) -> None:
    result = call_tool(failing(), {"name": "bare", "arguments": arguments})
    assert result["isError"]
    assert SECRET not in json.dumps(result)


def test_a_secret_result_is_masked() -> None:
    app = App("tests")

    @app.command
    def give() -> SecretStr:
        return SecretStr(SECRET)

    assert SECRET not in json.dumps(call_tool(app, {"name": "give", "arguments": {}}))
    assert app.call("give").get_secret_value() == SECRET


MESSAGES: dict[str, tuple[str, str]] = {
    "a file": ("no such file: /home/ann/.ssh/id_rsa", "ValueError: no such file: <path>"),
    "a file URI": ("cannot open file:///home/ann/x.txt", "ValueError: cannot open <path>"),
    "a Windows file": (r"cannot open C:\Users\ann\x.txt", "ValueError: cannot open <path>"),
    "a web address": ("see https://example.org/a/b", "ValueError: see https://example.org/a/b"),
    "a fraction": ("3/4 of it", "ValueError: 3/4 of it"),
    "nothing to hide": ("no such city", "ValueError: no such city"),
}


@pytest.mark.parametrize(("message", "told"), MESSAGES.values(), ids=MESSAGES.keys())
def test_paths_are_not_told(message: str, told: str) -> None:
    app = App("tests")

    @app.command
    def fails() -> None:
        raise ValueError(message)

    (block,) = call_tool(app, {"name": "fails", "arguments": {}})["content"]
    assert block["text"] == f"Error: {told}"


def test_an_operating_systems_error_tells_no_path() -> None:
    app = App("tests")

    @app.command
    def fails() -> str:
        return Path("/nowhere/at/all.txt").read_text()

    result = call_tool(app, {"name": "fails", "arguments": {}})
    assert "nowhere" not in json.dumps(result)
    assert "FileNotFoundError" in result["content"][0]["text"]


def test_a_traceback_is_for_the_log(caplog: pytest.LogCaptureFixture) -> None:
    app = failing()
    with caplog.at_level("DEBUG", logger="accord.tools"):
        result = call_tool(app, {"name": "bare", "arguments": {"password": SECRET}})
    assert "Traceback" not in json.dumps(result)
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("name", CALLS)
def test_masked_errors_say_that_the_tool_failed_and_no_more(name: str) -> None:
    result = call_tool(failing(Policy(mask_errors=True)), {"name": name, "arguments": CALLS[name]})
    assert result["content"][0]["text"] == "Error: the tool failed"
    assert "ValueError" not in json.dumps(result)


@pytest.mark.parametrize("way", EVERY_WAY)
def test_masks_leave_what_was_said_on_purpose_and_what_helps_the_caller(way: Way) -> None:
    app = App("tests", policy=Policy(mask_errors=True))

    @app.command
    def fails(n: int) -> None:
        raise ToolError("out of coffee", data={"restock": "monday"})

    assert way(app, "fails", n="x").reason == "type_mismatch"
    assert way(app, "fails", n=1).data["data"] == {"restock": "monday"}
    (block,) = call_tool(app, {"name": "fails", "arguments": {"n": 1}})["content"]
    assert block["text"] == "Error: out of coffee"


def test_masks_hide_what_providers_and_middleware_raise_too() -> None:
    class Database:
        pass

    app = App("tests", policy=Policy(mask_errors=True))

    @app.provide(Database)
    def connect() -> Database:
        raise ConnectionError(f"cannot reach it as {SECRET}")

    @app.command
    def use(database: Database) -> None:
        pass

    @app.command
    def plain() -> None:
        pass

    assert SECRET not in json.dumps(call_tool(app, {"name": "use", "arguments": {}}))

    @app.use
    def gate(call: Any, next: Any) -> Any:
        raise PermissionError(f"no {SECRET}")

    assert SECRET not in json.dumps(call_tool(app, {"name": "plain", "arguments": {}}))


def test_a_very_long_message_is_cut() -> None:
    app = App("tests")

    @app.command
    def fails() -> None:
        raise ValueError("x" * 1_000_000)

    assert len(json.dumps(call_tool(app, {"name": "fails", "arguments": {}}))) < 10_000


def test_a_message_that_is_no_unicode_is_told_as_well_as_it_can_be() -> None:
    app = App("tests")

    @app.command
    def fails() -> None:
        raise ValueError("half a \ud800 character")

    result = call_tool(app, {"name": "fails", "arguments": {}})
    assert result["isError"]


@pytest.mark.parametrize(
    "data", [object(), float("nan"), {None: 2}, "\ud800"], ids=["an object", "NaN", "a key", "a surrogate"]
)
def test_data_of_a_tool_error_that_is_no_json_is_left_out_and_breaks_no_answer(data: Any) -> None:
    app = App("tests")

    @app.command
    def fails() -> None:
        raise ToolError("no", data=data)

    answer = mcp(app, "fails")
    assert answer.reason == "tool_error"
    assert "data" not in answer.data


def test_data_of_a_tool_error_may_be_anything_a_result_may_be() -> None:
    app = App("tests")

    @app.command
    def fails() -> None:
        raise ToolError("no", data=Restock(datetime.date(2024, 1, 2)))

    assert mcp(app, "fails").data["data"] == {"day": "2024-01-02"}
