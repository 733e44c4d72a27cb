"""The constructors of DESIGN 3.2 with named parts: dataclasses and relatives, recursive, tagged."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.fuzz.writer import NAMES, WIRE_NAMES, Constructor, Need, Writer, Written, quoted


@dataclass(frozen=True)
class Part:
    """One field: its name, its annotation, and the expression of its default when it has one."""

    name: str
    text: str
    default: str | None = None
    mutable: bool = True
    sample: str | None = None
    """some value, to build a default of the whole class from"""


def parts(w: Writer, depth: int, need: Need, low: int = 1, names: tuple[str, ...] = NAMES) -> list[Part]:
    """Fields, the required ones first, since most class bodies insist on that."""
    drawn = []
    for name in w.sample(names, low, 3):
        written = w.described(w.annotation(depth - 1, need))
        sample = w.pick(written.defaults) if written.defaults else None
        default = sample if w.chance(2) else None
        drawn.append(Part(name, written.text, default, written.mutable, sample))
    return sorted(drawn, key=lambda part: part.default is not None)


def body(fields: list[Part], factory: str, plain: str = "{}") -> list[str]:
    """The lines of a class body. `factory` is how such a class writes a default that must not be shared."""
    lines = []
    for part in fields:
        given = ""
        if part.default is not None:
            given = " = " + (factory if part.mutable else plain).format(part.default)
        lines.append(f"    {part.name}: {part.text}{given}")
    return lines or ["    pass"]


def example(name: str, fields: list[Part]) -> tuple[str, ...]:
    """An instance as an expression, from the fields that have no default."""
    needed = [part for part in fields if part.default is None]
    if any(part.sample is None for part in needed):
        return ()
    return (f"{name}({', '.join(f'{part.name}={part.sample}' for part in needed)})",)


DATACLASS = "field(default_factory=lambda: {})"
ATTRS = "attrs.field(factory=lambda: {})"
STRUCT = "msgspec.field(default_factory=lambda: {})"
PYDANTIC = "pydantic.Field(default_factory=lambda: {})"


def options(w: Writer, need: Need, *names: str) -> list[str]:
    """`kw_only=True` and the like: frozen where a hash is needed, the rest as chance wills."""
    chosen = [name for name in names if w.chance(3)]
    if need.hashable and "frozen" not in chosen:
        chosen.append("frozen")
    return [f"{name}=True" for name in chosen]


# ---- plain classes with fields -----------------------------------------------------------------------------


def data_class(w: Writer, depth: int, need: Need) -> Written:
    fields, name = parts(w, depth, need, low=0), w.fresh("Record")
    lines = body(fields, DATACLASS)
    if fields and w.chance(8):
        lines[0] = f"    {fields[0].name}: Final[{fields[0].text}]" + lines[0].partition(fields[0].text)[2]
        w.kinds["Final"] += 1
    if not need.pydantic and w.chance(8):
        lines += [
            "    computed_: int = field(init=False, default=7)",
            "    shared_: ClassVar[str] = 'not a field'",
        ]
        w.kinds["init=False"] += 1
    given = ", ".join(options(w, need, "frozen", "slots", "kw_only"))
    w.define(f"@dataclass({given})", f"class {name}:", *lines)
    return Written(name, example(name, fields))


def inheriting(w: Writer, depth: int, need: Need) -> Written:
    """A dataclass over a dataclass; the child redeclares one field of its parent now and then."""
    base, name = w.fresh("Parent"), w.fresh("Child")
    frozen = ", frozen=True" if need.hashable else ""
    inherited, own = parts(w, depth, need), parts(w, depth, need)
    kept = {part.name: part for part in inherited}
    redeclares = w.chance(4)
    # A field declared again without a default inherits the parent's, which the new annotation need not admit.
    own = [one for one in own if one.name not in kept or (redeclares and kept[one.name].default is None)]
    w.define(f"@dataclass(kw_only=True{frozen})", f"class {base}:", *body(inherited, DATACLASS))
    w.define(f"@dataclass(kw_only=True{frozen})", f"class {name}({base}):", *body(own, DATACLASS))
    merged = {part.name: part for part in (*inherited, *own)}
    return Written(name, example(name, list(merged.values())))


def attrs_class(w: Writer, depth: int, need: Need) -> Written:
    fields, name = parts(w, depth, need), w.fresh("Attrs")
    given = ", ".join(options(w, need, "frozen", "kw_only"))
    w.define(f"@attrs.define({given})", f"class {name}:", *body(fields, ATTRS))
    return Written(name, example(name, fields))


def struct(w: Writer, depth: int, need: Need) -> Written:
    fields, name = parts(w, depth, need), w.fresh("Shape")
    given = "".join(
        f", {option}" for option in options(w, need, "frozen", "kw_only", "omit_defaults", "forbid_unknown_fields")
    )
    if w.chance(6):
        given += ", rename='camel'"
        w.kinds["Struct rename"] += 1
    w.define(f"class {name}(msgspec.Struct{given}):", *body(fields, STRUCT))
    return Written(name, example(name, fields))


def named_tuple(w: Writer, depth: int, need: Need) -> Written:
    allowed = tuple(name for name in NAMES if name not in ("count", "index"))
    fields, name = parts(w, depth, need, names=allowed), w.fresh("Point")
    # A NamedTuple has no default factories: what it shares between calls would be its author's doing.
    fields = [replace(part, default=None) if part.mutable else part for part in fields]
    fields.sort(key=lambda part: part.default is not None)
    w.define(f"class {name}(NamedTuple):", *body(fields, "{}"))
    return Written(name, example(name, fields))


def pydantic_model(w: Writer, depth: int, need: Need) -> Written:
    fields, name = parts(w, depth, Need(need.hashable, pydantic=True)), w.fresh("Model")
    given = w.pick(("", ", extra='ignore'", ", extra='forbid'", ", extra='allow'"))
    given += ", frozen=True" if need.hashable else ""
    lines = body(fields, PYDANTIC)
    if not need.hashable and w.chance(6):
        lines.append("    renamed: int = pydantic.Field(3, alias='wire-name', ge=1)")
        w.kinds["pydantic alias"] += 1
    w.define(f"class {name}(pydantic.BaseModel{given}):", *lines)
    return Written(name, example(name, fields))


def pydantic_dataclass(w: Writer, depth: int, need: Need) -> Written:
    fields, name = parts(w, depth, Need(need.hashable, pydantic=True)), w.fresh("Checked")
    given = ", ".join(options(w, need, "frozen", "kw_only"))
    w.define(f"@pydantic.dataclasses.dataclass({given})", f"class {name}:", *body(fields, PYDANTIC))
    return Written(name, example(name, fields))


# ---- TypedDict ---------------------------------------------------------------------------------------------


def class_body(head: str, keys: dict[str, str]) -> list[str]:
    return [head, *(f"    {key}: {text}" for key, text in keys.items()), *([] if keys else ["    pass"])]


def typed_dict(w: Writer, depth: int, need: Need) -> Written:
    """Both syntaxes, both totalities, over inheritance; which keys are required is written down beside it.

    Under `from __future__ import annotations` the class itself does not know that (its `__required_keys__`
    are wrong), and it is one of the things to be tested, so REQUIRED is the test's own note.
    """
    # Before 3.12 pydantic takes typing_extensions' TypedDict alone, and lets nobody else's be inherited from
    # it.
    base, name = "te.TypedDict" if need.pydantic or w.chance(2) else "TypedDict", w.fresh("Keyed")
    spelled: dict[str, str] = {}
    required: list[str] = []

    def keys(names: tuple[str, ...], total: bool) -> dict[str, str]:
        out = {}
        for part in parts(w, depth, need, names=names):
            wrapper = w.pick(("{}", "Required[{}]", "NotRequired[{}]", "NotRequired[{}]", "te.ReadOnly[{}]"))
            if base == "TypedDict" and "ReadOnly" in wrapper:
                wrapper = "{}"
            if part.name in spelled:
                continue
            if wrapper.startswith("Required") or (total and not wrapper.startswith("NotRequired")):
                required.append(part.name)
            w.kinds.update([wrapper.removeprefix("te.").removesuffix("[{}]")] if wrapper != "{}" else [])
            out[part.name] = wrapper.format(part.text)
            samples[part.name] = part.sample
        spelled.update(out)
        return out

    samples: dict[str, str | None] = {}
    total = not w.chance(3)
    w.kinds["total=False"] += not total
    if w.chance(3):
        items = ", ".join(f"{key!r}: {text}" for key, text in keys(WIRE_NAMES, total).items())
        w.define(f"{name} = {base}({name!r}, {{{items}}}, total={total})")
    else:
        bases = base
        if w.chance(4):
            bases = w.fresh("Wider")
            w.define(*class_body(f"class {bases}({base}, total={not total}):", keys(NAMES, not total)))
        w.define(*class_body(f"class {name}({bases}, total={total}):", keys(NAMES, total)))
    w.define(f"REQUIRED[{name}] = {required!r}")
    if any(samples[key] is None for key in required):
        return Written(name)
    return Written(name, (f"{{{', '.join(f'{key!r}: {samples[key]}' for key in required)}}}",))


# ---- recursive, tagged ----------------------------------------------------------------------------


def recursive(head: str, factory: str, plain: str = "{}") -> Constructor:
    """A class that meets itself again: nullable, in a list, in a dict, or by way of a second class."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        need = Need(pydantic=need.pydantic or "pydantic" in head)
        inner, name = w.annotation(min(depth - 1, 1), need), w.fresh("Tree")
        other = w.fresh("Leaf") if w.chance(3) and "TypedDict" not in head else name
        again = quoted(w, w.pick(("list[{}]", "dict[str, {}]", "tuple[{}, ...]")).format(other))
        itself = quoted(w, f"{name} | None")
        lines = [f"    value: {inner.text}"]
        if "TypedDict" in head:
            lines += [f"    next: NotRequired[{itself}]", f"    below: NotRequired[{again}]"]
        else:
            empty = "()" if "tuple" in again else "{}" if "dict" in again else "[]"
            lines += [f"    next: {itself} = None", f"    below: {again} = {factory.format(empty)}"]
        w.define(*head.format(name=name).split("\n"), *lines)
        if other != name:
            w.define(*head.format(name=other).split("\n"), f"    up: {itself} = None")
        if "TypedDict" in head:
            w.define(f"REQUIRED[{name}] = ['value']")
            return Written(name, tuple(f"{{'value': {v}}}" for v in inner.defaults[:1]))
        return Written(name, tuple(f"{name}(value={v})" for v in inner.defaults[:1]))

    return write


def tagged(head: str, factory: str, text: str = "Union[{}]", constant: bool = True) -> Constructor:
    """A union of classes told apart by a constant in one field, which a Struct's `tag` adds by itself."""

    def write(w: Writer, depth: int, need: Need) -> Written:
        need = Need(need.hashable, pydantic=need.pydantic or "pydantic" in head)
        names, defaults = [], []
        for tag in w.sample(("cat", "dog", "Cat", ""), 2, 3):
            name = w.fresh("Case")
            fields = parts(w, depth - 1, need, low=0, names=tuple(name for name in NAMES if name != "type"))
            if constant:
                fields.insert(0, Part("type", f"Literal[{tag!r}]", sample=repr(tag)))
            w.define(*head.format(name=name, tag=tag).split("\n"), *body(fields, factory))
            names.append(name)
            defaults += example(name, fields)
        return Written(text.format(", ".join(names)), tuple(defaults))

    return write


RECORDS: dict[str, Constructor] = {
    "dataclass": data_class,
    "dataclass inheriting": inheriting,
    "attrs": attrs_class,
    "Struct": struct,
    "TypedDict": typed_dict,
    "NamedTuple": named_tuple,
    "pydantic model": pydantic_model,
    "pydantic dataclass": pydantic_dataclass,
    "recursive dataclass": recursive("@dataclass\nclass {name}:", DATACLASS),
    "recursive TypedDict": recursive("class {name}(te.TypedDict):", "{}"),
    "recursive Struct": recursive("class {name}(msgspec.Struct):", STRUCT),
    "recursive model": recursive("class {name}(pydantic.BaseModel):", PYDANTIC),
    "tagged dataclasses": tagged("@dataclass(kw_only=True)\nclass {name}:", DATACLASS),
    "tagged Structs": tagged("class {name}(msgspec.Struct, tag={tag!r}, kw_only=True):", STRUCT, constant=False),
    "discriminated models": tagged(
        "class {name}(pydantic.BaseModel):",
        PYDANTIC,
        "Annotated[Union[{}], pydantic.Field(discriminator='type')]",
    ),
}
HASHABLE = ("dataclass", "attrs", "Struct", "NamedTuple", "pydantic model")
NOT_IN_PYDANTIC = ("attrs", "Struct", "recursive Struct", "tagged Structs")
