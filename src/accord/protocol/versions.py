"""The specifications Accord speaks, one row each, and what differs between them. Code reads the row, never the date."""

from typing import Final

import msgspec

from accord.protocol.errors import INVALID_PARAMS, RESOURCE_NOT_FOUND

__all__ = ["FORMER", "HANDSHAKE", "LATEST_HANDSHAKE", "LATEST_STATELESS", "STATELESS", "VERSIONS", "Version"]


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One specification."""

    name: str
    stateless: bool
    """Every request describes its client and every result its server; there is no handshake."""
    any_structured: bool
    """``structuredContent`` is any JSON value; before, it is an object."""
    resource_not_found: int
    elicitation_id: bool
    """URL elicitation carries an id of the server's making."""
    rich_forms: bool
    """Forms have multiple choice, and defaults of every kind; before, only yes-or-no fields have a default."""
    polling: bool
    """Streams over HTTP begin with an empty event, and a client may be sent away to come back for the rest."""
    info_fields: tuple[str, ...]
    """What an ``Implementation`` may hold."""
    hidden: frozenset[str]
    """Members of a listed tool, resource or prompt that this version does not know."""

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<MCP {self.name}>"


_INFO_06 = ("name", "title", "version")
_INFO_11 = (*_INFO_06, "description", "icons", "websiteUrl")

_ROWS = (
    Version(
        name="2025-06-18",
        stateless=False,
        any_structured=False,
        resource_not_found=RESOURCE_NOT_FOUND,
        elicitation_id=False,
        rich_forms=False,
        polling=False,
        info_fields=_INFO_06,
        hidden=frozenset({"icons", "execution"}),
    ),
    Version(
        name="2025-11-25",
        stateless=False,
        any_structured=False,
        resource_not_found=RESOURCE_NOT_FOUND,
        elicitation_id=True,
        rich_forms=True,
        polling=True,
        info_fields=_INFO_11,
        hidden=frozenset(),
    ),
    Version(
        name="2026-07-28",
        stateless=True,
        any_structured=True,
        resource_not_found=INVALID_PARAMS,
        elicitation_id=False,
        rich_forms=True,
        polling=False,
        info_fields=_INFO_11,
        hidden=frozenset({"execution"}),
    ),
)

VERSIONS: Final[dict[str, Version]] = {row.name: row for row in _ROWS}
#: opened by ``initialize``
HANDSHAKE: Final[dict[str, Version]] = {row.name: row for row in _ROWS if not row.stateless}
#: named in the ``_meta`` of every request
STATELESS: Final[dict[str, Version]] = {row.name: row for row in _ROWS if row.stateless}

LATEST_HANDSHAKE: Final = list(HANDSHAKE.values())[-1]
LATEST_STATELESS: Final = list(STATELESS.values())[-1]
#: opened by ``initialize`` as well, and spoken no more
FORMER: Final = ("2024-11-05", "2025-03-26")
