"""In what form a request comes: verb, types, length, and headers that are routed by."""

from __future__ import annotations

import time

import pytest

from accord.door.house import HouseRules, not_allowed, refuse_form, too_large
from accord.door.media import admits, is_json
from accord.door.refusal import Refusal
from accord.protocol.errors import HEADER_MISMATCH
from tests.unit.door._visits import visit

RULES = HouseRules(body_bytes=1000)


def refused(verb: str, headers: dict[str, str], rules: HouseRules = RULES) -> int:
    refusal = refuse_form(rules, visit(verb, headers))
    return refusal.status if refusal else 0


FORMS = {
    "a POST": ("POST", {}, 0),
    "a GET": ("GET", {"accept": "text/event-stream", "content-type": ""}, 0),
    "a DELETE": ("DELETE", {"accept": "", "content-type": ""}, 0),
    "PUT": ("PUT", {}, 405),
    "HEAD": ("HEAD", {}, 405),
    "a plain OPTIONS": ("OPTIONS", {}, 405),
    "a verb in lower case": ("post", {}, 405),
    "no type": ("POST", {"content-type": ""}, 415),
    "a form": ("POST", {"content-type": "application/x-www-form-urlencoded"}, 415),
    "what needs no preflight": ("POST", {"content-type": "text/plain"}, 415),
    "compressed": ("POST", {"content-encoding": "gzip"}, 415),
    "not compressed, outright": ("POST", {"content-encoding": "identity"}, 0),
    "an answer in JSON only": ("POST", {"accept": "application/json"}, 406),
    "an answer in events only": ("POST", {"accept": "text/event-stream"}, 406),
    "a GET that wants JSON": ("GET", {"accept": "application/json"}, 406),
    "a GET that takes anything": ("GET", {"accept": "*/*"}, 0),
    "no wish": ("POST", {"accept": ""}, 0),
    "a full body": ("POST", {"content-length": "1000"}, 0),
    "a byte more": ("POST", {"content-length": "1001"}, 413),
    "a byte more, on a DELETE": ("DELETE", {"content-length": "1001"}, 413),
    "an enormous length": ("POST", {"content-length": "9" * 5000}, 413),
    "zeros before the length": ("POST", {"content-length": "0005"}, 0),
    "a negative length": ("POST", {"content-length": "-1"}, 400),
    "a signed length": ("POST", {"content-length": "+1"}, 400),
    "a hexadecimal length": ("POST", {"content-length": "0x10"}, 400),
    "two lengths in one": ("POST", {"content-length": "5, 5"}, 400),
    "a superscript length": ("POST", {"content-length": "\xb2"}, 400),
    "two ways to tell the length": ("POST", {"content-length": "5", "transfer-encoding": "chunked"}, 400),
    "chunks": ("POST", {"transfer-encoding": "chunked"}, 0),
}


@pytest.mark.parametrize(("verb", "headers", "expected"), FORMS.values(), ids=FORMS)
def test_the_form_of_a_request_decides(verb: str, headers: dict[str, str], expected: int) -> None:
    assert refused(verb, headers) == expected


def test_the_verb_comes_before_the_types_and_the_length_before_both_types() -> None:
    everything = {"content-type": "text/plain", "accept": "text/html", "content-length": "1001"}
    assert refused("PATCH", everything) == 405
    assert refused("POST", everything) == 413
    assert refused("POST", {**everything, "content-length": "1"}) == 415
    assert refused("POST", {"accept": "text/html"}) == 406


def test_a_refused_verb_is_told_which_are_served() -> None:
    refusal = refuse_form(HouseRules(verbs=("POST",)), visit("GET", {"accept": "text/event-stream"}))
    assert refusal == not_allowed(("POST",))
    assert refusal.status == 405
    assert refusal.headers == {"allow": "POST"}
    assert not_allowed(("POST", "GET")).headers == {"allow": "POST, GET"}


@pytest.mark.parametrize(
    "name", ["mcp-session-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-param-region"]
)
def test_a_header_that_gateways_route_by_comes_once(name: str) -> None:
    refusal = refuse_form(RULES, visit("POST", {}, (name, "a"), (name.upper(), "a")))
    assert refusal is not None
    assert (refusal.status, refusal.code) == (400, HEADER_MISMATCH)


def test_other_headers_may_come_twice() -> None:
    assert refuse_form(RULES, visit("POST", {}, ("via", "a"), ("via", "b"), ("accept", "text/html"))) is None


def test_a_body_that_turns_out_too_large_is_refused_like_a_declared_one() -> None:
    assert too_large() == refuse_form(RULES, visit("POST", {"content-length": "1001"}))
    assert isinstance(too_large(), Refusal)


JSON = [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    "application/json; charset=UTF-8",
    'application/json ; charset="utf-8"',
    "application/json; profile=x; charset=utf-8;",
    "application/json;",
]
NO_JSON = [
    "",
    "json",
    "application",
    "application/",
    "application/jsonp",
    "application/json-seq",
    "application/problem+json",
    "text/json",
    "text/plain",
    "text/plain; application/json",
    "application/json, text/plain",
    "application/json text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=latin-1",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json; charset",
    "application/json; =utf-8",
    "application/json\u00a0",
    "application/json;" + "a=b;" * 100,
]


@pytest.mark.parametrize("text", JSON)
def test_json_is_told_in_every_spelling(text: str) -> None:
    assert is_json(text)


@pytest.mark.parametrize("text", NO_JSON, ids=lambda text: text[:40])
def test_what_is_not_json_in_utf_8_is_refused(text: str) -> None:
    assert not is_json(text)


ACCEPTED = {
    "application/json": True,
    "APPLICATION/JSON": True,
    "*/*": True,
    "application/*": True,
    "text/html, application/json;q=0.5": True,
    "application/json; version=1": True,
    "application/json;q=0.001": True,
    "text/html": False,
    "text/*": False,
    "": False,
    "json": False,
    "application/json;q=0": False,
    "application/json;q=0.000, */*": False,
    "*/*;q=0": False,
    "*/*;q=0, application/json": True,
    "application/*;q=0, */*": False,
    "*/json": False,
    "application/jsonx": False,
    "application/json@x": False,
    ",,,": False,
    ", application/json ,": True,
    f"{'text/html, ' * 100}application/json": True,
}


@pytest.mark.parametrize(("accept", "expected"), ACCEPTED.items(), ids=[text[:40] for text in ACCEPTED])
def test_the_closest_range_decides_whether_a_type_is_accepted(accept: str, expected: bool) -> None:
    assert admits(accept, "application/json") is expected


@pytest.mark.parametrize(
    "text",
    [
        "a/b" + ";  " * 8000 + "!\u00e9",
        "a/b;" + " " * 20_000 + "=",
        "a/b" + ';a="' * 8000,
        ";" * 30_000,
        "a/b;a=" * 5000,
    ],
    ids=["parameters", "spaces", "quotes", "semicolons", "values"],
)
def test_no_header_takes_long_to_read(text: str) -> None:
    started = time.perf_counter()
    admits(text, "application/json")
    is_json(text)
    is_json(text[:200])
    assert time.perf_counter() - started < 1
