"""The gate: a canonical schema compiled, and a refusal explained so well that an agent can repair the call.

``validator`` decides, ``explain`` finds what was wrong, ``repair`` proposes a patch, ``refusal`` makes
the error object of it all. Import from the modules; this page only says which is which.
"""

__all__: list[str] = []
