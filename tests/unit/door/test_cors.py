"""What a browser is told before and after a page's request."""

from __future__ import annotations

import pytest

from accord.door.cors import exposed, preflight
from accord.door.house import HouseRules, refuse_stranger, rules_for
from tests.unit.door._visits import visit

RULES = rules_for("127.0.0.1")
PAGE = "http://localhost:6274"
ASKING = {"origin": PAGE, "access-control-request-method": "POST", "content-type": "", "accept": "*/*"}


def test_a_page_that_is_let_in_may_send_what_the_protocol_needs() -> None:
    asked = "authorization,content-type,mcp-protocol-version,mcp-session-id,mcp-method,mcp-name,last-event-id"
    headers = preflight(RULES, visit("OPTIONS", {**ASKING, "access-control-request-headers": asked}))
    assert headers is not None
    assert headers["access-control-allow-origin"] == PAGE
    assert headers["access-control-allow-methods"] == "POST, GET, DELETE"
    assert set(asked.split(",")) <= set(headers["access-control-allow-headers"].split(", "))
    assert "Origin" in headers["vary"]
    assert "access-control-allow-credentials" not in headers


def test_mirrored_arguments_are_allowed_by_name_and_nothing_else_is() -> None:
    asked = "Mcp-Param-Region, x-secret, mcp-param-, mcp-param-a b, mcp-param-region"
    headers = preflight(RULES, visit("OPTIONS", {**ASKING, "access-control-request-headers": asked}))
    assert headers is not None
    allowed = headers["access-control-allow-headers"].split(", ")
    assert [name for name in allowed if name.startswith(("mcp-param", "x-"))] == ["mcp-param-region"]


def test_only_the_verbs_that_are_served_are_allowed() -> None:
    headers = preflight(HouseRules(verbs=("POST",)), visit("OPTIONS", ASKING))
    assert headers is not None
    assert headers["access-control-allow-methods"] == "POST"


NO_PREFLIGHTS = {
    "another verb": ("POST", {}),
    "no page": ("OPTIONS", {"origin": ""}),
    "no question": ("OPTIONS", {"access-control-request-method": ""}),
}


@pytest.mark.parametrize(("verb", "changed"), NO_PREFLIGHTS.values(), ids=NO_PREFLIGHTS)
def test_what_is_no_preflight_is_not_answered_like_one(verb: str, changed: dict[str, str]) -> None:
    assert preflight(RULES, visit(verb, {**ASKING, **changed})) is None


@pytest.mark.parametrize("origin", ["https://evil.com", "null", "http://localhost:80.evil.com"])
def test_the_preflight_of_another_page_never_gets_that_far(origin: str) -> None:
    refusal = refuse_stranger(RULES, visit("OPTIONS", {**ASKING, "origin": origin}))
    assert refusal is not None
    assert refusal.status == 403
    assert "access-control-allow-origin" not in refusal.all_headers


def test_a_page_may_read_the_session_and_the_challenge() -> None:
    headers = exposed(visit("POST", {"origin": PAGE}))
    assert headers["access-control-allow-origin"] == PAGE
    assert {"Mcp-Session-Id", "WWW-Authenticate"} <= set(headers["access-control-expose-headers"].split(", "))
    assert headers["vary"] == "Origin"


def test_nothing_is_exposed_where_no_page_asks() -> None:
    assert exposed(visit()) == {}
