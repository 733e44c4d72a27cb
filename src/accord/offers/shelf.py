"""All that an app offers beside its tools, found by address and by name.

Functions are kept in registries beside the tools' own, so that they are filled in by the app's providers, and by those
of the app they came with. Runs nothing.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from accord._calls import JSON
from accord._registry import Home, Registry
from accord.errors import RegistrationError
from accord.offers.contract import Contract
from accord.offers.uri_templates import Values
from accord.offers.values import Prompt, Resource, Template

__all__ = ["Offers", "Target", "offers_of", "target_of"]

Target: TypeAlias = Prompt | Resource | Template
#: what a completion is for: the kind and the name of its target, and the argument
Key: TypeAlias = tuple[Literal["prompt", "resource"], str, str]

_log = logging.getLogger("accord.offers")


class _Addresses(Registry):
    """Functions by addresses: there, a dot and an underscore are two things."""

    @staticmethod
    def spelling(name: str) -> str:
        """The name itself."""
        return name


class Offers:
    """The resources and templates of an app by their URIs, its prompts by name, and completions by what they are for.

    ``reading``, ``prompting`` and ``completing`` are the registries that dispatch calls their functions in.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.resources: dict[str, Resource] = {}
        self.templates: dict[str, Template] = {}
        self.prompts: dict[str, Prompt] = {}
        self.completions: dict[Key, Contract] = {}
        self.reading: Registry = _Addresses.beside(registry)
        self.prompting: Registry = Registry.beside(registry)
        self.completing: Registry = _Addresses.beside(registry)

    # -- finding -------------------------------------------------------------------------------------------------

    def find_prompt(self, name: str) -> Prompt | None:
        """The prompt of that name, in the dotted or the underscored spelling, or None."""
        found = self.prompting.find(name)
        return None if found is None else self.prompts[found.name]

    def find_resource(self, uri: str) -> tuple[Resource | Template, Values] | None:
        """What is read at this address, and the values of its variables; None where nothing is.

        A resource comes before every template, and a template before those registered after it.
        """
        resource = self.resources.get(uri)
        if resource is not None:
            return resource, {}
        for template in list(self.templates.values()):  # more may come meanwhile
            values = template.uri_template.match(uri)
            if values is not None:
                return template, values
        return None

    # -- putting there -------------------------------------------------------------------------------------------

    def put(self, offer: Target, *, replace: bool = False, home: Home | None = None) -> None:
        """Take in a resource, a template or a prompt.

        Raises:
            RegistrationError: its address or its name is taken.
        """
        contract = offer.contract
        if isinstance(offer, Prompt):
            taken = self.find_prompt(contract.name) is not None
            registry, what = self.prompting, f"a prompt named {contract.name!r}"
        else:
            taken = contract.name in self.resources or contract.name in self.templates
            registry, what = self.reading, f"a resource at {contract.name!r}"
        if taken and not replace:
            raise _taken(contract, what)
        if taken:
            self._forget_completions(offer)
        registry.add(contract, replace=replace, home=home)
        if isinstance(offer, Prompt):
            self.prompts[contract.name] = offer
        elif isinstance(offer, Template):
            self.templates[contract.name] = offer
        else:
            self.resources[contract.name] = offer
        self._registry.changed("prompts" if isinstance(offer, Prompt) else "resources")

    def _forget_completions(self, offer: Target) -> None:
        """They were made for the arguments of the one that is replaced."""
        kind = "prompt" if isinstance(offer, Prompt) else "resource"
        for key in [key for key in self.completions if key[:2] == (kind, offer.contract.name)]:
            self.completing.remove(self.completions.pop(key).name)

    def put_completion(self, key: Key, contract: Contract, *, replace: bool = False, home: Home | None = None) -> None:
        """Take in what completes an argument.

        Raises:
            RegistrationError: something completes it already.
        """
        if key in self.completions and not replace:
            raise _taken(contract, f"a completion of {key[2]!r} of {key[1]!r}")
        self.completing.add(contract, replace=replace, home=home)
        self.completions[key] = contract

    # -- listing -------------------------------------------------------------------------------------------------

    def list_resources(self) -> list[dict[str, JSON]]:
        """The entries of ``resources/list``."""
        return [resource.wire() for resource in list(self.resources.values())]

    def list_templates(self) -> list[dict[str, JSON]]:
        """The entries of ``resources/templates/list``."""
        return [template.wire() for template in list(self.templates.values())]

    def list_prompts(self) -> list[dict[str, JSON]]:
        """The entries of ``prompts/list``, without those whose annotations still cannot be understood (R21)."""
        return list(_listable(self.prompts))


def _listable(prompts: Mapping[str, Prompt]) -> Iterable[dict[str, JSON]]:
    for name, prompt in list(prompts.items()):
        try:
            entry = prompt.wire()
        except RegistrationError:
            _log.warning("the prompt %s cannot be listed", name, exc_info=True)
        else:
            yield entry


def offers_of(registry: Registry) -> Offers:
    """What an app offers; made when first asked for."""
    if registry.offers is None:
        registry.offers = Offers(registry)
    return registry.offers


def target_of(offers: Offers, ref: Any) -> Target | None:
    """What is meant by a prompt's name, a URI or template as it was registered, or the function of either."""
    if isinstance(ref, str):
        found: Target | None = offers.resources.get(ref) or offers.templates.get(ref)
        return found or offers.find_prompt(ref)
    everything: tuple[Target, ...] = (*offers.prompts.values(), *offers.templates.values(), *offers.resources.values())
    return next((offer for offer in everything if offer.fn == ref), None)


def _taken(contract: Contract, what: str) -> RegistrationError:
    return RegistrationError(
        contract.name, None, f"{what} is registered already", "Give one of them another, or register with replace=True."
    )
