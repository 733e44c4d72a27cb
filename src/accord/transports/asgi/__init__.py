"""MCP over HTTP as a plain ASGI callable: the only code that touches ASGI.

``endpoint`` is the callable: it takes a request to whoever answers it. ``post`` is one POST, ``posting`` the response
to it. ``streams`` are event streams and what is kept of them, ``sessions`` the clients of the handshake era,
``attendance`` looks after what takes long, ``wire`` is the few things ASGI is made of. ``serving`` is a process that
serves one app, ``heads`` what it reads at most before there is a request.
"""

__all__: list[str] = []
