"""Requests as a transport hands them to the door."""

from __future__ import annotations

from accord.door.visit import Visit, visit_of

#: what every well-formed POST of a client says
POST = {
    "host": "localhost:8000",
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}


def visit(
    verb: str = "POST",
    headers: dict[str, str] | None = None,
    *more: tuple[str, str],
    scheme: str = "http",
    query: str = "",
    client: str | None = "203.0.113.9",
) -> Visit:
    """A visit with these headers over those of a well-formed POST; an empty text takes one away."""
    told = {**POST, **(headers or {})}
    lines = [(name, value) for name, value in told.items() if value] + list(more)
    return visit_of(
        {
            "type": "http",
            "method": verb,
            "path": "/mcp",
            "query_string": query.encode(),
            "scheme": scheme,
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in lines],
            "client": None if client is None else (client, 50_000),
        }
    )
