"""The two ways to run what an app offers beside tools, as a server would."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from accord import App
from accord._calls import Call, Failed, Outcome
from accord.dispatch import completing, prompting, reading

Way = Callable[..., Outcome]


def _awaited(work: Callable[..., Any], *arguments: Any, **options: Any) -> Outcome:
    async def run() -> Outcome:
        with ThreadPoolExecutor(2) as pool:
            outcome: Outcome = await work(*arguments, pool, **options)
            return outcome

    return asyncio.run(run())


def _both(blocking: Callable[..., Outcome], awaiting: Callable[..., Any]) -> dict[str, Way]:
    def call(name: str, arguments: Any, more: dict[str, Any]) -> tuple[Call, dict[str, Any]]:
        asked = {key: more.pop(key) for key in ("kind", "argument", "value") if key in more}
        return Call(name, arguments, "mcp", **more), asked

    def now(app: App, name: str, arguments: Any = None, **more: Any) -> Outcome:
        made, asked = call(name, arguments or {}, more)
        return blocking(app._registry, made, **asked)

    def later(app: App, name: str, arguments: Any = None, **more: Any) -> Outcome:
        made, asked = call(name, arguments or {}, more)
        return _awaited(awaiting, app._registry, made, **asked)

    return {"blocking": now, "awaiting": later}


READ = _both(reading.read_resource, reading.aread_resource)
PROMPT = _both(prompting.get_prompt, prompting.aget_prompt)
COMPLETE = _both(completing.complete, completing.acomplete)


def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed), outcome
    return outcome


def result(outcome: Outcome) -> Any:
    assert not isinstance(outcome, Failed), outcome.text
    return outcome.structured
