"""An app served over HTTP by this process: uvicorn, one worker, until it is told to stop.

At the end nothing new is taken in, streams that only wait for news are ended, and calls that run have some seconds to
finish. uvicorn is an extra, and comes with a parser and an event loop that make several times the difference.
"""

import asyncio
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from accord.app import App
from accord.auth import Auth
from accord.door.addresses import is_loopback
from accord.server.journal import journal
from accord.transports.asgi.endpoint import Endpoint

if TYPE_CHECKING:
    import uvicorn

__all__ = ["serve"]

_PATH = "/mcp"
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
    **options: Any,
) -> None:
    """Serve the app at this address until SIGTERM or Ctrl-C; calls that run then have ``grace`` seconds to finish.

    Without ``auth``, only this machine is let in, unless ``insecure`` says that everybody may come. The other options
    are those of ``Endpoint``.

    Raises:
        ValueError: uvicorn is not installed, the address cannot be had, or serving there would not be safe.
    """
    try:
        import uvicorn  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ValueError(_MISSING) from error
    if auth is None and not insecure and not is_loopback(host):
        raise ValueError(_OPEN.format(host=host))
    endpoint = Endpoint(app, path=path, host=host, auth=auth, **options)
    config = uvicorn.Config(
        endpoint,
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
    with _listening(host, port) as listener, _told_to_stop(), journal(audits=auth is not None):
        shown = listener.getsockname()
        place = f"[{shown[0]}]" if ":" in shown[0] else shown[0]
        sys.stderr.write(f"{app.name} is served at http://{place}:{shown[1]}{path}\n")
        _server(config, endpoint).run([listener])


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


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ValueError(f"cannot serve at {host}:{port}: {error.strerror or error}") from error
    try:
        yield listener
    finally:
        listener.close()


@contextmanager
def _told_to_stop() -> Iterator[None]:
    """uvicorn passes a signal on once it has stopped; by then there is nothing left to do about it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [signal.SIGINT, signal.SIGTERM]
    before = [signal.signal(number, lambda _number, _frame: None) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
