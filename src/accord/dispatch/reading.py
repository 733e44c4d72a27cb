"""A URI -> what is to be read there, for a server.

``read_resource`` works on the caller's thread, ``aread_resource`` in an event loop.

``call.name`` is the URI; the rest of the call says who asks, as for a tool. The outcome is ``Ok``, whose ``structured``
is the result of ``resources/read`` (``{"contents": [{"uri", "mimeType", "text" or "blob"}, ...]}``, never empty), or
``Failed``. Where nothing is at the URI its reason is ``unknown_resource`` and its ``error_data`` holds the ``uri``;
``dispatch.exceptions.protocol_error`` makes the JSON-RPC error of any failure, with the code of 2026-07-28.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from accord._calls import JSON, Call, Failed, Ok, Outcome
from accord._pages import SCHEME
from accord._redact import text_of
from accord._registry import Registry
from accord.dispatch import blocking
from accord.dispatch.contents import as_page, contents_of
from accord.dispatch.offered import UNKNOWN_RESOURCE, call_of, told, unknown, wired
from accord.errors import ResourceNotFound
from accord.offers.shelf import Offers, offers_of
from accord.offers.uri_templates import Values, is_uri, problem_of
from accord.offers.values import Resource, Template

__all__ = ["aread_resource", "not_found", "read_resource"]


class _Reading(msgspec.Struct, frozen=True):
    """What is about to be read: the call of its function."""

    offers: Offers
    uri: str
    resource: Resource | Template
    call: Call


def read_resource(registry: Registry, call: Call) -> Outcome:
    """What is to be read at the URI ``call.name``. Never raises for what a resource does."""
    reading = _located(registry, call)
    if isinstance(reading, Failed):
        return reading
    return _read(reading, blocking.dispatch(reading.offers.reading, reading.call))


async def aread_resource(registry: Registry, call: Call, pool: ThreadPoolExecutor) -> Outcome:
    """The same inside an event loop; sync functions run on a thread of ``pool``. Raises only CancelledError."""
    from accord.dispatch import awaiting  # noqa: PLC0415 - it loads asyncio

    reading = _located(registry, call)
    if isinstance(reading, Failed):
        return reading
    return _read(reading, await awaiting.dispatch(reading.offers.reading, reading.call, pool))


def not_found(offers: Offers, uri: str, problem: str = "") -> Failed:
    """The failure of asking for an address where nothing is."""
    return unknown(UNKNOWN_RESOURCE, "uri", uri, (*offers.resources, *offers.templates), problem)


def _located(registry: Registry, call: Call) -> _Reading | Failed:
    offers, uri = offers_of(registry), call.name
    if not is_uri(uri):
        return not_found(offers, uri, "this is no URI")
    found = offers.find_resource(uri)
    if found is None:
        return not_found(offers, uri)
    resource, values = found
    ready = call_of(resource.contract, values, call)
    if isinstance(ready, Failed):
        return told(ready, "uri", uri)
    problem = _refused(resource, values)
    if problem is not None:
        return not_found(offers, uri, problem)
    return _Reading(offers, uri, resource, ready)


def _refused(resource: Resource | Template, values: Values) -> str | None:
    """Why these values may not be looked up: a URI is anybody's text, and functions make paths of it."""
    paths = resource.contract.paths | (resource.uri_template.open if isinstance(resource, Template) else frozenset())
    problems = ((name, problem_of(value, is_path=name in paths)) for name, value in values.items())
    return next((f"{name}: {problem}" for name, problem in problems if problem), None)


def _read(reading: _Reading, outcome: Outcome) -> Outcome:
    contract, uri = reading.resource.contract, reading.uri
    if isinstance(outcome, Ok):
        outcome = wired(contract, contract.policy, outcome.value, lambda value: _contents(reading, value))
    if isinstance(outcome, Ok):
        return outcome
    if isinstance(outcome.exception, ResourceNotFound):
        return _said_missing(reading, outcome.exception)
    failed = told(outcome, "uri", uri)
    for key in ("patch", "schema"):  # a URI is no object that could be patched
        failed.error_data.pop(key, None)
    text = failed.text.partition("\nThis JSON Patch")[0]
    return msgspec.structs.replace(failed, text=text)


def _contents(reading: _Reading, value: Any) -> dict[str, JSON]:
    resource, uri = reading.resource, reading.uri
    contents = contents_of(value, uri, resource.mime_type)
    return as_page(contents, uri, resource.meta or {}) if uri.startswith(SCHEME) else contents


def _said_missing(reading: _Reading, error: ResourceNotFound) -> Failed:
    said = "" if reading.resource.contract.policy.mask_errors else text_of(error).partition(": ")[2]
    failed = not_found(reading.offers, reading.uri, said)
    failed.error_data.pop("suggestion", None)
    return msgspec.structs.replace(failed, exception=error)
