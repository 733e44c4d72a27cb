"""Resources, templates and prompts as frozen values, and their entries in a server's lists.

What they say is fixed when they are registered; only the arguments of a prompt are read off its contract, which may
have to wait for a name that is defined later. Knows nothing of how they are run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from accord._entries import wire_icon
from accord._values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord._calls import JSON
    from accord.offers.contract import Contract
    from accord.offers.uri_templates import UriTemplate
    from accord.ui import Icon

__all__ = ["Argument", "Prompt", "Resource", "Template"]

Entry = dict[str, "JSON"]


class _Offer(Value, kw_only=True, eq=False):
    """What all three say about themselves."""

    name: str
    contract: Contract
    title: str | None = None
    description: str | None = None
    icons: tuple[Icon, ...] = ()
    meta: Mapping[str, Any] | None = None

    @property
    def fn(self) -> Callable[..., Any]:
        """The function behind it."""
        return self.contract.fn

    def _entry(self, **own: Any) -> Entry:
        said = {"title": self.title, "description": self.description, **own}
        said |= {"icons": [wire_icon(icon) for icon in self.icons] or None, "_meta": dict(self.meta or {}) or None}
        return {"name": self.name, **{key: value for key, value in said.items() if value is not None}}


class Resource(_Offer, kw_only=True, eq=False):
    """Something to read at one address."""

    uri: str
    mime_type: str | None = None
    size: int | None = None
    annotations: Mapping[str, Any] | None = None

    def wire(self) -> Entry:
        """The entry of ``resources/list``."""
        hints = self.annotations and dict(self.annotations)
        return {"uri": self.uri, **self._entry(mimeType=self.mime_type, size=self.size, annotations=hints)}


class Template(_Offer, kw_only=True, eq=False):
    """Something to read at every address of one form."""

    uri_template: UriTemplate
    mime_type: str | None = None
    annotations: Mapping[str, Any] | None = None

    def wire(self) -> Entry:
        """The entry of ``resources/templates/list``."""
        hints = self.annotations and dict(self.annotations)
        return {"uriTemplate": self.uri_template.text, **self._entry(mimeType=self.mime_type, annotations=hints)}


class Argument(Value):
    """One argument of a prompt, as people are asked for it."""

    name: str
    description: str | None
    required: bool

    def wire(self) -> Entry:
        """Its entry among the prompt's arguments."""
        said = {} if self.description is None else {"description": self.description}
        return {"name": self.name, **said, "required": self.required}


class Prompt(_Offer, kw_only=True, eq=False):
    """Messages to begin a conversation with."""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What it asks for, in the order of the function's parameters.

        Raises:
            RegistrationError: an annotation names something that does not exist.
        """
        required = self.contract.compiled.input.get("required", ())
        return tuple(
            Argument(name, schema.get("description") if isinstance(schema, dict) else None, name in required)
            for name, schema in self.contract.properties.items()
        )

    def wire(self) -> Entry:
        """The entry of ``prompts/list``.

        Raises:
            RegistrationError: as ``arguments``.
        """
        return self._entry(arguments=[argument.wire() for argument in self.arguments])
