"""MCP over HTTP as a plain ASGI callable: the only code that touches ASGI.

``endpoint`` is the callable: it takes a request to whoever answers it. ``posting`` answers a POST, ``reading`` a GET.
``streams`` are event streams and what is kept of them, ``sessions`` the clients of the handshake era, ``wire`` the
few things ASGI is made of.
"""

__all__: list[str] = []
