"""Lines of help are those that textwrap would make of the same words."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from accord.cli.help_layout import width_of, wrapped
from accord.cli.terminal import Look

_WORDS = st.lists(st.text(st.sampled_from("ab-.,(é"), min_size=1, max_size=30), max_size=12)


@given(_WORDS, st.integers(10, 110), st.integers(0, 8))
def test_words_are_wrapped_as_textwrap_wraps_them(words: list[str], width: int, indent: int) -> None:
    look = Look(tty=False, colour=False, width=width, unicode=True)
    text = " ".join(words)
    expected = textwrap.wrap(
        text,
        width_of(look),
        initial_indent=" " * indent,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    assert wrapped(text, look, indent=indent) == (expected or [""])


@given(_WORDS.filter(bool), st.integers(20, 100))
def test_what_stands_before_the_words_is_on_their_first_line(words: list[str], width: int) -> None:
    look = Look(tty=False, colour=False, width=width, unicode=True)
    lines = wrapped(" ".join(words), look, indent=7, first="Usage: x ")
    assert lines[0].startswith(f"Usage: x {words[0]}")
    assert all(line.startswith(" " * 7) for line in lines[1:])
    assert " ".join(lines).split() == ["Usage:", "x", *words]
