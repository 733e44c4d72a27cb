"""A JSON-RPC error that a tool raises on purpose keeps its code and data over MCP; elsewhere the tool failed."""

from __future__ import annotations

from typing import Any

import pytest

from accord import App, Context, Policy
from accord.errors import ProtocolError, ResourceNotFound, UnknownPrompt, UnknownTool
from accord.testing import Client, assert_parity, call_tool
from tests.protocol._checklist import covers
from tests.protocol._wire import EVERY
from tests.unit.server._user import Line, data


class OutOfStock(ProtocolError):
    def __init__(self, item: str) -> None:
        super().__init__(f"no {item} left", code=4000, data={"item": item})


def shop(**policy: Any) -> App:
    app = App("shop", policy=Policy(**policy))

    @app.command
    def buy(item: str) -> str:
        raise OutOfStock(item)

    @app.command
    async def abuy(item: str) -> str:
        raise OutOfStock(item)

    @app.command
    def bare() -> None:
        raise ProtocolError("just so", code=-32050)

    @app.command
    def odd() -> None:
        raise ProtocolError("odd \ud800", code=1, data={"it": object()})

    @app.command
    def uncoded() -> None:
        raise ProtocolError("no code", code="high")  # type: ignore[arg-type]  # what an author may do

    @app.resource("stock://{item}")
    def stock(item: str) -> str:
        raise OutOfStock(item)

    @app.prompt()
    def sell(item: str) -> str:
        raise OutOfStock(item)

    return app


EXPECTED = {"code": 4000, "message": "no tea left", "data": {"item": "tea"}}


@covers(50)
@pytest.mark.parametrize("policy", [{}, {"errors": "protocol"}, {"mask_errors": True}], ids=str)
@pytest.mark.parametrize("name", ["buy", "abuy"])
@pytest.mark.parametrize("version", EVERY)
def test_its_code_its_words_and_its_data_reach_the_client(version: str, name: str, policy: dict[str, Any]) -> None:
    line = Line(shop(**policy), version)
    line.call(name, {"item": "tea"})
    assert line.hear()["error"] == EXPECTED


@covers(50)
@pytest.mark.parametrize("version", EVERY)
def test_data_that_is_none_and_data_that_is_no_json_are_left_out(version: str) -> None:
    line = Line(shop(), version)
    line.call("bare")
    assert line.hear()["error"] == {"code": -32050, "message": "just so"}
    line.call("odd")
    assert line.hear()["error"] == {"code": 1, "message": r"odd \ud800"}


@covers(50)
@pytest.mark.parametrize("version", EVERY)
@pytest.mark.parametrize(
    ("method", "params"),
    [("resources/read", {"uri": "stock://tea"}), ("prompts/get", {"name": "sell", "arguments": {"item": "tea"}})],
)
def test_resources_and_prompts_may_raise_one_too(method: str, params: dict[str, Any], version: str) -> None:
    line = Line(shop(), version)
    line.send(1, method, **params)
    assert line.hear()["error"] == EXPECTED


@pytest.mark.parametrize(
    "error", [UnknownTool("nothing"), UnknownPrompt("nothing"), ResourceNotFound("nothing")], ids=repr
)
@pytest.mark.parametrize("version", EVERY)
def test_what_says_that_something_is_missing_may_come_from_within_and_is_a_failure(
    error: ProtocolError, version: str
) -> None:
    app = App("within")

    @app.command
    def look() -> None:
        raise error

    @app.command
    def uncoded(ctx: Context) -> None:
        raise ProtocolError("no code", code="high")  # type: ignore[arg-type]  # what an author may do

    line = Line(app, version)
    for name in ("look", "uncoded"):
        line.call(name)
        assert data(line.hear())["reason"] == "tool_error"


def test_elsewhere_it_is_the_tools_own_failure() -> None:
    app = shop()
    with pytest.raises(OutOfStock, match="no tea left"):
        app.call("buy", item="tea")
    done = app.invoke(["buy", "--item", "tea"])
    assert done.exit_code == 1
    assert isinstance(done.exception, OutOfStock)
    assert_parity(app, "buy", [({"item": "tea"}, "tool_error")])


def test_a_test_sees_what_a_client_would() -> None:
    client = Client(shop())
    for ask in (
        lambda: call_tool(shop(), {"name": "buy", "arguments": {"item": "tea"}}),
        lambda: client.read_resource("stock://tea"),
        lambda: client.get_prompt("sell", {"item": "tea"}),
    ):
        with pytest.raises(ProtocolError) as raised:
            ask()
        assert (raised.value.code, raised.value.data) == (4000, {"item": "tea"})
