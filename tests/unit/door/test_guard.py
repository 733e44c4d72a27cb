"""Whose token a request carries: challenges, scopes, and the document that says where tokens come from."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Bearer, Principal
from accord.auth import Tokens, Verify
from accord.door.guard import Guard
from accord.door.refusal import Refusal
from accord.door.scopes import Scopes
from tests.unit.door._visits import visit

RESOURCE = "https://mcp.example.com/mcp"
METADATA = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
SERVERS = ["https://auth.example.com"]
TOKEN = "a-secret-token-of-alice"
ALICE = Principal("alice", scopes={"mcp:read"}, audience=RESOURCE)


def guard_of(verify: Verify = Tokens({TOKEN: ALICE}), **more: Any) -> Guard:
    told: dict[str, Any] = {"resource": RESOURCE, "authorization_servers": SERVERS, "scopes": ["mcp:read"], **more}
    return Guard(Bearer(verify, **told))


def admitted(guard: Guard, credentials: str, *, query: str = "") -> Principal | Refusal:
    return asyncio.run(guard.admit(visit("POST", {"authorization": credentials}, query=query)))


def challenge(answer: Principal | Refusal | None, status: int) -> dict[str, str]:
    """What a refusal's challenge says; fails for another status."""
    assert isinstance(answer, Refusal)
    assert answer.status == status
    said = answer.headers["www-authenticate"]
    assert re.fullmatch(r'Bearer(?: \w+="[^"\\]*"(?:, \w+="[^"\\]*")*)?', said)
    return dict(re.findall(r'(\w+)="([^"]*)"', said))


def test_a_valid_token_is_let_in_as_its_principal() -> None:
    assert admitted(guard_of(), f"Bearer {TOKEN}") is ALICE
    assert admitted(guard_of(), f"bearer   {TOKEN}") is ALICE


def test_without_a_token_the_challenge_says_where_to_get_one_and_names_no_error() -> None:
    said = challenge(admitted(guard_of(), ""), 401)
    assert said == {"scope": "mcp:read", "resource_metadata": METADATA}


@pytest.mark.parametrize("credentials", ["Basic YTpi", "Digest x=y", "Negotiate", "Bearerx token"])
def test_credentials_of_another_scheme_are_none(credentials: str) -> None:
    assert "error" not in challenge(admitted(guard_of(), credentials), 401)


@pytest.mark.parametrize("token", ["wrong", TOKEN[:-1], TOKEN.upper(), f"{TOKEN}="])
def test_a_wrong_token_is_an_error_and_the_answer_the_same_for_all(token: str) -> None:
    refusal = admitted(guard_of(), f"Bearer {token}")
    said = challenge(refusal, 401)
    assert said == {"error": "invalid_token", "scope": "mcp:read", "resource_metadata": METADATA}
    assert refusal == admitted(guard_of(), "Bearer other")


MALFORMED = [
    "Bearer",
    "Bearer ",
    f"Bearer {TOKEN} x",
    f"Bearer {TOKEN}, Bearer {TOKEN}",
    f'Bearer "{TOKEN}"',
    "Bearer a\tb",
    "Bearer =",
    "Bearer tök",
    "Bearer a=b",
    f",{TOKEN}",
    "@",
]


@pytest.mark.parametrize("credentials", MALFORMED)
def test_malformed_credentials_are_a_bad_request(credentials: str) -> None:
    assert challenge(admitted(guard_of(), credentials), 400)["error"] == "invalid_request"


@pytest.mark.parametrize("query", [f"access_token={TOKEN}", f"token={TOKEN}", f"Authorization=Bearer%20{TOKEN}"])
def test_a_token_in_the_address_is_none(query: str) -> None:
    assert "error" not in challenge(admitted(guard_of(), "", query=query), 401)
    assert challenge(admitted(guard_of(), "Bearer wrong", query=query), 401)["error"] == "invalid_token"


def test_a_bare_function_challenges_without_a_document() -> None:
    guard = Guard(Tokens({TOKEN: "alice"}))
    assert admitted(guard, f"Bearer {TOKEN}") == Principal("alice")
    refusal = admitted(guard, "")
    assert challenge(refusal, 401) == {}
    assert isinstance(refusal, Refusal)
    assert refusal.headers == {"www-authenticate": "Bearer"}
    assert (guard.metadata, guard.metadata_url, guard.metadata_paths) == (None, None, frozenset())


def test_verification_may_wait() -> None:
    async def verify(token: str) -> Principal | None:
        await asyncio.sleep(0)
        return ALICE if token == TOKEN else None

    assert admitted(guard_of(verify), f"Bearer {TOKEN}") is ALICE
    challenge(admitted(guard_of(verify), "Bearer other"), 401)


# -- whom a token was made for ---------------------------------------------------------------------------------------

MEANT_FOR_US = [RESOURCE, f"{RESOURCE}/", "HTTPS://MCP.EXAMPLE.COM:443/mcp", ("https://other.example", RESOURCE)]
MEANT_FOR_OTHERS = [
    None,
    "",
    (),
    "https://mcp.example.com",
    "https://mcp.example.com/mcp2",
    "https://mcp.example.com/mcp/x",
    "http://mcp.example.com/mcp",
    "https://mcp.example.com.evil.com/mcp",
    "mcp.example.com/mcp",
    "*",
]


@pytest.mark.parametrize("audience", MEANT_FOR_US, ids=str)
def test_a_token_for_this_server_is_let_in(audience: Any) -> None:
    who = Principal("alice", scopes={"mcp:read"}, audience=audience)
    assert admitted(guard_of(lambda token: who), "Bearer x") is who


@pytest.mark.parametrize("audience", MEANT_FOR_OTHERS, ids=str)
def test_a_token_for_another_server_is_refused(audience: Any) -> None:
    who = Principal("alice", scopes={"mcp:read"}, audience=audience)
    assert challenge(admitted(guard_of(lambda token: who), "Bearer x"), 401)["error"] == "invalid_token"


def test_an_authorization_server_may_name_audiences_otherwise() -> None:
    who = Principal("alice", scopes={"mcp:read"}, audience=["api://mcp", "other"])
    assert admitted(guard_of(lambda token: who, audience="api://mcp"), "Bearer x") is who
    challenge(admitted(guard_of(lambda token: who, audience=["API://mcp"]), "Bearer x"), 401)
    challenge(admitted(guard_of(lambda token: ALICE, audience=["api://mcp"]), "Bearer x"), 401)


def test_whoever_forgets_the_audience_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    guard = guard_of(lambda token: Principal("alice", scopes={"mcp:read"}))
    for _ in range(3):
        challenge(admitted(guard, "Bearer x"), 401)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "audience" in caplog.text


# -- what goes wrong while a token is checked --------------------------------------------------------------------------


def raises(token: str) -> Principal | None:
    raise OSError(f"GET https://auth.example.com/introspect?token={token} failed")


async def raises_later(token: str) -> Principal | None:
    raise OSError(f"token {token}")


FAILING: dict[str, Callable[[str], Any]] = {
    "raises": raises,
    "raises later": raises_later,
    "says True": lambda token: True,
    "says a name": lambda token: "alice",
}


@pytest.mark.parametrize("verify", FAILING.values(), ids=FAILING)
def test_nobody_gets_in_by_a_failure_and_the_log_holds_no_token(
    verify: Callable[[str], Any], caplog: pytest.LogCaptureFixture
) -> None:
    refusal = admitted(guard_of(verify), f"Bearer {TOKEN}")
    assert isinstance(refusal, Refusal)
    assert refusal.status == 503
    assert "www-authenticate" not in refusal.headers
    assert caplog.records[0].levelno == logging.ERROR
    assert TOKEN not in caplog.text
    assert TOKEN.encode() not in refusal.body


# -- scopes ------------------------------------------------------------------------------------------------------------


def test_what_every_request_needs_is_asked_of_every_principal() -> None:
    bob = Principal("bob", scopes={"other"}, audience=RESOURCE)
    said = challenge(admitted(guard_of(lambda token: bob), "Bearer x"), 403)
    assert said["error"] == "insufficient_scope"
    assert said["scope"] == "mcp:read"


def test_an_operation_lists_all_it_needs_in_one_challenge_and_nothing_else() -> None:
    guard = guard_of()
    who = Principal("alice", scopes={"mcp:read", "files:read", "mail:send"}, audience=RESOURCE)
    said = challenge(guard.refuse(who, ("files:write", "files:read")), 403)
    assert said["error"] == "insufficient_scope"
    assert said["scope"] == "mcp:read files:write files:read"
    assert said["resource_metadata"] == METADATA
    assert guard.refuse(who, ("files:read",)) is None
    assert guard.refuse(who, ()) is None


def test_a_broader_scope_will_do() -> None:
    guard = guard_of(hierarchy={"admin": ["files:write"], "files:write": ["files:read"]})
    admin = Principal("root", scopes={"admin"}, audience=RESOURCE)
    assert guard.missing(admin, ("files:read", "files:write", "admin")) == ()
    assert guard.missing(Principal("alice", scopes={"files:write"}), ("files:read", "admin")) == ("admin",)
    assert guard.missing(Principal("bob", scopes={"files:read"}), ("files:write",)) == ("files:write",)


def test_a_broader_scope_will_do_for_what_every_request_needs() -> None:
    admin = Principal("root", scopes={"admin"}, audience=RESOURCE)
    assert admitted(guard_of(lambda token: admin, hierarchy={"admin": ["mcp:read"]}), "Bearer x") is admin


def test_nobody_has_no_scope() -> None:
    assert guard_of().missing(None, ("a", "b")) == ("a", "b")
    assert guard_of().missing(None, ()) == ()


names = st.sampled_from("abcdef")
hierarchies = st.dictionaries(names, st.frozensets(names))


@given(hierarchies, st.frozensets(names), st.lists(names, unique=True))
def test_scopes_are_held_that_can_be_reached_in_the_hierarchy(
    hierarchy: dict[str, frozenset[str]], held: frozenset[str], needed: list[str]
) -> None:
    reached = set(held)
    while more := {inner for scope in reached for inner in hierarchy.get(scope, ())} - reached:
        reached |= more
    assert Scopes(hierarchy).missing(held, needed) == tuple(scope for scope in needed if scope not in reached)


# -- the document ------------------------------------------------------------------------------------------------------


def test_the_document_names_the_resource_and_who_gives_tokens() -> None:
    guard = guard_of()
    assert guard.metadata is not None
    assert json.loads(guard.metadata) == {
        "resource": RESOURCE,
        "authorization_servers": SERVERS,
        "scopes_supported": ["mcp:read"],
        "bearer_methods_supported": ["header"],
    }
    assert "scopes_supported" not in json.loads(guard_of(scopes=()).metadata or b"")


PATHS = {
    RESOURCE: {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"},
    "https://mcp.example.com": {"/.well-known/oauth-protected-resource"},
    "https://mcp.example.com/m%C3%BCll": {
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/m\u00fcll",
    },
    "https://mcp.example.com/a/b/": {
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/a/b",
    },
}


@pytest.mark.parametrize(("resource", "paths"), PATHS.items(), ids=PATHS)
def test_the_document_is_at_the_root_and_beside_the_endpoint(resource: str, paths: set[str]) -> None:
    assert guard_of(resource=resource).metadata_paths == paths


@given(st.text())
def test_no_credentials_make_the_guard_fail_and_none_but_the_right_ones_get_in(credentials: str) -> None:
    guard = guard_of()
    asking = visit("POST")
    asking = type(asking)(verb="POST", headers={"authorization": credentials})
    answer = asyncio.run(guard.admit(asking))
    assert isinstance(answer, Refusal)
    assert answer.status in (400, 401)
