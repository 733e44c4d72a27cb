"""The door stands before the endpoint: who is turned away there, and that nothing of theirs is read."""

from __future__ import annotations

import inspect

import pytest

from accord.transports.asgi.serving import serve
from tests.protocol._checklist import covers
from tests.protocol._wire import request
from tests.unit.transports._app import Valve, app_with
from tests.unit.transports._visitor import Exchange, Visitor, looped

VERBS = ["POST", "GET", "DELETE", "OPTIONS", "PUT"]


async def turned_away(visitor: Visitor, verb: str, **headers: str | None) -> Exchange:
    sent = visitor.send(verb, b"{", **headers)
    await sent.over()
    assert sent._pieces, "its body was read"
    return sent


@covers(84)
@pytest.mark.parametrize("verb", VERBS)
@looped
async def test_a_page_of_somebody_else_is_refused_whatever_it_does(verb: str) -> None:
    visitor = Visitor(app_with(Valve()), host="127.0.0.1")
    guest = await visitor.shake_hands()
    for origin in ("http://evil.example.com", "null", "http://localhost.evil.example.com", "http://localhost:8000 "):
        answer = await turned_away(guest, verb, origin=origin + "x")
        assert answer.status == 403
    own = await guest.post(request(1, "tools/list"), origin="http://localhost:8000").over()
    assert own.status == 200


@covers(85)
@pytest.mark.parametrize("verb", VERBS)
@looped
async def test_a_server_of_this_machine_answers_to_the_names_of_this_machine(verb: str) -> None:
    visitor = Visitor(app_with(Valve()), host="127.0.0.1")
    for host in ("evil.example.com", "evil.example.com:8000", "127.0.0.1.evil.example.com"):
        assert (await turned_away(visitor, verb, host=host)).status == 421
        assert (await turned_away(visitor, verb, host=host, origin=f"http://{host}")).status == 403
    assert (await turned_away(visitor, verb, host=None)).status == 400


@covers(85)
def test_an_app_is_served_to_this_machine_and_elsewhere_only_on_purpose() -> None:
    assert inspect.signature(serve).parameters["host"].default == "127.0.0.1"
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        with pytest.raises(ValueError, match="insecure"):
            serve(app_with(Valve()), host)


@covers(86)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"accept": "application/json"}, 406),
        ({"accept": "text/html"}, 406),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": None}, 415),
        ({"content-encoding": "gzip"}, 415),
        ({"content-length": "99999999"}, 413),
    ],
)
@looped
async def test_the_form_of_a_request_is_looked_at_before_it_is_read(
    headers: dict[str, str | None], status: int
) -> None:
    assert (await turned_away(Visitor(app_with(Valve())), "POST", **headers)).status == status
