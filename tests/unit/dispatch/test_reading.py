"""Reading a resource: what its function is given, what becomes of its value, and how a failure is told."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from mcp import types as official

from accord import App, Context, Policy, Progress, ToolError
from accord._caller import Cancellation
from accord.content import Audio, EmbeddedResource, Image, ResourceLink, Text
from accord.dispatch.exceptions import exception_of, protocol_error
from accord.errors import ResourceNotFound
from tests.unit.dispatch._offers import READ, Way, failed, result

BYTES = b"\x00\xff"
BLOB = base64.b64encode(BYTES).decode()
URI = "x://it"

read = pytest.mark.parametrize("read", READ.values(), ids=READ)


@dataclass
class Point:
    x: int


def text(said: str, mime_type: str = "text/plain", uri: str = URI) -> dict[str, str]:
    return {"uri": uri, "mimeType": mime_type, "text": said}


def blob(mime_type: str = "application/octet-stream", uri: str = URI) -> dict[str, str]:
    return {"uri": uri, "mimeType": mime_type, "blob": BLOB}


# (value, its contents)
VALUES: list[tuple[Any, list[dict[str, str]]]] = [
    ("hi", [text("hi")]),
    ("", [text("")]),
    (BYTES, [blob()]),
    (bytearray(BYTES), [blob()]),
    (memoryview(BYTES), [blob()]),
    ({"a": [1]}, [text('{"a":[1]}', "application/json")]),
    ([1, "a"], [text('[1,"a"]', "application/json")]),
    ([], [text("[]", "application/json")]),
    (5, [text("5", "application/json")]),
    (False, [text("false", "application/json")]),
    (Point(1), [text('{"x":1}', "application/json")]),
    (date(2026, 7, 28), [text("2026-07-28")]),
    (Text("hi"), [text("hi")]),
    (Image(BYTES), [blob("image/png")]),
    (Image(BLOB, "image/gif"), [blob("image/gif")]),
    (Audio(BYTES), [blob("audio/wav")]),
    (EmbeddedResource("y://1", "hi", mime_type="text/html"), [text("hi", "text/html", "y://1")]),
    (EmbeddedResource("y://1", blob=BYTES), [{"uri": "y://1", "blob": BLOB}]),
    ([EmbeddedResource("y://1", "a"), "b", BYTES], [{"uri": "y://1", "text": "a"}, text("b"), blob()]),
    ((Text("a"), {"b": 1}), [text("a"), text('{"b":1}', "application/json")]),
    (official.TextResourceContents(uri="y://1", text="a"), [{"uri": "y://1", "text": "a"}]),
    (
        official.ReadResourceResult(contents=[official.BlobResourceContents(uri="y://1", blob=BLOB)]),
        [{"uri": "y://1", "blob": BLOB}],
    ),
]


@pytest.mark.parametrize(("value", "contents"), VALUES, ids=lambda value: type(value).__name__)
def test_a_value_becomes_contents(value: Any, contents: list[dict[str, str]]) -> None:
    app = App("shelf")
    app.resource(URI)(lambda: value)
    assert result(READ["blocking"](app, URI)) == {"contents": contents}


@pytest.mark.parametrize("value", ["hi", BYTES, {"a": 1}], ids=repr)
def test_the_type_an_author_names_is_that_of_the_contents(value: Any) -> None:
    app = App("shelf")
    app.resource(URI, mime_type="x/y")(lambda: value)
    assert result(READ["blocking"](app, URI))["contents"][0]["mimeType"] == "x/y"


# (value, what the failure says)
UNFIT: list[tuple[Any, str]] = [
    (None, "raise accord.errors.ResourceNotFound"),
    ([Text("a"), None], "raise accord.errors.ResourceNotFound"),
    (ResourceLink("y://1", "y"), "leads elsewhere"),
    (object(), "object"),
    ({"a": float("nan")}, "/a"),
    ("\ud800", "lone surrogate"),
    ({"a": 10**5000}, "digits"),
]


@pytest.mark.parametrize(("value", "said"), UNFIT, ids=lambda value: type(value).__name__)
def test_what_no_client_could_read_is_a_failure_of_the_resource(value: Any, said: str) -> None:
    app = App("shelf")
    app.resource(URI)(lambda: value)
    outcome = failed(READ["blocking"](app, URI))
    assert (outcome.reason, outcome.error_data["uri"], protocol_error(outcome).code) == ("output_invalid", URI, -32603)
    assert said in outcome.text


@read
def test_variables_arrive_as_the_annotated_types_with_what_is_injected(read: Way) -> None:
    app = App("shelf")
    opened: list[str] = []

    @app.provide
    def database() -> Iterator[Database]:
        opened.append("open")
        yield Database()
        opened.append("close")

    @app.resource("x://{day}/{number}{?flag,text}")
    def entry(day: date, number: int, ctx: Context, db: Database, flag: bool = False, text: str = "-") -> str:
        return f"{day.year} {number + 1} {flag} {text} {ctx.principal} {ctx.surface} {db.name}"

    def said(uri: str) -> str:
        text: str = result(read(app, uri, principal="ann"))["contents"][0]["text"]
        return text

    assert said("x://2026-07-28/41?flag=yes&text=5") == "2026 42 True 5 ann mcp db"
    assert said("x://2026-07-28/41") == "2026 42 False - ann mcp db"
    assert said("x://2026-07-28/41?flag=") == "2026 42 False - ann mcp db", "nothing was said of it"
    assert opened == ["open", "close"] * 3


class Database:
    name = "db"


@read
@pytest.mark.parametrize("kind", ["async", "generator", "async generator"])
def test_any_kind_of_function_can_be_read(read: Way, kind: str) -> None:
    app = App("shelf")
    register = app.resource("x://{word}")
    if kind == "async":

        @register
        async def awaited(word: str) -> str:
            return word

    elif kind == "generator":

        @register
        def steps(word: str) -> Iterator[Progress | str]:
            yield Progress("reading")
            yield word

    else:

        @register
        async def async_steps(word: str) -> Any:
            yield Progress("reading")
            yield word

    assert result(read(app, "x://hi"))["contents"][0]["text"] == "hi"


@read
def test_what_is_at_the_address_itself_comes_before_templates_and_those_in_their_order(read: Way) -> None:
    app = App("shelf")
    app.resource("x://{a}")(lambda a: f"first {a}")
    app.resource("x://{+b}")(lambda b: f"second {b}")
    app.resource("x://me")(lambda: "me")
    for uri, said in [("x://me", "me"), ("x://you", "first you"), ("x://you/too", "second you/too")]:
        assert result(read(app, uri))["contents"] == [text(said, uri=uri)]


def _shelf() -> App:
    app = App("shelf")
    app.resource("notes://today")(lambda: "x")
    app.resource("file:///{+path}")(lambda path: path)

    @app.resource("img:{name}")
    def image(name: Path) -> str:
        return str(name)

    return app


# (URI, what the failure says)
MISSING = [
    ("notes://tomorrow", "there is no resource at 'notes://tomorrow'"),
    ("notes://toddy", "did you mean 'notes://today'?"),
    ("today", "this is no URI"),
    ("", "this is no URI"),
    ("notes://to day", "this is no URI"),
    ("x:" + "a" * 5000, "this is no URI"),
    ("file:///../secret", "path: it leads upwards"),
    ("file:///a/%2e%2E/secret", "path: it leads upwards"),
    ("file:///a%5c..%5csecret", "path: it leads upwards"),
    ("file:////etc/passwd", "path: it is an absolute path"),
    ("file:///%2Fetc/passwd", "path: it is an absolute path"),
    ("file:///C:/boot", "path: it is an absolute path"),
    ("file:///a%00b", "path: it holds a control character"),
    ("img:C:boot", "name: it is an absolute path"),
    ("img:..", "name: it leads upwards"),
]


@read
@pytest.mark.parametrize(("uri", "said"), MISSING)
def test_where_nothing_is_the_answer_is_an_error_and_never_empty_contents(read: Way, uri: str, said: str) -> None:
    outcome = failed(read(_shelf(), uri))
    assert said in outcome.text
    assert len(outcome.text) < 500
    error = protocol_error(outcome)
    assert isinstance(error, ResourceNotFound)
    assert (error.code, error.data["uri"], error.data["reason"]) == (-32602, uri, "unknown_resource")


@read
def test_an_app_without_resources_has_nothing_anywhere(read: Way) -> None:
    assert failed(read(App("empty"), "x://1")).reason == "unknown_resource"


@read
def test_a_function_may_say_that_nothing_is_there(read: Way) -> None:
    app = App("shelf")

    @app.resource("x://{day}")
    def entry(day: str) -> str:
        raise ResourceNotFound(f"no entry for {day} in /var/lib/shelf")

    outcome = failed(read(app, "x://1"))
    assert outcome.text == "Error: there is no resource at 'x://1': no entry for 1 in <path>"
    assert outcome.error_data == {
        "uri": "x://1",
        "reason": "unknown_resource",
        "code": "RESOURCE_NOT_FOUND",
        "retryable": False,
    }
    assert isinstance(exception_of(outcome), ResourceNotFound)


# (what the function raises, reason, what is said, what is not)
RAISED: list[tuple[BaseException, str, str, str]] = [
    (ValueError("in /var/lib/shelf"), "tool_error", "ValueError: in <path>", "/var"),
    (ToolError("the disk is full", code="FULL"), "tool_error", "Error: the disk is full", "ToolError"),
    (SystemExit(3), "tool_error", "SystemExit", "Traceback"),
    (KeyboardInterrupt(), "cancelled", "KeyboardInterrupt", "Traceback"),
]


@read
@pytest.mark.parametrize(("error", "reason", "said", "unsaid"), RAISED, ids=lambda value: type(value).__name__)
def test_what_a_function_raises_is_told_without_leaking(
    read: Way, error: BaseException, reason: str, said: str, unsaid: str
) -> None:
    app = App("shelf")

    @app.resource(URI)
    def broken() -> str:
        raise error

    outcome = failed(read(app, URI))
    assert (outcome.reason, outcome.error_data["uri"]) == (reason, URI)
    assert said in outcome.text
    assert unsaid not in outcome.text
    assert "tool" not in outcome.error_data


def test_masked_errors_say_nothing() -> None:
    app = App("shelf", policy=Policy(mask_errors=True))

    @app.resource("x://{kind}")
    def broken(kind: str) -> str:
        raise {"missing": ResourceNotFound("secret"), "broken": ValueError("secret")}[kind]

    for uri in ("x://missing", "x://broken"):
        outcome = failed(READ["blocking"](app, uri))
        assert "secret" not in outcome.text
        assert "secret" not in str(outcome.error_data)


@read
def test_a_variable_that_does_not_fit_is_refused_as_an_argument_is(read: Way) -> None:
    app = App("shelf")

    @app.resource("x://{number}{?limit}")
    def entry(number: int, limit: int = 3) -> str:
        return "never"

    outcome = failed(read(app, "x://five?limmit=1"))
    assert (outcome.kind.rpc_code, outcome.error_data["uri"]) == (-32602, "x://five?limmit=1")
    shown = [(each["path"], each["reason"]) for each in outcome.error_data["violations"]]
    assert shown == [("/limmit", "unexpected_argument"), ("/number", "type_mismatch")]
    assert "Patch" not in outcome.text
    assert outcome.error_data.keys().isdisjoint({"patch", "schema", "tool"})


@read
def test_limits_hold_for_resources_too(read: Way) -> None:
    app = App("shelf", policy=Policy(max_response_bytes=100))
    app.resource("x://long")(lambda: b"x" * 100)

    @app.resource("x://slow", timeout=0.05)
    def slow(ctx: Context) -> str:
        while not ctx.cancelled:
            time.sleep(0.001)
        return "too late"

    assert failed(read(app, "x://long")).reason == "cap_exceeded"
    assert failed(read(app, "x://slow")).reason == "timeout"


@read
def test_a_withdrawn_read_does_not_run(read: Way) -> None:
    app, ran = App("shelf"), []
    app.resource(URI)(lambda: ran.append(1))
    cancellation = Cancellation()
    cancellation.cancel()
    assert failed(read(app, URI, cancellation=cancellation)).reason == "cancelled"
    assert ran == []


@read
def test_middleware_is_for_tools(read: Way) -> None:
    app, seen = App("shelf"), []

    @app.use
    def watch(call: Any, following: Callable[[Any], Any]) -> Any:
        seen.append(call.name)
        return following(call)

    app.resource(URI)(lambda: "x")
    assert result(read(app, URI))
    assert seen == []


def test_values_of_the_app_are_made_once_for_tools_and_resources() -> None:
    made: list[str] = []
    with App("shelf") as app:

        @app.provide(Database, scope="app")
        def database() -> Iterator[Database]:
            made.append("open")
            yield Database()
            made.append("close")

        @app.command
        def tool(db: Database) -> str:
            return db.name

        app.resource(URI)(tool)
        assert app.call("tool") == result(READ["blocking"](app, URI))["contents"][0]["text"]
    assert made == ["open", "close"]
