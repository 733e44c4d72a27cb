"""Tokens at the endpoint: who is let in, who is told where tokens come from, and what belongs to whom."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from accord import App, Bearer, Context, Principal
from accord.auth import Tokens
from accord.ext.jwt import JWTVerifier
from accord.transports.asgi.endpoint import Endpoint
from accord.types import Cursor, Page
from tests.protocol._checklist import covers
from tests.protocol._wire import EVERY, request, stateless
from tests.unit.transports._visitor import Exchange, Visitor, looped

HERE = "https://mcp.example.com/mcp"
ISSUER = "https://auth.example.com"
DOCUMENT = "/.well-known/oauth-protected-resource"
ADA, BOB = "a-token-that-is-Adas-alone", "a-token-that-is-Bobs-alone"
SCOPES = {"files:read", "files:write", "mcp"}


@cache
def key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def token(**claims: Any) -> str:
    """One of Ada's, for this server and for an hour; None takes a claim away."""
    given = {"sub": "ada", "iss": ISSUER, "aud": HERE, "exp": time.time() + 3600, "scope": "mcp files:read", **claims}
    return jwt.encode({name: value for name, value in given.items() if value is not None}, key(), "ES256")


def app() -> App:
    made = App("guarded")

    @made.command
    async def who(ctx: Context) -> str:
        return str(ctx.principal)

    @made.command(scopes=["files:read"])
    async def reads() -> str:
        return "read"

    @made.command(scopes=["files:write", "files:read"])
    async def writes() -> str:
        return "written"

    @made.command
    async def pages(cursor: Cursor | None = None) -> Page[int]:
        start = cursor.state if cursor else 0
        return Page([start], Cursor(start + 1))

    @made.command
    async def asks(ctx: Context) -> str:
        return await ctx.aask("Who?")

    return made


def guarded(**options: Any) -> Visitor:
    """An endpoint that takes the tokens of an authorization server."""
    keys = key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    verify = JWTVerifier(issuer=ISSUER, audience=HERE, keys=keys, algorithms=("ES256",))
    bearer = Bearer(
        verify,
        resource=HERE,
        authorization_servers=[ISSUER],
        scopes=["mcp"],
        hierarchy={"files:write": ["files:read"]},
    )
    return Visitor(Endpoint(app(), path="/mcp", auth=bearer, hosts=["localhost"], **options))


def shared() -> Visitor:
    """An endpoint of Ada's and Bob's."""
    return Visitor(Endpoint(app(), path="/mcp", auth=Tokens({ADA: "ada", BOB: Principal("bob")})))


def bearing(word: str) -> dict[str, Any]:
    return {"authorization": f"Bearer {word}"}


def challenge(answer: Exchange) -> dict[str, str]:
    """What the client is told about tokens."""
    scheme, _, rest = answer.headers["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    return {name: value.strip('"') for name, _, value in (part.partition("=") for part in rest.split(", "))}


@covers(94)
@pytest.mark.parametrize("path", [DOCUMENT, f"{DOCUMENT}/mcp"])
@looped
async def test_where_tokens_come_from_is_told_without_one(path: str) -> None:
    answer = await guarded().send("GET", path=path).over()
    assert answer.status == 200
    assert answer.json["resource"] == HERE
    assert answer.json["authorization_servers"] == [ISSUER]
    assert "offline_access" not in answer.json["scopes_supported"]


MESSAGES = [
    stateless(1, "server/discover"),
    stateless(1, "tools/list"),
    stateless(1, "tools/call", name="who", arguments={}),
    request(1, "initialize", protocolVersion=EVERY[0], capabilities={}, clientInfo={"name": "c", "version": "1"}),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]


@covers(95, 97)
@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message["method"])
@looped
async def test_every_request_needs_a_token(message: dict[str, Any]) -> None:
    visitor = guarded()
    answer = await visitor.post(message).over()
    assert answer.status == 401
    told = challenge(answer)
    assert told["resource_metadata"] == f"https://mcp.example.com{DOCUMENT}/mcp"
    assert told["scope"] == "mcp"
    assert "error" not in told
    assert (await visitor.post(message, **bearing(token())).over()).status in (200, 202)


WRONG = {
    "of somebody else's making": "eyJhbGciOiJub25lIn0.e30.",
    "expired": {"exp": 1},
    "for another server": {"aud": "https://other.example.com/mcp"},
    "of another authorization server": {"iss": "https://evil.example.com"},
    "for nobody": {"aud": None},
    "that never ends": {"exp": None},
}


@covers(95)
@pytest.mark.parametrize("claims", WRONG.values(), ids=WRONG)
@looped
async def test_a_token_is_refused_that_is(claims: Any) -> None:
    word = claims if isinstance(claims, str) else token(**claims)
    answer = await guarded().post(MESSAGES[2], **bearing(word)).over()
    assert answer.status == 401
    assert challenge(answer)["error"] == "invalid_token"
    assert word not in answer.body.decode()


@covers(96)
@looped
async def test_what_a_token_lacks_is_told_at_once_and_a_broader_scope_includes_a_narrower() -> None:
    visitor = guarded()

    async def called(name: str, scope: str) -> Exchange:
        message = stateless(1, "tools/call", name=name, arguments={})
        return await visitor.post(message, **bearing(token(scope=scope))).over()

    assert (await called("reads", "mcp files:read")).status == 200
    assert (await called("reads", "mcp files:write")).status == 200
    refused = await called("writes", "mcp files:read")
    assert refused.status == 403
    told = challenge(refused)
    assert told["error"] == "insufficient_scope"
    assert set(told["scope"].split()) == SCOPES


@covers(97)
@looped
async def test_a_token_in_the_address_is_none() -> None:
    visitor = guarded()
    assert (await visitor.send("POST", b"{}", path=f"/mcp?access_token={token()}").over()).status in (401, 404)
    assert (await visitor.post(MESSAGES[2], x_access_token=token()).over()).status == 401


@looped
async def test_a_tool_knows_who_calls() -> None:
    for word, name in ((ADA, "ada"), (BOB, "bob")):
        answer = await shared().post(MESSAGES[2], **bearing(word)).over()
        assert answer.json["result"]["structuredContent"] == name


@looped
async def test_a_session_is_there_for_whom_it_was_made_and_for_nobody_else() -> None:
    visitor = shared()
    visitor.given = {**bearing(ADA)}
    guest = await visitor.shake_hands()
    assert (await guest.call("who").over()).json["result"]["structuredContent"] == {"result": "ada"}
    for verb in ("POST", "GET", "DELETE"):
        intruder = Visitor(visitor.endpoint)
        intruder.given = {**guest.given, **bearing(BOB)}
        body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
        assert (await intruder.send(verb, body).over()).status == 404
    assert (await guest.post(request(2, "ping")).over()).json["result"] == {}


@looped
async def test_a_cursor_of_one_is_no_cursor_of_another() -> None:
    visitor = shared()

    async def page(word: str, **arguments: Any) -> Any:
        message = stateless(1, "tools/call", name="pages", arguments=arguments)
        return (await visitor.post(message, **bearing(word)).over()).json["result"]

    cursor = (await page(ADA))["structuredContent"]["nextCursor"]
    assert (await page(ADA, cursor=cursor))["structuredContent"]["items"] == [1]
    assert (await page(BOB, cursor=cursor))["isError"]


@pytest.mark.parametrize(("how", "word"), [("of somebody else", BOB), ("that was altered", ADA)])
@looped
async def test_the_state_of_a_question_is_refused(how: str, word: str) -> None:
    visitor = shared()
    capable = {"capabilities": {"elicitation": {}}}

    async def asked(bearer: str, **more: Any) -> Any:
        message = stateless(1, "tools/call", meta=capable, name="asks", arguments={}, **more)
        return (await visitor.post(message, **bearing(bearer)).over()).json

    first = (await asked(ADA))["result"]
    (question,) = first["inputRequests"]
    answers = {question: {"action": "accept", "content": {"answer": "Ada"}}}
    state = first["requestState"]
    used = state if how == "of somebody else" else state[:-2] + ("A" if state[-2] != "A" else "B") + state[-1]
    refused = await asked(word, inputResponses=answers, requestState=used)
    assert refused["error"]["code"] == -32602
    assert "requestState" in refused["error"]["message"]
    accepted = await asked(ADA, inputResponses=answers, requestState=state)
    assert accepted["result"]["structuredContent"] == "Ada"
    assert accepted["result"]["resultType"] == "complete"
