"""Where a docstring's summary ends is told without regular expressions: held to those that say it in a line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord._docstring import _is_field, _is_header, summary_of

_FIELD = re.compile(r":\w+(?:\s+[^:]*)?:")
_HEADER = re.compile(r"[A-Z][A-Za-z ]*:\s*$")

_LINES = st.text(st.sampled_from(":: _aZ9\té·\u2003²-\u212a"), max_size=8) | st.from_regex(_FIELD)


@given(_LINES)
def test_a_field_is_what_the_expression_matches(line: str) -> None:
    assert _is_field(line) == bool(_FIELD.match(line)), repr(line)


_TITLES = st.sampled_from(
    ["Args", "args", "RETURNS", "See Also", "See also ", " Raises", "Not\u0117s", "Nothing", "\u212aeys"]
)


@given(_TITLES, st.sampled_from(["", ":", " :", ": ", ":\t", "::", ": x"]))
def test_a_header_is_a_known_title_that_the_expression_matches(title: str, end: str) -> None:
    line = title + end
    known = line.strip()[:-1].lower() in {"args", "returns", "see also"}
    assert _is_header(line) == (known and bool(_HEADER.match(line)))


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        ("Do it.\n\nArgs:\n    x: One.", "Do it."),
        ("Do it:\n\nlike this.", "Do it:\n\nlike this."),
        ("Do it.\n:param x: One.", "Do it."),
        ("Do it.\n\nReturns\n-------\nint", "Do it."),
        ("Do it, with::\n\n    Args: none.", "Do it, with::\n\nArgs: none."),
    ],
)
def test_the_summary_ends_where_a_section_begins(docstring: str, summary: str) -> None:
    assert summary_of(docstring) == summary
