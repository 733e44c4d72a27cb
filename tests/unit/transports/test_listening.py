"""Streams of changes in the stateless era."""

from __future__ import annotations

from typing import Any

import pytest

from accord.transports.asgi.limits import Limits
from tests.protocol._checklist import covers
from tests.protocol._wire import PREFIX
from tests.unit.transports._app import Valve, app_with
from tests.unit.transports._visitor import Exchange, Visitor, looped

ID = PREFIX + "subscriptionId"


async def heard(stream: Exchange) -> tuple[str, Any]:
    """The method of the next message, and the id of the stream it says it is on."""
    message = (await stream.event()).message
    return message["method"], message["params"]["_meta"][ID]


@covers(73, 77)
@looped
async def test_a_stream_begins_with_what_it_will_tell_and_ends_with_an_empty_result() -> None:
    visitor = Visitor(app_with(Valve()))
    stream = visitor.listen("mine", toolsListChanged=True, resourceSubscriptions=["note://one"])
    first = (await stream.event()).message
    assert first["method"] == "notifications/subscriptions/acknowledged"
    assert first["params"]["notifications"] == {"toolsListChanged": True, "resourceSubscriptions": ["note://one"]}
    assert (await visitor.call("grows").over()).status == 200
    assert await heard(stream) == ("notifications/tools/list_changed", "mine")
    visitor.app.updated("note://two")
    visitor.app.updated("note://one")
    assert await heard(stream) == ("notifications/resources/updated", "mine")
    visitor.endpoint.close()
    (last,) = await stream.rest()
    assert (last.id, last.message["id"], last.message["result"]["_meta"][ID]) == (None, "mine", "mine")


@covers(74)
@looped
async def test_two_streams_have_filters_of_their_own_and_end_apart() -> None:
    visitor = Visitor(app_with(Valve()))
    tools, prompts = visitor.listen(7, toolsListChanged=True), visitor.listen(7, promptsListChanged=True)
    for stream in (tools, prompts):
        assert await heard(stream) == ("notifications/subscriptions/acknowledged", 7)
    assert (await visitor.call("grows").over()).status == 200
    assert await heard(tools) == ("notifications/tools/list_changed", 7)
    tools.leave()
    await tools.over()
    visitor.app.prompt("another")(lambda: "Hello again")
    assert await heard(prompts) == ("notifications/prompts/list_changed", 7)
    assert len(visitor.endpoint.listeners) == 1
    prompts.leave()
    await prompts.over()
    assert len(visitor.endpoint.listeners) == 0


@looped
async def test_there_are_no_more_streams_than_may_be() -> None:
    visitor = Visitor(app_with(Valve()), limits=Limits(listeners=1))
    stream = await visitor.listen(toolsListChanged=True).begun()
    refused = await visitor.listen("x", toolsListChanged=True).over()
    assert (refused.status, refused.json["id"], refused.headers["retry-after"]) == (503, "x", "60")
    stream.leave()
    await stream.over()
    again = await visitor.listen(toolsListChanged=True).begun()
    assert again.status == 200
    visitor.endpoint.close()
    await again.over()
    assert (await visitor.listen(toolsListChanged=True).over()).status == 503, "it is closing"


@looped
async def test_a_stream_that_is_refused_ends() -> None:
    visitor = Visitor(app_with(Valve()))
    stream = visitor.listen(resourceSubscriptions=[f"note://{number}" for number in range(100_000)])
    (only,) = await stream.rest()
    assert only.message["error"]["code"] == -32603


@looped
async def test_a_listener_that_stands_still_holds_up_nobody() -> None:
    visitor = Visitor(app_with(Valve()))
    slow, quick = visitor.listen(1, toolsListChanged=True), visitor.listen(2, toolsListChanged=True)
    await heard(slow)
    await heard(quick)
    slow.reads.clear()
    for _ in range(3):
        assert (await visitor.call("grows").over()).status == 200
        assert await heard(quick) == ("notifications/tools/list_changed", 2)
    slow.reads.set()
    assert await heard(slow) == ("notifications/tools/list_changed", 1)
    visitor.endpoint.close()
    await slow.over()
    await quick.over()


@pytest.mark.parametrize("times", [1, 2])
@looped
async def test_an_endpoint_that_is_closed_watches_the_app_no_more(times: int) -> None:
    visitor = Visitor(app_with(Valve()))
    watchers = visitor.app._registry.watchers
    assert (await visitor.call("add", a=1, b=1).over()).status == 200
    assert watchers == [visitor.endpoint]
    for _ in range(times):
        visitor.endpoint.close()
    assert watchers == []
