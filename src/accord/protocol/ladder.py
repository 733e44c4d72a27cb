"""Is this request served, and at which version? One decision per request, from what the request itself says.

A request whose ``_meta`` names a version is of the stateless era, whatever came before it on the same pipe;
``initialize`` opens the handshake era beside it. The steps stand in the order in which their errors must win. Knows no
bytes and keeps no state.
"""

from typing import Any, Final

import msgspec

from accord.protocol.errors import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, VERSION_NOT_SUPPORTED, Refused
from accord.protocol.events import Peer, Request
from accord.protocol.headers import Headers, agree
from accord.protocol.jsonrpc import ID_TYPES
from accord.protocol.methods import METHODS
from accord.protocol.profile import Profile
from accord.protocol.rounds import take_up
from accord.protocol.tasks import demand
from accord.protocol.versions import LATEST_HANDSHAKE, STATELESS, Version

__all__ = ["Agreed", "admit"]

_VERSION: Final = "io.modelcontextprotocol/protocolVersion"
_CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"

_NOBODY: Final = Peer("", {})
_TOKEN_TYPES: Final = ID_TYPES | {type(None)}
_convert = msgspec.convert


class Agreed(msgspec.Struct, frozen=True):
    """What a handshake settled."""

    version: Version
    peer: Peer


def admit(
    id: int | str,
    method: str,
    params: dict[str, Any],
    agreed: Agreed | None,
    profile: Profile,
    headers: Headers | None = None,
) -> Request:
    """The request as an event. Takes ``params`` over.

    Raises:
        Refused: it is not served.
    """
    meta = params.get("_meta")
    # `initialize` opens the handshake era even where somebody stamped an envelope on it.
    enveloped = isinstance(meta, dict) and _VERSION in meta and method != "initialize"
    if enveloped or (headers is not None and headers.is_stateless):
        version, peer = _unwrapped(method, params, meta, headers)
    else:
        version, peer = _agreed(method, meta, agreed)
    row = profile.served[version.name].get(method)
    if row is None:
        raise Refused(METHOD_NOT_FOUND, f"Method not found: {method}")
    if isinstance(meta, dict) and type(meta.get("progressToken", 0)) not in _TOKEN_TYPES:
        raise Refused(INVALID_PARAMS, "Invalid params: _meta: a progressToken is a string or an integer")
    # The event is made from the params in one step; what the client wrote under these names does not count.
    params["id"], params["version"], params["peer"] = id, version, peer
    params["retry"] = None
    if row.rounds and version.stateless and ("inputResponses" in params or "requestState" in params):
        params["retry"] = take_up(method, params, profile.sealing)
    try:
        request: Request = _convert(params, row.request)
    except msgspec.ValidationError:
        request = _without_nulls(params, row.request)
    if row.tasks:
        demand(peer)
    return request


def _without_nulls(params: dict[str, Any], kind: type[Request]) -> Request:
    """Some clients write null for what they leave out."""
    given = {name: value for name, value in params.items() if value is not None}
    try:
        return _convert(given, kind)
    except msgspec.ValidationError as error:
        raise Refused(INVALID_PARAMS, f"Invalid params: {error}") from None


def _unwrapped(method: str, params: dict[str, Any], meta: Any, headers: Headers | None) -> tuple[Version, Peer]:
    try:
        peer = _convert(meta, Peer)
    except msgspec.ValidationError as error:
        raise Refused(INVALID_PARAMS, f"Invalid params: _meta: {error}") from None
    if headers is not None:
        agree(headers, method, params, peer.protocol)
    version = STATELESS.get(peer.protocol)
    if version is None:
        data = {"supported": list(STATELESS), "requested": peer.protocol}
        raise Refused(VERSION_NOT_SUPPORTED, "Unsupported protocol version", data)
    return version, peer


def _agreed(method: str, meta: Any, agreed: Agreed | None) -> tuple[Version, Peer]:
    row = METHODS.get(method)
    if method == "server/discover" or (agreed is None and isinstance(meta, dict) and _CAPABILITIES in meta):
        raise Refused(INVALID_PARAMS, f"Invalid params: _meta must hold {_VERSION} and {_CAPABILITIES}")
    if agreed is not None:
        return agreed.version, agreed.peer
    if row is None:
        raise Refused(METHOD_NOT_FOUND, f"Method not found: {method}")
    if row.anytime:
        return LATEST_HANDSHAKE, _NOBODY
    raise Refused(INVALID_REQUEST, f"Not initialized: send initialize first, or name {_VERSION} in _meta")
