"""Why a request was not served, as HTTP says it."""

from typing import Final

import msgspec

__all__ = ["Refusal"]

_JSON: Final = {"content-type": "application/json"}
_TEXT: Final = {"content-type": "text/plain; charset=utf-8"}


class Refusal(msgspec.Struct, frozen=True):
    """An answer of HTTP's own: nothing of the request was done.

    ``message`` is fixed text: it never quotes the request. ``headers`` have lower-case names. With a ``code`` the
    body is a JSON-RPC error without an id, for requests that could have been messages; without one it is the message.
    """

    status: int
    message: str
    headers: dict[str, str] = {}
    code: int | None = None

    @property
    def body(self) -> bytes:
        """What is written below the headers."""
        if self.code is None:
            return f"{self.message}\n".encode()
        error = {"code": self.code, "message": self.message}
        return msgspec.json.encode({"jsonrpc": "2.0", "error": error})

    @property
    def all_headers(self) -> dict[str, str]:
        """Its own headers, and those of its body."""
        kind = _TEXT if self.code is None else _JSON
        return {**kind, "content-length": str(len(self.body)), **self.headers}
