"""An app served over HTTP by this process: uvicorn, one worker, until it is told to stop.

At the end nothing new is taken in, streams that only wait for news are ended, and calls that run have some seconds to
finish. uvicorn is an extra, and comes with a parser and an event loop that make several times the difference.
"""

import asyncio
import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal

from accord.app import App
from accord.auth import Auth
from accord.door.addresses import is_loopback
from accord.server.journal import journal
from accord.transports.asgi.endpoint import Endpoint
from accord.transports.asgi.wire import Receive, Send, respond

if TYPE_CHECKING:
    import uvicorn

__all__ = ["guard", "listening", "serve"]

_PATH = "/mcp"
#: connections that may wait to be taken in
_BACKLOG = 2048
_OPEN = (
    "at {host} everybody who reaches this machine could call every tool: pass auth=, serve at 127.0.0.1, or say that "
    "this is meant with insecure=True (--insecure on a command line)"
)
_MISSING = "serving over HTTP needs uvicorn: pip install 'accord[http]'"


def serve(
    app: App,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    auth: Auth | None = None,
    insecure: bool = False,
    path: str = _PATH,
    grace: float = 10.0,
    listener: socket.socket | None = None,
    **options: Any,
) -> None:
    """Serve the app at this address until SIGTERM or Ctrl-C; calls that run then have ``grace`` seconds to finish.

    Without ``auth``, only this machine is let in, unless ``insecure`` says that everybody may come. ``listener`` is a
    socket that listens there already. The other options are those of ``Endpoint``.

    Raises:
        ValueError: uvicorn is not installed, the address cannot be had, or serving there would not be safe.
    """
    try:
        import uvicorn  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ValueError(_MISSING) from error
    guard(host, auth=auth, insecure=insecure)
    endpoint = Endpoint(app, path=path, host=host, auth=auth, **options)
    config = uvicorn.Config(
        _Served(endpoint),
        http=_protocol(endpoint),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        ws="none",
        proxy_headers=False,
        timeout_graceful_shutdown=max(1, round(grace)),
        limit_concurrency=None,
    )
    server = _server(config, endpoint)
    with (
        listener or listening(host, port) as served,
        _told_to_stop(lambda: setattr(server, "should_exit", True)),
        journal(audits=auth is not None),
    ):
        sys.stderr.write(f"{app.name} is served at http://{_shown(*served.getsockname()[:2])}{path}\n")
        sys.stderr.flush()
        server.run([served])


class _Served:
    """The endpoint, and the answer to those whose call outlasts the grace: uvicorn cancels what serves them."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            await self._endpoint(scope, receive, send)
        except asyncio.CancelledError:
            if not self._endpoint.is_closing or scope["type"] != "http":
                raise
            with suppress(RuntimeError):  # a stream has begun, and breaks off
                await respond(send, 503, headers={"retry-after": "1"})


def guard(host: str, *, auth: Auth | None = None, insecure: bool = False) -> None:
    """Do not let an app be served where everybody could come, unless that is meant.

    Raises:
        ValueError: nothing keeps anybody out.
    """
    if auth is None and not insecure and not is_loopback(host):
        raise ValueError(_OPEN.format(host=host))


def _protocol(endpoint: Endpoint) -> "type[asyncio.Protocol] | Literal['auto']":
    try:
        from accord.transports.asgi.heads import protocol_with  # noqa: PLC0415 - an extra
    except ImportError:  # without httptools, uvicorn has a parser that is slow, and knows an end
        return "auto"
    return protocol_with(endpoint.limits, endpoint.attendance)


def _server(config: "uvicorn.Config", endpoint: Endpoint) -> "uvicorn.Server":
    import uvicorn  # noqa: PLC0415 - an extra

    class Server(uvicorn.Server):
        """Ends streams first: uvicorn waits for every response, and these have no end of their own."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """As the base has it, without waiting for what would not end."""
            endpoint.close()
            await asyncio.sleep(0)
            await super().shutdown(sockets)

    return Server(config)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at this address.

    Raises:
        ValueError: the address cannot be had.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        said = (error.strerror or str(error)).partition(" (while ")[0]  # what follows is the address once more
        hint = ". Choose another port; 0 is any that is free" if error.errno == errno.EADDRINUSE else ""
        raise ValueError(f"cannot serve at {_shown(host, port)}: {said}{hint}") from error


def _shown(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@contextmanager
def _told_to_stop(stop: Callable[[], None]) -> Iterator[None]:
    """Heed a signal that comes before uvicorn listens for it, and outlive the one it passes on when it has stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGINT, signal.SIGTERM]
    before = [signal.signal(number, lambda _number, _frame: stop()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
