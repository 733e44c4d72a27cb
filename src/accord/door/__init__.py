"""Who may come in over HTTP, decided without I/O: where a request comes from, whose it is, how often, in what form.

``entrance`` is the whole way in. A transport makes a ``visit`` of each request and has it met there; of what is asked,
until something is refused, this is the order: ``house.refuse_stranger`` (malformed headers, Origin, Host),
``cors.preflight``, ``guard`` (the token), ``rate``, ``house.refuse_form`` (verb, length, types). Once the operation
is known, its scopes are compared. ``audit`` writes a line of what came of it. ``addresses``, ``media`` and ``scopes``
read what the headers say. Knows no message, no session and no server.
"""

__all__: list[str] = []
