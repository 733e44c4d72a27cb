"""What a tool is given besides its arguments.

A parameter named ``ctx``, or annotated ``Context``, is filled in on every surface and never
published. ``Context()`` is inert: a tool called as the plain function it is can log and report
progress into the void.
"""

from typing import ClassVar

__all__ = ["Context"]


class Context:
    """The tool's line to whoever called it."""

    #: how the signature reader recognises the class and its subclasses without importing this module
    __accord_injected__: ClassVar[bool] = True

    def log(self, message: str, level: int = 1) -> None:
        """Say something to the caller; the higher the level, the more verbose a caller must be to see it."""

    def info(self, message: str) -> None:
        """Say something of interest."""

    def warning(self, message: str) -> None:
        """Say that something may be wrong."""

    def error(self, message: str) -> None:
        """Say that something is wrong, without failing."""

    def progress(self, status: str, step: float = 0, total: float = 0) -> None:
        """Say how far the work is; ``total`` 0 means unknown."""
