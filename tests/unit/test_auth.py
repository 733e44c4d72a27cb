"""What an author says about who may call, and which of it can only be a mistake."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from accord import Bearer, Principal, RateLimit
from accord.auth import Tokens, canonical_uri

RESOURCE = "https://mcp.example.com/mcp"
SERVERS = ["https://auth.example.com"]


def nobody(token: str) -> Principal | None:
    return None


def test_a_principal_shows_neither_claims_nor_audience() -> None:
    who = Principal("alice", scopes={"b", "a"}, claims={"email": "alice@example.com"}, audience="x")
    assert repr(who) == "Principal('alice', scopes=['a', 'b'])"


def test_a_principal_has_a_name() -> None:
    with pytest.raises(ValueError, match="has a name"):
        Principal("")


def test_scopes_are_a_set_and_not_the_letters_of_a_text() -> None:
    with pytest.raises(TypeError, match="split"):
        Principal("alice", scopes="read write")


CANONICAL = {
    "https://mcp.example.com/mcp": "https://mcp.example.com/mcp",
    "HTTPS://MCP.Example.com/Mcp/": "https://mcp.example.com/Mcp",
    "https://mcp.example.com:443": "https://mcp.example.com",
    "http://mcp.example.com:80/": "http://mcp.example.com",
    "https://mcp.example.com:8443/": "https://mcp.example.com:8443",
    "http://[::1]:8000/mcp": "http://[::1]:8000/mcp",
}


@pytest.mark.parametrize(("text", "canonical"), CANONICAL.items(), ids=CANONICAL)
def test_an_endpoint_has_one_spelling(text: str, canonical: str) -> None:
    assert canonical_uri(text) == canonical
    assert canonical_uri(canonical) == canonical


NO_ENDPOINTS = [
    "",
    "mcp.example.com",
    "/mcp",
    "ftp://mcp.example.com",
    "urn:mcp",
    "https://",
    "https:///mcp",
    "https://mcp.example.com/#x",
    "https://mcp.example.com/?x=1",
    "https://user:pass@mcp.example.com",
    "https://mcp.example.com:port",
    'https://mcp.example.com/"',
    "https://mcp.example.com/\r\nx: y",
    "https://mcp.example.com/a b",
    "https://bücher.example",
    "https://mcp.example.com\\@evil.com",
]


@pytest.mark.parametrize("text", NO_ENDPOINTS)
def test_what_is_no_endpoint_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        canonical_uri(text)


MISTAKES: dict[str, dict[str, Any]] = {
    "no authorization server": {"authorization_servers": []},
    "one text for a list of servers": {"authorization_servers": "https://auth.example.com"},
    "a server that is no URI": {"authorization_servers": ["auth"]},
    "a resource that is no URI": {"resource": "mcp"},
    "one text for a list of scopes": {"scopes": "read"},
    "a scope of two words": {"scopes": ["read write"]},
    "a scope that ends a header": {"scopes": ['read"']},
    "an empty scope": {"scopes": [""]},
    "offline access": {"scopes": ["offline_access"]},
    "one text in a hierarchy": {"hierarchy": {"write": "read"}},
    "a hierarchy of no scope": {"hierarchy": {"a b": ["read"]}},
    "nothing that verifies": {"verify": "secret"},
}


@pytest.mark.parametrize("wrong", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_one_at_once(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"verify": nobody, "resource": RESOURCE, "authorization_servers": SERVERS, **wrong}
    with pytest.raises(ValueError):
        Bearer(given.pop("verify"), **given)


def test_a_bearer_is_frozen_and_its_resource_has_one_spelling() -> None:
    bearer = Bearer(nobody, resource=f"{RESOURCE}/", authorization_servers=SERVERS)
    assert (bearer.resource, bearer.audience) == (RESOURCE, (RESOURCE,))
    with pytest.raises(AttributeError):
        bearer.resource = "https://evil.com"  # type: ignore[misc]  # that is what is tested


def test_help_shows_how_the_values_are_made() -> None:
    shown = str(inspect.signature(Bearer))
    assert shown.startswith("(verify: ")
    assert "*, resource: str, authorization_servers: " in shown
    assert str(inspect.signature(RateLimit)) == "(calls: int, per: float = 60.0, burst: int | None = None) -> None"


def test_a_known_token_is_its_principal_and_any_other_nobody() -> None:
    bot = Principal("bot", scopes={"read"})
    tokens = Tokens({"a-long-secret-token": "alice", "another-secret-token": bot})
    assert tokens("a-long-secret-token") == Principal("alice")
    assert tokens("another-secret-token") is bot
    for other in ("", "a-long-secret-toke", "a-long-secret-token ", "A-LONG-SECRET-TOKEN", "\ud800"):
        assert tokens(other) is None


def test_tokens_are_neither_kept_nor_shown() -> None:
    tokens = Tokens({"a-long-secret-token": "alice"})
    assert repr(tokens) == "<Tokens of alice>"
    assert "secret" not in repr(tokens._known)


def test_a_token_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(ValueError, match="token_urlsafe") as caught:
        Tokens({"hunter2": "alice"})
    assert "hunter2" not in str(caught.value)
