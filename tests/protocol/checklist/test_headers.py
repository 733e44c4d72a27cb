"""Checklist, what HTTP repeats in headers. The order of refusals is part of the promise."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from accord.door.house import HouseRules, refuse_form
from accord.door.visit import Visit, visit_of
from accord.protocol.errors import HTTP_STATUS, Refused
from accord.protocol.headers import Headers, Mirrored, agree_on_arguments, headers_of
from tests.protocol._checklist import covers
from tests.protocol._server import Pipe
from tests.protocol._wire import EVERY, PREFIX, STATELESS, enveloped, initialize, request, stateless

CALL = stateless(1, "tools/call", name="add")
GOOD = {"version": STATELESS, "method": "tools/call", "name": "add"}


def wrapped(text: str) -> str:
    return f"=?base64?{b64encode(text.encode()).decode()}?="


def visited(headers: list[tuple[bytes, bytes]]) -> Visit:
    return visit_of({"method": "POST", "path": "/mcp", "headers": headers})


def posted(message: Any, **headers: Any) -> int | None:
    (written, code) = Pipe().post(message, Headers(**headers))
    assert len(written) == 1
    return code


@covers(34, 35)
@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({}, None),
        ({"version": None}, -32020),
        ({"version": "2025-11-25"}, -32020),
        ({"version": "1900-01-01"}, -32020),
        ({"method": None}, -32020),
        ({"method": "tools/list"}, -32020),
        ({"method": "TOOLS/CALL"}, -32020),
        ({"name": None}, -32020),
        ({"name": "ADD"}, -32020),
    ],
)
def test_headers_agree_with_the_body(changed: dict[str, Any], code: int | None) -> None:
    assert posted(CALL, **{**GOOD, **changed}) == code


@covers(21, 23, 34)
def test_the_first_of_several_flaws_is_the_one_that_is_told() -> None:
    no_meta = request(1, "tools/call", name="add")
    assert posted(no_meta, **GOOD) == -32602
    unknown = request(1, "nobody/knows", _meta={**enveloped(), PREFIX + "protocolVersion": "v999"})
    assert posted(unknown, version=STATELESS, method="nobody/knows") == -32020
    assert posted(unknown, version="v999", method="nobody/knows") == -32022
    assert posted(stateless(1, "nobody/knows"), version=STATELESS, method="nobody/knows") == -32601
    assert posted(stateless(1, "tools/call"), version=STATELESS, method="tools/call") == -32602


@covers(27)
@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe"])
def test_methods_of_the_handshake_era_are_not_found_over_stateless_http(method: str) -> None:
    code = posted(stateless(1, method, **initialize()["params"]), version=STATELESS, method=method)
    assert code == -32601
    assert HTTP_STATUS[code] == 404


@covers(11, 34)
def test_a_handshake_over_http_is_one() -> None:
    for version in (None, *EVERY[:2]):
        assert posted(initialize(), version=version) is None


@covers(35)
def test_header_names_ignore_case_and_values_their_padding() -> None:
    raw = [
        (b"MCP-Protocol-Version", b" 2026-07-28 "),
        (b"mcp-method", b"\ttools/call"),
        (b"Mcp-Name", b"add "),
        (b"Accept", b"x"),
    ]
    assert headers_of(visited(raw).headers) == Headers(**GOOD)


@covers(37)
@pytest.mark.parametrize("name", [b"MCP-Protocol-Version", b"Mcp-Name", b"Mcp-Param-Region"])
def test_a_header_that_is_routed_by_is_sent_once(name: bytes) -> None:
    refused = refuse_form(HouseRules(), visited([(name, b"a"), (name.lower(), b"a")]))
    assert refused is not None
    assert (refused.status, refused.code) == (400, -32020)


@covers(36)
@pytest.mark.parametrize(
    ("sent", "name", "agrees"),
    [
        (wrapped("add"), "add", True),
        (wrapped("ünï"), "ünï", True),
        ("=?base64?YWRk", "=?base64?YWRk", True),
        ("YWRk?=", "YWRk?=", True),
        ("=?BASE64?YWRk?=", "=?BASE64?YWRk?=", True),
        ("=?base64?YWR?=", "ad", False),
        ("=?base64?YW!!!Rk?=", "add", False),
        ("=?base64?/w==?=", "\xff", False),
        ("=?base64?=", "=?base64?=", True),
        (wrapped("sub"), "add", False),
    ],
)
def test_wrapped_names_are_decoded_strictly(sent: str, name: str, agrees: bool) -> None:
    code = posted(stateless(1, "prompts/get", name=name), version=STATELESS, method="prompts/get", name=sent)
    assert code == (None if agrees else -32020)


@covers(37, 39)
@pytest.mark.parametrize(
    ("value", "sent", "agrees"),
    [
        ("eu", "eu", True),
        ("eu", "us", False),
        ("eu", None, False),
        ("", "", True),
        ("Hello", "=?base64?SGVsbG8=?=", True),
        ("Hello", "=?base64?SGVsbG8?=", False),
        (42, "42", True),
        (42, "42.0", True),
        (42.0, "42", True),
        (42, "43", False),
        (42, "x", False),
        (2**53 + 1, str(2**53 + 1), True),
        (2**53 + 1, str(2**53), False),
        (True, "true", True),
        (False, "False", False),
        (1, "true", False),
        (None, None, True),
        (None, "eu", False),
    ],
)
def test_mirrored_arguments_agree_with_the_body(value: Any, sent: str | None, agrees: bool) -> None:
    headers = Headers(params={"other": "x"} if sent is None else {"region": sent, "other": "x"})
    mirrored = [Mirrored("Region", ("place", "region"))]
    if agrees:
        agree_on_arguments(headers, mirrored, {"place": {"region": value}})
        return
    with pytest.raises(Refused) as caught:
        agree_on_arguments(headers, mirrored, {"place": {"region": value}})
    assert caught.value.error.code == -32020


@covers(37)
def test_an_argument_that_is_not_there_needs_no_header() -> None:
    mirrored = [Mirrored("Region", ("place", "region"))]
    for arguments in ({}, {"place": None}, {"place": "flat"}):
        agree_on_arguments(Headers(), mirrored, arguments)


@covers(33)
def test_a_stateless_client_posts_no_responses() -> None:
    assert posted({"jsonrpc": "2.0", "id": "s1", "result": {}}, **GOOD) == -32600


@covers(3)
@pytest.mark.parametrize("body", [b"", b" ", b"{"])
def test_an_unreadable_body_is_a_parse_error(body: bytes) -> None:
    assert posted(body, **GOOD) == -32700
