"""Consent in advance: what Python code says yes to before it is asked.

Knows the table an App keeps, and no tool. It is made with the first ``confirmed``, so that who has none loads nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["confirmed"]


@contextmanager
def confirmed(made: dict[str, Any]) -> Iterator[None]:
    """Inside this block ``made["consent"]`` is True, for the caller's context and whatever inherits it."""
    consent: ContextVar[bool] = made.setdefault("consent", ContextVar("accord_consent", default=False))
    token = consent.set(True)
    try:
        yield
    finally:
        consent.reset(token)
