"""The one path of every call, from Call to Outcome. Read it in this order:

``flow`` is the path itself, a generator of ``steps``. ``blocking`` takes the steps on the caller's thread, ``awaiting``
inside an event loop; user code runs in ``invoke`` and ``invoke_async`` only. ``arguments``, ``bind``, ``normalize``,
``cache``, ``caps``, ``fault`` and ``middleware`` are what the path passes through, ``exceptions`` is where Python
callers leave it.

Resources, prompts and their completions take the same path between ``offered``, which reads texts, and the pairs of
functions a server calls: ``reading`` (with ``contents``), ``prompting`` (with ``messages``) and ``completing``.
"""

__all__: list[str] = []
