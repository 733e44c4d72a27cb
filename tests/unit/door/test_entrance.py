"""The whole way in: which question comes first, and what those are told who get no further."""

from __future__ import annotations

import asyncio
import json

import pytest

from accord import Bearer, Principal, RateLimit
from accord.auth import Tokens
from accord.door.entrance import Admitted, Entrance, Reply
from accord.door.house import rules_for
from accord.door.visit import Visit
from tests.unit.door._visits import visit

TOKEN = "a-secret-token-of-alice"
RESOURCE = "http://localhost:8000/mcp"
ALICE = Principal("alice", scopes={"mcp:read"}, audience=RESOURCE)
AUTH = Bearer(Tokens({TOKEN: ALICE}), resource=RESOURCE, authorization_servers=["https://auth.example.com"])
RULES = rules_for("127.0.0.1", body_bytes=1000)
PAGE = "http://localhost:6274"


def met(entrance: Entrance, asking: Visit) -> Admitted | Reply:
    return asyncio.run(entrance.meet(asking))


def status(entrance: Entrance, asking: Visit) -> int:
    """0 for who was let in."""
    answer = met(entrance, asking)
    return answer.status if isinstance(answer, Reply) else 0


#: everything wrong at once, and what is put right one after the other
WRONG = {
    "x": "\x01",
    "origin": "https://evil.com",
    "host": "evil.com",
    "authorization": "Bearer wrong",
    "content-length": "1001",
    "content-type": "text/plain",
    "accept": "text/html",
}
RIGHT = [
    (400, {"x": "y" * 40_000}),
    (431, {"x": ""}),
    (403, {"origin": PAGE}),
    (421, {"host": "localhost:8000"}),
    (401, {"authorization": f"Bearer {TOKEN}"}),
    (405, {}),
    (413, {"content-length": "10"}),
    (415, {"content-type": "application/json"}),
    (406, {"accept": "*/*"}),
]


def test_the_questions_are_asked_in_the_order_of_the_ladder() -> None:
    entrance, told, verb, seen = Entrance(RULES, auth=AUTH), dict(WRONG), "PUT", []
    for expected, better in RIGHT:
        seen.append(status(entrance, visit(verb, told)))
        told |= better
        verb = "POST" if expected == 405 else verb
    assert seen == [expected for expected, _ in RIGHT]
    answer = met(entrance, visit(verb, told))
    assert isinstance(answer, Admitted)
    assert answer.principal is ALICE
    assert answer.headers["access-control-allow-origin"] == PAGE


def test_without_auth_nobody_is_asked_who_they_are() -> None:
    assert met(Entrance(RULES), visit()) == Admitted(None, {})


def test_rates_are_counted_after_tokens_and_before_the_form() -> None:
    entrance = Entrance(RULES, auth=AUTH, rate=RateLimit(2, 60))
    let_in = visit("POST", {"authorization": f"Bearer {TOKEN}"})
    assert [status(entrance, visit()) for _ in range(5)] == [401] * 5
    assert [status(entrance, let_in) for _ in range(3)] == [0, 0, 429]
    assert status(entrance, visit("PUT", {"authorization": f"Bearer {TOKEN}"})) == 429


def test_anybody_is_counted_by_address_where_nobody_is_known() -> None:
    entrance = Entrance(RULES, rate=RateLimit(1, 60))
    assert [status(entrance, visit(client=client)) for client in ("10.0.0.1", "10.0.0.1", "10.0.0.2")] == [0, 429, 0]


def test_a_preflight_needs_no_token_and_counts_for_nothing() -> None:
    entrance = Entrance(RULES, auth=AUTH, rate=RateLimit(1, 60))
    asking = visit("OPTIONS", {"origin": PAGE, "access-control-request-method": "POST"})
    answers = [met(entrance, asking) for _ in range(3)]
    assert all(isinstance(answer, Reply) and answer.status == 204 and answer.body == b"" for answer in answers)


def test_the_preflight_of_a_foreign_page_is_refused_without_a_word_for_it() -> None:
    asking = visit("OPTIONS", {"origin": "https://evil.com", "access-control-request-method": "POST"})
    answer = met(Entrance(RULES, auth=AUTH), asking)
    assert isinstance(answer, Reply)
    assert answer.status == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_page_may_read_why_it_was_refused() -> None:
    answer = met(Entrance(RULES, auth=AUTH), visit("POST", {"origin": PAGE}))
    assert isinstance(answer, Reply)
    assert answer.status == 401
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]


DOCUMENTS = ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"]


def at(path: str, verb: str = "GET", headers: dict[str, str] | None = None) -> Visit:
    return Visit(verb=verb, path=path, headers={"host": "localhost:8000", **(headers or {})})


@pytest.mark.parametrize("path", DOCUMENTS)
def test_the_document_is_read_without_a_token(path: str) -> None:
    entrance = Entrance(RULES, auth=AUTH)
    answer = met(entrance, at(path))
    assert isinstance(answer, Reply)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert json.loads(answer.body)["authorization_servers"] == ["https://auth.example.com"]
    head = met(entrance, at(path, "HEAD"))
    assert isinstance(head, Reply)
    assert (head.status, head.body, head.headers) == (200, b"", answer.headers)


def test_the_document_is_only_read_and_only_by_pages_that_are_let_in() -> None:
    entrance = Entrance(RULES, auth=AUTH)
    assert status(entrance, at(DOCUMENTS[0], "POST")) == 405
    assert status(entrance, at(DOCUMENTS[0], "GET", {"origin": "https://evil.com"})) == 403
    answer = met(entrance, at(DOCUMENTS[0], "GET", {"origin": PAGE}))
    assert isinstance(answer, Reply)
    assert answer.headers["access-control-allow-origin"] == PAGE


@pytest.mark.parametrize("entrance", [Entrance(RULES), Entrance(RULES, auth=Tokens({TOKEN: "alice"}))])
def test_there_is_no_document_where_there_is_no_authorization_server(entrance: Entrance) -> None:
    assert not entrance.is_document(DOCUMENTS[0])


def test_an_operation_may_need_more_than_the_way_in() -> None:
    entrance = Entrance(RULES, auth=AUTH)
    asking = visit("POST", {"origin": PAGE})
    assert entrance.lacks(asking, ALICE, ()) is None
    assert entrance.lacks(asking, ALICE, ("mcp:read",)) is None
    answer = entrance.lacks(asking, ALICE, ("mcp:read", "mcp:write"))
    assert answer is not None
    assert answer.status == 403
    assert 'scope="mcp:read mcp:write"' in answer.headers["www-authenticate"]
    assert answer.headers["access-control-allow-origin"] == PAGE


def test_what_needs_a_scope_is_for_nobody_where_no_tokens_are_taken() -> None:
    entrance = Entrance(RULES)
    assert entrance.lacks(visit(), None, ()) is None
    answer = entrance.lacks(visit(), None, ("admin",))
    assert answer is not None
    assert (answer.status, "www-authenticate" in answer.headers) == (403, False)


@pytest.mark.parametrize("entrance", [Entrance(RULES), Entrance(RULES, auth=AUTH)])
def test_who_is_turned_away_leaves_a_line_in_the_audit_log(
    entrance: Entrance, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="accord.audit")
    met(entrance, visit("POST", {"host": "evil.com"}))
    [record] = caplog.records
    assert json.loads(record.getMessage())["status"] == 421
