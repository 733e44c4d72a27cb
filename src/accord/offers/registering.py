"""A function -> the resource, the prompt or the completion it is to be.

Whatever cannot work is refused here, at registration: a parameter no variable fills, a variable no parameter takes.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from accord._entries import checked_icons, checked_meta
from accord._options import checked_name, name_of
from accord._pages import MIME_TYPE, SCHEME, page_meta
from accord._parameters import VAR_KEYWORD, VAR_POSITIONAL, written
from accord._registry import Home, Registry
from accord._signature import Signature, summary_of_function
from accord.errors import RegistrationError
from accord.offers.contract import Contract, may_be_provided
from accord.offers.options import PromptOptions, ResourceOptions, checked
from accord.offers.shelf import Key, Target, offers_of, target_of
from accord.offers.uri_templates import BadTemplate, UriTemplate, parse
from accord.offers.values import Prompt, Resource, Template
from accord.texts.kinds import kinds_of

__all__ = ["add_completion", "add_offers", "add_prompt", "add_resource", "completion", "key_of", "prompt", "resource"]

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


def resource(registry: Registry, uri: str, options: dict[str, Any]) -> Decorator:
    """The decorator behind ``app.resource``."""
    if not isinstance(uri, str):  # used bare, it would take the function's place
        raise _no_address(name_of(uri))

    def register(function: Function) -> Function:
        add_resource(registry, function, uri, options)
        return function

    return register


def prompt(registry: Registry, name: Any, options: dict[str, Any]) -> Any:
    """The decorator behind ``app.prompt``, or the function it decorates bare."""
    if name is not None and not isinstance(name, str):
        add_prompt(registry, name, None, options)
        return name

    def register(function: Function) -> Function:
        add_prompt(registry, function, name, options)
        return function

    return register


def completion(registry: Registry, ref: Any, argument: str, *, replace: bool) -> Decorator:
    """The decorator behind ``app.completion``."""

    def register(function: Function) -> Function:
        add_completion(registry, function, ref, argument, replace=replace)
        return function

    return register


def add_resource(
    registry: Registry, function: Function, uri: str, options: dict[str, Any], *, home: Home | None = None
) -> None:
    """Let a function be read at a URI, or at every URI of a template.

    Raises:
        RegistrationError: it cannot work, or the URI is taken.
    """
    name = name_of(function)
    checked(options, ResourceOptions, name)
    template = _template(uri, name)
    given = {"name": name, "description": summary_of_function(function) or None, **_said(options, name)}
    given |= _page(uri, given.pop("ui", None), given, name)
    is_template = bool(template.variables)
    if is_template and "size" in given:
        raise RegistrationError(name, None, "a template has no size", "Leave it out: each address has its own.")
    _check_variables(function, name, template)
    contract = _contract(
        registry, function, uri, options, home, check=partial(_check_parameters, template=template, early=False)
    )
    if "compiled" in contract.__dict__:
        _check_parameters(contract.compiled.signature, template=template, early=True)
    made: Target = (
        Template(uri_template=template, contract=contract, **given)
        if is_template
        else Resource(uri=uri, contract=contract, **given)
    )
    offers_of(registry).put(made, replace=options.get("replace", False), home=home)


def add_prompt(
    registry: Registry, function: Function, name: str | None, options: dict[str, Any], *, home: Home | None = None
) -> None:
    """Let a function make a prompt.

    Raises:
        RegistrationError: it cannot work, or the name is taken.
    """
    own = name_of(function)
    checked(options, PromptOptions, own)
    dotted = checked_name(own if name is None else name)
    published = dotted.replace(".", "_") if registry.policy.names == "underscore" else dotted
    contract = _contract(registry, function, published, options, home)
    summary = summary_of_function(function)
    headline, _, more = summary.partition("\n\n")
    told = {"title": headline.removesuffix(".")} if more else {}
    given = {**told, "description": summary or None, **_said(options, own)}
    made = Prompt(name=published, contract=contract, **given)
    offers_of(registry).put(made, replace=options.get("replace", False), home=home)


def add_completion(
    registry: Registry, function: Function, ref: Any, argument: str, *, replace: bool = False, home: Home | None = None
) -> None:
    """Let a function complete an argument of a prompt, or a variable of a template.

    Raises:
        RegistrationError: there is no such argument, something completes it already, or the function cannot work.
    """
    offers, name = offers_of(registry), name_of(function)
    target = target_of(offers, ref)
    if target is None:
        shown = ref if isinstance(ref, str) else name_of(ref)
        raise RegistrationError(
            name, None, f"it completes an argument of {shown!r}, which is not registered", "Register that first."
        )
    known = _arguments(target)
    if known is not None and argument not in known:
        has = f"It has: {', '.join(known)}." if known else "It has none."
        raise RegistrationError(name, None, f"{target.contract.name!r} has no argument {argument!r}", has)
    key = key_of(target, argument)
    label = f"the completion of {argument} of {target.contract.name}"
    contract = _contract(registry, function, label, {}, home, check=_check_completion)
    if "compiled" in contract.__dict__:
        _check_completion(contract.compiled.signature)
        _check_text(contract)
    offers.put_completion(key, contract, replace=replace, home=home)


def key_of(target: Target, argument: str) -> Key:
    """What a completion of this argument is kept under."""
    return "prompt" if isinstance(target, Prompt) else "resource", target.contract.name, argument


def add_offers(registry: Registry, theirs: Registry, prefix: tuple[str, ...], *, replace: bool) -> None:
    """Take over what another app offers: prompts go below the prefix, as tools do; addresses stay what they are.

    Raises:
        RegistrationError: a name or an address is taken.
    """
    other = theirs.offers
    if other is None:
        return
    renamed: dict[Target, Target] = {}
    mine = offers_of(registry)
    everything: tuple[Target, ...] = (*other.resources.values(), *other.templates.values(), *other.prompts.values())
    for offer in everything:
        is_prompt = isinstance(offer, Prompt)
        home = Home(other.prompting if is_prompt else other.reading, offer.contract.name)
        name = ".".join((*prefix, offer.name)) if is_prompt else offer.contract.name
        if registry.policy.names == "underscore" and is_prompt:
            name = name.replace(".", "_")
        contract = _again(registry, offer.contract, checked_name(name) if is_prompt else name, home)
        fields = {**offer.__dict__, "contract": contract, **({"name": name} if is_prompt else {})}
        renamed[offer] = type(offer)(**fields)
        mine.put(renamed[offer], replace=replace, home=home)
    for (kind, target, argument), completing in other.completions.items():
        completed: Target = other.prompts[target] if kind == "prompt" else other.templates[target]
        home = Home(other.completing, completing.name)
        key = key_of(renamed[completed], argument)
        label = f"the completion of {argument} of {key[1]}"
        mine.put_completion(key, _again(registry, completing, label, home), replace=replace, home=home)


def _again(registry: Registry, contract: Contract, name: str, home: Home) -> Contract:
    """The function under another app's policy and providers, after those of its own."""
    options = {"timeout": contract.options.timeout}
    return _contract(registry, contract.fn, name, options, home, check=contract.check)


def _contract(
    registry: Registry,
    function: Function,
    name: str,
    options: dict[str, Any],
    home: Home | None,
    *,
    check: Callable[[Signature], None] = lambda _signature: None,
) -> Contract:
    is_provided = registry.providers.provides
    if home is not None:
        is_provided = home.registry.providers_of(home.name).before(registry.providers).provides
    return Contract(function, name, registry.policy, is_provided, check=check, timeout=options.get("timeout"))


def _said(options: dict[str, Any], function: str) -> dict[str, Any]:
    """What is said of it where it is listed."""
    said = {name: value for name, value in options.items() if name not in ("timeout", "replace") and value is not None}
    checks: dict[str, Callable[[Any, str], Any]] = {"icons": checked_icons, "meta": checked_meta}
    return said | {name: check(said[name], function) for name, check in checks.items() if name in said}


def _page(uri: str, page: Any, given: dict[str, Any], function: str) -> dict[str, Any]:
    """What is said besides of a page of MCP Apps: its type, and in ``_meta`` what it needs."""
    if not uri.startswith(SCHEME):
        if page is None:
            return {}
        raise RegistrationError(
            function, None, f"the option ui is for pages, and {uri!r} is none", "Begin the address with ui://."
        )
    if given.get("mime_type", MIME_TYPE) != MIME_TYPE:
        raise RegistrationError(
            function, None, f"what is at a ui:// address has the type {MIME_TYPE}", "Leave mime_type out."
        )
    needs = {} if page is None else page_meta(page, function)
    return {"mime_type": MIME_TYPE, "meta": {**given.get("meta", {}), **({"ui": needs} if needs else {})}}


# -- checks ----------------------------------------------------------------------------------------------------------


def _no_address(function: str) -> RegistrationError:
    return RegistrationError(
        function, None, "a resource needs an address", 'Give it one: @app.resource("notes://today").'
    )


def _template(uri: Any, function: str) -> UriTemplate:
    if not isinstance(uri, str):
        raise _no_address(function)
    try:
        return parse(uri)
    except BadTemplate as error:
        raise RegistrationError(function, None, error.problem, error.remedy) from error


def _check_variables(function: Function, name: str, template: UriTemplate) -> None:
    """Every variable has a parameter: known before any annotation is."""
    try:
        known = [each.name for each in written(function).parameters if each.kind not in (VAR_POSITIONAL, VAR_KEYWORD)]
    except (TypeError, ValueError):  # no signature at all: for the contract to refuse
        return
    for variable in template.variables:
        if variable not in known:
            raise RegistrationError(
                name,
                None,
                f"{template.text!r} has a variable {variable!r}, and the function no such parameter",
                f"Add a parameter {variable}, or write the URI without it.",
            )


def _check_parameters(signature: Signature, *, template: UriTemplate, early: bool) -> None:
    """Every parameter has a variable, or is filled in; ``early`` on, a factory for it may still come."""
    for parameter in signature.parameters:
        if parameter.name in template.variables or (early and may_be_provided(parameter)):
            continue
        raise RegistrationError(
            signature.function,
            parameter.name,
            f"{template.text!r} has no such variable, and nothing else fills it in",
            f"Write {{{parameter.name}}} into the URI, take the parameter out, or provide its type with app.provide.",
        )


def _check_completion(signature: Signature) -> None:
    required = [parameter for parameter in signature.parameters if parameter.required]
    if not signature.parameters or len(required) > 2:
        raise RegistrationError(
            signature.function,
            None,
            "what completes an argument is given the text so far, and a dict of the other arguments",
            "Let it take one parameter (value: str), or two (value: str, arguments: dict[str, str]).",
        )


def _check_text(contract: Contract) -> None:
    names = [parameter.name for parameter in contract.compiled.signature.parameters]
    for name, kind, annotation in zip(names, ("string", "object"), ("str", "dict[str, str]"), strict=False):
        if kind not in kinds_of(contract.properties[name], contract.definitions):
            raise RegistrationError(
                contract.compiled.signature.function,
                name,
                f"it is given a value of the JSON type {kind}",
                f"Annotate it with {annotation}.",
            )


def _arguments(target: Target) -> list[str] | None:
    """The arguments that can be completed; None where they are not known yet."""
    if isinstance(target, Template):
        return list(target.uri_template.variables)
    if isinstance(target, Resource):
        return []
    return list(target.contract.properties) if "compiled" in target.contract.__dict__ else None
