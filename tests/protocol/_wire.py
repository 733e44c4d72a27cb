"""Messages for tests, and the official schemas as their judge."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema.protocols import Validator
from jsonschema.validators import validator_for

SCHEMAS = Path(__file__).resolve().parents[1] / "data" / "mcp-schema"
OLD, NEW, STATELESS = "2025-06-18", "2025-11-25", "2026-07-28"
HANDSHAKES = (OLD, NEW)
EVERY = (OLD, NEW, STATELESS)

PREFIX = "io.modelcontextprotocol/"
CLIENT = {"name": "tester", "version": "1"}
ENVELOPE = {PREFIX + "protocolVersion": STATELESS, PREFIX + "clientInfo": CLIENT, PREFIX + "clientCapabilities": {}}
STAMP = {PREFIX + "serverInfo": {"name": "scripted", "version": "1"}}


def enveloped(**more: Any) -> dict[str, Any]:
    """The `_meta` of a stateless request; `capabilities` and `level` by their short names, the rest as it is."""
    meta = dict(ENVELOPE)
    if "capabilities" in more:
        meta[PREFIX + "clientCapabilities"] = more.pop("capabilities")
    if "level" in more:
        meta[PREFIX + "logLevel"] = more.pop("level")
    return {**meta, **more}


def request(id: Any, method: str, /, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def stateless(id: Any, method: str, /, *, meta: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
    return request(id, method, **params, _meta=enveloped(**(meta or {})))


def notification(method: str, /, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def initialize(version: str = NEW, *, id: Any = 0, **capabilities: Any) -> dict[str, Any]:
    return request(id, "initialize", protocolVersion=version, capabilities=capabilities, clientInfo=CLIENT)


def line(message: Any) -> bytes:
    return (message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n"


def messages(data: bytes) -> list[Any]:
    """What was written: one JSON object to a line, each with its newline."""
    assert data == b"" or data.endswith(b"\n")
    lines = data.split(b"\n")[:-1]
    assert all(each.startswith(b"{") for each in lines)
    return [json.loads(each) for each in lines]


# -- the judge ------------------------------------------------------------------------------------------------------

RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "logging/setLevel": "EmptyResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "tasks/update": "EmptyResult",
    "tasks/cancel": "EmptyResult",
}
SENT = {
    "initialize": "InitializeRequest",
    "notifications/initialized": "InitializedNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/cancelled": "CancelledNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
    "notifications/elicitation/complete": "ElicitationCompleteNotification",
    "elicitation/create": "ElicitRequest",
    "sampling/createMessage": "CreateMessageRequest",
    "roots/list": "ListRootsRequest",
    "logging/setLevel": "SetLevelRequest",
    "resources/subscribe": "SubscribeRequest",
    "tools/list": "ListToolsRequest",
    "tools/call": "CallToolRequest",
    "server/discover": "DiscoverRequest",
    "subscriptions/listen": "SubscriptionsListenRequest",
}
ERRORS = {OLD: "JSONRPCError", NEW: "JSONRPCErrorResponse", STATELESS: "JSONRPCErrorResponse"}


@cache
def judge(version: str, definition: str) -> Validator:
    schema = json.loads((SCHEMAS / version / "schema.json").read_text(encoding="utf-8"))
    keyword = "$defs" if "$defs" in schema else "definitions"
    return validator_for(schema)({**schema, "$ref": f"#/{keyword}/{definition}"})


def complaints(version: str, definition: str, instance: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in judge(version, definition).iter_errors(instance)]


# The official schema has no words for the extension: these are its rules.
TASK = {
    "type": "object",
    "properties": {
        "taskId": {"type": "string", "minLength": 20},
        "status": {"enum": ["working", "input_required", "completed", "failed", "cancelled"]},
        "statusMessage": {"type": "string"},
        "createdAt": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"},
        "lastUpdatedAt": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"},
        "ttlMs": {"type": ["integer", "null"], "minimum": 1},
        "pollIntervalMs": {"type": "integer", "minimum": 1},
        "_meta": {"type": "object", "propertyNames": {"not": {"const": "io.modelcontextprotocol/related-task"}}},
        "resultType": {"type": "string"},
    },
    "required": ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"],
    "additionalProperties": False,
}
#: what a status brings along
OF_A_STATUS = {"input_required": "inputRequests", "completed": "result", "failed": "error"}
ASKED = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {
        "type": "object",
        "properties": {"method": {"type": "string"}, "params": {"type": "object"}},
        "required": ["method"],
        "additionalProperties": False,
    },
}


def task_complaints(told: dict[str, Any], *, is_brief: bool = False) -> list[str]:
    """What is wrong with a task, told of in brief or whole."""
    member = None if is_brief else OF_A_STATUS.get(told["status"])
    more = {} if member is None else {member: ASKED if member == "inputRequests" else {"type": "object"}}
    schema = {
        **TASK,
        "properties": {**TASK["properties"], **more},
        "required": [*TASK["required"], *more],
    }
    found = [f"{error.json_path}: {error.message}" for error in validator_for(schema)(schema).iter_errors(told)]
    if member == "result":
        found += complaints(STATELESS, "CallToolResult", {"resultType": "complete", **told["result"]})
    if member == "error":
        found += complaints(STATELESS, "Error", told["error"])
    kind = told.get("resultType")
    return found if kind in (None, "task" if is_brief else "complete") else [*found, f"resultType is {kind}"]


def objections(message: Any, version: str, answering: str | None) -> list[str]:
    """What the official schema of the version has against a message; `answering` is the method a response is to."""
    if message.get("method") == "notifications/tasks":
        return task_complaints(message["params"])
    if "method" in message:
        return complaints(version, SENT[message["method"]], message)
    if "error" in message:
        # 2025-06-18 has no form for an error without an id; the later ones do.
        return complaints(
            version if "id" in message else STATELESS, ERRORS[version if "id" in message else NEW], message
        )
    result = message["result"]
    if result.get("resultType") == "task" or answering == "tasks/get":
        return task_complaints(result, is_brief=answering != "tasks/get")
    kind = "InputRequiredResult" if result.get("resultType") == "input_required" else RESULTS[str(answering)]
    envelope = "JSONRPCResponse" if version == OLD else "JSONRPCResultResponse"
    return complaints(version, kind, result) + complaints(version, envelope, message)
