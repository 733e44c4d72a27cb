"""MCP without I/O, for both eras: bytes in, events out; values in, bytes out. An island: it imports nothing of ours.

No sockets, no clock, no threads, no event loop. Read it in this order:

``errors`` and ``versions`` are the tables of what can go wrong and of what differs between the specifications;
``events`` is the vocabulary, ``methods`` the table of requests. ``jsonrpc`` cuts bytes into lines, reads a line and
writes one. ``profile`` is all a server says of itself. ``ladder`` decides whether a request is served and at which
version; ``headers`` is its part for HTTP.

``formalities`` are the requests a session answers by itself. ``questions`` is what a server may ask a client: with a
request of its own (``asking``) or with a result (``rounds``). ``notices`` is what it tells in passing, ``listening``
who is told of changes, ``pages`` how lists are cut, ``tasks`` what a call looks like
that goes on after it was answered.

``session`` puts them together for a server; ``client`` is the other end of the wire, and ``replies`` its vocabulary.
"""

__all__: list[str] = []
