"""Events of the protocol -> calls -> replies. Knows an app and a session, and no transport.

``profile`` is what an app says of itself, ``listing`` what it lists, ``desk`` answers requests, ``client`` is the
Caller at the other end, of ``handshake`` or in ``rounds``, and ``reply`` writes an outcome as a result.
"""

__all__: list[str] = []
