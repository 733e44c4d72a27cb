"""Document 003: how a command line, a Python call and an MCP call agree (the numbers name the promises).

The document's four layers, for its two commands: the schema, the command line, the call, the MCP tool.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from accord import Context, function_to_schema
from accord._jsonpatch import apply_patch
from accord.errors import InvalidParams
from accord.protocol.session import ServerSession
from accord.server.desk import Desk
from accord.server.profile import profile_of
from accord.testing import Client, call_tool
from tests.contract.documents import dispatch
from tests.contract.documents.dispatch import app

ROOT = Path(__file__).parents[2]
STAGING = {"environment": "staging", "service": "api"}
DEPLOYED = {**STAGING, "version": "latest"}
BUILT = {"output": "public", "clean": True}
DEPLOY = ["deploy", "--environment", "staging", "--service", "api"]
BUILD = ["site", "build", "--output", "public", "--clean"]

# (the words of a command line, the name elsewhere, its arguments, its result)
CALLS = [
    (DEPLOY, "deploy", STAGING, DEPLOYED),
    ([*DEPLOY, "--version", "1.2"], "deploy", {**STAGING, "version": "1.2"}, {**STAGING, "version": "1.2"}),
    (BUILD, "site.build", BUILT, BUILT),
    (["site", "build"], "site.build", {}, {"output": "_site", "clean": False}),
]


@pytest.mark.parametrize(
    ("function", "name", "properties", "required"),
    [
        (
            dispatch.deploy,
            "deploy",
            {
                "environment": {"type": "string"},
                "service": {"type": "string"},
                "version": {"type": "string", "default": "latest"},
            },
            ["environment", "service"],
        ),
        (
            dispatch.build,
            "site.build",
            {"output": {"type": "string", "default": "_site"}, "clean": {"type": "boolean", "default": False}},
            [],
        ),
    ],
)
def test_layer_1_the_schema(function: Any, name: str, properties: dict[str, Any], required: list[str]) -> None:
    """003-117, 003-91: what the function says is what is registered and listed, without the context."""
    schema = function_to_schema(function)
    assert schema["properties"] == properties
    assert schema.get("required", []) == required
    assert app.tools[name].input_schema == schema
    (listed,) = [entry for entry in Client(app).list_tools() if entry["name"] == name]
    assert listed["inputSchema"] == schema


@pytest.mark.parametrize(("words", "name", "arguments", "result"), CALLS)
def test_layer_2_the_command_line(words: list[str], name: str, arguments: dict[str, Any], result: Any) -> None:
    """003-74, 003-78, 003-79, 003-80, 003-81, 003-82, 003-86, 003-106, 003-118."""
    ended = app.invoke(words)
    assert (ended.exit_code, ended.result, ended.exception, ended.stderr) == (0, result, None, "")
    width = max(map(len, result)) + 1
    shown = {key: str(value).lower() if isinstance(value, bool) else value for key, value in result.items()}
    assert ended.output == "".join(f"{f'{key}:':{width}} {value}\n" for key, value in shown.items())
    assert json.loads(app.invoke([*words, "--format", "json"]).output) == result


@pytest.mark.parametrize(("words", "name", "arguments", "result"), CALLS)
def test_layer_3_the_call(words: list[str], name: str, arguments: dict[str, Any], result: Any) -> None:
    """003-75, 003-83, 003-87, 003-119."""
    assert app.call(name, **arguments) == result


@pytest.mark.parametrize(("words", "name", "arguments", "result"), CALLS)
def test_layer_4_the_mcp_tool(words: list[str], name: str, arguments: dict[str, Any], result: Any) -> None:
    """003-77, 003-88, 003-120."""
    answer = call_tool(app, {"name": name, "arguments": arguments})
    assert answer["isError"] is False
    assert answer["structuredContent"] == result
    assert json.loads(answer["content"][0]["text"]) == result


@pytest.mark.parametrize(("words", "name", "arguments", "result"), CALLS)
def test_all_layers_agree(words: list[str], name: str, arguments: dict[str, Any], result: Any) -> None:
    """003-68, 003-69, 003-70, 003-72: one registry, so one name and one result."""
    called = app.call(name, **arguments)
    assert app.invoke(words).result == called
    assert call_tool(app, {"name": name, "arguments": arguments})["structuredContent"] == called


@pytest.mark.parametrize("words", [DEPLOY, [*BUILD, "--format", "json"]])
def test_a_real_process_does_what_invoke_does(words: list[str]) -> None:
    """003-73: `app.run()` reads the process's own arguments."""
    command = [sys.executable, "-m", "tests.contract.documents.dispatch", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    invoked = app.invoke(words)
    assert (done.stdout, done.stderr, done.returncode) == (invoked.output, invoked.stderr, invoked.exit_code)


def test_a_group_is_made_by_its_app_and_registers_commands_of_its_own() -> None:
    """003-85."""
    assert "site.build" in app.tools
    assert app.invoke(["build"]).exit_code == 2


def test_a_bool_that_is_false_by_default_is_a_flag() -> None:
    """003-89."""
    assert app.invoke(["site", "build", "--clean"]).result["clean"] is True
    assert app.invoke(["site", "build", "--no-clean"]).result["clean"] is False


@pytest.mark.parametrize("name", ["speaks", "deploy", "shows"])
def test_the_context_is_no_argument_anywhere(name: str) -> None:
    """003-90, 003-91, 000-16."""
    words = {"deploy": DEPLOY}.get(name, [name])
    assert app.invoke([*words, "--ctx", "1"]).exit_code == 2
    arguments = STAGING if name == "deploy" else {}
    with pytest.raises(InvalidParams):
        app.call(name, ctx=Context(), **arguments)
    answer = call_tool(app, {"name": name, "arguments": {**arguments, "ctx": {}}})
    assert answer["errorData"]["reason"] == "unexpected_argument"


def test_the_context_is_filled_in_on_every_surface() -> None:
    """003-71, 003-92, 003-93, 003-94; 000-62, 000-63: it logs, tells of errors and of progress."""
    ended = app.invoke(["speaks"])
    assert ended.output == "cli\n"
    assert ended.stderr.splitlines() == ["a log line", "error: an error line", "[1/2] a step"]
    assert app.call("speaks") == "python"
    assert call_tool(app, {"name": "speaks", "arguments": {}})["structuredContent"] == "mcp"


def test_the_context_runs_a_terminal_program_or_what_stands_for_it() -> None:
    """003-95: nobody sits at a terminal here (tests/surfaces/test_terminal.py has one)."""
    assert app.invoke(["shows"]).result == "in words"
    assert app.call("shows") == "in words"
    assert call_tool(app, {"name": "shows", "arguments": {}})["structuredContent"] == "in words"


@pytest.mark.parametrize(
    ("tool", "plain", "as_json", "text", "structure"),
    [pytest.param(*row[1:], id=f"{row[0]} {row[1]}") for row in dispatch.RESULTS],
)
def test_a_result_is_printed_and_sent_as_the_table_says(
    tool: str, plain: str, as_json: str, text: str, structure: Any
) -> None:
    """The rows name the promises; 003-106, 000-11."""
    assert app.invoke([tool]).output == plain
    assert app.invoke([tool, "--format", "json"]).output == as_json
    answer = call_tool(app, {"name": tool, "arguments": {}})
    assert answer["content"] == [{"type": "text", "text": text}]
    assert answer.get("structuredContent", ...) == structure
    assert type(answer.get("structuredContent", ...)) is type(structure)


def test_a_generator_tells_its_progress_and_then_its_value() -> None:
    """003-104."""
    ended = app.invoke(["steps"])
    assert ended.stderr.splitlines() == ["[0/2] first", "[1/2] second"]
    assert (ended.output, ended.result) == ("at the end\n", "at the end")
    assert app.call("steps") == "at the end"
    assert call_tool(app, {"name": "steps", "arguments": {}})["structuredContent"] == "at the end"


def test_over_mcp_a_generator_sends_its_progress_and_then_its_value() -> None:
    """003-105, on the wire: the notifications come before the result."""
    sent: list[bytes] = []
    session = ServerSession(profile_of(app))
    desk = Desk(app._registry, session, sent.append)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "t",
    }
    params = {"name": "steps", "arguments": {}, "_meta": meta}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    for event in session.receive(json.dumps(request).encode() + b"\n"):
        asked = desk.accept(event)
        assert asked is not None
        desk.answer(asked, lambda: None)
    first, second, result = (json.loads(line) for line in sent)
    assert [message["method"] for message in (first, second)] == ["notifications/progress"] * 2
    assert [message["params"]["message"] for message in (first, second)] == ["first", "second"]
    assert result["result"]["structuredContent"] == "at the end"


def test_an_exception_is_kept_by_invoke_and_raised_by_call() -> None:
    """003-82, 003-107, 003-108, 003-109: it is the object the tool raised."""
    ended = app.invoke(["fails"])
    assert ended.exit_code != 0
    assert isinstance(ended.exception, LookupError)
    with pytest.raises(LookupError, match="nowhere to be found"):
        app.call("fails")


def test_a_failure_over_mcp_is_a_tool_error_response() -> None:
    """003-110, 003-111, 003-112, 003-113, 003-114, 003-115."""
    answer = call_tool(app, {"name": "deploy", "arguments": {"service": "api"}})
    (block,) = answer["content"]
    assert block["type"] == "text"
    assert block["text"].startswith("Error: ")
    assert answer["isError"] is True
    data = answer["errorData"]
    assert (data["tool"], data["argument"], data["reason"]) == ("deploy", "environment", "missing_required_argument")
    assert data["schema"] == app.tools["deploy"].input_schema


def test_the_error_data_is_enough_to_repair_a_call() -> None:
    """003-116: without a look at the text, for what can be repaired without making something up."""
    arguments: dict[str, Any] = {"enviroment": "staging", "service": "api"}
    data = call_tool(app, {"name": "deploy", "arguments": arguments})["errorData"]
    repaired = apply_patch(arguments, data["patch"])
    jsonschema.validate(repaired, data["schema"])
    assert call_tool(app, {"name": "deploy", "arguments": repaired})["structuredContent"] == DEPLOYED
