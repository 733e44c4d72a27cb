"""Which hosts and pages are let in: rebinding by Host, by Origin and by both, and everything that looks right."""

from __future__ import annotations

import pytest

from accord.door.house import HouseRules, refuse_stranger, rules_for
from accord.protocol.errors import INVALID_REQUEST
from tests.unit.door._visits import visit

LOOPBACK = rules_for("127.0.0.1")
#: bound elsewhere, nothing configured
OPEN = rules_for("0.0.0.0")
NAMED = rules_for("0.0.0.0", hosts=["mcp.example.com"])
LISTED = rules_for(
    "0.0.0.0",
    hosts=["mcp.example.com:8443", "10.1.2.3"],
    origins=["https://app.example.com", "http://dev.example.com:*", "vscode-webview://0a1b"],
)

VERBS = ["POST", "GET", "DELETE", "OPTIONS", "PUT", "HEAD"]


def status(rules: HouseRules, host: str, origin: str = "", *, verb: str = "POST", scheme: str = "http") -> int:
    """The status of the refusal; 0 where there is none."""
    refusal = refuse_stranger(rules, visit(verb, {"host": host, "origin": origin}, scheme=scheme))
    assert refusal is None or refusal.code == INVALID_REQUEST
    return refusal.status if refusal else 0


LET_IN = {
    "no page, localhost": (LOOPBACK, "localhost:8000", ""),
    "no page, an address": (LOOPBACK, "127.0.0.1", ""),
    "no page, IPv6": (LOOPBACK, "[::1]:8000", ""),
    "upper case": (LOOPBACK, "LOCALHOST:8000", "HTTP://LOCALHOST:3000"),
    "a local page": (LOOPBACK, "127.0.0.1:8000", "http://localhost:6274"),
    "a local page over TLS": (LOOPBACK, "localhost", "https://[::1]:1"),
    "another spelling of ::1": (LOOPBACK, "[0:0::1]:8000", "http://[0000::0001]"),
    "any host where none is listed": (OPEN, "whatever.example", ""),
    "the page of an address itself": (OPEN, "10.0.0.5:8000", "http://10.0.0.5:8000"),
    "the page of localhost itself": (OPEN, "localhost:8000", "http://localhost:8000"),
    "the page of the listed host": (NAMED, "mcp.example.com", "http://mcp.example.com"),
    "the same, behind what ends TLS": (NAMED, "mcp.example.com", "https://mcp.example.com"),
    "the same, with the default port": (NAMED, "mcp.example.com:443", "https://mcp.example.com"),
    "a listed host at any port": (NAMED, "mcp.example.com:1234", ""),
    "a listed port": (LISTED, "mcp.example.com:8443", ""),
    "a listed page": (LISTED, "10.1.2.3", "https://app.example.com"),
    "a listed page with its default port": (LISTED, "10.1.2.3", "https://app.example.com:443"),
    "a listed page at any port": (LISTED, "10.1.2.3", "http://dev.example.com:5173"),
    "a listed page of an editor": (LISTED, "10.1.2.3", "vscode-webview://0a1b"),
    "any page where all are listed": (rules_for(None, origins=["*"]), "a.example", "https://b.example"),
}


@pytest.mark.parametrize(("rules", "host", "origin"), LET_IN.values(), ids=LET_IN)
def test_a_request_is_let_in(rules: HouseRules, host: str, origin: str) -> None:
    assert [status(rules, host, origin, verb=verb) for verb in VERBS] == [0] * len(VERBS)


TURNED_AWAY = {
    # rebinding: the name of the attacker's page leads to us
    "rebound, Host alone": (LOOPBACK, "evil.com:8000", "", 421),
    "rebound, Origin alone": (LOOPBACK, "localhost:8000", "http://evil.com:8000", 403),
    "rebound, both": (LOOPBACK, "evil.com:8000", "http://evil.com:8000", 403),
    "rebound to a public address, both": (OPEN, "evil.com", "http://evil.com", 403),
    "rebound to a listed server, both": (NAMED, "evil.com", "http://evil.com", 403),
    "rebound to a listed server, Host alone": (NAMED, "evil.com", "", 421),
    "a name that means loopback": (LOOPBACK, "127.0.0.1.nip.io", "", 421),
    "the address that means all": (LOOPBACK, "0.0.0.0:8000", "", 421),
    "the address that means all, from a page": (LOOPBACK, "0.0.0.0:8000", "http://evil.com", 403),
    "an address of this machine": (LOOPBACK, "192.168.1.2", "", 421),
    "IPv4 within IPv6": (LOOPBACK, "[::ffff:127.0.0.1]", "", 421),
    # other pages
    "a foreign page": (OPEN, "10.0.0.5", "https://evil.com", 403),
    "another port of the same address": (OPEN, "10.0.0.5:8000", "http://10.0.0.5:9000", 403),
    "another scheme": (OPEN, "10.0.0.5:80", "ftp://10.0.0.5:80", 403),
    "a local page, elsewhere": (OPEN, "10.0.0.5", "http://localhost:3000", 403),
    "no page at all": (LOOPBACK, "localhost", "null", 403),
    "no page at all, where all are listed": (rules_for(None, origins=["*"]), "a.example", "null", 403),
    "a page that is not listed": (LISTED, "10.1.2.3", "https://mcp.example.com:8443", 403),
    "a listed page by another scheme": (LISTED, "10.1.2.3", "http://app.example.com", 403),
    "a listed page at another port": (LISTED, "10.1.2.3", "https://app.example.com:8443", 403),
    "below a listed page": (LISTED, "10.1.2.3", "https://x.app.example.com", 403),
    "above a listed page": (LISTED, "10.1.2.3", "https://example.com", 403),
    "a port that is not listed": (LISTED, "mcp.example.com", "", 421),
    # what only looks right
    "a port that goes on": (LOOPBACK, "localhost", "http://localhost:80.evil.com", 403),
    "a host that goes on": (LOOPBACK, "localhost", "http://localhost.evil.com", 403),
    "a user before the host": (LOOPBACK, "localhost", "http://localhost@evil.com", 403),
    "a user and a port": (LOOPBACK, "localhost", "http://localhost:80@evil.com", 403),
    "a trailing dot": (LOOPBACK, "localhost", "http://localhost.", 403),
    "two origins in one": (LOOPBACK, "localhost", "http://localhost http://evil.com", 403),
    "a path": (LOOPBACK, "localhost", "http://localhost/", 403),
    "another scheme of ours": (LOOPBACK, "localhost", "app://localhost", 403),
    "a letter that looks alike": (NAMED, "mcp.example.com", "https://xn--mcp-exmple-dfb.com", 403),
    "a host that goes on, Host": (LOOPBACK, "localhost:80.evil.com", "", 400),
    "a user, Host": (LOOPBACK, "evil.com@localhost", "", 400),
    "a trailing dot, Host": (LOOPBACK, "localhost.", "", 400),
    "a short address, Host": (LOOPBACK, "127.1", "", 400),
    "a whole address, Host": (LOOPBACK, "http://localhost", "", 400),
    "no Host": (OPEN, "", "", 400),
    "no Host, from a page": (OPEN, "", "http://localhost", 403),
}


@pytest.mark.parametrize(("rules", "host", "origin", "expected"), TURNED_AWAY.values(), ids=TURNED_AWAY)
def test_a_request_is_turned_away_whatever_its_verb(rules: HouseRules, host: str, origin: str, expected: int) -> None:
    assert [status(rules, host, origin, verb=verb) for verb in VERBS] == [expected] * len(VERBS)


def test_a_page_over_http_is_not_the_same_as_its_host_over_https() -> None:
    assert status(NAMED, "mcp.example.com", "http://mcp.example.com", scheme="https") == 403
    assert status(NAMED, "mcp.example.com", "https://mcp.example.com", scheme="https") == 0


@pytest.mark.parametrize("port", ["mcp.example.com", "mcp.example.com:443", "mcp.example.com:80"])
def test_a_default_port_is_the_same_written_or_not(port: str) -> None:
    rules = rules_for(None, hosts=[port])
    assert status(rules, "mcp.example.com") == 0


ONCE = ["host", "origin", "authorization", "content-type", "content-length", "transfer-encoding", "last-event-id"]


@pytest.mark.parametrize("name", ONCE)
def test_a_header_that_is_judged_by_comes_once(name: str) -> None:
    twice = ((name, "localhost"), (name.title(), "localhost"))
    refusal = refuse_stranger(LOOPBACK, visit("POST", {name: ""}, *twice))
    assert refusal is not None
    assert refusal.status == 400


@pytest.mark.parametrize("name", ["x-forwarded-host", "x-host", "forwarded", "x-original-host", "referer", "x-real-ip"])
def test_what_a_proxy_may_have_said_does_not_count(name: str) -> None:
    told = {name: "localhost", "host": "evil.com"}
    assert refuse_stranger(LOOPBACK, visit("POST", told)) == refuse_stranger(
        LOOPBACK, visit("POST", {"host": "evil.com"})
    )
    assert refuse_stranger(LOOPBACK, visit("POST", {name: "evil.com"})) is None


def test_headers_have_a_size() -> None:
    rules = rules_for("127.0.0.1", header_bytes=1000)
    assert refuse_stranger(rules, visit("GET", {"x": "y" * 800})) is None
    refusal = refuse_stranger(rules, visit("GET", {"x": "y" * 1000}))
    assert refusal is not None
    assert refusal.status == 431


def test_a_refusal_never_quotes_what_came() -> None:
    for rules, host, origin, _ in TURNED_AWAY.values():
        refusal = refuse_stranger(rules, visit("POST", {"host": host, "origin": origin}))
        assert refusal is not None
        assert b"evil" not in refusal.body


BOUND = {
    "127.0.0.1": ("localhost", "127.0.0.1", "[::1]", "127.0.0.1"),
    "::1": ("localhost", "127.0.0.1", "[::1]", "[::1]"),
    "127.0.0.2": ("localhost", "127.0.0.1", "[::1]", "127.0.0.2"),
    "0.0.0.0": None,
    "::": None,
    "192.168.1.2": None,
    None: None,
}


@pytest.mark.parametrize(("bound", "hosts"), BOUND.items(), ids=map(str, BOUND))
def test_where_a_server_is_bound_says_which_hosts_it_has(bound: str | None, hosts: tuple[str, ...] | None) -> None:
    assert rules_for(bound).hosts == hosts


def test_what_is_configured_is_all_there_is() -> None:
    rules = rules_for("127.0.0.1", hosts=["mcp.example.com"])
    assert status(rules, "localhost") == 421
    assert status(rules, "mcp.example.com", "https://mcp.example.com") == 0
    assert status(rules, "mcp.example.com", "http://localhost:3000") == 403


MISTAKES = {
    "a scheme in a host": {"hosts": ["https://mcp.example.com"]},
    "a path in a host": {"hosts": ["mcp.example.com/mcp"]},
    "a pattern of names": {"hosts": ["*.example.com"]},
    "a host in another script": {"hosts": ["bücher.example"]},
    "an origin without a scheme": {"origins": ["app.example.com"]},
    "an origin with a slash": {"origins": ["https://app.example.com/"]},
    "no page": {"origins": ["null"]},
    "a pattern of pages": {"origins": ["https://*.example.com"]},
    "one text for a list of hosts": {"hosts": "mcp.example.com"},
    "one text for a list of origins": {"origins": "*"},
}


@pytest.mark.parametrize("given", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_the_rules_is_one_at_once(given: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match=r"write|give a list"):
        rules_for("0.0.0.0", **given)
