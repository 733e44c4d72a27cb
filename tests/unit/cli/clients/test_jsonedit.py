"""JSON is changed as text: what is not meant stays, to the letter."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.cli.clients.jsonedit import json_text_of, with_member, without_member
from accord.cli.clients.jsontree import Broken, read_tree

NEW = {"command": "py", "args": ["-m", "x"]}

# (before, after s.new is set to {"a": 1})
SET: dict[str, tuple[str, str]] = {
    "an empty object": ("{}", '{\n  "s": {\n    "new": {\n      "a": 1\n    }\n  }\n}'),
    "an empty object on two lines": ("{\n}\n", '{\n  "s": {\n    "new": {\n      "a": 1\n    }\n  }\n}\n'),
    "after others": (
        '{\n    "s": {\n        "old": {}\n    },\n    "x": 1e400\n}',
        '{\n    "s": {\n        "old": {},\n        "new": {\n            "a": 1\n        }\n    },\n    "x": 1e400\n}',
    ),
    "tabs": (
        '{\n\t"s": {}\n}',
        '{\n\t"s": {\n\t\t"new": {\n\t\t\t"a": 1\n\t\t}\n\t}\n}',
    ),
    "lines of Windows": (
        '{\r\n  "s": {}\r\n}\r\n',
        '{\r\n  "s": {\r\n    "new": {\r\n      "a": 1\r\n    }\r\n  }\r\n}\r\n',
    ),
    "one line": ('{"s":{"old":1},"t":2}', '{"s":{"old":1, "new": {"a": 1}},"t":2}'),
    "one line, nothing there": ('{"t":2}', '{"t":2, "s": {"new": {"a": 1}}}'),
    "an object on one line among lines": (
        '{\n  "s": {"old": 1}\n}',
        '{\n  "s": {"old": 1, "new": {"a": 1}}\n}',
    ),
    "comments": (
        '// top\n{\n  "s": { // all\n    "old": 1 // it\n    /* end */\n  }\n}\n//',
        '// top\n{\n  "s": { // all\n    "old": 1, // it\n    /* end */\n    "new": {\n      "a": 1\n    }\n  }\n}\n//',
    ),
    "a trailing comma": (
        '{\n  "s": {\n    "old": 1,\n  },\n}',
        '{\n  "s": {\n    "old": 1,\n    "new": {\n      "a": 1\n    }\n  },\n}',
    ),
    "a comment in an empty object": (
        '{\n  "s": {\n    // none yet\n  }\n}',
        '{\n  "s": {\n    // none yet\n    "new": {\n      "a": 1\n    }\n  }\n}',
    ),
    "another value": (
        '{\n  "s": {\n    "new": [1, 2], // mine\n    "z": 0\n  }\n}',
        '{\n  "s": {\n    "new": {\n      "a": 1\n    }, // mine\n    "z": 0\n  }\n}',
    ),
    "the same value": ('{"s": {"new" :{ "a":1 }}}', '{"s": {"new" :{ "a":1 }}}'),
    "marks inside of texts": (
        '{\n  "x": "}, // \\" { /*",\n  "s": {}\n}',
        '{\n  "x": "}, // \\" { /*",\n  "s": {\n    "new": {\n      "a": 1\n    }\n  }\n}',
    ),
}

# (before, after s.gone is taken out)
TAKEN: dict[str, tuple[str, str]] = {
    "the only one": ('{\n  "s": {\n    "gone": {\n      "a": 1\n    }\n  }\n}', '{\n  "s": {}\n}'),
    "the first": ('{\n  "s": {\n    "gone": 1,\n    "b": 2\n  }\n}', '{\n  "s": {\n    "b": 2\n  }\n}'),
    "the last": ('{\n  "s": {\n    "b": 2,\n    "gone": 1\n  }\n}', '{\n  "s": {\n    "b": 2\n  }\n}'),
    "the middle": (
        '{\n  "s": {\n    "b": 2,\n    "gone": 1, // bye\n    // of c\n    "c": 3\n  }\n}',
        '{\n  "s": {\n    "b": 2,\n    // of c\n    "c": 3\n  }\n}',
    ),
    "the last, with comments": (
        '{\n  "s": {\n    "b": 2, // of b\n    "gone": 1\n    // end\n  }\n}',
        '{\n  "s": {\n    "b": 2 // of b\n    // end\n  }\n}',
    ),
    "on one line, first": ('{"s": {"gone": 1, "b": 2}}', '{"s": {"b": 2}}'),
    "on one line, last": ('{"s": {"b": 2, "gone": 1}}', '{"s": {"b": 2}}'),
    "on one line, alone": ('{"s": {"gone": 1}}', '{"s": {}}'),
    "before a trailing comma": ('{\n  "s": {\n    "gone": 1,\n  },\n}', '{\n  "s": {},\n}'),
    "under a comment that stays": (
        '{\n  "s": {\n    // mine\n    "gone": 1\n  }\n}',
        '{\n  "s": {\n    // mine\n  }\n}',
    ),
    "lines of Windows": (
        '{\r\n  "s": {\r\n    "b": 2,\r\n    "gone": 1\r\n  }\r\n}',
        '{\r\n  "s": {\r\n    "b": 2\r\n  }\r\n}',
    ),
    "not there": ('{"s": {"b": 1}}', '{"s": {"b": 1}}'),
    "nor what is around it": ('{ "b": 1}', '{ "b": 1}'),
}

# (text, is it lenient, line, column, what is said)
BROKEN: list[tuple[str, bool, int, int, str]] = [
    ('{\n  "a": 1,\n}', False, 2, 9, "a comma too many"),
    ('{\n  "a": 1 // x\n}', False, 2, 10, "a comment, which this file may not hold"),
    ('{\n  "a": 1\n  "b": 2\n}', True, 3, 3, "where a comma or } is needed"),
    ('{\n  "a": ', True, 2, 8, "the text ends where a value is needed"),
    ("{'a': 1}", True, 1, 2, "this is no JSON"),
    ("{a: 1}", True, 1, 2, "this is no JSON"),
    ('{"a" 1}', True, 1, 6, "where a colon is needed"),
    ('{"a": 1} {', True, 1, 10, "where the end is needed"),
    ('{"a": "\\x"}', True, 1, 7, "this is no JSON text"),
    ('{"a": [1, ]}', False, 1, 9, "a comma too many"),
    ('{"a": [1 2]}', True, 1, 10, "where a comma or ] is needed"),
    ("{1: 2}", True, 1, 2, "where a key in double quotes is needed"),
    ('{"a": "b\nc"}', True, 1, 7, "this is no JSON"),
    ("[" * 100_000, True, 1, 1, "nested too deeply"),
    ("[1]", True, 1, 1, "what this file holds is no object"),
    ('{\n  "s": []}', True, 2, 8, "'s' is no object"),
    ('{"s": {},\n "s": {}}', True, 2, 2, "'s' is here twice"),
]


@pytest.mark.parametrize(("before", "after"), SET.values(), ids=SET)
def test_a_member_is_set_and_nothing_else_moves(before: str, after: str) -> None:
    assert with_member(before, ("s", "new"), {"a": 1}, lenient=True) == after
    assert with_member(after, ("s", "new"), {"a": 1}, lenient=True) == after


@pytest.mark.parametrize(("before", "after"), TAKEN.values(), ids=TAKEN)
def test_a_member_is_taken_out_and_nothing_else_moves(before: str, after: str) -> None:
    assert without_member(before, ("s", "gone"), lenient=True) == after
    assert without_member(after, ("s", "gone"), lenient=True) == after


@pytest.mark.parametrize(("text", "lenient", "line", "column", "said"), BROKEN)
def test_a_broken_text_is_refused_with_the_place(text: str, lenient: bool, line: int, column: int, said: str) -> None:
    with pytest.raises(Broken) as caught:
        with_member(text, ("s", "new"), NEW, lenient=lenient)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert said in caught.value.problem


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
LAYOUTS = st.sampled_from([None, 2, 4, "\t"])


@settings(max_examples=150, deadline=None)
@given(
    others=st.dictionaries(st.text(max_size=4), VALUES, max_size=3),
    servers=st.dictionaries(st.text(max_size=4), VALUES, max_size=3),
    name=st.text(max_size=4),
    indent=LAYOUTS,
)
def test_any_object_says_what_it_said_and_the_new_member(
    others: dict[str, Any], servers: dict[str, Any], name: str, indent: Any
) -> None:
    data = {**others, "s": servers}
    text = with_member(json.dumps(data, indent=indent), ("s", name), NEW, lenient=False)
    assert json.loads(text) == {**others, "s": {**servers, name: NEW}}
    left = {key: value for key, value in servers.items() if key != name}
    assert json.loads(without_member(text, ("s", name), lenient=False)) == {**others, "s": left}


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_a_tree_holds_what_json_holds(value: Any) -> None:
    assert read_tree(json.dumps(value), lenient=False).value == value
    assert json.loads(json_text_of(value)) == value
