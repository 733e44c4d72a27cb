"""Who may come in over HTTP, decided without I/O: where a request comes from, whose it is, how often, in what form.

A transport makes a ``visit`` of each request and asks, in this order, until something is refused:
``house.refuse_stranger`` (Origin, Host, malformed headers), ``cors.preflight``, ``guard.Guard.admit`` (the token),
``rate.Turnstile.refuse``, ``house.refuse_form`` (verb, types, length), and, once it knows the operation,
``guard.Guard.refuse`` (its scopes). ``audit`` writes a line of what came of it. ``addresses``, ``media`` and
``scopes`` read what the headers say. Knows no message, no session and no server.
"""

__all__: list[str] = []
