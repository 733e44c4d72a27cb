"""Resources whose openings and closings are written down, and the two ways to call a tool that is given them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

SURFACES: dict[str, Callable[..., Any]] = {
    "call": lambda app, name, **arguments: app.call(name, **arguments),
    "acall": lambda app, name, **arguments: asyncio.run(app.acall(name, **arguments)),
}


class Connection:
    def __init__(self, name: str = "connection") -> None:
        self.name = name


class Pool(Connection): ...


class Log(list[str]):
    """What happened, in order."""

    def watched(self, name: str, made: Any = None) -> Iterator[Any]:
        """A resource as a generator: opened, then closed, after which error."""
        self.append(f"open {name}")
        try:
            yield made if made is not None else Connection(name)
        except BaseException as error:
            self.append(f"{name} saw {type(error).__name__}")
            raise
        finally:
            self.append(f"close {name}")


def works(connection: Connection) -> str:
    return connection.name
