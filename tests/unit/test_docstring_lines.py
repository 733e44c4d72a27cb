"""The lines of a docstring are those the standard library finds, without loading it."""

import inspect

from hypothesis import example, given
from hypothesis import strategies as st

from accord._docstring import _lines

TEXTS = st.text(alphabet=st.sampled_from(" \t\nab:-"), max_size=60)


@given(TEXTS)
@example("One.\n\n    Two.\n        three\n    ")
@example("\n    One.\n\n\tTwo.")
@example("  \n\n")
def test_the_margin_is_taken_off_as_inspect_does_it(docstring: str) -> None:
    assert _lines(docstring) == inspect.cleandoc(docstring).splitlines()
