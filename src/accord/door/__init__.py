"""Who may come in over HTTP, decided without I/O: where a request comes from, who sends it, how often, in what form.

A transport makes a ``Visit`` of each request and asks, in this order: ``house.refuse_stranger``, ``cors.preflight``,
``Guard.admit``, ``Turnstile.refuse``, ``house.refuse_form``. Knows no protocol message, no tool and no server.
"""
