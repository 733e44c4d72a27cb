"""TOML is changed as text: what is not meant stays, to the letter."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.cli.clients.tomledit import NotToml, read_toml, toml_text_of, with_value, without_table

TABLE = ("s", "x")

# (before, after key k of table s.x is set to "v")
SET: dict[str, tuple[str, str]] = {
    "nothing": ("", '[s.x]\nk = "v"\n'),
    "no such table": ("a = 1 # one\n\n[t]\nb = 2", 'a = 1 # one\n\n[t]\nb = 2\n\n[s.x]\nk = "v"\n'),
    "a table without the key": ("[s.x]\nj = 1\n\n# of t\n[t]\n", '[s.x]\nj = 1\nk = "v"\n\n# of t\n[t]\n'),
    "a table without anything": ("[s.x]", '[s.x]\nk = "v"\n'),
    "a key": ("[s.x]\nk = 'w'\nj = 1\n", '[s.x]\nk = "v"\nj = 1\n'),
    "a key over many lines": ('[s.x]\nk = [\n  "w", # why\n]\nj = 1\n', '[s.x]\nk = "v"\nj = 1\n'),
    "the same key elsewhere": ("k = 1\n[t]\nk = 2\n[s.x]\nk = 3\n", 'k = 1\n[t]\nk = 2\n[s.x]\nk = "v"\n'),
    "a text that looks like a table": (
        'a = """\n[s.x]\nk = 1\n"""\n[s.x]\nk = 1\n',
        'a = """\n[s.x]\nk = 1\n"""\n[s.x]\nk = "v"\n',
    ),
    "a header written otherwise": ('[ s . "x" ] # here\nk = 1\n', '[ s . "x" ] # here\nk = "v"\n'),
    "an array of tables": ("[[t]]\nk = 1\n[[t]]\nk = 2\n", '[[t]]\nk = 1\n[[t]]\nk = 2\n\n[s.x]\nk = "v"\n'),
    "lines of Windows": ("[s.x]\r\nj = 1\r\n", '[s.x]\r\nj = 1\r\nk = "v"\r\n'),
}

# (before, after table s.x is taken out)
TAKEN: dict[str, tuple[str, str]] = {
    "alone": ("[s.x]\nk = 1\n", ""),
    "the last": ("a = 1\n\n[s.x]\nk = 1\n\n[s.x.env]\nA = 'b'\n", "a = 1\n"),
    "the first": ("[s.x]\nk = 1\n\n# of t\n[t]\n", "\n# of t\n[t]\n"),
    "between": ("[s.a]\nk = 1\n\n[s.x]\nk = 2\n\n[s.xy]\nk = 3\n", "[s.a]\nk = 1\n\n[s.xy]\nk = 3\n"),
    "not there": ("[s.a]\nk = 1\n", "[s.a]\nk = 1\n"),
}


@pytest.mark.parametrize(("before", "after"), SET.values(), ids=SET)
def test_a_value_is_set_and_nothing_else_moves(before: str, after: str) -> None:
    assert with_value(before, TABLE, "k", "v") == after
    assert with_value(after, TABLE, "k", "v") == after


@pytest.mark.parametrize(("before", "after"), TAKEN.values(), ids=TAKEN)
def test_a_table_is_taken_out_and_nothing_else_moves(before: str, after: str) -> None:
    assert without_table(before, TABLE) == after


@pytest.mark.parametrize(
    ("text", "said"), [("a = = 1", "line 1, column 5"), ("[t]\n[t]", "twice"), ("a", "end of document")]
)
def test_what_is_not_toml_is_refused_with_the_place(text: str, said: str) -> None:
    with pytest.raises(NotToml, match=said):
        read_toml(text)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS, max_size=3) | st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=3)
)
def test_any_text_is_written_so_that_toml_reads_it(values: dict[str, object]) -> None:
    assert tomllib.loads(f"x = {toml_text_of(values)}") == {"x": values}
