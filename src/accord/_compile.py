"""Function + options + policy -> Compiled: everything a call needs, made once and never again.

Here the promises of registration are kept: explicit schemas are checked, published defaults must
pass their own gate, and a function whose parameters cannot take what the schema admits is refused.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Any

import msgspec

from accord._calls import JSON
from accord._decode import Converter, Decoder, ready_type
from accord._options import Options
from accord._ready import Ready
from accord._signature import Signature, signature_of
from accord.errors import RegistrationError
from accord.gate.explain import explain
from accord.gate.validator import Gate
from accord.policy import Policy
from accord.schema import tree
from accord.schema.dialects import Dialect, dialect_named, lower
from accord.schema.emit import emit
from accord.schema.infer import Input, canonical_input, infer_input, infer_output, published_input, published_output
from accord.schema.mirroring import check_mirrored
from accord.schema.refs import dangling_references

__all__ = ["Compiled", "compile_function"]

Schema = dict[str, JSON]
Definitions = dict[Hashable, tuple[str, tree.Node]]


class Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """A tool ready to be called.

    ``whole`` is the tree of the arguments. ``input`` and ``output`` are canonical and enforced, the
    ``published_`` ones are what clients see.
    ``ready`` is what a call needs of it all; its second gate is what the annotations themselves demand.
    """

    signature: Signature
    whole: tree.Tree
    ready: Ready
    input: Schema
    output: Schema | None
    published_input: Schema
    published_output: Schema | None
    dialect: Dialect

    @property
    def gate(self) -> Gate:
        """The input schema, compiled."""
        return self.ready.gate

    @property
    def output_gate(self) -> Gate | None:
        """The output schema, compiled."""
        return self.ready.output_gate


def compile_function(
    function: Callable[..., Any],
    options: Options,
    policy: Policy,
    is_provided: Callable[[Any], bool],
    *,
    has_result: bool = True,
) -> Compiled:
    """Compile a function; what it returns is of no concern where it ``has_result`` not.

    Raises:
        RegistrationError: it cannot work; the message names the function, the parameter, the remedy.
        Unresolved: an annotation names something that is not defined yet.
    """
    dialect = dialect_named(policy.dialect)
    signature = signature_of(function, is_provided=is_provided)
    flatten = options.flatten if options.flatten is not None else (None if dialect.flatten else False)
    inferred = infer_input(signature, strict=policy.strict, flatten=flatten)
    _check_defaults(signature.function, inferred)
    canonical, published, types = _input_schemas(inferred, options, dialect)
    output, published_result = (
        _output_schemas(function, inferred, options, policy, dialect) if has_result else (None, None)
    )
    decoder = Decoder(inferred.whole)
    return Compiled(
        signature=signature,
        whole=inferred.whole,
        ready=Ready(
            defaults={each.name: each.default for each in signature.parameters if not each.required},
            converters=tuple(_converters(inferred, decoder)),
            flattened=decoder.converter(inferred.whole.root) if inferred.flattened else None,
            gate=Gate(canonical),
            output_gate=Gate(output) if output is not None else None,
            types=Gate(types) if types is not None else None,
            injected=signature.injected,
            positional_order=signature.positional_order,
        ),
        input=canonical,
        output=output,
        published_input=published,
        published_output=published_result,
        dialect=dialect,
    )


def _converters(inferred: Input, decoder: Decoder) -> Iterator[tuple[str, type | None, Converter]]:
    for name, node in inferred.nodes.items():
        convert = decoder.converter(node)
        if convert is not None:
            yield name, ready_type(node), convert


def _input_schemas(inferred: Input, options: Options, dialect: Dialect) -> tuple[Schema, Schema, Schema | None]:
    """The enforced schema, the published one, and what the annotations demand behind an explicit one."""
    canonical = canonical_input(inferred)
    if options.input_schema is None:
        return canonical, published_input(inferred, canonical, dialect), None
    explicit = _checked(options.input_schema, inferred.signature.function, "input_schema")
    if explicit.get("type") != "object":
        raise RegistrationError(
            inferred.signature.function,
            None,
            "its input_schema does not say type: object at the root",
            "Arguments are an object: add it.",
        )
    _check_takes(inferred.signature, explicit)
    check_mirrored(explicit, inferred.signature.function)
    types = {**canonical, "additionalProperties": True} if inferred.signature.takes_any_keyword else canonical
    return explicit, explicit, types


def _check_takes(signature: Signature, explicit: Schema) -> None:
    if signature.takes_any_keyword:
        return
    known = {parameter.name for parameter in signature.parameters}
    for name in explicit.get("properties", {}):
        if name not in known:
            raise RegistrationError(
                signature.function,
                name,
                "its input_schema declares this property and the function takes no such parameter",
                "Add the parameter, or **kwargs.",
            )


def _output_schemas(
    function: Callable[..., Any], inferred: Input, options: Options, policy: Policy, dialect: Dialect
) -> tuple[Schema | None, Schema | None]:
    if options.output_schema is not None:
        explicit = _checked(options.output_schema, inferred.signature.function, "output_schema")
        return explicit, explicit
    whole = infer_output(function, inferred.signature, strict=policy.strict)
    if whole is None:
        return None, None
    canonical = emit(whole, "output")
    closed = dialect.closed_outputs or policy.outputs == "closed"
    if closed:
        # A published promise to say nothing else has to be kept, so here the enforced form is closed too.
        canonical = lower(canonical, Dialect(name="closed", closed_outputs=True), "output")
    return canonical, published_output(canonical, dialect)


_METASCHEMA = "https://json-schema.org/draft/2020-12/schema"


def _checked(schema: object, function: str, option: str) -> Schema:
    remedy = f"Give {option} a valid, self-contained JSON Schema 2020-12 object."
    try:
        return _as_given(schema, function, option, remedy)
    except RecursionError:
        problem = f"{option} contains itself, or is nested too deeply"
        raise RegistrationError(function, None, problem, remedy) from None


def _as_given(schema: object, function: str, option: str, remedy: str) -> Schema:
    if not isinstance(schema, dict):
        raise RegistrationError(function, None, f"{option} is no JSON object", remedy)
    try:
        copy: Schema = msgspec.json.decode(msgspec.json.encode(schema))
    except (TypeError, msgspec.MsgspecError) as error:
        raise RegistrationError(function, None, f"{option} is not JSON: {error}", remedy) from error
    for pointer, reference in dangling_references(copy):
        raise RegistrationError(
            function,
            None,
            f"{option} refers to {reference!r} (at {pointer or 'its root'}), which it does not hold",
            remedy,
        )
    named = copy.get("$schema", _METASCHEMA)
    if not isinstance(named, str) or named.rstrip("#") != _METASCHEMA:
        raise RegistrationError(function, None, f"{option} is written in another dialect ({named!r})", remedy)
    from accord.gate.engine import schema_problem  # noqa: PLC0415 - only schemas written by hand need it

    problem = schema_problem(copy)
    if problem:
        raise RegistrationError(function, None, f"{option} is not a valid schema: {problem}", remedy)
    return copy


def _check_defaults(function: str, inferred: Input) -> None:
    """A published default that its own gate refuses would fail every call that leaves it out."""
    root = inferred.whole.root
    assert isinstance(root, tree.Record)
    for top in root.fields:
        for field in (top, *tree.fields_of(top.node)):
            _check_default(function, top.name, field, inferred.whole.definitions)
    for name, node in inferred.whole.definitions.values():
        for field in tree.fields_of(node):
            _check_default(function, name, field, inferred.whole.definitions)


def _check_default(function: str, parameter: str, field: tree.Field, definitions: Definitions) -> None:
    if field.default is msgspec.UNSET or _plainly_fits(field.node, field.default):
        return
    gate = Gate(emit(tree.Tree(field.node, definitions), "input"))
    if gate.is_valid(field.default):
        return
    reason = explain(gate, field.default)[0].message
    of_field = "" if field.name == parameter else f"field {field.name!r}: "
    raise RegistrationError(
        function,
        parameter,
        f"{of_field}its default {_brief(field.default)} breaks its own contract: it {reason}",
        "Change the default or the annotation.",
    )


def _brief(value: JSON) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def _plainly_fits(node: tree.Node, value: JSON) -> bool:
    """The everyday defaults, told apart without compiling anything: start-up is not for gates."""
    if node.limits:
        return False
    if isinstance(node, tree.Union):
        return any(_plainly_fits(branch, value) for branch in node.branches)
    if isinstance(node, tree.Choice):
        return any(type(known) is type(value) and known == value for known in node.values)
    kinds = _PLAIN.get(type(node))
    return kinds is not None and type(value) in kinds and (not isinstance(node, tree.Text) or not node.codec)


_PLAIN: dict[type[tree.Node], tuple[type, ...]] = {
    tree.Null: (type(None),),
    tree.Boolean: (bool,),
    tree.Integer: (int,),
    tree.Number: (int, float),
    tree.Text: (str,),
    tree.Anything: (str, int, float, bool, type(None), list, dict),
}
