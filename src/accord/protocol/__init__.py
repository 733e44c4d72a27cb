"""MCP without I/O, for both eras: bytes in, events out; values in, bytes out. An island: it imports nothing of ours.

No sockets, no clock, no threads, no event loop. Read it in this order:

``errors`` and ``versions`` are the tables of what can go wrong and of what differs between the specifications;
``events`` is the vocabulary, ``methods`` the table of requests, ``notices`` that of notifications. ``framing`` cuts
bytes into lines, ``jsonrpc`` reads one line and writes one message, ``ladder`` decides whether a request is served
and at which version (``headers`` is its part for HTTP). ``questions`` is what a server may ask a client, ``rounds``
how it asks without a request of its own, ``listening`` who is told of changes, ``pages`` how lists are cut.
``profile`` is all a server says of itself. ``session`` puts them together for a server, ``client`` for a client.
"""

__all__: list[str] = []
